"""Types and ranks of expressions, and what a reference in parentheses means."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.constants import fold, kind_number
from transpile.parsers.fortran.operators import LOGICAL as LOGICAL_OPERATORS
from transpile.parsers.fortran.operators import RELATIONAL
from transpile.parsers.fortran.symbols import (
    CHARACTER,
    DOUBLE,
    INTEGER,
    LOGICAL,
    NONE,
    REAL,
    Derived,
    Procedure,
    Scope,
    Symbol,
    Type,
)

_ORDER = {"integer": 0, "real": 1, "complex": 2}


@dataclass(frozen=True, slots=True)
class Typed:
    """The type and the rank of an expression."""

    type: Type
    rank: int = 0


def symbol_of(expression: tree.Expression, scope: Scope) -> Symbol | None:
    """Return the variable that a name, an element, a section or a component belongs to."""
    match expression:
        case tree.Name(name=name, line=line):
            return scope.variable(name, line)
        case tree.Member(base=base, name=name):
            owner = typed(base, scope).type.derived
            return owner.component(name) if owner is not None else None
        case tree.Apply(base=base):
            return symbol_of(base, scope)
        case _:
            pass
    return None


def meaning(expression: tree.Apply, scope: Scope) -> str:
    """Return what a reference means.

    One of ``element``, ``section``, ``substring``, ``call``, ``statement``, ``intrinsic``, ``constructor``
    and ``method``.
    """
    base = expression.base
    if isinstance(base, tree.Name):
        found = scope.find(base.name)
        if found is None or found.role == "intrinsic":
            if base.name in intrinsics.FUNCTIONS:
                return "intrinsic"
            raise scope.refused(f"the function `{base.name}` is not found", base.line)
        if found.role == "type":
            own = any(
                item.procedure is not None and fits(item.procedure, expression.arguments, scope)
                for item in map(found.scope.find, found.specifics)
                if item is not None
            )
            return "call" if own else "constructor"
        if found.statement_function is not None:
            return "statement"
        if found.role in ("procedure", "generic"):
            return "call"
        if (
            found.role == "variable"
            and not found.rank
            and base.name in intrinsics.FUNCTIONS
            and found.type.base != "character"
            and not found.dummy
        ):
            return "intrinsic"
    elif isinstance(base, tree.Member):
        owner = typed(base.base, scope).type.derived
        component = owner.component(base.name) if owner is not None else None
        if component is not None and component.role == "procedure":
            return "call"
        if owner is not None and component is None:
            if owner.binding(base.name) is None:
                raise scope.refused(f"`{base.name}` is not found in the type `{owner.name}`", base.line)
            return "method"
    what = typed(base, scope)
    whole = isinstance(base, (tree.Name, tree.Member))
    if what.rank and (whole or not isinstance(base, tree.Apply)):
        kept = any(
            isinstance(item.value, tree.Range) or typed(item.value, scope).rank
            for item in expression.arguments
        )
        return "section" if kept else "element"
    if what.type.base == "character":
        return "substring"
    name = base.name if isinstance(base, (tree.Name, tree.Member)) else "this"
    raise scope.refused(
        f"`{name}` with parentheses is neither an array nor a known function", expression.line
    )


def typed(expression: tree.Expression, scope: Scope) -> Typed:
    """Return the type and the rank of an expression.

    Raises:
        Refused: Where a name in it cannot be resolved.
    """
    match expression:
        case tree.Integer(kind=kind):
            return Typed(Type("integer", kind_number(kind, scope) or 4))
        case tree.Real(kind=kind):
            return Typed(Type("real", kind_number(kind, scope) or 4))
        case tree.Bits():
            return Typed(Type("bits", 8))
        case tree.Logical():
            return Typed(LOGICAL)
        case tree.String(value=value, line=line):
            return Typed(Type("character", 1, tree.Integer(line, len(value))))
        case tree.Complex(real=real, imaginary=imaginary):
            parts = [typed(part, scope).type for part in (real, imaginary)]
            widest = max((part.kind for part in parts if part.base == "real"), default=4)
            return Typed(Type("complex", widest))
        case tree.Parenthesized(inner=inner):
            return typed(inner, scope)
        case tree.Name(name=name, line=line):
            return _name(name, line, scope)
        case tree.Member(base=base, name=name, line=line):
            return _member(base, name, line, scope)
        case tree.Apply():
            return _apply(expression, scope)
        case tree.Unary(operator=operator, operand=operand):
            inside = typed(operand, scope)
            if operator in ("+", "-", ".not.") and inside.type.base != "derived":
                return inside
            return _defined(operator, (operand,), scope, expression.line)
        case tree.Binary():
            return _binary(expression, scope)
        case tree.ArrayConstructor(items=items, type=spec):
            return Typed(_constructed(items, spec, scope, expression.line), 1)
        case tree.ImpliedDo(items=items):
            return typed(items[0], scope)
        case tree.Range() | tree.Star() | tree.Null():
            return Typed(NONE, 1 if isinstance(expression, tree.Range) else 0)
        case _:
            pass
    raise scope.refused("an expression of an unknown sort", expression.line)


def _name(name: str, line: int, scope: Scope) -> Typed:
    found = scope.variable(name, line)
    if found.procedure is not None and found.role == "procedure":
        return Typed(Type("procedure"))
    return Typed(found.type, found.rank)


def _member(base: tree.Expression, name: str, line: int, scope: Scope) -> Typed:
    owner = typed(base, scope)
    if owner.type.base == "complex" and name in ("re", "im"):
        return Typed(Type("real", owner.type.kind), owner.rank)
    if owner.type.derived is None:
        raise scope.refused(f"`%{name}` of what is no derived type", line)
    component = owner.type.derived.component(name)
    if component is None:
        if owner.type.derived.binding(name) is not None:
            return Typed(Type("procedure"))
        if owner.type.derived.parent is not None and owner.type.derived.parent.name == name:
            return Typed(Type("derived", 0, None, owner.type.derived.parent), owner.rank)
        raise scope.refused(f"`{name}` is not found in the type `{owner.type.derived.name}`", line)
    if component.role == "procedure":
        return Typed(Type("procedure"))
    return Typed(component.type, component.rank or owner.rank)


def _apply(expression: tree.Apply, scope: Scope) -> Typed:
    what = meaning(expression, scope)
    if what == "element":
        base = typed(expression.base, scope)
        outer = _outer_rank(expression.base, scope)
        return Typed(base.type, outer)
    if what == "section":
        kept = sum(
            1
            for item in expression.arguments
            if isinstance(item.value, tree.Range) or typed(item.value, scope).rank
        )
        return Typed(typed(expression.base, scope).type, kept)
    if what == "substring":
        base = typed(expression.base, scope)
        return Typed(Type("character", 1, tree.Range(expression.line, None, None)), base.rank)
    if what == "intrinsic":
        from transpile.parsers.fortran.intrinsic_types import intrinsic

        assert isinstance(expression.base, tree.Name)
        return intrinsic(expression.base.name, expression, scope)
    if what == "constructor":
        assert isinstance(expression.base, tree.Name)
        symbol = scope.find(expression.base.name)
        assert symbol is not None
        return Typed(Type("derived", 0, None, symbol.derived))
    if what == "statement":
        assert isinstance(expression.base, tree.Name)
        return Typed(scope.variable(expression.base.name, expression.line).type)
    return _call(called(expression, scope), expression, scope)


def _outer_rank(base: tree.Expression, scope: Scope) -> int:
    """Return the rank that a component has from what it is a component of."""
    return typed(base.base, scope).rank if isinstance(base, tree.Member) else 0


def _call(procedure: Procedure | Symbol, expression: tree.Apply, scope: Scope) -> Typed:
    """Return the type of a function's result."""
    if isinstance(procedure, Symbol):
        return Typed(procedure.type)
    result = procedure.result
    if result is None:
        raise scope.refused(f"the subroutine `{procedure.name}` is used as a function", expression.line)
    rank = result.rank
    if procedure.elemental:
        rank = max((typed(item.value, scope).rank for item in expression.arguments), default=0)
    return Typed(result.type, rank)


