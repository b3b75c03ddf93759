"""Types and ranks of the results of intrinsic functions."""

from __future__ import annotations

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import DOUBLE, INTEGER, LOGICAL, REAL, Scope, Type
from transpile.parsers.fortran.typing import Typed, arithmetic, typed

_TEXT = ("trim", "repeat", "new_line")


def keyed(
    name: str, arguments: tuple[tree.Argument, ...], names: tuple[str, ...]
) -> dict[str, tree.Expression]:
    """Return the arguments of an intrinsic procedure by the names of its dummies."""
    result: dict[str, tree.Expression] = {}
    for position, item in enumerate(arguments):
        result[item.keyword or (names[position] if position < len(names) else f"#{position}")] = item.value
    del name
    return result


DUMMIES = {
    "sum": ("array", "dim", "mask"), "product": ("array", "dim", "mask"),
    "maxval": ("array", "dim", "mask"), "minval": ("array", "dim", "mask"),
    "maxloc": ("array", "dim", "mask"), "minloc": ("array", "dim", "mask"),
    "findloc": ("array", "value", "dim", "mask"),
    "any": ("mask", "dim"), "all": ("mask", "dim"), "count": ("mask", "dim"), "norm2": ("x", "dim"),
    "reshape": ("source", "shape", "pad", "order"), "spread": ("source", "dim", "ncopies"),
    "pack": ("array", "mask", "vector"), "unpack": ("vector", "mask", "field"),
    "cshift": ("array", "shift", "dim"), "eoshift": ("array", "shift", "boundary", "dim"),
    "size": ("array", "dim", "kind"), "lbound": ("array", "dim", "kind"), "ubound": ("array", "dim", "kind"),
    "real": ("a", "kind"), "int": ("a", "kind"), "nint": ("a", "kind"), "floor": ("a", "kind"),
    "ceiling": ("a", "kind"), "aint": ("a", "kind"), "anint": ("a", "kind"), "logical": ("l", "kind"),
    "cmplx": ("x", "y", "kind"), "index": ("string", "substring", "back", "kind"),
    "scan": ("string", "set", "back", "kind"), "verify": ("string", "set", "back", "kind"),
    "merge": ("tsource", "fsource", "mask"), "ishftc": ("i", "shift", "size"),
}  # fmt: skip


def intrinsic(name: str, expression: tree.Apply, scope: Scope) -> Typed:
    """Return the type and the rank of what an intrinsic function gives.

    Raises:
        Refused: Where we do not know it.
    """
    generic, converted = intrinsics.SPECIFIC.get(name, (name, ""))
    arguments = expression.arguments
    given = keyed(generic, arguments, DUMMIES.get(generic, ()))
    first = typed(arguments[0].value, scope) if arguments else Typed(INTEGER)
    rank = max((typed(item.value, scope).rank for item in arguments), default=0)
    if converted:
        return Typed(INTEGER if converted == "int" else REAL, rank)
    if generic in intrinsics.ELEMENTAL:
        return Typed(_elemental(generic, given, [item.value for item in arguments], first.type, scope), rank)
    if generic in intrinsics.REDUCTIONS:
        of = {"any": LOGICAL, "all": LOGICAL, "count": INTEGER}.get(generic, first.type)
        return Typed(
            of, first.rank - 1 if "dim" in given or _positional_dim(generic, arguments, scope) else 0
        )
    if generic in intrinsics.LOCATIONS:
        dim = "dim" in given and typed(given["dim"], scope).type.base == "integer"
        return Typed(INTEGER, first.rank - 1 if dim else 1)
    if generic in intrinsics.REARRANGING:
        return _rearranged(generic, given, arguments, first, scope)
    if generic in intrinsics.INQUIRIES:
        return _inquiry(generic, given, first)
    if generic == "dot_product":
        other = typed(arguments[1].value, scope).type
        return Typed(
            first.type
            if first.type.base == "logical"
            else arithmetic(first.type, other, scope, expression.line)
        )
    if generic in _TEXT:
        return Typed(Type("character", 1, tree.Range(expression.line, None, None)))
    if generic in ("omp_get_wtime", "omp_get_wtick"):
        return Typed(DOUBLE)
    if generic in (
        "omp_in_parallel",
        "omp_is_initial_device",
        "omp_test_lock",
        "omp_get_dynamic",
        "omp_get_nested",
    ):
        return Typed(LOGICAL)
    if generic == "transfer":
        return Typed(typed(arguments[1].value, scope).type, typed(arguments[1].value, scope).rank)
    if generic == "null":
        raise scope.refused("`null` with an argument", expression.line)
    return Typed(INTEGER)


