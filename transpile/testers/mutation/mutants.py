"""Mutants of a unit: its text with one fault, and the texts around it that must call the faulty one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transpile.core import Binding, Candidate, Contract, Replacement, Source, Unit, UnitKind
from transpile.parsers.warp_synchronous import waiting_text
from transpile.testers.mutation.operators import mutations, sampled
from transpile.testers.proposal import Proposal

MOST = 160
"""Mutants of one unit with all that it calls; of more, a sample is taken."""

_LINKAGE = re.compile(rb'\bextern\s*"C"\s*')
"""One function of that name may exist, in whatever namespace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault planted in a unit or in what it calls."""

    unit: str
    """Id of the unit whose text holds the fault."""
    path: str
    line: int
    operator: str
    before: str
    after: str
    texts: tuple[tuple[str, bytes], ...]
    """Unit ids and texts that make it a whole: the judged unit's own first."""

    def __str__(self) -> str:
        """Return the fault in words."""
        return f"{self.path}:{self.line}: {self.operator}: `{self.before}` becomes `{self.after}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """The faults that are planted in a unit, one mutant each."""

    mutants: tuple[Mutant, ...]
    possible: int
    """All that could be planted: of many, a sample is taken."""


def plant(source: Source, unit: Unit, most: int = MOST) -> Planting:
    """Return the faults to plant in a unit and in what it calls, as far as that has a text of its own."""
    callees = source.closure(unit)
    parts = [item for item in (unit, *callees) if not item.member]
    made = tuple((part, item) for part in parts for item in mutations(part.text))
    chosen = set(sampled(tuple(item for _, item in made), most))
    mutants = tuple(
        Mutant(
            unit=part.id,
            path=part.path,
            line=part.line + item.line,
            operator=item.operator,
            before=item.before,
            after=item.after,
            texts=tuple(_texts(unit, callees, part, item.text)),
        )
        for part, item in made
        if item in chosen
    )
    return Planting(mutants=mutants, possible=len(made))


def control_of(source: Source, unit: Unit) -> Mutant:
    """Return the unit without a fault, which no trial may kill."""
    return Mutant(
        unit=unit.id,
        path=unit.path,
        line=unit.line,
        operator="none",
        before="",
        after="",
        texts=tuple(_texts(unit, source.closure(unit), unit, unit.text)),
    )


def _texts(unit: Unit, callees: Sequence[Unit], part: Unit, faulty: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the faulty text with the texts of all that calls it, so that the calls reach it."""
    through = {part.id}
    for item in (*callees, unit):
        if through & set(item.callees) and not item.member:
            through.add(item.id)
    yield unit.id, _plain(faulty if part.id == unit.id else unit.text)
    for item in callees:
        if item.id in through:
            yield item.id, _plain(faulty if item.id == part.id else item.text)


def _plain(text: bytes) -> bytes:
    return _LINKAGE.sub(b"", text)


def as_proposal(unit: Unit, contracts: Sequence[Contract], mutant: Mutant) -> Proposal:
    """Return a mutant as a candidate that is called as its source is: a kernel is launched.

    Where its source is run with the barriers that it leaves out, so is the mutant.
    """
    names = contracts[0].signature.names
    candidate = Candidate(
        unit=unit.id,
        replacements=tuple(Replacement(unit=key, text=waiting_text(text)) for key, text in mutant.texts),
        binding=Binding(name=unit.name, arguments=names, kernel=unit.kind is UnitKind.KERNEL),
        parallel=False,
    )
    return Proposal(unit=unit, contracts=tuple(contracts), candidate=candidate)
