"""Effects of procedures on their arguments and on the variables around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.typing import called, specific, symbol_of
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.families import unify


@dataclass(eq=False, slots=True)
class Usage:
    """Facts about all procedures of a program."""

    modified: dict[int, set[str]] = field(default_factory=dict)
    """By the identity of a scope: names of dummies that may be changed."""
    captured: dict[int, list[Symbol]] = field(default_factory=dict)
    """By the identity of a scope: variables of the host that an internal procedure uses."""
    shifted: set[int] = field(default_factory=set)
    """Identities of symbols of allocatable arrays whose lower bounds may be other than 1."""


def scopes(program: Program) -> Iterator[Scope]:
    """Yield all scopes that have statements."""
    stack = list(reversed(program.units))
    while stack:
        scope = stack.pop()
        yield scope
        stack.extend(item.scope for item in reversed(scope.procedures))


def usage(program: Program) -> Usage:
    """Return what the procedures of a program do."""
    result = Usage()
    everything = list(scopes(program))
    passed: list[tuple[Scope, Symbol, Procedure, Symbol]] = []
    for scope in everything:
        result.modified.setdefault(id(scope), set())
    for scope in everything:
        for symbol in _changed(scope, passed):
            _mark(result, symbol)
        _note_bounds(scope, result)
    changed = True
    while changed:
        changed = False
        for _, symbol, procedure, dummy in passed:
            names = result.modified.get(id(procedure.scope))
            touched = "in" not in _intent(dummy) if names is None else dummy.name in names
            if touched and symbol.name not in result.modified.get(id(symbol.scope), {symbol.name}):
                _mark(result, symbol)
                changed = True
        changed = unify(program, result.modified) or changed
    for scope in everything:
        _capture(scope, result)
    return result


def _intent(dummy: Symbol) -> str:
    return next((item for item in dummy.attributes if item.startswith("intent")), "").removeprefix("intent")


def _mark(result: Usage, symbol: Symbol) -> None:
    result.modified.setdefault(id(symbol.scope), set()).add(symbol.name)


def _root(expression: tree.Expression, scope: Scope) -> Symbol | None:
    """Return the variable at the bottom of a reference."""
    while isinstance(expression, (tree.Apply, tree.Member, tree.Parenthesized)):
        if isinstance(expression, tree.Parenthesized):
            return None
        expression = expression.base
    if not isinstance(expression, tree.Name):
        return None
    found = scope.find(expression.name)
    if found is None and (expression.name in intrinsics.FUNCTIONS or scope.rules is None):
        return None  # An intrinsic function, or a name that an ASSOCIATE gives.
    return found if found is not None else scope.variable(expression.name, expression.line)


def _changed(scope: Scope, passed: list[tuple[Scope, Symbol, Procedure, Symbol]]) -> Iterator[Symbol]:
    """Yield variables that statements of a unit change; what is passed on is noted."""
    assert scope.unit is not None
    for statement in scope.unit.body:
        for node in walk(statement):
            for expression in _targets(node, scope, passed):
                found = _root(expression, scope)
                if found is not None:
                    yield found


def _targets(
    node: object, scope: Scope, passed: list[tuple[Scope, Symbol, Procedure, Symbol]]
) -> Iterator[tree.Expression]:
    """Yield what one node changes."""
    match node:
        case tree.Assign(target=target) | tree.PointerAssign(target=target):
            yield target
            if isinstance(node, tree.PointerAssign):
                yield node.value
        case tree.Loop(variable=variable):
            yield tree.Name(0, variable)
        case tree.Transfer(kind=kind, items=items, unit=unit, options=options):
            if kind == "read":
                yield from _items(items)
            elif unit is not None:
                yield unit
            yield from (item.value for item in options)
        case tree.FileStatement(options=options):
            yield from (item.value for item in options)
        case tree.Allocate(allocations=allocations, options=options):
            yield from (item.target for item in allocations)
            yield from (item.value for item in options)
        case tree.Deallocate(targets=targets, options=options):
            yield from targets
            yield from (item.value for item in options)
        case tree.Nullify(targets=targets):
            yield from targets
        case tree.Associate(names=names):
            yield from (value for _, value in names)
        case tree.SelectType(selector=selector):
            yield selector
        case tree.Call(routine=routine, arguments=arguments, line=line):
            yield from _arguments(routine, arguments, scope, passed, line)
        case tree.Apply(base=base, arguments=arguments, line=line):
            yield from _arguments(base, arguments, scope, passed, line)
        case _:
            pass


def _items(items: tuple[tree.Expression, ...]) -> Iterator[tree.Expression]:
    for item in items:
        if isinstance(item, tree.ImpliedDo):
            yield from _items(item.items)
        else:
            yield item


def _arguments(
    base: tree.Expression,
    arguments: tuple[tree.Argument, ...],
    scope: Scope,
    passed: list[tuple[Scope, Symbol, Procedure, Symbol]],
    line: int,
) -> Iterator[tree.Expression]:
    """Yield the arguments of a call that may be changed by it, whatever it is."""
    if isinstance(base, tree.Name):
        found = scope.find(base.name)
        if found is None or found.role == "intrinsic":
            if base.name in intrinsics.SUBROUTINES:
                yield from (item.value for item in arguments)
            return
        if found.role in ("variable", "constant", "type") or found.statement_function is not None:
            return
        try:
            procedure = specific(found, arguments, scope, line)
        except Refused:
            procedure = found
    elif isinstance(base, tree.Member):
        try:
            owner = symbol_of(base, scope)
            if owner is not None and owner.role != "procedure":
                return
            procedure = called(tree.Apply(line, base, arguments), scope)
        except Refused:
            return
        arguments = (tree.Argument(base.base), *arguments)
    else:
        return
    if isinstance(procedure, Symbol):
        yield from (item.value for item in arguments)
        return
    yield from _passed(procedure, arguments, scope, passed)


def _passed(
    procedure: Procedure,
    arguments: tuple[tree.Argument, ...],
    scope: Scope,
    passed: list[tuple[Scope, Symbol, Procedure, Symbol]],
) -> Iterator[tree.Expression]:
    dummies = procedure.dummies
    by_name = {item.name: item for item in dummies}
    for position, item in enumerate(arguments):
        dummy = by_name.get(item.keyword) if item.keyword else None
        if dummy is None and position < len(dummies) and not item.keyword:
            dummy = dummies[position]
        found = _root(item.value, scope)
        if found is None or found.role != "variable":
            continue
        if dummy is None or (procedure.interface_only and _intent(dummy) != "in"):
            yield item.value
        else:
            passed.append((scope, found, procedure, dummy))
            if dummy.allocatable or dummy.pointer:
                yield item.value


def _note_bounds(scope: Scope, result: Usage) -> None:
    """Note allocatable arrays whose lower bounds are not known to be 1."""
    assert scope.unit is not None
    for statement in scope.unit.body:
        for node in walk(statement):
            expressions: list[tree.Expression] = []
            if isinstance(node, tree.Allocate):
                odd = any(item.keyword in ("source", "mold") for item in node.options)
                expressions = [
                    item.target
                    for item in node.allocations
                    if odd or any(isinstance(bound, tree.Range) for bound in item.dimensions)
                ]
            elif isinstance(node, tree.Assign) and isinstance(node.value, (tree.Name, tree.Member)):
                expressions = [node.target]
            elif isinstance(node, (tree.Call, tree.Apply)):
                expressions = [
                    item.value for item in node.arguments if isinstance(item.value, (tree.Name, tree.Member))
                ]
                if isinstance(node, tree.Apply) and not _may_allocate(node, scope):
                    continue
                if isinstance(node, tree.Call) and not _call_may_allocate(node, scope):
                    continue
            for expression in expressions:
                try:
                    symbol = symbol_of(expression, scope)
                except Refused:
                    continue  # A part of what an ASSOCIATE names, which cannot be allocated.
                if symbol is not None and symbol.allocatable:
                    result.shifted.add(id(symbol))


def _call_may_allocate(node: tree.Call, scope: Scope) -> bool:
    if isinstance(node.routine, tree.Name):
        found = scope.find(node.routine.name)
        if found is None:
            return node.routine.name == "move_alloc"
        if found.procedure is not None:
            return any(item.allocatable for item in found.procedure.dummies)
    return True


def _may_allocate(node: tree.Apply, scope: Scope) -> bool:
    if isinstance(node.base, tree.Name):
        found = scope.find(node.base.name)
        if found is None or found.role in ("variable", "constant", "intrinsic"):
            return False
        if found.procedure is not None:
            return any(item.allocatable for item in found.procedure.dummies)
    return False


def _capture(scope: Scope, result: Usage) -> None:
    """Note the variables of the host that internal procedures use, also by the procedures that they call."""
    internal = [item for item in scope.procedures if item.internal]
    own: dict[int, dict[str, Symbol]] = {}
    calls: dict[int, set[int]] = {}
    for procedure in internal:
        used: dict[str, Symbol] = {}
        siblings: set[int] = set()
        for name in mentioned(procedure.scope):
            found = procedure.scope.find(name)
            if found is None or procedure.scope.symbols.get(name) is found:
                continue
            if found.scope is scope and found.role == "variable" and scope.symbols.get(found.name) is found:
                used[found.name] = found
            elif found.procedure is not None and found.procedure in internal:
                siblings.add(id(found.procedure.scope))
        own[id(procedure.scope)], calls[id(procedure.scope)] = used, siblings
    changed = True
    while changed:
        changed = False
        for key, names in own.items():
            for sibling in calls[key]:
                for name, symbol in own[sibling].items():
                    if name not in names:
                        names[name] = symbol
                        changed = True
    for key, names in own.items():
        result.captured[key] = [names[name] for name in sorted(names)]


def mentioned(scope: Scope) -> set[str]:
    """Return the names that a procedure mentions, in declarations too."""
    assert scope.unit is not None
    found: set[str] = set()
    parts: list[tree.Declaration | tree.Statement] = [*scope.unit.declarations, *scope.unit.body]
    for part in parts:
        for node in walk(part):
            if isinstance(node, tree.Name):
                found.add(node.name)
            elif isinstance(node, tree.Loop):
                found.add(node.variable)
            elif isinstance(node, tree.Directive):
                found.update(_words(node.text))
    return found


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split()
