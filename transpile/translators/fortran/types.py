"""Types of Fortran as types of C++."""

from __future__ import annotations

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Scope, Type
from transpile.translators.fortran.names import plain

_NAMES = {
    ("integer", 1): "std::int8_t",
    ("integer", 2): "std::int16_t",
    ("integer", 4): "int",
    ("integer", 8): "std::int64_t",
    ("real", 4): "float",
    ("real", 8): "double",
    ("complex", 4): "std::complex<float>",
    ("complex", 8): "std::complex<double>",
}


def plain_type(of: Type, scope: Scope, line: int, length: str = "") -> str:
    """Return the type of a value.

    Args:
        of: What it is in Fortran.
        scope: Where it is declared.
        line: Of the declaration.
        length: Of characters, as C++ text, where it is known otherwise.

    Raises:
        Refused: Where C++ has no type for it.
    """
    if of.base == "logical":
        return "bool"
    if of.base == "character":
        constant = fold(of.length, scope)
        if constant is None and not length:
            return "fortran::String"
        return f"fortran::Character<{length or constant}>"
    if of.base == "derived":
        assert of.derived is not None
        name = plain(of.derived.spelling)
        unit = of.derived.scope.unit
        if unit is not None and unit.kind == "module" and not _inside(scope, of.derived.scope):
            return f"{plain(unit.spelling)}::{name}"
        return name
    found = _NAMES.get((of.base, of.kind))
    if found is None:
        raise scope.refused(f"the type {of.base} of kind {of.kind}", line)
    return found


def _inside(scope: Scope, outer: Scope) -> bool:
    return any(host is outer for host in scope.hosts())


def holder(of: Type) -> str:
    """Return the template that owns a scalar which may be allocated."""
    return "fortran::Polymorphic" if of.polymorphic else "fortran::Allocatable"


def zero(of: Type) -> str:
    """Return the initial value that variables get which Fortran leaves undefined."""
    return {"integer": " = 0", "real": " = 0", "logical": " = false"}.get(of.base, "")


def is_deferred(of: Type) -> bool:
    """Tell whether a character variable takes the length of what it is set to."""
    return of.base == "character" and isinstance(of.length, tree.Range)


def is_assumed(of: Type) -> bool:
    """Tell whether a character variable has the length of its actual argument."""
    return of.base == "character" and isinstance(of.length, tree.Star)