def called(expression: tree.Apply, scope: Scope) -> Procedure | Symbol:
    """Return the procedure that a reference calls; the symbol where no interface is known."""
    base = expression.base
    if isinstance(base, tree.Member):
        owner = typed(base.base, scope).type.derived
        assert owner is not None
        component = owner.component(base.name)
        if component is not None:
            return component.procedure if component.procedure is not None else component
        return bound(owner, base.name, expression.arguments, scope, base.line)
    assert isinstance(base, tree.Name)
    found = scope.find(base.name)
    assert found is not None
    return specific(found, expression.arguments, scope, expression.line)


def specific(
    found: Symbol, arguments: tuple[tree.Argument, ...], scope: Scope, line: int
) -> Procedure | Symbol:
    """Return the procedure that a name stands for, chosen by the arguments where it is generic."""
    if found.role != "generic" and not found.specifics:
        return found.procedure if found.procedure is not None else found
    for name in found.specifics:
        candidate = found.scope.find(name)
        if candidate is None or candidate.procedure is None:
            continue
        if fits(candidate.procedure, arguments, scope):
            return candidate.procedure
    if found.procedure is not None and not found.specifics:
        return found.procedure
    raise scope.refused(f"no procedure of `{found.name}` fits these arguments", line)


def fits(procedure: Procedure, arguments: tuple[tree.Argument, ...], scope: Scope) -> bool:
    """Tell whether arguments are of the types and ranks that a procedure takes."""
    dummies = procedure.dummies
    if len(arguments) > len(dummies):
        return False
    given: dict[str, tree.Expression] = {}
    for dummy, argument in zip(dummies, arguments, strict=False):
        given[argument.keyword or dummy.name] = argument.value
    for dummy in dummies:
        value = given.pop(dummy.name, None)
        if value is None:
            if "optional" not in dummy.attributes:
                return False
            continue
        actual = typed(value, scope)
        if dummy.role == "procedure" or actual.type.base == "procedure":
            if dummy.role != "procedure" or actual.type.base != "procedure":
                return False
            continue
        if not _compatible(dummy.type, actual.type):
            return False
        if actual.rank != dummy.rank and not (procedure.elemental and dummy.rank == 0):
            return False
    return not given


