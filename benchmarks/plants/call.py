"""Calls that may show a candidate wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.plants.subject import Function

FILLS = ("small", "wide", "equal", "negative", "large", "hundreds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A valid call of a function; what is not said is drawn from the seed."""

    sizes: tuple[tuple[str, int], ...]
    fill: str = "small"
    threads: int = 4
    scalars: tuple[tuple[str, float], ...] = ()
    pins: tuple[tuple[str, float], ...] = ()
    """Arrays, and a value that some of their elements have."""
    same: tuple[str, str] | None = None
    """Two arrays that are one."""
    times: int = 1
    """So many calls with other data are made, and all compared."""
    within: bool = False
    """Called by a thread of a region, so that regions of the function have one thread."""
    shift: int = 0
    """Bytes between the end of arrays and the page behind them."""
    grows: bool = False
    """The second call takes twice the sizes, the third three times."""
    seed: int = 1


def sized(function: Function, **given: int) -> tuple[tuple[str, int], ...]:
    """Return sizes for all that the function takes, small ones where none is given."""
    large = max(given.values(), default=0) > 20_000
    other = 3 if large else 37
    return tuple((name, given.get(name, 1000 if name == "m" and _table(function) else other))
                 for name in function.sizes)  # fmt: skip


def common(function: Function) -> Iterator[Call]:
    """Yield calls that any wrong candidate may fall to."""
    first = function.sizes[0]
    for n, fill, threads in (
        (100, "small", 4),
        (1000, "wide", 3),
        (257, "equal", 2),
        (999, "negative", 12),
        (3000, "large", 7),
        (70_001, "small", 16),
        (1_000_003, "small", 64),
        (1, "wide", 1),
        (0, "small", 1),
        (-3, "small", 2),
        (5_000_011, "hundreds", 4),
    ):
        yield Call(sizes=sized(function, **{first: n}), fill=fill, threads=threads)
    if len(function.sizes) > 1:
        for n in (65, 300, 1100):
            yield Call(sizes=sized(function, **dict.fromkeys(function.sizes[:2], n)), threads=5)


def _table(function: Function) -> bool:
    return any(item.below == "m" for item in function.parameters)
