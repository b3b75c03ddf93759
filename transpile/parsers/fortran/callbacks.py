"""Procedures that are arguments: how routines call them, by their interfaces or by the calls themselves."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Procedure, Symbol, Type
from transpile.parsers.fortran.typing import typed
from transpile.parsers.fortran.values import Callback, Value
from transpile.parsers.fortran.walking import walk

PROCEDURE = Value(base="procedure", kind=8)
"""The type of an argument that is a procedure: trials pass a number that says how it behaves."""
_NUMBERS = ("integer", "real", "complex")
_RESULTS = ("integer", "real", "logical")
_ODD = {"optional", "allocatable", "pointer", "value"}


def callback(symbol: Symbol, procedure: Procedure) -> Callback | str:
    """Return how a routine calls a dummy argument that is a procedure, or why trials cannot pass one."""
    odd = sorted(symbol.attributes & _ODD)
    if odd:
        return f"which has the attribute `{odd[0]}`"
    if symbol.procedure is not None:
        return _described(symbol.procedure)
    return _used(symbol, procedure)


def _described(interface: Procedure) -> Callback | str:
    """Return what an interface says."""
    for item in interface.dummies:
        if item.role != "variable" or item.rank or item.attributes & _ODD or not _plain(item.type, _NUMBERS):
            return f"whose argument `{item.name}` is no plain number"
        known = {"intentin", "intentout", "intentinout"} & item.attributes
        if interface.result is None and not known:
            return f"which may change its argument `{item.name}` or not"
    result = interface.result
    if result is not None and (result.rank or result.attributes & _ODD or not _plain(result.type, _RESULTS)):
        return "which returns no plain number"
    return Callback(
        arguments=tuple(_value(item.type) for item in interface.dummies),
        given=tuple("intentout" not in item.attributes for item in interface.dummies),
        changed=tuple(bool({"intentout", "intentinout"} & item.attributes) for item in interface.dummies),
        result=None if result is None else _value(result.type),
    )


def _used(symbol: Symbol, procedure: Procedure) -> Callback | str:
    """Return what the calls of a function without an interface say, where all say the same."""
    found = set(_calls(symbol, procedure))
    if len(found) != 1:
        return "which is called in no way or in several" if None not in found else "without an interface"
    (arguments,) = found
    if arguments is None or not _plain(symbol.type, _RESULTS):
        return "without an interface"
    count = len(arguments)
    return Callback(
        arguments=arguments,
        given=(True,) * count,
        changed=(False,) * count,
        result=_value(symbol.type),
    )


def _calls(symbol: Symbol, procedure: Procedure) -> Iterator[tuple[Value, ...] | None]:
    """Yield the types of the arguments of each call; None where they are other than numbers."""
    for statement in procedure.unit.body:
        for node in walk(statement):
            match node:
                case tree.Call(routine=tree.Name(name=name)) if name == symbol.name:
                    yield None
                case tree.Apply(base=tree.Name(name=name), arguments=arguments) if name == symbol.name:
                    types = [typed(item.value, procedure.scope) for item in arguments]
                    plain = all(not item.rank and _plain(item.type, _NUMBERS) for item in types)
                    yield tuple(_value(item.type) for item in types) if plain else None
                case _:
                    pass


def _plain(of: Type, bases: tuple[str, ...]) -> bool:
    return of.derived is None and of.base in bases


def _value(of: Type) -> Value:
    return Value(base=of.base, kind=of.kind)