def _compatible(dummy: Type, actual: Type) -> bool:
    if dummy.derived is not None and actual.derived is not None:
        return actual.derived.extends(dummy.derived) if dummy.polymorphic else actual.derived is dummy.derived
    return dummy.same(actual)


def bound(
    owner: Derived, name: str, arguments: tuple[tree.Argument, ...], scope: Scope, line: int
) -> Procedure:
    """Return the procedure that is bound to a type under a name."""
    found = owner.binding(name)
    assert found is not None
    holder, binding = found
    if not binding.generic:
        deferred = [
            item.removeprefix("interface:") for item in binding.attributes if item.startswith("interface:")
        ]
        symbol = holder.scope.find(deferred[0] if deferred else binding.targets[0])
        if symbol is None or symbol.procedure is None:
            raise scope.refused(f"the bound procedure `{name}` is not found", line)
        return symbol.procedure
    for target in binding.targets:
        procedure = bound(owner, target, arguments, scope, line)
        dummies = procedure.dummies[1:]
        if len(arguments) <= len(dummies) and all(
            _compatible(dummy.type, typed(item.value, scope).type)
            and dummy.rank == typed(item.value, scope).rank
            for dummy, item in zip(dummies, arguments, strict=False)
        ):
            return procedure
    raise scope.refused(f"no procedure of `{name}` fits these arguments", line)


