"""Contracts of the launches that a program makes itself, for kernels that bear no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.contracts.launches.launch_families import QUANTITIES
from transpile.contracts.learn import learn
from transpile.contracts.probing.probe import Asking, unknown
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.contracts.recorded_launches import Row, as_recorded, contradicting
from transpile.contracts.text.sites import Block
from transpile.core import Contract, Inconclusive, ShapeDependent


def learn_as_launched(
    subject: Subject, pinned: Scalars, seed: int, hints: Sequence[Block], rows: Sequence[Row] = ()
) -> Asking[Contract | Inconclusive]:
    """Learn a contract as ``learn`` does; where there is none, one that holds at the program's launches.

    One that launches of the program's runs do not keep to is none.

    Args:
        subject: The kernel.
        pinned: Scalars that keep their value.
        seed: Of every random choice.
        hints: Shapes of blocks that launch sites and recorded runs use.
        rows: Launches that were recorded, and their scalars.
    """
    found = _keeping(single_axes(subject, (yield from learn(subject, pinned, seed, hints))), rows)
    if isinstance(found, Contract):
        return found
    for closer in (*as_launched(subject), *as_recorded(subject, rows)):
        again = _keeping((yield from learn(closer, pinned, seed, hints)), rows)
        if isinstance(again, Contract):
            return again
    return found


def single_axes(subject: Subject, found: Contract | Inconclusive) -> Contract | Inconclusive:
    """Return a contract that says on which axes all launches that it was learnt at have one block, or thread.

    What a kernel does with several there was never seen.
    """
    law = found.law if isinstance(found, Contract) else None
    if not isinstance(found, Contract) or not isinstance(law, ShapeDependent) or not law.launches:
        return found
    single = [
        f"{name} == 1"
        for place, name in enumerate(QUANTITIES)
        if (axis := subject.axis(name[-1])) is not None
        and (axis.grid if name.startswith("gridDim") else axis.block)
        and all(family[place] == "1" for family in law.launches)
    ]
    return replace(found, law=replace(law, relations=tuple(dict.fromkeys((*law.relations, *single)))))


def _keeping(found: Contract | Inconclusive, rows: Sequence[Row]) -> Contract | Inconclusive:
    """Return a contract unless a recorded launch says that it is too narrow."""
    broken = contradicting(found, rows) if isinstance(found, Contract) else ""
    return unknown(f"its own program launches it where `{broken}` does not hold") if broken else found


def as_launched(subject: Subject) -> Iterator[Subject]:
    """Yield the subject under the launches of all sites, and what scalars keep to at each of them.

    Nothing where the user states launches, where there are no sites, and where one is not known.
    """
    families = {site.family for site in subject.sites}
    if subject.stated is not None or not families or not families <= {*subject.families}:
        return
    first, *others = subject.passed or ((),)
    kept = tuple(relation for relation in first if all(relation in other for other in others))
    yield replace(subject, stated=ShapeDependent(launches=subject.families), kept=kept)
