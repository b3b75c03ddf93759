"""Compactions: ``if (a[i] > 0) b[c++] = a[i];``, elements that some iterations append to an array.

How many an iteration appends is known without those before it, so threads can count first: then each knows
where its own elements begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    ancestors,
    find,
    inside,
    quoted,
    source,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.dependence.dependence import lives_in
from transpile.translators.loops.iteration.increments import increments
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.places import in_block
from transpile.translators.loops.iteration.trips import few
from transpile.translators.loops.reductions.appends import Append, Step, appends, steps
from transpile.translators.loops.reductions.matches import Iterations, Match
from transpile.translators.loops.reductions.scalars import Kind, Scalar, begun_before, carries
from transpile.translators.loops.reductions.slices import Slice, sliced
from transpile.translators.loops.symbols.containers import pushed
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.mentions import mention
from transpile.translators.refusal import SEQUENTIAL, Refused


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """``v.push_back(x);`` in a loop."""

    call: Node
    container: Variable

    @property
    def statement(self) -> Node:
        """Return the statement that it is."""
        return next(ancestors(self.call))


@dataclass(frozen=True, slots=True, eq=False)
class Compaction:
    """Elements that iterations append to arrays and containers."""

    counters: tuple[Variable, ...]
    """Each says how many elements some of the arrays have."""
    arrays: frozenset[str]
    """What the loop does nothing to but append."""
    steps: tuple[Step, ...]
    pushes: tuple[Push, ...]
    slice: Slice
    """What of the body has to be gone through to count."""

    @property
    def containers(self) -> tuple[Variable, ...]:
        """Return what the loop makes longer."""
        return tuple(dict.fromkeys(item.container for item in self.pushes))

    @property
    def name(self) -> str:
        """Return the name of something that tells how much was appended."""
        return (*self.counters, *self.containers)[0].name


def compaction(given: Iterations) -> Match | None:
    """Return a loop that appends; None where nothing looks like it.

    Raises Refused, which says why what looks like it is no compaction.
    """
    found = _compaction(given)
    if found is None:
        return None
    return Match(
        found=found,
        reason=f"`{found.name}` counts the elements that iterations append",
        variables=found.counters,
        arrays=found.arrays,
        merges=True,
    )


def _compaction(given: Iterations) -> Compaction | None:
    """Return what a loop appends; None where nothing looks like it, Refused where it only looks like it."""
    loop, found, variables, around = given.loop, given.accesses, given.variables, given.around
    counters = given.carried
    pushes = tuple(_pushes(loop, found, variables))
    if not counters and not pushes:
        return None
    other = next((item for item in counters if not begun_before(item, loop)), None)
    regular = not pushes and all(_is_induction(item, loop, variables, around) for item in counters)
    name = (*counters, *(item.container for item in pushes))[0].name
    if other is not None or regular or few(loop) or not in_block(loop.node):
        raise _carried(other or next(iter(counters), None), pushes, loop)
    own = [steps(item, loop, variables) for item in counters]
    made = [
        appends(counter, each, loop, found, variables, around)
        for counter, each in zip(counters, own, strict=True)
    ]
    arrays = _alone(made, loop, found)
    stepping = tuple(step for each in own for step in each)
    reached = [*(item.statement for item in stepping), *(item.statement for item in pushes)]
    hidden = _hidden(loop, variables, around)
    if hidden:
        raise Refused(SEQUENTIAL, f"`{hidden}`, a macro that uses a variable of the loop")
    kept = sliced(loop.body, reached, variables)
    if kept is None or len({item.id for item in reached}) < len(reached):
        raise Refused(SEQUENTIAL, f"more than conditions and loops decide how much `{name}` grows")
    _refuse_changes(kept, given.scalars, loop, found, variables)
    longer = {item.base for item in found if any(item.node.id == push.call.id for push in pushes)}
    return Compaction(counters, arrays | longer, stepping, pushes, kept)


def _carried(counter: Variable | None, pushes: Sequence[Push], loop: Loop) -> Refused:
    """Return that iterations depend on a counter, or on the length of a container."""
    if counter is not None:
        reason = carries(counter, loop)
        return Refused(SEQUENTIAL, reason.text, mentions=reason.mentions)
    call = pushes[0].call
    name = pushes[0].container.name
    told = f"loop-carried dependence on the length of `{name}`: {quoted(call)}"
    return Refused(SEQUENTIAL, told, mentions=(mention(call),))


def _pushes(loop: Loop, found: Sequence[Access], variables: Variables) -> Iterator[Push]:
    """Yield all that makes containers longer that outlive an iteration."""
    for item in found:
        owner = pushed(item.node, variables) if inside(item.node, loop.body) else None
        if owner is not None and not lives_in(item, loop):
            yield Push(item.node, owner)


def _is_induction(counter: Variable, loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether all iterations move a counter by the same amount: then nobody has to count."""
    loops = (counted(node, variables, around) for node in find(loop.node, "for_statement"))
    known = {item.node.id: item for item in loops if item is not None}
    return bool(increments(counter, loop, known, variables, around))


def _alone(made: Sequence[Sequence[Append]], loop: Loop, found: Sequence[Access]) -> frozenset[str]:
    """Return the arrays that are appended to; raises Refused where a loop does anything else to one."""
    stores = {item.access: number for number, each in enumerate(made) for item in each}
    counters: dict[str, set[int]] = {}
    for access, number in stores.items():
        counters.setdefault(access.base, set()).add(number)
    for access in found:
        if access.base in counters and inside(access.node, loop.body):
            name = access.base.partition("@")[0]
            if access not in stores:
                told = f"the loop appends to `{name}` and also uses {quoted(access.node)}"
                raise Refused(SEQUENTIAL, told, mentions=(mention(access.node),))
            if len(counters[access.base]) > 1:
                raise Refused(SEQUENTIAL, f"the loop appends to `{name}` by two counters")
    return frozenset(counters)


def _is_done(access: Access, kept: Slice) -> bool:
    """Tell whether an access is made by what is gone through to count."""
    return any(inside(access.node, part) for part in kept.again)


def _is_left_out(write: Node, kept: Slice) -> bool:
    """Tell whether a write is part of a statement in whose place something is counted."""
    return any(inside(write, item) for item in kept.reached)


def _hidden(loop: Loop, variables: Variables, around: EnclosingScope) -> str:
    """Return a macro in a body that names a variable of it, which is not seen to be used; empty for none."""
    own = {item.name for item in variables.all if inside(item.declaration, loop.body)}
    named = (source(item) for item in find(loop.body, "identifier"))
    return next((name for name in named if own & around.words.get(name, frozenset())), "")


def _refuse_changes(
    kept: Slice, written: Sequence[Scalar], loop: Loop, found: Sequence[Access], variables: Variables
) -> None:
    """Raise Refused where counting ahead would find something else than the loop does, or change it."""
    inner = [item for item in found if inside(item.node, loop.body)]
    changed = {
        item.base for item in inner if item.write and not (lives_in(item, loop) and _is_done(item, kept))
    }
    reads = [item for item in inner if item.base in changed]
    shared = {item.variable for item in written if item.kind is not Kind.PRIVATE}
    shared |= {item for item in variables.all if any(_is_left_out(write, kept) for write in item.writes)}
    for part in kept.again:
        names = [item.base.partition("@")[0] for item in reads if inside(item.node, part)]
        names += [item.name for item in variables.used_in(part) if item in shared]
        if names:
            raise Refused(SEQUENTIAL, f"what is appended depends on `{names[0]}`, which the loop changes")
