"""Verdicts on disk one by one, and each of them once, also where two ports of a source share a cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from transpile.core import Evidence, Unit
from transpile.stages.claims import Claims
from transpile.stages.streams import side_by_side
from transpile.stages.work import Decided, Work, never

_INTERVAL = 0.2
"""Seconds between two looks at what another port decides."""


def once(
    work: Work,
    groups: Sequence[Sequence[Unit]],
    keys: Mapping[str, str],
    decide: Callable[[Sequence[Unit]], Iterator[Evidence]],
    stale: Callable[[Evidence], bool] = never,
) -> Iterator[Decided]:
    """Yield the evidence of units as each is decided, side by side; it is on disk before anyone hears of it.

    What another port is deciding is left to it. What becomes of it is told at the end; where that port was
    killed, nobody has it any more, and it is decided here.

    Args:
        work: What it is all about.
        groups: Units that are decided together.
        keys: Of evidence, by unit id.
        decide: Yields the evidence of each of some units.
        stale: Tells what of an earlier run does not count.
    """
    claims = Claims(work.store.root / ".claims")
    elsewhere: list[Sequence[Unit]] = []

    def tried(units: Sequence[Unit]) -> Iterator[Decided]:
        mine = [unit for unit in units if work.options.afresh or claims.take(keys[unit.id])]
        if len(mine) < len(units):
            elsewhere.append([unit for unit in units if unit not in mine])
        try:
            # Another port may have decided them since they were looked for.
            known, fresh = work.recalled(mine, keys, stale)
            for item in known:
                claims.release(keys[item.evidence.unit.id])
                yield item
            for evidence in decide(fresh) if fresh else ():
                saved = work.store.save(keys[evidence.unit.id], evidence)
                claims.release(keys[evidence.unit.id])
                yield Decided(evidence=saved)
        finally:
            for unit in mine:
                claims.release(keys[unit.id])

    while groups:
        yield from side_by_side(groups, tried, work.options.jobs)
        groups = tuple(elsewhere)
        elsewhere.clear()
        if groups:
            time.sleep(_INTERVAL)


def numbered(units: Sequence[Unit], evidence: Iterable[Evidence]) -> Iterator[tuple[int, Evidence]]:
    """Yield evidence with the number of its unit among some."""
    numbers = {unit.id: number for number, unit in enumerate(units)}
    return ((numbers[item.unit.id], item) for item in evidence)