def _positional_dim(name: str, arguments: tuple[tree.Argument, ...], scope: Scope) -> bool:
    """Tell whether the second argument, without a keyword, is a dimension."""
    if len(arguments) < 2 or arguments[1].keyword:
        return False
    del name
    return typed(arguments[1].value, scope).type.base == "integer"


def _kind(given: dict[str, tree.Expression], scope: Scope, otherwise: int) -> int:
    if "kind" not in given:
        return otherwise
    folded = fold(given["kind"], scope)
    if folded is None:
        raise scope.refused("a kind that is no constant", given["kind"].line)
    return folded


def _elemental(
    name: str, given: dict[str, tree.Expression], values: list[tree.Expression], first: Type, scope: Scope
) -> Type:
    if name in intrinsics.TO_INTEGER:
        return Type("integer", _kind(given, scope, 4))
    if name in intrinsics.TO_LOGICAL:
        return LOGICAL
    if name == "dble":
        return DOUBLE
    if name == "real":
        return Type("real", _kind(given, scope, first.kind if first.base == "complex" else 4))
    if name == "aimag":
        return Type("real", first.kind)
    if name in ("aint", "anint"):
        return Type("real", _kind(given, scope, first.kind))
    if name == "complex":
        parts = [typed(value, scope).type for value in values]
        return Type("complex", max((item.kind for item in parts if item.base == "real"), default=4))
    if name in ("cmplx", "dcmplx"):
        otherwise = first.kind if first.base == "complex" and name == "dcmplx" else 4
        return Type("complex", 8 if name == "dcmplx" else _kind(given, scope, otherwise))
    if name in ("char", "achar"):
        return Type("character", 1, tree.Integer(0, 1))
    if name == "abs" and first.base == "complex":
        return Type("real", first.kind)
    if name in ("max", "min"):
        for value in values[1:]:
            other = typed(value, scope).type
            if first.base != "character":
                first = arithmetic(first, other, scope, value.line)
    if name in ("iand", "ior", "ieor") and first.base == "bits":
        return typed(values[1], scope).type
    if name == "merge" and first.base == "character":
        return Type("character", 1, first.length)
    return first


def _rearranged(
    name: str,
    given: dict[str, tree.Expression],
    arguments: tuple[tree.Argument, ...],
    first: Typed,
    scope: Scope,
) -> Typed:
    if name == "transpose":
        return Typed(first.type, 2)
    if name == "spread":
        return Typed(first.type, first.rank + 1)
    if name == "pack":
        return Typed(first.type, 1)
    if name == "unpack":
        return Typed(first.type, typed(given["mask"], scope).rank)
    if name == "matmul":
        other = typed(arguments[1].value, scope)
        of = (
            first.type
            if first.type.base == "logical"
            else arithmetic(first.type, other.type, scope, arguments[0].value.line)
        )
        return Typed(of, first.rank + other.rank - 2)
    if name == "reshape":
        return Typed(first.type, extent_of(given["shape"], scope))
    return first


def extent_of(shape: tree.Expression, scope: Scope) -> int:
    """Return how many values an array of rank one has, which must be known."""
    match shape:
        case tree.Parenthesized(inner=inner):
            return extent_of(inner, scope)
        case tree.ArrayConstructor(items=items):
            if not any(isinstance(item, tree.ImpliedDo) or typed(item, scope).rank for item in items):
                return len(items)
        case tree.Name(name=name):
            symbol = scope.find(name)
            if symbol is not None and symbol.rank == 1 and symbol.dimensions is not None:
                size = fold(symbol.dimensions[0], symbol.scope)
                if size is not None:
                    return size
        case tree.Apply(base=tree.Name(name="shape"), arguments=arguments):
            return typed(arguments[0].value, scope).rank
        case _:
            pass
    raise scope.refused("`reshape` to a shape of unknown rank", shape.line)


def _inquiry(name: str, given: dict[str, tree.Expression], first: Typed) -> Typed:
    if name in ("allocated", "associated", "present"):
        return Typed(LOGICAL)
    if name in ("huge", "tiny", "epsilon"):
        return Typed(first.type)
    if name == "shape" or (name in ("lbound", "ubound") and "dim" not in given):
        return Typed(INTEGER, 1)
    return Typed(INTEGER)
