"""State that routines share: variables of modules and of common blocks, as the linker knows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.values import Dummy, Stored, elements, obstacle_within, size, value_of
from transpile.parsers.fortran.walking import Node, walk

_MOST_BYTES = 1 << 18
"""Of the state of one routine: every trial sets all of it."""
_MOST_BESIDE = 1 << 14
"""Of each variable that a routine could reach and does not mention."""


def state(program: Program, procedures: Iterable[Procedure], leading: set[str]) -> tuple[Stored, ...] | str:
    """Return the state that procedures share with others, or why trials cannot set it.

    Args:
        program: What they are part of.
        procedures: A routine and all that it calls.
        leading: Names in extents of its arrays but for their last ones.
    """
    found: dict[tuple[str, int], Stored] = {}
    for procedure in procedures:
        for symbol in _reached_by(procedure, program):
            why = obstacle_to(symbol)
            if why:
                return f"it uses {_called(symbol)}, {why}"
            for item in _with_neighbours(symbol):
                key = linked_variable(item), _offset(item) if item.common else 0
                if key not in found:
                    found[key] = _stored(item, program)
    total = sum(size(item.variable.value) * item.count for item in found.values())
    if total > _MOST_BYTES:
        return f"its module variables and common blocks have {total} bytes, of which trials set {_MOST_BYTES}"
    rows = (found[key] for key in sorted(found))
    return tuple(
        replace(item, variable=replace(item.variable, leading=_own_name(item) in leading)) for item in rows
    )


def shared(symbol: Symbol) -> bool:
    """Tell whether a variable lies where gfortran would put it, for Fortran and C++ alike."""
    return symbol.role == "variable" and not obstacle_to(symbol)


def linked_variable(symbol: Symbol) -> str:
    """Return the name of a module's variable, or of its common block, for the linker."""
    if symbol.common:
        return linked_block(symbol.common)
    unit = symbol.scope.unit
    assert unit is not None
    return f"__{unit.name}_MOD_{symbol.name}"


def linked_block(name: str) -> str:
    """Return the name of a common block for the linker."""
    return "__BLNK__" if name == "blank" else f"{name}_"


def obstacle_to(symbol: Symbol) -> str:
    """Return why a variable cannot be set from outside; nothing where it can."""
    symbol.scope.own(symbol.name, symbol.line)  # Gives it the type of its first letter where it has none.
    if symbol.common and symbol.type.derived is not None:
        return "which is of a derived type"
    return obstacle_within(symbol)


def _scopes(scope: Scope) -> Iterator[Scope]:
    yield scope
    for inner in scope.procedures:
        yield from _scopes(inner.scope)


def _reached_by(procedure: Procedure, program: Program) -> tuple[Symbol, ...]:
    if id(procedure) not in program.reached:
        found = {id(item): item for scope in _scopes(procedure.scope) for item in _reached(scope)}
        program.reached[id(procedure)] = tuple(found.values())
    return program.reached[id(procedure)]


def _reached(scope: Scope) -> Iterator[Symbol]:
    """Yield the variables of modules and common blocks that a scope mentions, and the blocks it declares."""
    for members in scope.commons.values():
        yield members[0]
    for name in _mentioned(scope):
        symbol = scope.find(name)
        if symbol is None or symbol.role != "variable":
            continue
        unit = symbol.scope.unit
        if symbol.common or (unit is not None and unit.kind == "module"):
            yield symbol


def _mentioned(scope: Scope) -> Iterator[str]:
    assert scope.unit is not None
    parts: tuple[Node, ...] = (*scope.unit.declarations, *scope.unit.body)
    for part in parts:
        for node in walk(part):
            if isinstance(node, tree.Name):
                yield node.name
            elif isinstance(node, tree.Loop):
                yield node.variable


def _with_neighbours(symbol: Symbol) -> Iterator[Symbol]:
    """Yield a variable with those that lie in the same block or module: a wrong one of them may change."""
    yield symbol
    if symbol.common:
        yield from symbol.scope.commons[symbol.common]
        return
    for other in symbol.scope.symbols.values():
        if shared(other) and not other.common and size(value_of(other)) * elements(other) <= _MOST_BESIDE:
            yield other


def _stored(symbol: Symbol, program: Program) -> Stored:
    return Stored(
        variable=_variable(symbol),
        symbol=linked_variable(symbol),
        offset=_offset(symbol) if symbol.common else 0,
        count=elements(symbol),
        initial=any(map(_initialised, _everywhere(symbol, program))),
    )


def _everywhere(symbol: Symbol, program: Program) -> Iterator[Symbol]:
    """Yield a variable, and for one of a common block what each unit calls it."""
    if not symbol.common:
        yield symbol
        return
    position = symbol.scope.commons[symbol.common].index(symbol)
    for unit in program.units:
        for scope in _scopes(unit):
            yield from scope.commons.get(symbol.common, ())[position : position + 1]


def _initialised(symbol: Symbol) -> bool:
    data = (target for item in symbol.scope.data for target in _targets(item))
    return symbol.initial is not None or symbol.name in data


def _targets(item: tree.Data) -> Iterator[str]:
    for target in item.targets:
        for node in walk(target):
            if isinstance(node, tree.Name):
                yield node.name


def _variable(symbol: Symbol) -> Dummy:
    if symbol.common:
        name = f"/{symbol.common}/ {symbol.name}"
    else:
        unit = symbol.scope.unit
        name = f"{unit.name if unit is not None else ''}::{symbol.name}"
    return Dummy(
        name=name, value=value_of(symbol), rank=symbol.rank, shape="explicit" if symbol.rank else "scalar"
    )


def _own_name(item: Stored) -> str:
    return item.variable.name.replace("::", " ").rpartition(" ")[2]


def _called(symbol: Symbol) -> str:
    sort = "the variable of a common block" if symbol.common else "the module variable"
    return f"{sort} `{symbol.name}`"


def _offset(symbol: Symbol) -> int:
    """Return where a variable lies in its common block, whose members are aligned as those of a struct."""
    place = 0
    for other in symbol.scope.commons[symbol.common]:
        step = 1 if other.type.base == "character" else other.type.kind
        place = -(-place // step) * step
        if other is symbol:
            break
        place += size(value_of(other)) * elements(other)
    return place
