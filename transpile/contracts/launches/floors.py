"""Sizes below which a kernel does nothing: the halo of a wide stencil leaves no element of a small field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from transpile.contracts.probing.probe import Asking, Observed, Outcome, Probe, writes
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, limited
from transpile.contracts.probing.subject import Subject

_FEW = 5
"""Size with which usual kernels do something."""
_WIDEST = 36
"""The first size that is not tried: no halo is known to be as wide."""
_SEEDS = 6
"""Fills under all of which a kernel has to write, or under none: otherwise data decide, and no size."""


def floors_of(subject: Subject, live: Probe, pinned: Scalars) -> Asking[dict[str, int]]:
    """Return what integers have to exceed for the kernel to do anything, where that is much.

    All are as small at first as they may be together, then one at a time beside ample ones. A kernel that
    reads a tile before it asks for the interior does something where it writes.

    Args:
        subject: The kernel.
        live: A call that does something.
        pinned: Scalars that keep their value.
    """
    items = {item.name: item for item in subject.scalars if item.integer and item.name not in pinned}
    if not items:
        return {}

    def probe(sizes: Mapping[str, int], seed: int) -> Probe:
        chosen = {name: limited(items[name], size) for name, size in sizes.items()}
        filling = replace(live.filling, seed=live.filling.seed + seed)
        scalars = repaired({**live.scalars, **chosen}, subject.kept, 0)
        return replace(live, scalars=scalars, filling=filling)

    [few] = yield [probe(dict.fromkeys(items, _FEW), 0)]
    if not _touches(few):
        acts, seeds = _touches, range(1)
    elif not writes(few):
        acts, seeds = writes, range(_SEEDS)
    else:
        return {}
    together = [dict.fromkeys(items, size) for size in range(_FEW, _WIDEST)]
    outcomes = yield [probe(sizes, seed) for sizes in together for seed in seeds]
    least = _first(outcomes, len(seeds), acts)
    if least is None:
        return {}
    enough = _FEW + least
    ample = dict.fromkeys(items, enough + _FEW)
    alone = {name: [{**ample, name: size} for size in range(1, enough + 1)] for name in items}
    outcomes = yield [probe(sizes, seed) for rows in alone.values() for sizes in rows for seed in seeds]
    floors: dict[str, int] = {}
    for index, name in enumerate(items):
        count = enough * len(seeds)
        needed = _first(outcomes[index * count : (index + 1) * count], len(seeds), acts)
        if needed is not None and needed + 1 >= _FEW:
            floors[name] = needed
    return floors


def _first(outcomes: Sequence[Outcome], seeds: int, acts: Callable[[Outcome], bool]) -> int | None:
    """Return from which of ascending sizes on a kernel acts, whatever its data are; None if there is none."""
    by_size = [[acts(item) for item in outcomes[at : at + seeds]] for at in range(0, len(outcomes), seeds)]
    idle = next((at for at, found in enumerate(by_size) if any(found)), len(by_size))
    return idle if idle < len(by_size) and all(map(all, by_size[idle:])) else None


def _touches(outcome: Outcome) -> bool:
    return isinstance(outcome, Observed) and bool(outcome.touched)
