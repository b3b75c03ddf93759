"""Orders of the elements of an array: what follows for the elements that two iterations read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from transpile.code.polynomial import Polynomial, add
from transpile.translators.loops.iteration.spaces import Constraint, at_least, below, empty
from transpile.translators.loops.symbols.index_arrays import IndexArray


class Kind(StrEnum):
    """What holds of the elements of an array, as a contract names it."""

    ASCENDING = "ascending"
    """None is less than one before it: offsets of rows."""
    DISTINCT = "distinct"
    """No two are the same: a list of places."""


@dataclass(frozen=True, slots=True)
class Order:
    """What holds of the elements of an array."""

    array: IndexArray
    kind: Kind

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.array} is {self.kind}"


@dataclass(frozen=True, slots=True)
class Element:
    """A number that is an element of an array."""

    array: IndexArray
    place: Polynomial
    value: Polynomial


def in_order(
    orders: Sequence[Order], found: Iterable[Element], known: Sequence[Constraint], varying: frozenset[str]
) -> Iterator[Constraint]:
    """Yield what orders say of elements, as far as it is known which is before the other."""
    for one, other in combinations(found, 2):
        kinds = {item.kind for item in orders if item.array == one.array == other.array}
        if Kind.ASCENDING in kinds:
            for lower, upper in ((one, other), (other, one)):
                if empty([*known, below(upper.place, lower.place)], varying):
                    yield at_least(upper.value, lower.value)
        same = Constraint(value=add(one.place, other.place, -1), sign="=")
        if Kind.DISTINCT in kinds and empty([*known, same], varying):
            yield Constraint(value=add(one.value, other.value, -1), sign="!=")
