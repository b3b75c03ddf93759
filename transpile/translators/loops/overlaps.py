"""Arrays that callers may let overlap: what a translation has to ask before it runs iterations at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from transpile.core import Contract, Parameter
from transpile.expressions import names
from transpile.translators.loops.extents import behind, grouped
from transpile.translators.loops.outside import of_rows
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.rules.syntax import inside
from transpile.translators.rules.variables import Variables

_LENGTH = re.compile(r"\[(\d+)\]")


class Unbounded(Exception):
    """An array may overlap another one, and how long it is is not known."""


@dataclass(frozen=True, slots=True)
class Array:
    """Memory that lives longer than a call."""

    name: str
    start: str
    """A pointer to its first element."""
    end: str
    """A pointer behind its last element; empty where that is not known."""
    element: str
    restrict: bool = False
    """Nothing else leads there."""


def changed(variables: Variables) -> frozenset[str]:
    """Return the parameters that a function gives other values: a contract speaks of those of the call."""
    return frozenset(item.name for item in variables.all if item.parameter and item.writes)


def apart(part: Band | Alone, contract: Contract | None, variables: Variables) -> list[str]:
    """Return the conditions under which the arrays of a part lie apart; raises Unbounded."""
    found = []
    for one, other in pairs(part, contract, changed(variables)):
        if not one.end or not other.end:
            raise Unbounded(f"the length of `{one.name if not one.end else other.name}` is not known")
        cast = "" if one.element == other.element else "(const void *)"
        found.append(f"{one.end} <= {cast}{other.start} || {other.end} <= {cast}{one.start}")
    return found


def pairs(
    part: Band | Alone, contract: Contract | None, moved: frozenset[str]
) -> Iterator[tuple[Array, Array]]:
    """Yield two arrays each that may lead to the same memory, where one of them is written."""
    inner = [access for access in part.nest.accesses if inside(access.node, part.node)]
    written = {access.base for access in inner if access.write}
    arrays: dict[str, Array] = {}
    for access in inner:
        local = access.variable is not None and not access.variable.parameter
        if not local and access.base not in arrays:
            arrays[access.base] = _array(access.base, contract, moved)
    for one, other in combinations(arrays.values(), 2):
        if {one.name, other.name} & written and not (one.restrict or other.restrict):
            yield one, other


def _array(name: str, contract: Contract | None, moved: frozenset[str]) -> Array:
    if contract is None:
        return Array(name, name, "", "")
    for parameter in contract.signature.parameters:
        if parameter.name == name:
            fact = contract.array(name)
            known = fact is not None and fact.before == "0" and not moved & {name, *names(fact.extent)}
            return Array(
                name,
                _start(parameter),
                _end(parameter, fact.extent) if fact is not None and known else "",
                parameter.element.spelling if parameter.element is not None else "",
                "restrict" in parameter.spelling,
            )
    for item in contract.signature.globals:
        if item.name == name and len(item.lengths) == 1:
            element = item.element.spelling if item.element else ""
            return Array(name, name, f"{name} + {item.count}", element)
    return Array(name, name, "", "")


def _rows(parameter: Parameter) -> list[int]:
    """Return the lengths of the rows that a parameter leads to, the outermost first."""
    lengths = [int(length) for length in _LENGTH.findall(parameter.spelling)] if of_rows(parameter) else []
    return lengths if "*" in parameter.spelling else lengths[1:]


def _start(parameter: Parameter) -> str:
    rows = _rows(parameter)
    return f"&{parameter.name}[0]" + "[0]" * len(rows) if rows else parameter.name


def _end(parameter: Parameter, extent: str) -> str:
    rows = _rows(parameter)
    return behind(parameter.name, rows, extent) or "" if rows else f"{parameter.name} + {grouped(extent)}"


def overlapping(conditions: list[str], indent: str) -> str:
    """Return that some arrays do not lie apart, as an expression of C on several lines."""
    joined = f"\n{indent}    && ".join(f"({item})" for item in conditions)
    return f"!({conditions[0]})" if len(conditions) == 1 else f"!({joined})"


def declared(name: str, conditions: list[str], indent: str) -> str:
    """Return the declaration of a flag that says whether arrays lie apart."""
    joined = f"\n{indent}    && ".join(f"({item})" for item in conditions)
    return f"const int {name} = {joined};"
