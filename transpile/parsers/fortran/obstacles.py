"""Routines that are not called by trials, with the reason."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.callbacks import callback
from transpile.parsers.fortran.results import returned
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.values import record
from transpile.parsers.fortran.walking import walk

_SCALARS = ("integer", "real", "complex", "logical", "character")
_STANDARD_OUTPUT = 6
_UNSTEADY = ("random_number", "random_seed", "cpu_time", "system_clock", "date_and_time", "getarg")


def obstacle(procedure: Procedure) -> str:
    """Return why a routine has no trials; nothing where it has."""
    found = (
        *(_of_dummy(item, procedure) for item in procedure.dummies),
        _of_result(procedure),
        *_of_body(procedure.scope),
    )
    return next((item for item in found if item), "")


def _of_dummy(symbol: Symbol, procedure: Procedure) -> str:
    what = f"the argument `{symbol.name}`"
    if symbol.role != "variable":
        called = callback(symbol, procedure)
        return f"{what} is a procedure {called}" if isinstance(called, str) else ""
    if symbol.type.derived is not None:
        found = "a polymorphic type" if symbol.type.polymorphic else record(symbol.type.derived)
        if isinstance(found, str):
            return f"{what} is of {found}"
    elif symbol.type.base not in _SCALARS:
        return f"{what} is of a type that trials do not make"
    for attribute in ("pointer", "value"):
        if attribute in symbol.attributes:
            return f"{what} has the attribute `{attribute}`"
    if symbol.allocatable:
        return _of_allocatable(symbol, what)
    if symbol.type.base == "character":
        return _of_text(symbol, what)
    return ""


def _of_allocatable(symbol: Symbol, what: str) -> str:
    if not symbol.rank or symbol.type.base == "character":
        return f"{what} has the attribute `allocatable` and is no array of numbers"
    odd = sorted({"optional", "target"} & symbol.attributes)
    return f"{what} has the attributes `allocatable` and `{odd[0]}`" if odd else ""


def _of_text(symbol: Symbol, what: str) -> str:
    if isinstance(symbol.type.length, tree.Range):
        return f"{what} is a text of deferred length"
    constant = symbol.type.length is None or isinstance(symbol.type.length, tree.Integer)
    if symbol.rank and (not constant or symbol.shape == "assumed"):
        return f"{what} is an array of texts whose length the caller chooses"
    return ""


def _of_result(procedure: Procedure) -> str:
    found = returned(procedure)
    return found if isinstance(found, str) else ""


def _of_body(scope: Scope) -> Iterator[str]:
    """Yield what in a routine reaches beyond its arguments."""
    assert scope.unit is not None
    for statement in scope.unit.body:
        for node in walk(statement):
            if isinstance(node, tree.Name):
                yield _of_name(node.name, scope)
            elif isinstance(node, tree.FileStatement):
                yield f"it uses files (`{node.kind}`)"
            elif isinstance(node, tree.Transfer):
                yield _of_transfer(node, scope)
    for inner in scope.procedures:
        yield from _of_body(inner.scope)


def _of_name(name: str, scope: Scope) -> str:
    found = scope.find(name)
    if name in _UNSTEADY and (found is None or found.role == "intrinsic"):
        return f"it calls `{name}`, which no two calls answer alike"
    return ""


def _of_transfer(node: tree.Transfer, scope: Scope) -> str:
    unit = node.unit
    if node.kind == "read" and (unit is None or isinstance(unit, tree.Star)):
        return "it reads standard input"
    if unit is None or isinstance(unit, tree.Star):
        return ""
    if isinstance(unit, tree.Integer) and unit.value == _STANDARD_OUTPUT:
        return ""
    base = unit
    while isinstance(base, tree.Apply):
        base = base.base
    symbol = scope.find(base.name) if isinstance(base, tree.Name) else None
    internal = symbol is not None and symbol.type.base == "character"
    return "" if internal else "it reads or writes a unit other than standard output"
