"""Arrays that callers may let overlap: what a translation has to ask before it runs iterations at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from transpile.core import Contract, ElementType, Parameter
from transpile.expressions import names
from transpile.translators.loops.containers import depth, distinct, elements, may_hold, spelled, stays
from transpile.translators.loops.extents import grouped, whole_rows
from transpile.translators.loops.outside import of_rows
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.rules.syntax import inside
from transpile.translators.rules.variables import Variable, Variables

_LENGTH = re.compile(r"\[(\d+)\]")


class Unbounded(Exception):
    """An array may overlap another one, and how long it is is not known."""


@dataclass(frozen=True, slots=True)
class Array:
    """Memory that lives longer than a call."""

    name: str
    end: str
    """A pointer behind its last element or row; empty where that is not known."""
    element: str
    rows: bool = False
    """Its name leads to rows, and not to elements."""
    restrict: bool = False
    """Nothing else leads there."""
    begin: str = ""
    """A pointer to its first element, where that is not its name."""
    container: Variable | None = None
    """The object that it is, which shares no element with another one."""
    simple: bool = False
    """Its elements are structs without arrays."""

    @property
    def first(self) -> str:
        """Return a pointer to its first element."""
        return self.begin or self.name


def changed(variables: Variables) -> frozenset[str]:
    """Return the parameters that a function gives other values: a contract speaks of those of the call."""
    return frozenset(_changed(variables))


def _changed(variables: Variables) -> Iterator[str]:
    for item in variables.all:
        if item.parameter and item.writes:
            yield item.name
        if item.parameter and elements(item) is not None and not stays(item, item.scope):
            yield f"{item.name}.size"


def apart(part: Band | Alone, contract: Contract | None, variables: Variables) -> list[str]:
    """Return the conditions under which the arrays of a part lie apart; raises Unbounded."""
    found = []
    for one, other in pairs(part, contract, changed(variables)):
        if one.container and other.container:
            if _nested(one, other):
                raise Unbounded(f"`{one.name}` and `{other.name}` may be one in the other")
            view = "" if one.element == other.element else "(const void *)"
            found.append(f"{view}&{one.name} != {view}&{other.name}")
            continue
        if not one.end or not other.end:
            raise Unbounded(f"the length of `{one.name if not one.end else other.name}` is not known")
        found.append(f"{_before(one, other)} || {_before(other, one)}")
    return found


def _before(one: Array, other: Array) -> str:
    """Return that one array ends before the other begins."""
    if one.rows or other.rows:
        return f"(const void *)({one.end}) <= (const void *){other.first}"
    return f"{one.end} <= {'' if one.element == other.element else '(const void *)'}{other.first}"


def pairs(
    part: Band | Alone, contract: Contract | None, moved: frozenset[str]
) -> Iterator[tuple[Array, Array]]:
    """Yield two arrays each that may lead to the same memory, where one of them is written."""
    inner = [access for access in part.nest.accesses if inside(access.node, part.node)]
    written = {access.base for access in inner if access.write}
    arrays: dict[str, Array] = {}
    constants = {item.name for item in contract.signature.constants} if contract is not None else set()
    for access in inner:
        if access.variable is None and access.base in constants:
            continue
        if access.base not in arrays and not _own(access.variable):
            known = _container(access.variable, contract) if access.variable is not None else None
            arrays[access.base] = known or _array(access.base, contract, moved)
    for one, other in combinations(arrays.values(), 2):
        if {one.name, other.name} & written and not _never_meet(one, other):
            yield one, other


def _own(variable: Variable | None) -> bool:
    """Tell whether nothing else leads to a variable's memory."""
    if variable is None:
        return False
    return not variable.parameter or (elements(variable) is not None and not variable.reference)


def _never_meet(one: Array, other: Array) -> bool:
    """Tell whether two arrays lie apart in every call."""
    if one.container is None or other.container is None:
        return one.restrict or other.restrict
    return distinct(one.container, other.container) and not _nested(one, other)


def _nested(one: Array, other: Array) -> bool:
    """Tell whether one of two containers may lie in an element of the other."""
    return any(
        outer.container is not None
        and inner.container is not None
        and not outer.simple
        and may_hold(outer.container, inner.container)
        for outer, inner in ((one, other), (other, one))
    )


def _container(variable: Variable, contract: Contract | None) -> Array | None:
    """Return a container as an array; None for what is none."""
    if elements(variable) is None:
        return None
    name, begin = variable.name, f"{variable.name}.data()"
    end = f"{begin} + {name}.size()" if depth(variable) == 1 else ""
    simple = (
        contract is not None
        and depth(variable) == 1
        and any(
            item.name == f"{name}.data" and item.element is not None and _is_simple(item.element)
            for item in contract.signature.parameters
        )
    )
    return Array(name, end, spelled(variable), begin=begin, container=variable, simple=simple)


def _is_simple(element: ElementType) -> bool:
    """Tell whether a type is a struct of numbers, or a number."""
    return bool(element.leaves) and not any("[" in leaf.name for leaf in element.leaves)


def _array(name: str, contract: Contract | None, moved: frozenset[str]) -> Array:
    if contract is None:
        return Array(name, "", "")
    for parameter in contract.signature.parameters:
        if parameter.name == name:
            fact = contract.array(name)
            known = fact is not None and fact.before == "0" and not moved & {name, *names(fact.extent)}
            return Array(
                name,
                _end(parameter, fact.extent) if fact is not None and known else "",
                parameter.element.spelling if parameter.element is not None else "",
                rows=of_rows(parameter),
                restrict="restrict" in parameter.spelling,
            )
    for item in contract.signature.globals:
        if item.name == name and item.lengths:
            kind = item.element.spelling if item.element else ""
            return Array(name, f"{name} + {item.lengths[0]}", kind, rows=len(item.lengths) > 1)
    return Array(name, "", "")


def _end(parameter: Parameter, extent: str) -> str:
    if not of_rows(parameter):
        return f"{parameter.name} + {grouped(extent)}"
    lengths = [int(length) for length in _LENGTH.findall(parameter.spelling)]
    count = whole_rows(lengths if "*" in parameter.spelling else lengths[1:], extent)
    return f"{parameter.name} + {count}" if count else ""


def overlapping(conditions: list[str], indent: str) -> str:
    """Return that some arrays do not lie apart, as an expression of C on several lines."""
    joined = f"\n{indent}    && ".join(f"({item})" for item in conditions)
    return f"!({conditions[0]})" if len(conditions) == 1 else f"!({joined})"


def declared(name: str, conditions: list[str], indent: str) -> str:
    """Return the declaration of a flag that says whether arrays lie apart."""
    joined = f"\n{indent}    && ".join(f"({item})" for item in conditions)
    return f"const int {name} = {joined};"
