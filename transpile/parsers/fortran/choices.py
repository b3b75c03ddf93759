"""Values of arguments that a routine, or what it hands them on to, compares them with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.callees import named
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Symbol
from transpile.parsers.fortran.walking import walk

COMPARISONS = ("==", "/=", "<", "<=", ">", ">=")
_DEEPEST = 3
"""Calls through which an argument is followed."""


def choices(symbol: Symbol, procedure: Procedure, program: Program) -> tuple[str, ...]:
    """Return the texts that a text is compared with, or the constants that a whole number is to equal."""
    return tuple(sorted({*_singled(symbol, procedure), *_texts_asked(symbol, procedure, program, 0)}))


def _texts_asked(symbol: Symbol, procedure: Procedure, program: Program, depth: int) -> Iterator[str]:
    """Yield the texts that a procedure, or one that it hands a text on to, compares the text with."""
    if symbol.type.base != "character" or symbol.type.derived is not None:
        return
    yield from _choices(symbol, procedure)
    if depth < _DEEPEST:
        for dummy, other in _handed_to(symbol.name, procedure, program):
            yield from _texts_asked(dummy, other, program, depth + 1)


def _handed_to(name: str, procedure: Procedure, program: Program) -> Iterator[tuple[Symbol, Procedure]]:
    """Yield the dummy arguments of other procedures that a variable is handed on to as it is."""
    for statement in procedure.unit.body:
        for node in walk(statement):
            match node:
                case tree.Call(routine=tree.Name(name=routine), arguments=arguments):
                    pass
                case tree.Apply(base=tree.Name(name=routine), arguments=arguments):
                    pass
                case _:
                    continue
            given = [(at, item.keyword) for at, item in enumerate(arguments) if _is(item.value, name)]
            for other in named(routine, procedure.scope, program) if given else ():
                yield from ((dummy, other) for dummy in _dummies(other, given))


def _is(value: tree.Expression, name: str) -> bool:
    return isinstance(value, tree.Name) and value.name == name


def _dummies(procedure: Procedure, given: Sequence[tuple[int, str]]) -> Iterator[Symbol]:
    """Yield the dummy arguments at these positions, or of these keywords."""
    for position, keyword in given:
        for at, dummy in enumerate(procedure.dummies):
            if (dummy.name == keyword) if keyword else (at == position):
                yield dummy


def _choices(symbol: Symbol, procedure: Procedure) -> Iterator[str]:
    """Yield texts that stand beside a character variable: in a comparison, a call or a choice of cases.

    Of calls, such as it has room for: `solve(side, 'Forward')` is no comparison of a letter.
    """
    room = fold(symbol.type.length, procedure.scope) if symbol.type.length is not None else 1
    for statement in procedure.unit.body:
        for node in walk(statement):
            found = _texts_beside(symbol.name, node)
            if room and isinstance(node, (tree.Call, tree.Apply)):
                found = (item for item in found if len(item) <= room)
            yield from found


def _singled(symbol: Symbol, procedure: Procedure) -> Iterator[str]:
    """Yield the constants that a whole number is asked to be equal to."""
    if symbol.type.base != "integer" or symbol.rank:
        return
    for statement in procedure.unit.body:
        for node in walk(statement):
            if not isinstance(node, tree.Binary) or node.operator not in ("==", "/="):
                continue
            for one, other in ((node.left, node.right), (node.right, node.left)):
                value = fold(other, procedure.scope)
                if isinstance(one, tree.Name) and one.name == symbol.name and value is not None:
                    yield str(value)


def _texts_beside(name: str, node: object) -> Iterator[str]:
    match node:
        case tree.Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
            beside: tuple[tree.Expression, ...] = (left, right)
        case tree.Apply(arguments=arguments) | tree.Call(arguments=arguments):
            beside = tuple(item.value for item in arguments)
        case tree.Select(selector=selector, cases=cases):
            values = (item for row, _ in cases for item in row or ())
            beside = (selector, *values)
        case _:
            return
    if any(isinstance(item, tree.Name) and item.name == name for item in beside):
        yield from (item.value for item in beside if isinstance(item, tree.String))
