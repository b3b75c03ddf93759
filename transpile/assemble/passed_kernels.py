"""Host functions that are given kernels to launch are given functions to call instead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.configuration import Shape
from transpile.assemble.host_code.declarations import parameters
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.tree import indentation, of_type, parse, text_of
from transpile.assemble.launch_calls import Written, called_as, written
from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.core import Candidate, Source, Span, Unit
from transpile.parsers.text.launching_parameters import LaunchingParameter, Passed, launching_parameters

_WIDTH = 100
_AXES = "xyz"
_SIZES = {"gridDim": "blocks", "blockDim": "threads"}


def passing_edits(
    source: Source, known: Definitions, kept: Mapping[str, Candidate]
) -> Iterator[tuple[str, Edit[bytes]]]:
    """Yield the edits, by file, after which such functions call what they are given.

    A kernel that is not kept is launched as before, by a function around it.
    """
    for item in launching_parameters(source):
        if any(passed.unit in kept for passed in item.passed):
            starts = {span.start for span in item.launches}
            sites = [site for site in source.launches if site.path == item.path and site.span.start in starts]
            launches = tuple((site.span, written(source, known, site)) for site in sites)
            yield from _Passing(source, kept, item, launches).edits()


@dataclass(frozen=True, slots=True)
class _Passing:
    """The work on one parameter that stands for kernels."""

    source: Source
    kept: Mapping[str, Candidate]
    item: LaunchingParameter
    launches: tuple[tuple[Span, Written], ...]

    @property
    def shared(self) -> bool:
        """Tell whether some launch asks for dynamic shared memory."""
        return any(launch.shared != "0" for _, launch in self.launches)

    @property
    def axes(self) -> str:
        """Return the axes on which some launch may have more than one block or thread."""
        shapes = [shape for _, launch in self.launches for shape in launch.shapes.values()]
        used = [place for place in range(3) if any(shape.axes[place] != "1" for shape in shapes)]
        return _AXES[: max(used, default=0) + 1]

    def edits(self) -> Iterator[tuple[str, Edit[bytes]]]:
        """Yield the edits of launches, of the parameter's type, and of what is passed."""
        for span, launch in self.launches:
            text = f"{self.item.name}({', '.join(self._arguments(launch))})"
            yield self.item.path, Edit(span.start, span.end, _encoded(text))
        if self.item.parameters is not None:
            more = ", int" * (2 * len(self.axes)) + ", size_t" * self.shared
            yield (
                self.item.path,
                Edit(self.item.parameters.end - 1, self.item.parameters.end - 1, more.encode()),
            )
        for passed in self.item.passed:
            text = self._function(passed)
            yield passed.path, Edit(passed.span.start, passed.span.end, _encoded(text))

    def _arguments(self, launch: Written) -> Iterator[str]:
        """Yield what a launch passes, then the sizes of its grid and blocks."""
        yield from launch.arguments
        for base in _SIZES:
            yield from launch.shapes[base].axes[: len(self.axes)]
        if self.shared:
            yield launch.shared

    def _function(self, passed: Passed) -> str:
        """Return a function that does what the launch of a kernel did."""
        own = _declarations(self.source.unit(passed.unit))
        sizes = self._sizes(own)
        more = {name: f"int {name}" for names in sizes.values() for name in names}
        configuration = [f"dim3({', '.join(names)})" for names in sizes.values()]
        if self.shared:
            configuration.append(free_name(own, "shared_bytes"))
            more[configuration[-1]] = f"size_t {configuration[-1]}"
        candidate = self.kept.get(passed.unit)
        if candidate is None:
            call = f"{passed.kernel}<<<{', '.join(configuration)}>>>({', '.join(own)})"
        else:
            launch = Written(
                shapes={base: _shape(names) for base, names in sizes.items()},
                arguments=tuple(own),
                shared=configuration[-1],
            )
            call = called_as(launch, {name: name for name in own}, passed.kernel, candidate)
            if self._takes(candidate, call, [*own, *more]):
                return call.partition("(")[0]
        # What a function has no use for has no name.
        used = set(re.findall(r"\w+", call))
        declared = [text if name in used else text.partition(" ")[0] for name, text in more.items()]
        return self._laid_out(passed, ", ".join((*own.values(), *declared)), call)

    def _takes(self, candidate: Candidate, call: str, names: Sequence[str]) -> bool:
        """Tell whether a candidate itself takes what launches pass: in this order, and numbers as ``int``."""
        if not call.endswith(f"({', '.join(names)})"):
            return False
        text = b"".join(item.text for item in candidate.replacements)
        own = candidate.binding.name.rpartition("::")[2].encode()
        found = next((item for item in of_type(parse(text), "function_definition") if _is(item, own)), None)
        sizes = len(self.axes) * len(_SIZES)
        last = [*parameters(found)][-sizes:] if found is not None else []
        return self.item.parameters is None or (not self.shared and all(item.type == b"int" for item in last))

    def _sizes(self, taken: Mapping[str, str]) -> dict[str, list[str]]:
        """Return names for the sizes of the grid and of blocks, axis by axis."""
        return {
            base: [free_name(taken, word if len(self.axes) == 1 else f"{word}_{axis}") for axis in self.axes]
            for base, word in _SIZES.items()
        }

    def _laid_out(self, passed: Passed, declared: str, call: str) -> str:
        data = self.source.files[passed.path]
        before = passed.span.start - data.rfind(b"\n", 0, passed.span.start)
        whole = f"[]({declared}) {{ {call}; }}"
        if before + len(whole) <= _WIDTH:
            return whole
        indent = indentation(data, passed.span.start).decode()
        return f"[]({declared}) {{\n{indent}    {call};\n{indent}}}"


def _declarations(kernel: Unit) -> dict[str, str]:
    """Return the declarations of a kernel's parameters by their names; of a template they are deduced."""
    definition = next(of_type(parse(kernel.text), "function_definition"), None)
    found = parameters(definition) if definition is not None else ()
    template = next(of_type(parse(kernel.text), "template_declaration"), None) is not None
    return {
        item.name.decode(): f"auto {item.name.decode()}" if template else text_of(item.declaration).decode()
        for item in found
    }


def _is(definition: Node, name: bytes) -> bool:
    declarator = next(of_type(definition, "function_declarator"), None)
    own = declarator.child_by_field_name("declarator") if declarator is not None else None
    return own is not None and text_of(own) == name


def _shape(names: Sequence[str]) -> Shape:
    x, y, z = (*names, "1", "1")[:3]
    return Shape(x, (x, y, z))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