def _binary(expression: tree.Binary, scope: Scope) -> Typed:
    left, right = typed(expression.left, scope), typed(expression.right, scope)
    rank = max(left.rank, right.rank)
    operator = expression.operator
    if (operator.startswith(".") and operator not in LOGICAL_OPERATORS) or "derived" in (
        left.type.base,
        right.type.base,
    ):
        return _defined(operator, (expression.left, expression.right), scope, expression.line)
    if operator in RELATIONAL or operator in LOGICAL_OPERATORS:
        return Typed(LOGICAL, rank)
    if operator == "//":
        return Typed(Type("character", 1, tree.Range(expression.line, None, None)), rank)
    return Typed(arithmetic(left.type, right.type, scope, expression.line), rank)


def arithmetic(left: Type, right: Type, scope: Scope, line: int) -> Type:
    """Return the type of the result of arithmetic."""
    if left.base == "bits":
        return right
    if right.base == "bits":
        return left
    if left.base not in _ORDER or right.base not in _ORDER:
        raise scope.refused(f"arithmetic of {left.base} and {right.base}", line)
    if left.base == right.base:
        return left if left.kind >= right.kind else right
    high, low = (left, right) if _ORDER[left.base] > _ORDER[right.base] else (right, left)
    if low.base == "integer":
        return high
    return Type(high.base, max(high.kind, low.kind))


def defined_operator(
    operator: str, operands: tuple[tree.Expression, ...], scope: Scope, line: int
) -> Procedure:
    """Return the function behind an operator that the program defines."""
    spelled = {
        "==": (".eq.",),
        "/=": (".ne.",),
        "<": (".lt.",),
        ">": (".gt.",),
        "<=": (".le.",),
        ">=": (".ge.",),
    }
    arguments = tuple(tree.Argument(item) for item in operands)
    for word in (operator, *spelled.get(operator, ())):
        name = f"operator({word})"
        found = scope.find(name)
        if found is not None:
            result = specific(found, arguments, scope, line)
            if isinstance(result, Procedure):
                return result
        for index, operand in enumerate(operands):
            owner = typed(operand, scope).type.derived
            if owner is not None and owner.binding(name) is not None and index == 0:
                return bound(owner, name, arguments[1:], scope, line)
    raise scope.refused(f"the operator `{operator}` is not found for these operands", line)


def _defined(operator: str, operands: tuple[tree.Expression, ...], scope: Scope, line: int) -> Typed:
    procedure = defined_operator(operator, operands, scope, line)
    result = procedure.result
    if result is None:
        raise scope.refused(f"the operator `{operator}` has no result", line)
    rank = result.rank
    if procedure.elemental:
        rank = max(typed(item, scope).rank for item in operands)
    return Typed(result.type, rank)


def _constructed(
    items: tuple[tree.Expression, ...], spec: tree.TypeSpec | None, scope: Scope, line: int
) -> Type:
    """Return the type of the values of an array constructor."""
    if spec is not None:
        if spec.base in ("type", "class"):
            symbol = scope.find(spec.name)
            return Type("derived", 0, None, symbol.derived if symbol else None)
        from transpile.parsers.fortran.resolve import written_type

        return written_type(spec, scope)
    if not items:
        raise scope.refused("an array constructor without type and values", line)
    first = typed(items[0], scope).type
    for item in items[1:]:
        other = typed(item, scope).type
        if not other.same(first):
            raise scope.refused("an array constructor of values of several types", line)
    if first.base == "character":
        lengths = {fold(typed(item, scope).type.length, scope) for item in items}
        if len(lengths) == 1:
            return first
        if None in lengths:
            raise scope.refused("an array constructor of texts of unknown lengths", line)
        longest = max(item for item in lengths if item is not None)
        return Type("character", 1, tree.Integer(line, longest))
    return first


__all__ = ["CHARACTER", "DOUBLE", "INTEGER", "REAL", "Typed", "called", "meaning", "symbol_of", "typed"]
