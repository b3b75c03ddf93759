"""Stores where a counter says, which moves on each time: ``b[c++] = x;``, ``b[c] = x; c++;``.

So what an iteration stores lies behind all that those before it have stored, however many of them do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from tree_sitter import Node

from transpile.code.polynomial import INTEGER_TYPES, Polynomial, add, constant, name, read, substituted
from transpile.code.syntax import (
    ancestors,
    field,
    find,
    inside,
    operator,
    quoted,
    source,
    squeeze,
    subscript,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.increments import done_once
from transpile.translators.loops.iteration.nests import Loop, moved, steady
from transpile.translators.loops.reductions.scalars import carries, names
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.mentions import mention
from transpile.translators.refusal import SEQUENTIAL, Refused

_NARROW = ("short",)
_JUMPS = ("continue_statement", "break_statement")
_CHANGES = ("assignment_expression", "update_expression")
_MEMORY = ("subscript_expression", "pointer_expression", "field_expression", "call_expression")


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """``c++`` or ``c += 2``: a counter moves on by a fixed number."""

    node: Node
    statement: Node
    amount: int


@dataclass(frozen=True, slots=True, eq=False)
class Append:
    """A store at ``factor * counter + ahead``, behind which the counter moves on by an amount at least."""

    access: Access
    array: str
    factor: int
    ahead: Polynomial
    amount: int

    def meets(self, later: Append) -> bool:
        """Tell whether a later iteration may store in the same element; of one factor, and what is ahead."""
        return self.ahead.get((), 0) - later.ahead.get((), 0) >= self.factor * self.amount

    @property
    def place(self) -> tuple[object, ...]:
        """Return what has to be the same of all that is appended to one array."""
        return self.array, self.factor, *sorted(item for item in self.ahead.items() if item[0])


def steps(counter: Variable, loop: Loop, variables: Variables) -> list[Step]:
    """Return all that moves a counter on in a loop; raises Refused where anything else changes it."""
    if counter.bare not in INTEGER_TYPES or counter.bare in _NARROW:
        raise _carried(counter, loop)
    return [_step(write, counter, loop, variables) for write in counter.writes if inside(write, loop.node)]


def _step(write: Node, counter: Variable, loop: Loop, variables: Variables) -> Step:
    found = moved(write, variables)
    statement = next((item for item in ancestors(write) if item.type == "expression_statement"), None)
    if found is None or found[0] is not counter or found[1] < 1 or statement is None:
        raise _carried(counter, loop)
    if not inside(statement, loop.body) or not done_once(write, statement):
        raise _carried(counter, loop)
    return Step(write, statement, found[1])


def appends(
    counter: Variable,
    own: Sequence[Step],
    loop: Loop,
    found: Sequence[Access],
    variables: Variables,
    around: EnclosingScope,
) -> list[Append]:
    """Return all stores that a counter says the place of; raises Refused where they may meet."""
    stores = (item for item in found if item.write and inside(item.node, loop.body))
    places = (item for item in stores if names(item.node, counter))
    made = [_append(item, counter, own, loop, variables, around) for item in places]
    for one, other in product(made, repeat=2):
        if one.access.base == other.access.base and (one.place != other.place or one.meets(other)):
            nodes = dict.fromkeys((one.access.node, other.access.node))
            overlapping = " and ".join(map(quoted, nodes))
            told = f"stores to `{one.array}` by the counter `{counter.name}` may overlap: {overlapping}"
            raise Refused(SEQUENTIAL, told, mentions=tuple(map(mention, nodes)))
    return made


def _append(
    access: Access,
    counter: Variable,
    own: Sequence[Step],
    loop: Loop,
    variables: Variables,
    around: EnclosingScope,
) -> Append:
    """Return a place that names a counter as a store of an element behind it."""
    write = _stored(access)
    elements = [item for item in find(access.node, "subscript_expression") if names(subscript(item), counter)]
    if write is None or write.parent is None or len(elements) != 1:
        told = f"{quoted(access.node)} is not just stored at the place that `{counter.name}` counts"
        raise Refused(SEQUENTIAL, told, mentions=(mention(access.node),))
    [element] = elements
    array, index = unparenthesized(field(element, "argument")), subscript(element)
    inner = next((item for item in own if inside(item.node, index)), None)
    following = inner or _following(write.parent, own)
    value = _place(index, counter, inner)
    others = [item for item in find(index, "identifier") if variables.of(item) is not counter]
    fixed = all(_is_fixed(item, loop, variables, around) for item in others)
    factor = value.get((counter.name,), 0) if value is not None else 0
    if not _is_one_array(array, loop, variables) or value is None or factor < 1 or not fixed:
        told = f"{quoted(access.node)} is not the element right after those that `{counter.name}` counts"
        raise Refused(SEQUENTIAL, told, mentions=(mention(access.node),))
    ahead = add(value, name(counter.name), -factor)
    if following is None or any(counter.name in monomial for monomial in ahead):
        told = f"`{counter.name}` may not be incremented after {quoted(access.node)}"
        raise Refused(SEQUENTIAL, told, mentions=(mention(access.node),))
    return Append(access, source(array), factor, ahead, following.amount)


def _stored(access: Access) -> Node | None:
    """Return the statement's assignment that only stores an element; None where it does more."""
    write = access.node.parent
    if not access.write or access.update or write is None or operator(write) != "=":
        return None
    alone = write.parent is not None and write.parent.type == "expression_statement"
    return write if alone and not any(find(field(write, "right"), *_CHANGES)) else None


def _place(index: Node, counter: Variable, inner: Step | None) -> Polynomial | None:
    """Return a subscript by what a counter is worth before its statement."""
    if any(find(index, *_MEMORY)) or sum(inside(use, index) for use in counter.uses) != 1:
        return None
    value = read(index, lambda _: None)
    if value is None or inner is None:
        return value
    first = constant(inner.amount if inner.node.children[0].type == "++" else 0)
    return substituted(value, squeeze(source(inner.node)), add(name(counter.name), first))


def _is_one_array(node: Node, loop: Loop, variables: Variables) -> bool:
    """Tell whether a name leads to the same array in all iterations."""
    variable = variables.of(node)
    if variable is None or node.type != "identifier":
        return node.type == "identifier"
    moves = not variable.array and any(inside(write, loop.node) for write in variable.writes)
    return not moves and not inside(variable.declaration, loop.node)


def _is_fixed(item: Node, loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a name is worth the same in all iterations."""
    variable = variables.of(item)
    own = variable is not None and inside(variable.declaration, loop.node)
    return not own and steady(item, loop.node, variables, around)


def _following(statement: Node, own: Sequence[Step]) -> Step | None:
    """Return what moves a counter on whenever a statement has been reached; None where nothing does."""
    for item in _behind(statement):
        step = next((one for one in own if one.statement.id == item.id), None)
        if step is not None or any(find(item, *_JUMPS)):
            return step
    return None


def _behind(statement: Node) -> Iterator[Node]:
    """Yield the statements that come behind one in its block."""
    following = statement.next_named_sibling
    while following is not None and statement.parent is not None:
        if statement.parent.type != "compound_statement":
            return
        yield following
        following = following.next_named_sibling


def _carried(counter: Variable, loop: Loop) -> Refused:
    reason = carries(counter, loop)
    return Refused(SEQUENTIAL, reason.text, mentions=tuple(reason.mentions))
