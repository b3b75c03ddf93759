"""Sequential C and C++ to target regions of OpenMP: parallel loops run on a device, on copies of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.core import (
    OPENMP_TARGET,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Rejected,
    Replacement,
    Source,
    Unit,
)
from transpile.translators.loops.choice import Choice, chosen
from transpile.translators.loops.fallback import in_order, left_in_order
from transpile.translators.loops.offload.maps import Maps
from transpile.translators.loops.offload.regions import Region, regions
from transpile.translators.loops.openmp.clauses import (
    atomic,
    clauses,
    declared_reductions,
    headers,
    statement_around,
)
from transpile.translators.loops.openmp.frames import lines_above, numbered
from transpile.translators.loops.outside import outside
from transpile.translators.loops.overlaps import Unbounded
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.refusal import refusal
from transpile.translators.rules.syntax import INDENT, Edit, Function, apply, indentation, reindent

_LINE = 100
"""Characters of a line, beyond which clauses go to one of their own."""


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device, or why none of them does."""
    text, contract = unit.text.decode("latin-1"), contracts[0] if contracts else None
    choice = chosen(text, contract, outside(source_, unit), merging=False)
    if contract is None:
        return refusal(unit, choice.function, [])
    port = _Port(Function(text), choice, Maps(contract, choice.variables, choice.function.identifiers))
    bands, alone = port.sorted()
    if not bands:
        return refusal(unit, choice.function, alone)
    try:
        ported = port.text(bands)
    except Unbounded as why:
        return refusal(unit, choice.function, [Alone(bands[0].nest, str(why))])
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=ported.encode("latin-1")),),
        binding=Binding(name=unit.name, arguments=contract.signature.names),
        dialect=OPENMP_TARGET,
        headers=headers(bands),
        origin=ByRules(rules=("loops", "openmp-target", *choice.rules)),
    )


@dataclass(frozen=True, slots=True)
class _Port:
    """A function in the making."""

    written: Function
    choice: Choice
    maps: Maps

    def sorted(self) -> tuple[list[Band], list[Alone]]:
        """Return what runs on a device, and what does not."""
        bands: list[Band] = []
        alone: list[Alone] = []
        for part in self.choice.parts:
            if isinstance(part, Alone):
                alone.append(part)
                continue
            try:
                self.maps.refuse(part)
                self.maps.of(part)
            except Unbounded as why:
                alone.append(Alone(part.nest, str(why)))
            else:
                bands.append(part)
        return bands, alone

    def text(self, bands: Sequence[Band]) -> str:
        """Return the function, and its sequential form where arrays may overlap; raises Unbounded."""
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

    def _first(self, lines: Sequence[str]) -> Edit:
        """Return the edit that puts lines before all that the function does."""
        function = self.choice.function
        indent = indentation(function.text, function.statements[0].start_byte) or INDENT
        start = function.body.start_byte + 1
        rest = "" if function.text[start:].lstrip(" ").startswith("\n") else f"\n{indent}"
        return Edit(start, start, "".join(f"\n{indent}{line}" for line in lines) + rest)

    def _marked(self, band: Band) -> Iterator[Edit]:
        function, number = self.choice.function, numbered(self.choice.function, band.node)
        for line in declared_reductions(band, number):
            yield lines_above(function, statement_around(band.nest.node), line)
        head = " ".join(("#pragma omp target teams distribute parallel for", *clauses(band, number)))
        indent = indentation(function.text, band.node.start_byte)
        yield lines_above(function, band.node, _joined(head, self.maps.of(band), indent))
        yield from atomic(function, band)

    def _held(self, region: Region, edits: Sequence[Edit]) -> Edit:
        """Return the edit that puts a region around its statements, with their own edits made."""
        text, (start, end) = self.choice.function.text, (region.first.start_byte, region.last.end_byte)
        indent = indentation(text, start)
        inner = apply(text, edits, start, end)
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
