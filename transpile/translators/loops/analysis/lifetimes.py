"""Arrays that an iteration writes before it reads them: values of other iterations do not matter.

Value-based dependences of one array within one iteration (Feautrier, "Dataflow analysis of array and scalar
references", 1991), asked as whether reads are left over that no write comes before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, name
from transpile.code.syntax import (
    LOOPS,
    ancestors,
    field,
    find,
    inside,
    operator,
    source,
    subscript,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.dependence import Dependences
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.spaces import Constraint, at_least, below, covered, primed
from transpile.translators.loops.iteration.values import STEPS, Values
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_JUMPS = ("break_statement", "continue_statement", "return_statement", "goto_statement")
_ENTRIES = ("goto_statement", "labeled_statement", "case_statement", "lambda_expression")


def begins_anew(array: Variable, loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether every iteration of a loop sets what it reads of an array before it reads it."""
    places = list(_elements(array, _ranks(array), loop, variables))
    known = [place for place in places if place is not None]
    if len(known) < len(places) or any(find(loop.node, *_ENTRIES)):
        return False
    return _Iteration(array, loop, variables, around).sets_first(known)


def _elements(array: Variable, ranks: int, loop: Loop, variables: Variables) -> Iterator[Node | None]:
    """Yield the elements that a name leads to in a loop, and those that other names for it do.

    None stands for a use that is more or less than one element.
    """
    for use in array.uses:
        if not inside(use, loop.node):
            continue
        other = _other_name(use, array, variables)
        if other is not None and ranks == 1 and inside(other.declaration, loop.body):
            yield from _elements(other, ranks, loop, variables)
        else:
            yield _element(use, ranks)


def _ranks(array: Variable) -> int:
    return sum(1 for _ in find(array.shape, "array_declarator"))


def _other_name(use: Node, array: Variable, variables: Variables) -> Variable | None:
    """Return the pointer to the first element for which a use begins to be another name; None for others."""
    for item in variables.all:
        if item.initializer is not None and unparenthesized(item.initializer).id == use.id:
            led = item.pointer and not (item.static or item.writes or item.escapes)
            return item if led and item.bare == array.bare and source(item.shape).count("*") == 1 else None
    return None


def _element(use: Node, ranks: int) -> Node | None:
    """Return the element of an array of so many ranks that a name leads to; None if more or less than one."""
    node = use
    for _ in range(ranks):
        around = node.parent
        if around is None or around.type != "subscript_expression" or field(around, "argument").id != node.id:
            return None
        node = around
    user = node.parent
    if user is None or user.type in ("subscript_expression", "field_expression"):
        return None
    return None if user.type == "pointer_expression" and operator(user) == "&" else node


@dataclass(frozen=True, slots=True, eq=False)
class _Write:
    """A statement that sets an element each time control comes to its branch."""

    element: Node
    loops: tuple[Loop, ...]
    """Those around it within the iteration, outermost first."""
    branch: Node | None
    """The branch of the innermost ``if`` around it that the loops within the iteration come to again."""


