"""Functions with gfortran's names and calls, by which Fortran calls what was translated."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.parsers.fortran.callbacks import callback
from transpile.parsers.fortran.interfaces import linked_name
from transpile.parsers.fortran.results import returned
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.values import Value
from transpile.translators.fortran.code import Writer
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.procedures import Procedures
from transpile.translators.fortran.routine import Routine, internal_name
from transpile.translators.fortran.signatures import raw, stored_logical
from transpile.translators.fortran.types import plain_type

_OUTSIDE = Scope(None, None, "")
"""The scope of these functions, in which types are called by their modules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passed:
    """A dummy argument: what gfortran passes, and what becomes of it around the call."""

    parameter: str
    argument: str
    before: str = ""
    after: str = ""
    length: str = ""


def target_name(procedure: Procedure) -> str:
    """Return the qualified name of a procedure's translation."""
    parent = procedure.scope.parent
    unit = parent.unit if parent is not None else None
    inside = unit is not None and unit.kind == "module"
    return (
        f"{plain(unit.spelling)}::{internal_name(procedure)}" if unit and inside else internal_name(procedure)
    )


def shim(procedure: Procedure, procedures: Procedures) -> str:
    """Return the function that Fortran calls in place of a procedure that has no obstacle to it."""
    routine = procedures.routine(procedure.scope, Writer(), procedure).routine
    passed = [_passed(item, procedure, routine) for item in procedure.dummies]
    parameters = [item.parameter for item in passed] + [item.length for item in passed if item.length]
    result = procedure.result
    room = _room(procedure)
    parameters = [*room.parameters, *parameters]
    call = f"{target_name(procedure)}({', '.join(item.argument for item in passed)})"
    if room.call:
        call, result = room.call.format(call=call), None
    kind = "void" if result is None else _linked_type(result, procedure.scope)
    # Weak, so that a program may bring a routine of its own, as it may in front of any other library.
    lines = [f'extern "C" [[gnu::weak]] {kind} {linked_name(procedure)}({", ".join(parameters)}) {{']
    lines += [f"    {item.before}" for item in passed if item.before]
    if result is None:
        lines.append(f"    {call};")
    elif any(item.after for item in passed):
        lines.append(f"    const auto result = {call};")
    lines += [f"    {item.after}" for item in passed if item.after]
    if result is not None:
        value = "result" if any(item.after for item in passed) else call
        lines.append(
            f"    return {f'fortran::returned({value})' if result.type.base == 'complex' else value};"
        )
    return "\n".join([*lines, "}"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """A caller's room for a result: parameters ahead of others, and a call that fills it."""

    parameters: tuple[str, ...] = ()
    call: str = ""


def _room(procedure: Procedure) -> _Room:
    """Return the room for a result that is an array or a text; none of other results."""
    of, result = returned(procedure), procedure.result
    if of is None or result is None:
        return _Room()
    assert not isinstance(of, str)  # That is an obstacle.
    if of.length:
        call = "fortran::give(fortran_result, fortran_length, {call})"
        return _Room(parameters=("char *fortran_result", "std::size_t fortran_length"), call=call)
    give = "hand_over" if of.allocated else "give"
    element = _element(result, _OUTSIDE if result.type.derived is not None else result.scope)
    call = f"fortran::{give}<{element}>(fortran_result, {{call}})"
    return _Room(parameters=(f"fortran::Descriptor<{of.rank}> *fortran_result",), call=call)


def _element(symbol: Symbol, scope: Scope) -> str:
    """Return the type of an element of an array, as Fortran stores it."""
    logical = symbol.type.base == "logical"
    return stored_logical(symbol) if logical else plain_type(symbol.type, scope, symbol.line)


def _linked_type(symbol: Symbol, scope: Scope) -> str:
    """Return the type of a scalar as gfortran passes it."""
    of = symbol.type
    if of.base == "logical":
        return f"std::int{8 * of.kind}_t"
    if of.base == "complex":
        return f"_Complex {'float' if of.kind == 4 else 'double'}"
    return plain_type(of, scope, symbol.line)


def _passed(symbol: Symbol, procedure: Procedure, routine: Routine) -> _Passed:
    name = plain(symbol.spelling)
    scope = _OUTSIDE if symbol.type.derived is not None else routine.scope
    optional = "optional" in symbol.attributes
    if symbol.role == "procedure":
        return _procedure(symbol, name, procedure)
    if symbol.rank:
        element = _element(symbol, scope)
        if symbol.allocatable:
            return _allocatable(symbol, name, element, changed=routine.modified(symbol))
        if raw(symbol):
            length = "std::size_t" if symbol.type.base == "character" else ""
            return _Passed(parameter=f"{element} *{name}", argument=name, length=length)
        described = f"fortran::described<{element}, {symbol.rank}>({name})"
        return _Passed(parameter=f"fortran::Descriptor<{symbol.rank}> *{name}", argument=described)
    if symbol.type.base == "character":
        return _text(name, changed=routine.modified(symbol), optional=optional)
    if symbol.type.base == "logical":
        kind = _linked_type(symbol, scope)
        write = _optional_logical if optional else _logical
        return write(name, kind, changed=routine.modified(symbol))
    element = plain_type(symbol.type, scope, symbol.line)
    argument = f"*{name}"
    if optional:
        constant = "" if routine.modified(symbol) else "const "
        argument = f"fortran::Optional<{constant}{element}>({name})"
    return _Passed(parameter=f"{element} *{name}", argument=argument)


def _allocatable(symbol: Symbol, name: str, element: str, *, changed: bool) -> _Passed:
    """Return an allocatable array: C++ has one of its own, and Fortran gets what becomes of it."""
    fresh = "intentout" in symbol.attributes
    own = f"fortran::Array<{element}, {symbol.rank}>"
    return _Passed(
        parameter=f"fortran::Descriptor<{symbol.rank}> *{name}",
        argument=f"{name}_value",
        before=f"{own} {name}_value;" if fresh else f"auto {name}_value = fortran::taken<{element}>({name});",
        after=f"fortran::hand_over<{element}>({name}, {name}_value);" if changed else "",
    )


def _procedure(symbol: Symbol, name: str, procedure: Procedure) -> _Passed:
    """Return a procedure that Fortran passes, which takes addresses, as something that C++ calls."""
    called = callback(symbol, procedure)
    assert not isinstance(called, str)  # That is an obstacle.
    kind = "void" if called.result is None else _number(called.result)
    parameters = ", ".join(f"{_number(item)} *" for item in called.arguments)
    test = called.result is not None and called.result.base == "logical"
    callee = f"fortran::{'PassedTest' if test else 'Passed'}({name})"
    return _Passed(parameter=f"{kind} (*{name})({parameters})", argument=callee)


def _number(value: Value) -> str:
    """Return the type of a plain number, as Fortran stores it."""
    if value.base in ("integer", "logical"):
        return f"std::int{8 * value.kind}_t"
    real = "float" if value.kind == 4 else "double"
    return f"std::complex<{real}>" if value.base == "complex" else real


def _text(name: str, *, changed: bool, optional: bool) -> _Passed:
    length = f"{name}_length"
    view = f"fortran::CharacterView({name}, static_cast<int>({length}))"
    argument = view if changed else f"std::string_view({name}, {length})"
    if optional:
        argument = f"{name} ? fortran::OptionalText({argument}) : fortran::OptionalText()"
    return _Passed(parameter=f"char *{name}", argument=argument, length=f"std::size_t {length}")


def _logical(name: str, kind: str, *, changed: bool) -> _Passed:
    """Return a logical value: 4 bytes in Fortran, and a bool in C++."""
    if not changed:
        return _Passed(parameter=f"{kind} *{name}", argument=f"*{name} != 0")
    return _Passed(
        parameter=f"{kind} *{name}",
        argument=f"{name}_value",
        before=f"bool {name}_value = *{name} != 0;",
        after=f"*{name} = {name}_value;",
    )


def _optional_logical(name: str, kind: str, *, changed: bool) -> _Passed:
    """Return the same of a logical value that a call may leave out."""
    of = "bool" if changed else "const bool"
    return _Passed(
        parameter=f"{kind} *{name}",
        argument=f"fortran::Optional<{of}>({name} ? &{name}_value : nullptr)",
        before=f"{of} {name}_value = {name} && *{name} != 0;",
        after=f"if ({name}) *{name} = {name}_value;" if changed else "",
    )
