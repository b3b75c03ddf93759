"""Hierarchies of types, and the procedures that are bound under one name in each."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Derived, Procedure, Symbol


def all_types(program: Program) -> Iterator[Derived]:
    """Yield the derived types of modules and program units."""
    for scope in program.units:
        yield from scope.derived


def in_hierarchy(derived: Derived | None, program: Program) -> bool:
    """Tell whether a type extends another, or is extended."""
    return derived is not None and _has_relatives(derived, program)


def _has_relatives(derived: Derived, program: Program) -> bool:
    return derived.parent is not None or any(other.parent is derived for other in all_types(program))


def bindings(derived: Derived) -> dict[str, tuple[Derived, tree.Binding]]:
    """Return the specific bindings of a type, inherited ones too, with the types that give them."""
    found = dict(bindings(derived.parent)) if derived.parent is not None else {}
    for binding in derived.declaration.bindings:
        if not binding.generic:
            found[binding.name] = (derived, binding)
    return found


def bound_procedure(derived: Derived, binding: tree.Binding) -> Procedure | None:
    """Return the procedure behind a binding; of a deferred one, its interface."""
    deferred = next(
        (item.removeprefix("interface:") for item in binding.attributes if item.startswith("interface:")), ""
    )
    symbol = derived.scope.find(deferred or binding.targets[0])
    return symbol.procedure if symbol is not None else None


def families(program: Program) -> list[list[Procedure]]:
    """Return groups of procedures that are bound under one name in one hierarchy."""
    groups: dict[tuple[int, str], list[Procedure]] = {}
    for derived in all_types(program):
        if not in_hierarchy(derived, program):
            continue
        for name, (owner, binding) in bindings(derived).items():
            procedure = bound_procedure(owner, binding)
            if procedure is None:
                continue
            key = (id(_first(derived, name)), name)
            group = groups.setdefault(key, [])
            if procedure not in group:
                group.append(procedure)
    return [group for group in groups.values() if len(group) > 1]


def _first(derived: Derived, name: str) -> Derived:
    """Return the topmost type that binds a name."""
    result = derived
    current: Derived | None = derived
    while current is not None:
        if any(item.name == name for item in current.declaration.bindings):
            result = current
        current = current.parent
    return result


def unify(program: Program, modified: dict[int, set[str]]) -> bool:
    """Let procedures of one family change the same arguments; tell whether that was news."""
    changed = False
    for group in families(program):
        for position in range(min(len(item.dummies) for item in group)):
            dummies = [item.dummies[position] for item in group]
            touched = any(_touched(item, modified) for item in dummies)
            for item in dummies:
                names = modified.get(id(item.scope))
                if touched and names is not None and item.name not in names:
                    names.add(item.name)
                    changed = True
    return changed


def _touched(dummy: Symbol, modified: dict[int, set[str]]) -> bool:
    names = modified.get(id(dummy.scope))
    if names is None:
        return "intentin" not in dummy.attributes and "value" not in dummy.attributes
    return dummy.name in names
