"""Run-time checks before a loop that is parallel only where index arrays are in an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.code.edits import Edit
from transpile.code.syntax import INDENT, Function, source, unparenthesized
from transpile.core import Asked
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.dependence.checks import Check
from transpile.translators.loops.dependence.orders import Kind
from transpile.translators.loops.iteration.frames import lines_above
from transpile.translators.loops.iteration.trips import count, moved, some, tight

_ALL_DIFFERENT = """\
// Tells whether no two of some indices are the same; false where they lie too far apart to be marked.
static int {name}(const {kind} *index, long long count)
{{
    if (count < 2) return 1;
    {kind} low = index[0], high = index[0];
    for (long long k = 1; k < count; k++) {{
        if (index[k] < low) low = index[k];
        if (index[k] > high) high = index[k];
    }}
    const unsigned long long range = (unsigned long long)high - (unsigned long long)low;
    if (range / 64 > (unsigned long long)count) return 0;
    unsigned char *seen = (unsigned char *)calloc(range / 8 + 1, 1);
    int different = seen != NULL;
    for (long long k = 0; different && k < count; k++) {{
        const unsigned long long bit = (unsigned long long)index[k] - (unsigned long long)low;
        different = !(seen[bit / 8] >> bit % 8 & 1);
        seen[bit / 8] |= 1 << bit % 8;
    }}
    free(seen);
    return different;
}}

"""


def asked_of(parts: Sequence[Band | SequentialNest]) -> tuple[Asked, ...]:
    """Return what is asked of the caller's arrays before parts run in parallel."""
    checks = [check for part in parts if isinstance(part, Band) for check in part.loops[0].checks]
    return tuple(Asked(array=check.order.array.parameter, order=check.order.kind.value) for check in checks)


def looked_at(function: Function, check: Check, flag: str) -> Iterator[Edit[str]]:
    """Yield the edits that set a flag above a loop where an array is in order."""
    loop = check.loop
    if check.order.kind is Kind.ASCENDING:
        head = function.text[loop.node.start_byte : loop.body.start_byte].strip()
        step = f"{INDENT}{flag} &= {check.first} <= {check.last};"
        yield lines_above(function, loop.node, f"int {flag} = 1;", head, step)
        return
    array = check.order.array
    name = f"{function.name}_{array.word}_distinct"
    yield Edit(0, 0, _ALL_DIFFERENT.format(name=name, kind=array.element))
    asked = " && ".join((*map(some, check.inner), f"{name}({_begin(check)}, {count(loop)})"))
    yield lines_above(function, loop.node, f"const int {flag} = {asked};")


def _begin(check: Check) -> str:
    """Return a pointer to the first element that a loop reads."""
    place = moved(source(unparenthesized(check.loop.first)), check.ahead)
    begin = check.order.array.begin
    return begin if place == "0" else f"{begin} + {tight(place)}"
