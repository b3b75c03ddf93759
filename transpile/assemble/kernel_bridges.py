"""Functions that are called with the sizes of a grid and its blocks, and do what a launch of a kernel did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.configuration import Shape
from transpile.assemble.host_code.declarations import Declared, parameters
from transpile.assemble.host_code.tree import of_type, parse, text_of
from transpile.assemble.launch_calls import Written, called_as
from transpile.code.names import free_name
from transpile.core import Candidate, Source, Unit

_AXES = "xyz"
_SIZES = {"gridDim": "blocks", "blockDim": "threads"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The part of a configuration that is passed on to functions."""

    axes: str
    """Those on which some launch may have more than one block or thread."""
    shared: bool
    """Some launch asks for dynamic shared memory."""

    @classmethod
    def of(cls, launches: Iterable[Written]) -> Sizes:
        """Return what some launches need."""
        launches = tuple(launches)
        shapes = [shape for launch in launches for shape in launch.shapes.values()]
        used = [place for place in range(3) if any(shape.axes[place] != "1" for shape in shapes)]
        axes = _AXES[: max(used, default=0) + 1]
        return cls(axes=axes, shared=any(launch.shared != "0" for launch in launches))

    @property
    def types(self) -> tuple[str, ...]:
        """Return the types of the parameters that take them."""
        return ("int",) * (2 * len(self.axes)) + ("size_t",) * self.shared

    def arguments(self, launch: Written) -> Iterator[str]:
        """Yield what a launch passes for them."""
        for base in _SIZES:
            yield from launch.shapes[base].axes[: len(self.axes)]
        if self.shared:
            yield launch.shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """A function between launches and the candidate of a kernel, or the kernel itself where it has none."""

    call: str
    """Its body."""
    sizes: Mapping[str, str]
    """Declarations of the parameters for the sizes, by their names."""
    own: Mapping[str, str]
    """Declarations of the kernel's own parameters, by their names."""
    takes: bool
    """The candidate is such a function already: it takes the same in this order, and the sizes as ``int``."""

    @property
    def name(self) -> str:
        """Return what is called."""
        return self.call.partition("(")[0]

    @property
    def declared(self) -> str:
        """Return its parameters; those that it has no use for have no name."""
        used = set(re.findall(r"\w+", self.call))
        more = (text if name in used else text.partition(" ")[0] for name, text in self.sizes.items())
        return ", ".join((*self.own.values(), *more))


def bridge(
    source: Source, unit: str, kernel: str, candidate: Candidate | None, sizes: Sizes, *, deduced: bool = True
) -> Bridge:
    """Return the function for a kernel, as a launch spells it.

    Args:
        source: What is ported.
        unit: The kernel's id.
        kernel: Its name, template arguments included.
        candidate: What takes its place; None where it stays.
        sizes: What is passed on.
        deduced: Parameters of a template are of types to deduce.
    """
    own = _declarations(source.unit(unit), deduced=deduced)
    named = {
        base: [free_name(own, word if len(sizes.axes) == 1 else f"{word}_{axis}") for axis in sizes.axes]
        for base, word in _SIZES.items()
    }
    more = {name: f"int {name}" for names in named.values() for name in names}
    configuration = [f"dim3({', '.join(names)})" for names in named.values()]
    if sizes.shared:
        configuration.append(free_name(own, "shared_bytes"))
        more[configuration[-1]] = f"size_t {configuration[-1]}"
    if candidate is None:
        call = f"{kernel}<<<{', '.join(configuration)}>>>({', '.join(own)})"
        return Bridge(call=call, sizes=more, own=own, takes=False)
    launch = Written(
        shapes={base: _shape(names) for base, names in named.items()},
        arguments=tuple(own),
        shared=configuration[-1],
    )
    call = called_as(launch, {name: name for name in own}, kernel, candidate)
    whole = call.endswith(f"({', '.join([*own, *more])})")
    return Bridge(call=call, sizes=more, own=own, takes=whole and _takes_last(candidate, sizes))


def _takes_last(candidate: Candidate, sizes: Sizes) -> bool:
    """Tell whether the last parameters of a candidate are of the types of the sizes."""
    last = parameters_of(candidate)[-len(sizes.types) :]
    return tuple(item.type.decode() for item in last) == sizes.types


def parameters_of(candidate: Candidate) -> list[Declared]:
    """Return the parameters of the function that takes a kernel's place."""
    text = b"".join(item.text for item in candidate.replacements)
    own = candidate.binding.name.rpartition("::")[2].encode()
    found = next((item for item in of_type(parse(text), "function_definition") if _is(item, own)), None)
    return [*parameters(found)] if found is not None else []


def _declarations(kernel: Unit, *, deduced: bool) -> dict[str, str]:
    """Return the declarations of a kernel's parameters by their names."""
    definition = next(of_type(parse(kernel.text), "function_definition"), None)
    found = parameters(definition) if definition is not None else ()
    template = deduced and next(of_type(parse(kernel.text), "template_declaration"), None) is not None
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
