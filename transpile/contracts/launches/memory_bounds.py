"""Kernels whose number of elements lies in memory: ``if (i >= *count) return;``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from transpile.contracts.launches.launch_ladder import Split, launch_of
from transpile.contracts.launches.launch_sweep import Climb
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Filling, Observed, Probe, Style, Values
from transpile.contracts.probing.subject import Subject
from transpile.core import Covers, LaunchLaw
from transpile.expressions import names

_BEYOND = 1 << 12
"""More than the threads of any ladder."""
_STEPS = 2
"""Of the ladder, from the threads that were enough to those that are compared with them."""
_SINGLE = 1
"""Elements that a number behind a pointer has."""


def names_no_scalar(law: LaunchLaw) -> bool:
    """Tell whether the same threads cover whatever the scalars are."""
    return isinstance(law, Covers) and not any(names(text) for text in (law.x, law.y, law.z))


def bounded_in_memory(subject: Subject, known: Pilot, item: Climb) -> Asking[bool]:
    """Tell whether more threads do more where a single number behind a pointer is large."""
    ladder = item.together[Split.ONE]
    letters = [axis.letter for axis in subject.axes]
    beyond = [threads for threads in ladder.threads if threads >= (ladder.settled or 1)]
    launches = [
        launch_of(subject, dict.fromkeys(letters, threads), Split.ONE, known.shared)
        for threads in (beyond[0], beyond[min(_STEPS, len(beyond) - 1)])
    ]
    outcomes = yield [
        Probe(scalars=item.scalars, launch=launch, filling=filling)
        for filling in _fillings(subject, known.filling, item)
        for launch in launches
    ]
    pairs = zip(outcomes[::2], outcomes[1::2], strict=True)
    return any(
        isinstance(few, Observed) and isinstance(many, Observed) and few.state != many.state
        for few, many in pairs
    )


def _fillings(subject: Subject, base: Filling, item: Climb) -> Iterator[Filling]:
    """Yield fillings in which one of the numbers behind pointers is larger than any launch."""
    last = item.together[Split.ONE].outcomes[-1]
    if not isinstance(last, Observed):
        return
    for array in subject.arrays:
        touched = last.touched.get(array.name)
        if array.integer and touched is not None and touched.read and touched.high == _SINGLE:
            large = {**base.own, array.name: Values(Style.CONSTANT, _BEYOND, _BEYOND)}
            yield replace(base, own=large)
