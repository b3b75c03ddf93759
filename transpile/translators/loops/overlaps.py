"""Arrays that callers may let overlap: what a translation has to ask before it runs iterations at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from transpile.core import Contract, Parameter
from transpile.expressions import names
from transpile.translators.loops.accesses import Access
from transpile.translators.loops.extents import begun, spelled, whole_rows
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.rules.syntax import inside
from transpile.translators.rules.variables import Variables

_SIMPLE = re.compile(r"\w+")


class Unbounded(Exception):
    """An array may overlap another one, and how long it is is not known."""


@dataclass(frozen=True, slots=True)
class Array:
    """Memory that lives longer than a call."""

    name: str
    length: str
    """How many elements or rows are behind its name, as C; empty where that is not known."""
    element: str
    begun: str = ""
    """What is above 0 where the last of its rows is begun; empty where it always is."""
    rows: bool = False
    """Its name leads to rows, and not to elements."""
    restrict: bool = False
    """Nothing else leads there."""

    @property
    def end(self) -> str:
        """Return a pointer behind its last element or row."""
        return f"{self.name} + {self.length if _SIMPLE.fullmatch(self.length) else f'({self.length})'}"


def changed(variables: Variables) -> frozenset[str]:
    """Return the parameters whose names mean another value somewhere: a contract speaks of the call's."""
    given = {item.name for item in variables.all if item.parameter}
    other = [item for item in variables.all if item.writes or not item.parameter]
    return frozenset(item.name for item in other if item.name in given)


def apart(part: Band | Alone, contract: Contract | None, variables: Variables) -> list[str]:
    """Return the conditions under which the arrays of a part lie apart; raises Unbounded."""
    return [condition(one, other) for one, other in pairs(part, contract, changed(variables))]


def condition(one: Array, other: Array) -> str:
    """Return the condition under which two arrays lie apart; raises Unbounded."""
    if not one.length or not other.length:
        raise Unbounded(f"the length of `{one.name if not one.length else other.name}` is not known")
    return f"{_before(one, other)} || {_before(other, one)}"


def _before(one: Array, other: Array) -> str:
    """Return that one array ends before the other begins."""
    if one.rows or other.rows:
        return f"(const void *)({one.end}) <= (const void *){other.name}"
    return f"{one.end} <= {'' if one.element == other.element else '(const void *)'}{other.name}"


def pairs(
    part: Band | Alone, contract: Contract | None, moved: frozenset[str]
) -> Iterator[tuple[Array, Array]]:
    """Yield two arrays each that may lead to the same memory, where one of them is written."""
    inner = touched(part)
    written = {access.base for access in inner if access.write}
    arrays = {access.base: array(access.base, contract, moved) for access in inner if outlives(access)}
    for one, other in combinations(arrays.values(), 2):
        if {one.name, other.name} & written and not (one.restrict or other.restrict):
            yield one, other


def touched(part: Band | Alone) -> list[Access]:
    """Return the accesses to memory in a part."""
    return [access for access in part.nest.accesses if inside(access.node, part.node)]


def outlives(access: Access) -> bool:
    """Tell whether what is touched lives longer than a call."""
    return access.variable is None or access.variable.parameter


def array(name: str, contract: Contract | None, moved: frozenset[str]) -> Array:
    """Return what is known of an array that lives longer than a call.

    Args:
        name: Of a parameter or of a variable at file scope.
        contract: What is known of the function; None where nothing is.
        moved: Parameters that the function gives other values.
    """
    if contract is None:
        return Array(name, "", "")
    for parameter in contract.signature.parameters:
        if parameter.name == name:
            fact = contract.array(name)
            known = fact is not None and fact.before == "0" and not moved & {name, *names(fact.extent)}
            found = Array(
                name,
                "",
                parameter.element.spelling if parameter.element is not None else "",
                rows=bool(parameter.row),
                restrict="restrict" in parameter.spelling,
            )
            return _sized(found, parameter, fact.extent) if fact is not None and known else found
    for item in contract.signature.globals:
        if item.name == name and item.lengths:
            element = item.element.spelling if item.element else ""
            return Array(name, str(item.lengths[0]), element, rows=len(item.lengths) > 1)
    return Array(name, "", "")


def _sized(found: Array, parameter: Parameter, extent: str) -> Array:
    """Return an array with its length, where the contract's can be said of it."""
    if not parameter.row:
        return replace(found, length=spelled(extent))
    if not all(length.isdigit() for length in parameter.row):
        return found
    rows = [int(length) for length in parameter.row]
    count = whole_rows(rows, extent)
    return found if count is None else replace(found, length=count, begun=begun(rows, extent, count))


def overlapping(conditions: Sequence[str], indent: str) -> str:
    """Return that some arrays do not lie apart, as an expression of C on several lines."""
    return f"!({all_apart(conditions, indent)})"


def all_apart(conditions: Sequence[str], indent: str) -> str:
    """Return that all arrays lie apart, as an expression of C on several lines."""
    return conditions[0] if len(conditions) == 1 else _joined(conditions, indent)


def declared(name: str, conditions: Sequence[str], indent: str) -> str:
    """Return the declaration of a flag that says whether arrays lie apart."""
    return f"const int {name} = {_joined(conditions, indent)};"


def _joined(conditions: Sequence[str], indent: str) -> str:
    return f"\n{indent}    && ".join(f"({item})" for item in conditions)
