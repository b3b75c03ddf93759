"""Declarations of procedures in C++, with a parameter for each dummy argument."""

from __future__ import annotations

from transpile.parsers.fortran.symbols import Procedure, Symbol
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.routine import Routine
from transpile.translators.fortran.types import holder, is_assumed, is_deferred, plain_type


def length_parameters(procedure: Procedure) -> list[Symbol]:
    """Return the arrays of characters whose lengths are template parameters."""
    return [
        item
        for item in procedure.dummies
        if item.rank and item.role == "variable" and is_assumed(item.type) and not item.allocatable
    ]


def procedure_parameters(procedure: Procedure) -> list[Symbol]:
    """Return the dummy arguments that are procedures."""
    return [item for item in procedure.dummies if item.role == "procedure"]


def by_value(symbol: Symbol, routine: Routine) -> bool:
    """Tell whether a scalar dummy argument is passed as a value."""
    simple = symbol.type.base in ("integer", "real", "logical", "complex")
    plainly = not (symbol.allocatable or symbol.pointer or "optional" in symbol.attributes)
    return (
        simple
        and plainly
        and not symbol.rank
        and ("value" in symbol.attributes or not routine.modified(symbol))
    )


def raw(symbol: Symbol) -> bool:
    """Tell whether an array dummy is passed as the address of its first element."""
    return bool(symbol.rank) and symbol.shape in ("explicit", "size")


def stored_logical(symbol: Symbol) -> str:
    """Return the type of logical values in an array that Fortran may see: as many bytes as there."""
    return f"fortran::Logical<{symbol.type.kind}>"


def element_type(symbol: Symbol, routine: Routine) -> str:
    """Return the type of an element of a dummy argument."""
    if routine.shared and symbol.rank and symbol.type.base == "logical":
        return stored_logical(symbol)
    length = f"{plain(symbol.spelling)}_length" if is_assumed(symbol.type) and symbol.rank else ""
    return plain_type(symbol.type, symbol.scope if symbol.scope.unit else routine.scope, symbol.line, length)


def parameter(symbol: Symbol, routine: Routine) -> str:
    """Return the declaration of a parameter, without its default.

    Raises:
        Refused: Where C++ has nothing for it.
    """
    name = plain(symbol.spelling)
    if symbol.role == "procedure":
        return f"{_class_of(symbol)} &&{name}"
    constant = "" if routine.modified(symbol) else "const "
    optional = "optional" in symbol.attributes
    if symbol.type.base == "character" and not symbol.rank:
        return _text(symbol, routine, optional)
    element = element_type(symbol, routine)
    if symbol.rank:
        if symbol.allocatable:
            return f"{constant}fortran::Array<{element}, {symbol.rank}> &{name}"
        if symbol.pointer:
            return f"fortran::View<{element}, {symbol.rank}> &{name}"
        if raw(symbol):
            return f"{constant}{element} *{name}_data"
        return f"fortran::AssumedShape<{constant}{element}, {symbol.rank}> {name}"
    if symbol.allocatable:
        return f"{constant}{holder(symbol.type)}<{element}> &{name}"
    if symbol.pointer:
        return f"{element} *&{name}"
    if optional:
        return f"fortran::Optional<{constant}{element}> {name}"
    if by_value(symbol, routine):
        return f"{element} {name}"
    return f"{constant}{element} &{name}"


def _text(symbol: Symbol, routine: Routine, optional: bool) -> str:
    name = plain(symbol.spelling)
    if symbol.pointer:
        raise routine.refused(f"the character pointer `{symbol.name}`", symbol.line)
    if symbol.allocatable or is_deferred(symbol.type):
        return f"fortran::String &{name}"
    suffix = "" if is_assumed(symbol.type) else "_text"
    if optional:
        if routine.modified(symbol):
            raise routine.refused(f"the optional text `{symbol.name}` that is changed", symbol.line)
        return f"fortran::OptionalText {name}{suffix}"
    changed = routine.modified(symbol) and "value" not in symbol.attributes
    return f"{'fortran::CharacterView' if changed else 'std::string_view'} {name}{suffix}"


def _class_of(symbol: Symbol) -> str:
    name = plain(symbol.spelling)
    return name[:1].upper() + name[1:] + "Function"


def result_type(procedure: Procedure, routine: Routine) -> str:
    """Return the type that a procedure returns."""
    result = procedure.result
    if result is None:
        return "void"
    if result.rank:
        element = plain_type(result.type, result.scope, result.line)
        if result.pointer:
            return f"fortran::View<{element}, {result.rank}>"
        return f"fortran::Array<{element}, {result.rank}>"
    if result.type.base == "character":
        name = plain_type(result.type, result.scope, result.line)
        return "std::string" if name == "fortran::String" else name
    element = plain_type(result.type, result.scope, result.line)
    return f"{element} *" if result.pointer else element


def template_head(procedure: Procedure) -> str:
    """Return the line before a template, or nothing."""
    parts = [f"int {plain(item.spelling)}_length" for item in length_parameters(procedure)]
    parts += [f"class {_class_of(item)}" for item in procedure_parameters(procedure)]
    return f"template <{', '.join(parts)}>" if parts else ""


def is_template(procedure: Procedure) -> bool:
    """Tell whether a procedure becomes a template."""
    return bool(template_head(procedure))
