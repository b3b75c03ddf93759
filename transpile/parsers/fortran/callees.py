"""Procedures of a library that one calls."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Scope
from transpile.parsers.fortran.walking import names


def closure(procedure: Procedure, program: Program) -> list[Procedure]:
    """Return a procedure and all that it calls, directly or not."""
    found: dict[int, Procedure] = {}
    waiting = [procedure]
    while waiting:
        item = waiting.pop()
        if id(item) not in found:
            found[id(item)] = item
            waiting.extend(callees(item, program))
    return list(found.values())


def callees(procedure: Procedure, program: Program) -> tuple[Procedure, ...]:
    """Return the procedures of a library that one mentions, those of its internal procedures included."""
    if id(procedure) not in program.callees:
        found = {id(item): item for item in _callees(procedure, program)}
        program.callees[id(procedure)] = tuple(found.values())
    return program.callees[id(procedure)]


def _callees(procedure: Procedure, program: Program) -> Iterator[Procedure]:
    for scope in _scopes(procedure.scope):
        assert scope.unit is not None
        for statement in scope.unit.body:
            for item in names(statement):
                yield from named(item.name, scope, program)


def named(name: str, scope: Scope, program: Program) -> Iterator[Procedure]:
    """Yield what a name may call: the specific procedures of a generic one, or one that stands alone."""
    found = scope.find(name)
    outside = found is None or (found.role == "procedure" and found.procedure is None)
    outside = outside or (found is not None and "external" in found.attributes)
    outside = outside or bool(found and found.procedure is not None and found.procedure.interface_only)
    if outside:
        found = program.root.symbols.get(name)
    if found is None:
        return
    if found.procedure is not None and not found.procedure.internal:
        yield found.procedure
    for specific in found.specifics:
        other = found.scope.find(specific)
        if other is not None and other.procedure is not None:
            yield other.procedure


def _scopes(scope: Scope) -> Iterator[Scope]:
    yield scope
    for inner in scope.procedures:
        yield from _scopes(inner.scope)
