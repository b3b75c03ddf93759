"""Raise the number of threads until the output stops changing, or depends on the shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.contracts.launches.launch_ladder import RUNGS, SOLO_RUNGS, Split, launch_of
from transpile.contracts.probing.probe import Asking, Failed, Filling, Observed, Outcome, Probe
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import Launch

_RUNGS_ABOVE = 2
"""So many further rungs have to show the same before a ladder counts as settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Outcomes by rising number of threads."""

    threads: tuple[int, ...]
    launches: tuple[Launch, ...]
    outcomes: tuple[Outcome, ...]
    reads: bool = True
    """Rungs differ also where they only read further."""

    @property
    def digests(self) -> tuple[str, ...]:
        """Return what each rung left behind; a failed rung has left nothing comparable."""
        return tuple(
            item.left(reads=self.reads) if isinstance(item, Observed) else f"failed {index}"
            for index, item in enumerate(self.outcomes)
        )

    @property
    def settled(self) -> int | None:
        """Return the threads from which on nothing changes, None where it keeps changing."""
        digests = self.digests
        if isinstance(self.outcomes[-1], Failed):
            return None
        first = next(index for index in range(len(digests)) if len(set(digests[index:])) == 1)
        alone = len(digests) == 1
        return self.threads[first] if alone or first + _RUNGS_ABOVE < len(digests) else None

    @property
    def final(self) -> str:
        """Return what the last rung left behind."""
        return self.digests[-1]

    @property
    def valid(self) -> bool:
        """Tell whether the source behaved on every rung."""
        return all(isinstance(item, Observed) and item.valid for item in self.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """All ladders of one set of arguments."""

    scalars: Scalars
    together: Mapping[Split, Ladder]
    """All axes at once."""
    solo: Mapping[str, Ladder]
    """One axis, the others with a single thread, a thread a block."""
    repeated: Mapping[str, Outcome]
    """The widest launch again with two threads or blocks where an axis of the text has only one."""

    def by_outputs(self) -> Climb:
        """Return the same climb, looked at without what is only read."""
        return replace(
            self,
            together={split: replace(ladder, reads=False) for split, ladder in self.together.items()},
            solo={letter: replace(ladder, reads=False) for letter, ladder in self.solo.items()},
        )

    @property
    def valid(self) -> bool:
        """Tell whether the source behaved under all plain launches."""
        return all(ladder.valid for ladder in (*self.together.values(), *self.solo.values()))


def climb(subject: Subject, scalars: Scalars, filling: Filling, shared: int = 0) -> Asking[Climb]:
    """Trace all ladders of one set of arguments."""
    rungs = RUNGS[len(subject.axes)]
    letters = [axis.letter for axis in subject.axes]
    plans: dict[tuple[str, str], list[Launch]] = {}
    for split in Split:
        plans["together", split] = [
            launch_of(subject, dict.fromkeys(letters, threads), split, shared) for threads in rungs
        ]
    for letter in letters if len(letters) > 1 else ():
        plans["solo", letter] = [
            launch_of(subject, {letter: threads}, Split.ONE, shared) for threads in SOLO_RUNGS
        ]
    widest = plans["together", Split.ONE][-1]
    for axis in subject.axes:
        if not (axis.grid and axis.block):
            plans["repeated", axis.letter] = [_doubled(widest, axis.letter, grid=not axis.grid)]
    distinct = list(dict.fromkeys(launch for launches in plans.values() for launch in launches))
    outcomes = yield [Probe(scalars=scalars, launch=launch, filling=filling) for launch in distinct]
    by_launch = dict(zip(distinct, outcomes, strict=True))

    def ladder(launches: Sequence[Launch], threads: Sequence[int]) -> Ladder:
        return Ladder(
            threads=tuple(threads),
            launches=tuple(launches),
            outcomes=tuple(by_launch[launch] for launch in launches),
        )

    return Climb(
        scalars=scalars,
        together={split: ladder(plans["together", split], rungs) for split in Split},
        solo={key: ladder(item, SOLO_RUNGS) for (kind, key), item in plans.items() if kind == "solo"},
        repeated={key: by_launch[item[0]] for (kind, key), item in plans.items() if kind == "repeated"},
    )


def _doubled(launch: Launch, letter: str, *, grid: bool) -> Launch:
    index = "xyz".index(letter)
    shape = list(launch.grid if grid else launch.block)
    shape[index] = 2
    changed = (shape[0], shape[1], shape[2])
    if grid:
        return Launch(grid=changed, block=launch.block, shared=launch.shared)
    return Launch(grid=launch.grid, block=changed, shared=launch.shared)
