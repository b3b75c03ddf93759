"""Compactions: ``if (a[i] > 0) b[c++] = a[i];``, elements that some iterations append to an array.

How many an iteration appends is known without those before it, so threads can count first: then each knows
where its own elements begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transpile.translators.loops.accesses import Access
from transpile.translators.loops.appends import Append, Scattered, Step, appends, steps
from transpile.translators.loops.dependence import lives_in
from transpile.translators.loops.forms.increments import increments
from transpile.translators.loops.forms.places import in_block
from transpile.translators.loops.nests import Loop, counted
from transpile.translators.loops.outside import Outside
from transpile.translators.loops.scalars import Kind, Scalar, begun_before
from transpile.translators.loops.slices import Slice, sliced
from transpile.translators.loops.trips import few
from transpile.translators.rules.syntax import find, inside
from transpile.translators.rules.variables import Variable, Variables


@dataclass(frozen=True, slots=True, eq=False)
class Compaction:
    """Elements that iterations append to arrays."""

    counters: tuple[Variable, ...]
    """Each says how many elements some of the arrays have."""
    arrays: frozenset[str]
    """Arrays that the loop does nothing to but append."""
    steps: tuple[Step, ...]
    slice: Slice
    """What of the body has to be gone through to count."""


def compaction(
    written: Sequence[Scalar], loop: Loop, found: Sequence[Access], variables: Variables, around: Outside
) -> Compaction:
    """Return what a loop appends to arrays; raises Scattered, which says why it is no compaction.

    Args:
        written: What becomes of the scalars that it writes.
        loop: The loop.
        found: What its nest touches.
        variables: Those of the function.
        around: What names stand for.
    """
    counters = tuple(item.variable for item in written if item.kind is Kind.CARRIED)
    other = next((item for item in counters if not begun_before(item, loop)), None)
    regular = all(_is_induction(item, loop, variables, around) for item in counters)
    if other is not None or regular or few(loop) or not in_block(loop.node):
        raise Scattered(f"`{(other or counters[0]).name}` goes from one iteration to the next")
    own = [steps(item, loop, variables) for item in counters]
    made = [
        appends(counter, each, loop, found, variables, around)
        for counter, each in zip(counters, own, strict=True)
    ]
    arrays = _alone(made, loop, found)
    counting = tuple(step for each in own for step in each)
    kept = sliced(loop.body, [item.statement for item in counting], variables)
    if kept is None:
        raise Scattered(f"what decides how far `{counters[0].name}` goes is more than conditions and loops")
    _refuse_changes(kept, written, loop, found, variables)
    return Compaction(counters, arrays, counting, kept)


def _is_induction(counter: Variable, loop: Loop, variables: Variables, around: Outside) -> bool:
    """Tell whether all iterations move a counter by the same amount: then nobody has to count."""
    loops = (counted(node, variables, around) for node in find(loop.node, "for_statement"))
    known = {item.node.id: item for item in loops if item is not None}
    return bool(increments(counter, loop, known, variables, around))


def _alone(made: Sequence[Sequence[Append]], loop: Loop, found: Sequence[Access]) -> frozenset[str]:
    """Return the arrays that are appended to; raises Scattered where a loop does anything else to one."""
    stores = {item.access: number for number, each in enumerate(made) for item in each}
    counters: dict[str, set[int]] = {}
    for access, number in stores.items():
        counters.setdefault(access.base, set()).add(number)
    for access in found:
        if access.base in counters and inside(access.node, loop.body):
            name = access.base.partition("@")[0]
            if access not in stores:
                raise Scattered(f"`{name}` is appended to, and touched in another way in the same loop")
            if len(counters[access.base]) > 1:
                raise Scattered(f"`{name}` is appended to behind two counters")
    return frozenset(counters)


def _refuse_changes(
    kept: Slice, written: Sequence[Scalar], loop: Loop, found: Sequence[Access], variables: Variables
) -> None:
    """Raise Scattered where counting ahead would find something else than the loop does, or change it."""
    inner = [item for item in found if inside(item.node, loop.body)]
    changed = {item.base for item in inner if item.write and not lives_in(item, loop)}
    reads = [item for item in inner if item.base in changed]
    shared = {item.variable for item in written if item.kind is not Kind.PRIVATE}
    for part in kept.again:
        names = [item.base.partition("@")[0] for item in reads if inside(item.node, part)]
        names += [item.name for item in variables.used_in(part) if item in shared]
        if names:
            raise Scattered(f"what is appended depends on `{names[0]}`, which the loop changes")
