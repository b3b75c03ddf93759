"""Results that further threads leave alone by the values of the data: extrema, flags that are set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.contracts.launches.launch_ladder import Split, launch_of
from transpile.contracts.launches.launch_sweep import Climb
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Filling, Floats, Observed, Probe, Style, Values
from transpile.contracts.probing.subject import Subject

_WIDE = 1 << 20
_SEEDS = 3
_STEPS_BELOW_TOP = 2
"""An extremum may stay as it is for one rung, by chance."""


def saturates(subject: Subject, known: Pilot, climbs: Sequence[Climb]) -> Asking[bool]:
    """Tell whether more threads do more under some data, though not under the data of the climbs.

    The least of ever more elements soon stays what it is where elements are drawn from few numbers. Where
    elements fall from one to the next, each thread changes it. No guard of the text may say how many
    threads count.
    """
    alike = all(len({ladder.final for ladder in item.together.values()}) == 1 for item in climbs)
    if subject.told.guards or subject.told.fixed or not alike:
        return False
    ladder = climbs[0].together[Split.ONE]
    tried = (ladder.settled or ladder.threads[0], ladder.threads[-1 - _STEPS_BELOW_TOP], ladder.threads[-1])
    letters = [axis.letter for axis in subject.axes]
    launches = [
        launch_of(subject, dict.fromkeys(letters, threads), Split.ONE, known.shared) for threads in tried
    ]
    outcomes = yield [
        Probe(scalars=climbs[0].scalars, launch=launch, filling=filling)
        for filling in _fillings(known.filling)
        for launch in launches
    ]
    steps = [outcomes[start : start + len(launches)] for start in range(0, len(outcomes), len(launches))]
    left = [{item.outputs for item in step if isinstance(item, Observed)} for step in steps]
    return any(len(results) > 1 for results in left)


def _fillings(base: Filling) -> list[Filling]:
    """Return fillings of many different numbers, rising and falling, and others like the given one."""
    ordered = [
        replace(base, integers=Values(style, 0, _WIDE), floats=floats)
        for style, floats in ((Style.COUNTING, Floats.HIGH), (Style.FALLING, Floats.LOW))
    ]
    drawn = [replace(base, seed=base.seed + turn + 1) for turn in range(_SEEDS)]
    return [*ordered, *drawn]