class _Iteration:
    """One iteration of a loop: what is fixed while it runs are numbers."""

    def __init__(self, array: Variable, loop: Loop, variables: Variables, around: EnclosingScope) -> None:
        found = (counted(node, variables, around) for node in find(loop.node, "for_statement"))
        self._loops = [item for item in found if item is not None]
        self._values = Values(loop.node, self._loops, variables, around)
        self._known = Dependences(loop.node, self._loops, self._values, ())
        self._loop = loop
        [size, *inner] = [field(item, "size") for item in find(array.shape, "array_declarator")]
        # Nothing else is known of a length with a name; rows of rows may be gone through as one.
        self._length = None if inner else self._values.of(size)

    def sets_first(self, elements: Sequence[Node]) -> bool:
        """Tell whether each of these elements is set before it is read."""
        writes = [write for item in elements if (write := self._write(item)) is not None]
        set_there = {item.id for item in elements if _is_setting(item)}
        found = all(self._is_set(item, writes) for item in elements if item.id not in set_there)
        return found and not self._values.parts  # which a subscript may bring along

    def _write(self, element: Node) -> _Write | None:
        """Return the write of an element that comes about in every iteration of the loops around it."""
        statement = element.parent.parent if element.parent is not None else None
        if not _is_setting(element) or statement is None:
            return None
        loops: list[Loop] = []
        branch: Node | None = None
        within = statement
        for parent in ancestors(statement):
            if parent.id == self._loop.node.id:
                break
            counted_one = next((item for item in self._loops if item.node.id == parent.id), None)
            if parent.type == "if_statement" and within.id != field(parent, "condition").id:
                branch = branch or (within if self._is_repeated(parent) else None)
            elif counted_one is not None:
                loops.insert(0, counted_one)
            elif parent.type not in ("compound_statement", "else_clause"):
                return None
            within = parent
        plain = statement.type == "expression_statement" and all(map(self._runs_whole, loops))
        return _Write(element, tuple(loops), branch) if plain else None

    def _runs_whole(self, loop: Loop) -> bool:
        """Tell whether a loop's iterations are known to the last, and none of them ends early."""
        ends = [self._values.end_of(loop, part) for part in (loop.first, loop.bound)]
        return None not in ends and abs(loop.step) == 1 and not any(find(loop.body, *_JUMPS))

    def _is_set(self, element: Node, writes: Sequence[_Write]) -> bool:
        read = self._subscripts(element)
        if any(value is None for value in read):
            return False
        ways = [way for write in writes for way in self._ways(element, read, write)]
        hidden = frozenset(self._marked(item) for item in self._inner(self._loops))
        reached = [*self._known.domain(element), *self._within(read), *self._decided(element)]
        return covered(reached, ways, self._values.varying, hidden)

    def _is_repeated(self, node: Node) -> bool:
        """Tell whether control may come to a node several times in the iteration."""
        around = next(parent for parent in ancestors(node) if parent.type in LOOPS)
        return around.id != self._loop.node.id

    def _decided(self, element: Node) -> Iterator[Constraint]:
        """Yield which branches lead to an element, as numbers above 0 of conditions that hold.

        They are those that are asked once in the iteration.
        """
        within = element
        for parent in ancestors(element):
            if parent.id == self._loop.node.id:
                return
            if parent.type == "if_statement" and not self._is_repeated(parent):
                holds = name(f"if@{parent.start_byte}")
                part = _part(parent, within)
                if part != "condition":
                    yield at_least(holds, constant(1)) if part == "consequence" else at_least({}, holds)
            within = parent

    def _within(self, read: Sequence[Polynomial | None]) -> Iterator[Constraint]:
        """Yield that an element that is read is there."""
        for value in read:
            if value is not None and self._length is not None:
                yield at_least(value, {})
                yield below(value, self._length)

    def _ways(
        self, element: Node, read: Sequence[Polynomial | None], write: _Write
    ) -> Iterator[list[Constraint]]:
        """Yield what holds where a write has set an element that is read, in each order in which it may."""
        within = write.branch or self._loop.body
        if not inside(element, within):
            return
        moving = frozenset(self._inner(write.loops))
        same = []
        for given, asked in zip(self._subscripts(write.element), read, strict=True):
            if given is None or asked is None:
                return
            same.append(Constraint(value=add(asked, primed(given, moving), -1), sign="="))
        # What conditions say is left out: either they are asked once, or what is read is in their branch.
        ran = [item for loop in (self._loop, *write.loops) for item in self._known.bounds(loop)]
        reached = [Constraint(value=primed(item.value, moving), sign=item.sign) for item in ran]
        reached += self._decided(write.element)
        shared = [loop for loop in write.loops if inside(element, loop.body)]
        for order in self._orders(shared, within, _comes_behind(element, write.element)):
            yield [*reached, *same, *order]

    def _orders(self, shared: Sequence[Loop], within: Node, behind: bool) -> Iterator[list[Constraint]]:
        """Yield how a write's iterations of loops come before those of a read, or are the same."""
        equal: list[Constraint] = []
        for loop in shared:
            now, then = name(loop.dimension), name(self._marked(loop.dimension))
            if inside(loop.node, within):
                yield [*equal, below(then, now) if loop.step > 0 else below(now, then)]
            equal.append(Constraint(value=add(now, then, -1), sign="="))
        if behind:
            yield equal

    def _subscripts(self, element: Node) -> list[Polynomial | None]:
        values = []
        while element.type == "subscript_expression":
            values.append(self._values.of(subscript(element)))
            element = unparenthesized(field(element, "argument"))
        return values

    def _inner(self, loops: Sequence[Loop]) -> Iterator[str]:
        """Yield the dimensions of loops within the iteration."""
        for loop in loops:
            if loop is not self._loop and loop.node.id != self._loop.node.id:
                yield loop.dimension
                yield loop.dimension + STEPS

    @staticmethod
    def _marked(dimension: str) -> str:
        [[text]] = primed(name(dimension), frozenset((dimension,)))
        return text


def _is_setting(element: Node) -> bool:
    """Tell whether an element is given a value, and not read as well."""
    user = element.parent
    return (
        user is not None
        and user.type == "assignment_expression"
        and operator(user) == "="
        and field(user, "left").id == element.id
    )


def _part(statement: Node, child: Node) -> str | None:
    """Return what a child is to a statement."""
    return statement.field_name_for_child([item.id for item in statement.children].index(child.id))


def _comes_behind(read: Node, write: Node) -> bool:
    """Tell whether control comes to a read when the statement of a write is over."""
    for parent in ancestors(write):
        if inside(read, parent):
            return parent.type == "compound_statement" and write.end_byte <= read.start_byte
    return False
