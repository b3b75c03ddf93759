"""Ways out of the conditions of a line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ways:
    """Counts of the ways out of a line's conditions."""

    never: int
    """Those that nothing takes."""
    all: int
    lines: int = 1
    """Lines over which a condition goes on: compilers count each of its parts on any of them."""


def by_line(
    never: Mapping[int, int],
    ways: Mapping[int, int],
    spread: Iterable[tuple[int, int]],
    blurred: Collection[int],
) -> dict[int, Ways]:
    """Return the lines with ways that nothing takes; conditions of several lines count at their first.

    Args:
        never: Counts of the ways that nothing takes, by line.
        ways: Counts of all ways, by line.
        spread: First and last lines of conditions that go on over several.
        blurred: Lines on which branches are not those of their conditions, one for one.
    """
    first: dict[int, int] = {}
    for low, high in sorted(spread):
        begin = first.get(low, low)
        first |= dict.fromkeys(range(low, high + 1), begin)
    found: dict[int, list[int]] = {}
    for line in {*ways, *first}:
        found.setdefault(first.get(line, line), []).append(line)
    return {
        begin: Ways(count, sum(ways.get(line, 0) for line in lines), len(lines))
        for begin, lines in sorted(found.items())
        if (count := sum(never.get(line, 0) for line in lines)) and not any(line in blurred for line in lines)
    }
