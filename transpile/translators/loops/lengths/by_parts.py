"""Arrays that several loops reach, some of which may have no iterations: ``x[i + 4]`` and ``x[j]``.

The furthest of all subscripts is too far where its own loops have no iterations, and nothing where a product
of sizes is 0 while an element of the array is reached all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.code.polynomial import spelled as written
from transpile.code.syntax import INDENT
from transpile.core import Contract
from transpile.expressions import names as names_of
from transpile.translators.loops.lengths.comparisons import POINTS, drawn, undominated, value
from transpile.translators.loops.lengths.iterations import NEGATIVE, SIZES, Condition
from transpile.translators.loops.lengths.reaches import Reach
from transpile.translators.loops.symbols.extents import grouped
from transpile.translators.loops.symbols.members import spelled


def differs(reaches: Sequence[Reach], length: str, condition: Condition, unsigned: frozenset[str]) -> bool:
    """Tell whether a length is another one than what accesses reach whose loops have iterations.

    Args:
        reaches: All accesses to an array; how far each goes is known.
        length: How far they go if all their loops have iterations.
        condition: What is asked before that much is copied.
        unsigned: Names that are never below 0.
    """
    spans = {trip.text: written(trip.span) for item in reaches for trip in item.trips}
    ends = [(item, written(item.end)) for item in reaches if item.end is not None]
    asks = list(dict.fromkeys(text for item in reaches for text in item.asks))
    texts = (length, *spans.values(), *(end for _, end in ends), *asks)
    used = sorted(frozenset[str]().union(*map(names_of, texts)))
    tests = sorted({text.removeprefix("!") for item in reaches for text in item.tests})
    choices = {name: SIZES if name in unsigned else (*SIZES, *NEGATIVE) for name in used}
    for row in drawn({**choices, **dict.fromkeys(tests, (0, 1))}, seed=19, count=4 * POINTS):
        if not all(value(text, row) for text in asks):
            continue
        holds = {text: value(span, row) > 0 for text, span in spans.items()}
        holds |= {test: row[test] > 0 for test in tests} | {f"!{test}": row[test] == 0 for test in tests}
        reached = max((value(end, row) for item, end in ends if _happens(item, holds)), default=0)
        copied = value(length, row) if all(holds[text] for text in condition.comparisons) else 0
        if max(reached, 0) != max(copied, 0):
            return True
    return False


def _happens(item: Reach, holds: Mapping[str, bool]) -> bool:
    return all(holds[text] for text in _path(item))


def _path(item: Reach) -> tuple[str, ...]:
    """Return what has to hold before an access happens."""
    return (*item.tests, *(trip.text for trip in item.trips))


def lines(name: str, array: str, reaches: Sequence[Reach], contract: Contract) -> tuple[str, ...]:
    """Return the declaration of a variable that says how many elements of an array are reached.

    Args:
        name: Of that variable.
        array: Of the array.
        reaches: All accesses to it, each of which goes as far as it says where its loops have iterations.
        contract: Whose names ends are spelled by.
    """
    ends: dict[tuple[str, ...], dict[str, None]] = {}
    for item in reaches:
        if item.end is not None:
            ends.setdefault(tuple(dict.fromkeys(_path(item))), {}).setdefault(written(item.end))
    parts = [(path, end) for path, found in ends.items() for end in undominated(list(found))]
    return (
        f"// How far those of the loops below that have iterations reach into `{array}`.",
        f"const long long {name} = std::max<long long>({{",
        *(f"{INDENT}{spelled(_part(path, end), contract)}," for path, end in parts),
        f"{INDENT}0,",
        "});",
    )


def _part(path: Sequence[str], end: str) -> str:
    reached = f"(long long){grouped(end)}"
    return f"{' && '.join(path)} ? {reached} : 0" if path else reached
