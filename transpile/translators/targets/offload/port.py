"""Sequential C and C++ to target regions of OpenMP: parallel loops run on a device, on copies of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import INDENT, Function, indentation, reindent
from transpile.core import OPENMP_TARGET, Candidate, Contract, Rejected, Source, Unit
from transpile.translators.loops.analysis.plan import Band, SequentialNest, tried
from transpile.translators.loops.iteration.frames import lines_above, numbered
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.planning.fallback import in_order, left_in_order
from transpile.translators.loops.planning.work import work
from transpile.translators.refusal import Refused
from transpile.translators.targets.offload.maps import Maps
from transpile.translators.targets.offload.regions import Region, regions
from transpile.translators.targets.openmp.clauses import (
    atomic,
    clauses,
    declared_reductions,
    headers,
    statement_around,
)

_LINE = 100
"""Characters of a line, beyond which clauses go to one of their own."""


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device, or why none of them does."""
    own = work(source_, unit, contracts, idioms=frozenset())
    choice = own.choice
    if own.contract is None or own.unseen:
        return own.refused(own.unseen)
    port = _Port(own.written, choice, Maps(own.contract, choice.variables, choice.function.identifiers))
    bands, alone = tried(choice.parts, port.checked)
    if not bands:
        return own.refused(alone)
    try:
        ported = port.text(bands)
    except Refused as why:
        return own.refused([SequentialNest(bands[0].nest, why.detail)])
    return own.candidate(ported, OPENMP_TARGET, "openmp-target", headers=headers(bands))


@dataclass(frozen=True, slots=True)
class _Port:
    """A function in the making."""

    written: Function
    choice: Choice
    maps: Maps

    def checked(self, band: Band) -> Band:
        """Return a band that may run on a device; raises Refused."""
        self.maps.refuse(band)
        self.maps.of(band)
        return band

    def text(self, bands: Sequence[Band]) -> str:
        """Return the function, and its sequential form where arrays may overlap; raises Refused."""
        function = self.choice.function
        held = regions(self.choice.variables, bands)
        together = [region.bands for region in held]
        together += [(band,) for band in bands if not any(band in region.bands for region in held)]
        conditions = list(dict.fromkeys(item for group in together for item in self.maps.apart(group)))
        signature = self.maps.contract.signature
        lines = left_in_order(function, signature, conditions) if conditions else []
        lines += self.maps.lengths(bands)
        edits = [edit for band in bands for edit in self._marked(band)]
        wide = [self._held(region, edits) for region in held]
        first = [self._first(lines)] if lines else []
        ported = function.edited([*first, *wide, *edits])
        return f"{in_order(self.written)}\n{ported}" if conditions else ported

    def _first(self, lines: Sequence[str]) -> Edit[str]:
        """Return the edit that puts lines before all that the function does."""
        function = self.choice.function
        indent = indentation(function.text, function.statements[0].start_byte) or INDENT
        start = function.body.start_byte + 1
        rest = "" if function.text[start:].lstrip(" ").startswith("\n") else f"\n{indent}"
        return Edit(start, start, "".join(f"\n{indent}{line}" for line in lines) + rest)

    def _marked(self, band: Band) -> Iterator[Edit[str]]:
        function, number = self.choice.function, numbered(self.choice.function, band.node)
        for line in declared_reductions(band, number):
            yield lines_above(function, statement_around(band.nest.node), line)
        head = " ".join(("#pragma omp target teams distribute parallel for", *clauses(band, number)))
        indent = indentation(function.text, band.node.start_byte)
        yield lines_above(function, band.node, _joined(head, self.maps.of(band), indent))
        yield from atomic(function, band)

    def _held(self, region: Region, edits: Sequence[Edit[str]]) -> Edit[str]:
        """Return the edit that puts a region around its statements, with their own edits made."""
        text, (start, end) = self.choice.function.text, (region.first.start_byte, region.last.end_byte)
        indent = indentation(text, start)
        inner = apply_outermost(text, edits, start, end)
        if region.first.id != region.last.id:
            inner = f"{{\n{indent}{_deeper(inner, indent)}\n{indent}}}"
        head = _joined("#pragma omp target data", self.maps.around(region.bands), indent)
        return Edit(start, end, lines_above(self.choice.function, region.first, head).text + inner)


def _deeper(text: str, indent: str) -> str:
    """Return statements one step further in, as far as all of them are indented alike."""
    alike = all(line.startswith(indent) for line in text.splitlines()[1:] if line.strip())
    return INDENT + reindent(text, indent, indent + INDENT) if alike else text


def _joined(head: str, maps: Sequence[str], indent: str) -> str:
    """Return a directive, on two lines where it is long."""
    whole = " ".join((head, *maps))
    if len(indent) + len(whole) <= _LINE or not maps:
        return whole
    return f"{head} \\\n{indent}{INDENT}{' '.join(maps)}"
