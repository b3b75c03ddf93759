"""Arrays that callers may let overlap: what a translation has to ask before it runs iterations at once."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.core import Contract
from transpile.translators.loops.extents import grouped
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.rules.syntax import inside, source
from transpile.translators.rules.variables import Variable


def apart(part: Band | Alone, contract: Contract | None) -> str | None:
    """Return the condition under which the arrays of a part lie apart: empty where they always do.

    None where it cannot be said, since the length of an array is not known.
    """
    conditions = []
    for written, other in pairs(part):
        first, second = _end(written, contract), _end(other, contract)
        if first is None or second is None:
            return None
        conditions.append(f"({first} <= {_start(other, written)} || {second} <= {_start(written, other)})")
    if len(conditions) == 1:
        return conditions[0][1:-1]
    return " && ".join(conditions)


def pairs(part: Band | Alone) -> Iterator[tuple[Variable, Variable]]:
    """Yield each written parameter with each other one that may lead to the same memory."""
    used: dict[str, Variable] = {}
    written: set[str] = set()
    for access in part.nest.accesses:
        variable = access.variable
        if variable is not None and variable.parameter and inside(access.node, part.node):
            used[variable.name] = variable
            if access.write:
                written.add(variable.name)
    names = list(used)
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            if {name, other} & written and not (restricted(used[name]) or restricted(used[other])):
                yield used[name], used[other]


def restricted(variable: Variable) -> bool:
    """Tell whether the source says that nothing else leads to an array's elements."""
    return "restrict" in source(variable.declaration)


def _end(variable: Variable, contract: Contract | None) -> str | None:
    fact = contract.array(variable.name) if contract else None
    if fact is None or fact.before != "0":
        return None
    return f"{variable.name} + {grouped(fact.extent)}"


def _start(variable: Variable, other: Variable) -> str:
    return variable.name if _element(variable) == _element(other) else f"(const void *){variable.name}"


def _element(variable: Variable) -> str:
    return " ".join(word for word in variable.type.split() if word not in ("const", "restrict"))
