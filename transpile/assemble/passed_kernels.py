"""Host functions that are given kernels to launch are given functions to call instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.tree import indentation
from transpile.assemble.kernel_bridges import Bridge, Sizes, bridge
from transpile.assemble.launch_calls import Written, written
from transpile.code.edits import Edit
from transpile.core import Candidate, Source, Span
from transpile.parsers.text.launching_parameters import LaunchingParameter, Passed, launching_parameters

_WIDTH = 100


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
    def sizes(self) -> Sizes:
        """Return what its launches pass on."""
        return Sizes.of(launch for _, launch in self.launches)

    def edits(self) -> Iterator[tuple[str, Edit[bytes]]]:
        """Yield the edits of launches, of the parameter's type, and of what is passed."""
        sizes = self.sizes
        for span, launch in self.launches:
            text = f"{self.item.name}({', '.join((*launch.arguments, *sizes.arguments(launch)))})"
            yield self.item.path, Edit(span.start, span.end, _encoded(text))
        if self.item.parameters is not None:
            more = "".join(f", {kind}" for kind in sizes.types)
            yield (
                self.item.path,
                Edit(self.item.parameters.end - 1, self.item.parameters.end - 1, more.encode()),
            )
        for passed in self.item.passed:
            candidate = self.kept.get(passed.unit)
            made = bridge(self.source, passed.unit, passed.kernel, candidate, sizes)
            text = made.name if made.takes else self._laid_out(passed, made)
            yield passed.path, Edit(passed.span.start, passed.span.end, _encoded(text))

    def _laid_out(self, passed: Passed, made: Bridge) -> str:
        data = self.source.files[passed.path]
        before = passed.span.start - data.rfind(b"\n", 0, passed.span.start)
        whole = f"[]({made.declared}) {{ {made.call}; }}"
        if before + len(whole) <= _WIDTH:
            return whole
        indent = indentation(data, passed.span.start).decode()
        return f"[]({made.declared}) {{\n{indent}    {made.call};\n{indent}}}"


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
