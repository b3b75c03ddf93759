"""Which loops carry a dependence: two of their iterations touch the same element, and one writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, multiply, name
from transpile.code.syntax import (
    alternative,
    ancestors,
    condition,
    field,
    find,
    inside,
    operator,
    quoted,
    unparenthesized,
)
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.dependence.orders import Element, Order, in_order
from transpile.translators.loops.iteration.clipped import ends
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.spaces import (
    MARK,
    Constraint,
    Shape,
    affine,
    at_least,
    below,
    compared,
    different,
    empty,
    going_back,
    primed,
    shape_of,
    unmet,
)
from transpile.translators.loops.iteration.values import STEPS, Values
from transpile.translators.loops.iteration.wrapping import is_of_whole_numbers
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.mentions import Reason, mention

_MOST_ACCESSES = 128
"""More of one array are not compared, each with each, but taken to meet."""
_ENDS = 2
"""Bounds of a loop of which both ends are known."""


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Two accesses that may touch the same element in different iterations of a loop."""

    first: Access
    second: Access

    @property
    def reason(self) -> Reason:
        """Return the dependence in words: which array, and what is done to which elements."""
        array = self.first.base.partition("@")[0]
        if self.first is self.second:
            done = f"iterations may write to the same {quoted(self.first.node)}"
        else:
            done = ", ".join(f"{_verb(item)} {quoted(item.node)}" for item in (self.first, self.second))
        both = dict.fromkeys((self.first, self.second))
        return Reason(
            f"loop-carried dependence on `{array}`: {done}", tuple(mention(item.node) for item in both)
        )


