"""Launches of a block for each item, where a guard lets a block without an item do nothing.

Nothing but a block beyond the last row meets ``if (blockIdx.x >= rows) return;``: no size does, and no data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.contracts.launches.launch_families import Family, launch_by, with_more_blocks
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Outcome, Probe
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import ShapeDependent


def with_spare_items(subject: Subject, known: Pilot, law: Law, rows: Sequence[Scalars]) -> Asking[Law]:
    """Return a law by which there may be blocks without an item, on each axis where these do nothing.

    Args:
        subject: The kernel.
        known: What the pilot found.
        law: A law with one family of launches, under which the source behaves for these rows.
        rows: Scalars to call it with.
    """
    found = law
    for place, text in enumerate(law.family[:3]):
        if text not in subject.integers or not isinstance(found.law, ShapeDependent):
            continue
        more = (*law.family[:place], f"{text} + 1", *law.family[place + 1 :])
        if (yield from _alike(subject, known, (law.family, more), rows)):
            wider = with_more_blocks(found.law, [f"gridDim.{'xyz'[place]} == {text}"], [more])
            found = replace(found, law=wider, families=(*found.families, more))
    return found


def _alike(
    subject: Subject, known: Pilot, families: tuple[Family, Family], rows: Sequence[Scalars]
) -> Asking[bool]:
    """Tell whether calls by either family leave the same behind, and reach as far."""
    called = [list(_called(subject, known, families, row)) for row in rows]
    pairs = [pair for pair in called if len(pair) == len(families)]
    if not pairs:
        return False
    outcomes = iter((yield [probe for pair in pairs for probe in pair]))
    states = [[_state(next(outcomes)) for _ in pair] for pair in pairs]
    return all(len({*pair}) == 1 and "" not in pair for pair in states)


def _called(subject: Subject, known: Pilot, families: Sequence[Family], row: Scalars) -> Iterator[Probe]:
    for family in families:
        launch = launch_by(family, subject, row)
        if launch is not None:
            yield Probe(scalars=row, launch=launch, filling=known.filling)


def _state(outcome: Outcome) -> str:
    """Return what a call left behind; nothing where the source misbehaves."""
    return outcome.state if isinstance(outcome, Observed) and outcome.valid else ""