class Dependences:
    """Answers for one nest which accesses meet."""

    def __init__(
        self,
        nest: Node,
        loops: Sequence[Loop],
        values: Values,
        facts: Sequence[Constraint],
        orders: Sequence[Order] = (),
    ) -> None:
        """Keep what every question needs.

        Args:
            nest: What holds the loops.
            loops: All counted loops in it.
            values: The reader of its expressions.
            facts: What is known of numbers that are fixed.
            orders: What is known of elements of arrays that the values are read from.
        """
        self._nest = nest
        self._loops = loops
        self.values = values
        self.facts = facts
        self._orders = orders
        self._domains: dict[tuple[int, int], tuple[Constraint, ...]] = {}
        # What is divided is known once all that counts has been read.
        for loop in loops:
            list(self.bounds(loop))
        for test in find(nest, "if_statement"):
            list(self._holds(condition(test)))
        self._varying = values.varying

    def carried(
        self, loop: Loop, found: Sequence[Access], among: Sequence[Constraint] = ()
    ) -> Iterator[Meeting]:
        """Yield the pairs of accesses in a loop that may meet in two of its iterations.

        Args:
            loop: The loop.
            found: All accesses of the nest.
            among: What holds of the iterations that are looked at.
        """
        pairs = [(name(item), name(item + MARK)) for item in self.values.dimensions(loop)]
        yield from self._meetings(loop, found, list(different(pairs)), among)

    def turned(
        self, loops: Sequence[Loop], skews: Sequence[int], found: Sequence[Access]
    ) -> Iterator[Meeting]:
        """Yield the pairs of accesses that may meet where a later iteration comes first in the last loop.

        Args:
            loops: Loops in one another, outermost first.
            skews: By how much the last one is moved on with each iteration of those before it.
            found: The accesses.
        """
        *outer, last = [self._run(loop) for loop in loops]
        for run, skew in zip(outer, skews, strict=True):
            last = add(last, run, skew)
        ends = [(run, self._second(run)) for run in (*outer, last)]
        turned = [(second, first) for first, second in ends]
        yield from self._meetings(loops[0], found, [*going_back(ends), *going_back(turned)])

    def _run(self, loop: Loop) -> Polynomial:
        """Return a loop's variable, negated where it goes down."""
        return self.values.expanded({(loop.dimension,): 1 if loop.step > 0 else -1})

    def _meetings(
        self,
        loop: Loop,
        found: Sequence[Access],
        apart: Sequence[Sequence[Constraint]],
        among: Sequence[Constraint] = (),
    ) -> Iterator[Meeting]:
        """Yield the pairs of accesses in a loop that may meet where one of some conditions holds."""
        inner = [item.within(loop.node) for item in found if inside(item.node, loop.body)]
        for base in dict.fromkeys(item.base for item in inner):
            of_base = [item for item in inner if item.base == base]
            if not any(item.write for item in of_base) or lives_in(of_base[0], loop):
                continue
            if len(of_base) > _MOST_ACCESSES:
                written = next(item for item in of_base if item.write)
                yield Meeting(written, written)
                continue
            of_base = self._without_offset(of_base)
            shapes = self._shapes(of_base)
            for first, second in combinations_with_replacement(of_base, 2):
                if (first.write or second.write) and self._meet(loop, (first, second), shapes, apart, among):
                    yield Meeting(first, second)

    def covers(self, loop: Loop, value: Polynomial) -> bool:
        """Tell whether a loop in steps of one has an iteration of a value wherever it is reached."""
        plain = all(self.values.end_of(loop, end) is not None for end in (loop.first, loop.bound))
        bounds = list(self.bounds(loop))
        own = Constraint(value=add(self.values.expanded(name(loop.dimension)), value, -1), sign="=")
        known = [*self.facts, *self.domain(loop.node), own]
        return (
            plain
            and len(bounds) == _ENDS
            and empty(known, self._varying, [(unmet(item),) for item in bounds])
        )

    def by_rows(self, found: Sequence[Access]) -> list[Access]:
        """Return accesses whose subscripts tell rows from columns, where all of an array's do so."""
        by_base: dict[str, list[Access]] = {}
        for item in found:
            by_base.setdefault(item.base, []).append(item)
        known = {base: self._rows_of(items) for base, items in by_base.items()}
        places = {base: iter(known[base] or items) for base, items in by_base.items()}
        return [next(places[item.base]) for item in found]

    def _rows_of(self, found: Sequence[Access]) -> list[Access] | None:
        shapes = self._shapes(found)
        rows = [self._divided(item, shapes) for item in found] if shapes is not None else [None]
        if any(item is None for item in rows):
            return None
        return [
            replace(item, subscripts=row) for item, row in zip(found, rows, strict=True) if row is not None
        ]

    def _divided(self, access: Access, shapes: Sequence[Shape | None]) -> tuple[Polynomial, ...] | None:
        """Return the subscripts of an access by rows; None where that is not shown to be the same element."""
        parts: list[Polynomial] = []
        for value, shape in zip(access.subscripts, shapes, strict=True):
            own = shape.subscripts(value, self._varying) if value is not None and shape is not None else None
            if own is None or shape is None:
                return None
            inner = zip(own[1:], shape.lengths(), strict=True)
            if not all(self._inside(access, part, length) for part, length in inner):
                return None
            parts += own
        return tuple(parts)

    def _without_offset(self, found: Sequence[Access]) -> list[Access]:
        """Return accesses without what is fixed and added to the subscripts of all of them."""
        if len({len(item.subscripts) for item in found}) != 1:
            return list(found)
        ahead = [self._offset(values) for values in zip(*(item.subscripts for item in found), strict=True)]
        return [
            replace(
                item,
                subscripts=tuple(
                    None if value is None else add(self.values.expanded(value), offset, -1)
                    for value, offset in zip(item.subscripts, ahead, strict=True)
                ),
            )
            for item in found
        ]

    def _offset(self, subscripts: Sequence[Polynomial | None]) -> Polynomial:
        known = [self.values.expanded(value) for value in subscripts if value is not None]
        if len(known) < len(subscripts):
            return {}
        return {
            monomial: number
            for monomial, number in known[0].items()
            if not set(monomial) & self._varying and all(item.get(monomial) == number for item in known)
        }

    def _shapes(self, found: Sequence[Access]) -> list[Shape | None] | None:
        """Return how each dimension of an array is divided; None where subscripts are not of one kind."""
        if len({len(item.subscripts) for item in found}) != 1:
            return None
        shapes: list[Shape | None] = []
        for subscripts in zip(*(item.subscripts for item in found), strict=True):
            known = [self.values.expanded(item) for item in subscripts if item is not None]
            shapes.append(shape_of(known, self._varying))
        return shapes

    def _meet(
        self,
        loop: Loop,
        pair: tuple[Access, Access],
        shapes: list[Shape | None] | None,
        apart: Sequence[Sequence[Constraint]],
        among: Sequence[Constraint],
    ) -> bool:
        if shapes is None:
            return True
        first, second = pair
        known: list[Constraint] = [*self.facts, *self.domain(first.node), *among]
        known += [self._primed(item) for item in (*self.domain(second.node), *among)]
        shared = {item for outer in self._around(loop.node) for item in self.values.dimensions(outer)}
        known += [
            Constraint(value=add(name(item), name(item + MARK), -1), sign="=") for item in sorted(shared)
        ]
        for left, right, shape in zip(first.subscripts, second.subscripts, shapes, strict=True):
            known += self._equal(left, right, shape, pair)
            known += self._same_number(left, right, shared)
        varying = self._varying | {item + MARK for item in self._varying}
        if not self._orders:
            return not empty(known, varying, apart)
        return not all(self._none_in_order([*known, *choice], varying) for choice in apart)

    def _none_in_order(self, known: Sequence[Constraint], varying: frozenset[str]) -> bool:
        """Tell whether nothing meets all constraints where arrays are in order."""
        ordered = in_order(self._orders, list(self._elements()), known, varying)
        return empty([*known, *ordered], varying)

    def _elements(self) -> Iterator[Element]:
        """Yield the elements that stand for numbers, in the first of two iterations and in the second."""
        for text, load in self.values.loads.items():
            place = self.values.expanded(load.place)
            yield Element(load.array, place, name(text))
            if text in self._varying:
                yield Element(load.array, self._second(place), self._second(name(text)))

    def _equal(
        self,
        left: Polynomial | None,
        right: Polynomial | None,
        shape: Shape | None,
        pair: tuple[Access, Access],
    ) -> Iterator[Constraint]:
        """Yield that two subscripts are the same number, as far as that can be said."""
        if left is None or right is None or shape is None:
            return
        left, right = self.values.expanded(left), self.values.expanded(right)
        parts = [shape.subscripts(value, self._varying) for value in (left, right)]
        if parts[0] is None or parts[1] is None:
            return
        lengths = shape.lengths()
        fits = all(
            self._inside(access, value, length)
            for access, own in zip(pair, parts, strict=True)
            for value, length in zip((own or ())[1:], lengths, strict=True)
        )
        if not fits:
            return
        for one, other in zip(parts[0], parts[1], strict=True):
            yield Constraint(value=add(one, primed(other, self._varying), -1), sign="=")

    def _same_number(
        self, left: Polynomial | None, right: Polynomial | None, shared: set[str]
    ) -> Iterator[Constraint]:
        """Yield that two subscripts are the same number, where what is shared leaves something affine."""
        if left is not None and right is not None:
            other = primed(self.values.expanded(right), self._varying - shared)
            yield Constraint(value=add(self.values.expanded(left), other, -1), sign="=")

    def _inside(self, access: Access, value: Polynomial, length: Polynomial) -> bool:
        """Tell whether a subscript stays within its row."""
        known = [*self.facts, *self.domain(access.node)]
        if not affine(value, self._varying):
            return False
        outside = ((below(value, {}),), (at_least(value, length),))
        return empty(known, self._varying, outside)

    def _primed(self, item: Constraint) -> Constraint:
        return Constraint(value=self._second(item.value), sign=item.sign)

    def _second(self, value: Polynomial) -> Polynomial:
        """Return a polynomial over the second of two iterations."""
        return primed(value, self._varying)

    def _around(self, node: Node) -> list[Loop]:
        """Return the counted loops around a node, innermost first."""
        by_id = {loop.node.id: loop for loop in self._loops}
        return [by_id[parent.id] for parent in ancestors(node) if parent.id in by_id]

    def domain(self, node: Node) -> Sequence[Constraint]:
        """Return what holds of the dimensions where a node is reached."""
        key = (node.id, len(self.values.parts))  # what is divided is met as it is read
        if key not in self._domains:
            self._domains[key] = tuple(self._domain(node))
        return self._domains[key]

    def _domain(self, node: Node) -> Iterator[Constraint]:
        for loop in self._around(node):
            if inside(node, loop.body):
                yield from self.bounds(loop)
        for divisor, quotient, remainder in self.values.parts.values():
            yield at_least(name(remainder), {})
            yield at_least(name(quotient), {})
            yield below(name(remainder), divisor)
        yield from self._conditions(node)

    def bounds(self, loop: Loop) -> Iterator[Constraint]:
        """Yield what holds of a loop's dimension where its body is reached."""
        own = self.values.expanded(name(loop.dimension))
        open_end = constant(0 if loop.inclusive else 1)
        for first in self._ends(loop, loop.first, up=loop.step < 0):
            yield at_least(own, first) if loop.step > 0 else at_least(first, own)
        for last in self._ends(loop, loop.bound, up=loop.step > 0):
            low, high = add(last, open_end), add(last, open_end, -1)
            yield at_least(high, own) if loop.step > 0 else at_least(own, low)
        begun = self.values.end_of(loop, loop.first)
        if begun is not None and loop.step > 1:
            steps = multiply(constant(loop.step), name(loop.dimension + STEPS))
            yield Constraint(value=add(add(own, begun, -1), steps, -1), sign="=")

    def _ends(self, loop: Loop, node: Node, *, up: bool) -> Iterator[Polynomial]:
        """Yield the numbers that a loop's variable does not go beyond at one of its ends."""
        for end in ends(node, self.values, "<" if up else ">"):
            found = self.values.end_of(loop, end)
            if found is not None:
                yield found

    def _conditions(self, node: Node) -> Iterator[Constraint]:
        """Yield the comparisons that hold in the branch of each condition that a node stands in."""
        for parent in ancestors(node):
            if not inside(parent, self._nest):
                return
            if parent.type != "if_statement":
                continue
            other = alternative(parent)
            if other is not None and inside(node, other):
                continue
            if inside(node, field(parent, "consequence")):
                yield from self._holds(condition(parent))

    def _holds(self, test: Node) -> Iterator[Constraint]:
        test = unparenthesized(test)
        if test.type != "binary_expression":
            return
        if operator(test) == "&&":
            yield from self._holds(field(test, "left"))
            yield from self._holds(field(test, "right"))
            return
        if not is_of_whole_numbers(test, self.values):
            return
        left, right = self.values.of(field(test, "left")), self.values.of(field(test, "right"))
        holds = None if left is None or right is None else compared(operator(test), left, right)
        if holds is not None:
            yield holds


def lives_in(access: Access, loop: Loop) -> bool:
    """Tell whether an array is declared in a loop's body, so that each iteration has its own."""
    variable = access.variable
    if variable is None or variable.static or not inside(variable.declaration, loop.body):
        return False
    return variable.array or elements(variable) is not None


def of_one_kind(meetings: Iterable[Meeting], kind: Callable[[Access], str]) -> frozenset[str]:
    """Return the arrays in which all that meets is of one kind; what is of none has an empty one."""
    kinds: dict[str, set[str]] = {}
    for meeting in meetings:
        for access in (meeting.first, meeting.second):
            kinds.setdefault(access.base, set()).add(kind(access))
    return frozenset(base for base, found in kinds.items() if len(found) == 1 and "" not in found)


def _verb(access: Access) -> str:
    return "updates" if access.update else "writes" if access.write else "reads"
