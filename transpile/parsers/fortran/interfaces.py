"""Interfaces of routines: what trials of one need to know of its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.acceptance import accepted
from transpile.parsers.fortran.aims import Aim, aim, aims
from transpile.parsers.fortran.callbacks import PROCEDURE, callback
from transpile.parsers.fortran.callees import callees, closure
from transpile.parsers.fortran.choices import COMPARISONS, choices
from transpile.parsers.fortran.conformance import Relation, relations
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.obstacles import obstacle
from transpile.parsers.fortran.real_constants import real_constants
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.results import Returned, read_returned, returned
from transpile.parsers.fortran.state import state
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.typing import symbol_of, typed
from transpile.parsers.fortran.unreachable import constant_conditions, idle, unreachable
from transpile.parsers.fortran.values import Dummy, Stored, Value, dummy, stored, value, value_of
from transpile.parsers.fortran.walking import Node, names, walk

_MOST_NUMBERS = 40
_ASCII = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """A routine as callers see it, and what its text says of the data that matter to it."""

    name: str
    file: str
    line: int
    symbol: str
    """Name of the routine for the linker, as gfortran makes it."""
    target: str
    """Qualified name of its translation."""
    dummies: tuple[Dummy, ...]
    result: Value | None
    numbers: tuple[float, ...]
    """Numbers that its text mentions."""
    one_way: tuple[int, ...]
    """Lines that calls may take in one way alone: the first, which looks at descriptors, those of counted
    loops, of constant conditions, and of what asks for memory or pads a text."""
    unreachable: tuple[tuple[int, int], ...]
    """First and last lines of what no call runs, by the text, and of what does nothing."""
    callees: tuple[str, ...]
    """Names of the routines of the library that it calls, directly."""
    obstacle: str = ""
    """Reason for having no trials of it; empty where there are."""
    texts: tuple[str, ...] = ()
    """Texts that it compares with anything."""
    state: tuple[Stored, ...] = ()
    """Variables of modules and common blocks that it can reach, by itself or by what it calls."""
    accepted: tuple[str, ...] = ()
    """Comparisons of whole numbers that its checks ask of arguments."""
    aims: tuple[Aim, ...] = ()
    """Arguments that lead to parts of it."""
    returned: Returned | None = None
    """Of a result that is an array or a text, how it is returned."""
    relations: tuple[Relation, ...] = ()
    """Extents that its assignments of whole arrays ask to be the same."""
    lasting: bool = False
    """Tells that local variables of its own keep their values between calls."""
    straight: bool = False
    """Tells that neither it nor what it calls has loops, jumps or arrays: numbers may be of any size."""
    tuned: bool = False
    """Tells whether whole numbers of its come from functions of the library: sizes of blocks may be such."""

    @property
    def variables(self) -> tuple[Dummy, ...]:
        """Return all that a call is given: dummy arguments, then variables that outlive it."""
        return (*self.dummies, *(item.variable for item in self.state))


def interface(procedure: Procedure, program: Program, target: str) -> Interface:
    """Return the interface of a procedure.

    Args:
        procedure: What is asked about.
        program: The library that it belongs to.
        target: What its translation is called.
    """
    scope = procedure.scope
    called = callees(procedure, program)
    found = state(program, closure(procedure, program), _leading(procedure))
    why = obstacle(procedure) or (found if isinstance(found, str) else "")
    dummies = () if why else tuple(_dummy(item, procedure, program) for item in procedure.dummies)
    result = None if why or procedure.result is None else value_of(procedure.result)
    return Interface(
        name=qualified(procedure),
        file=scope.file,
        line=procedure.unit.line,
        symbol=linked_name(procedure),
        target=target,
        dummies=dummies,
        result=result,
        numbers=tuple(sorted(set(_numbers(procedure))))[:_MOST_NUMBERS],
        one_way=tuple(sorted({*_one_way(procedure), *constant_conditions(procedure, program)})),
        unreachable=(*unreachable(procedure, program), *idle(procedure)),
        callees=tuple(sorted({qualified(item) for item in called})),
        obstacle=why,
        texts=tuple(sorted(set(_texts(procedure.unit)))),
        state=() if isinstance(found, str) else found,
        accepted=accepted(procedure),
        aims=aims(procedure),
        returned=None if why else _returned(procedure),
        relations=() if why else relations(procedure),
        tuned=_tuned(procedure, called),
        lasting=_lasting(procedure.scope),
        straight=all(map(_straight, closure(procedure, program))),
    )


def read(data: Mapping[str, Any]) -> Interface:
    """Return an interface from what JSON holds of it."""
    dummies = tuple(map(dummy, data["dummies"]))
    variables = tuple(map(stored, data["state"]))
    result = None if data["result"] is None else value(data["result"])
    lists: dict[str, Any] = {
        name: tuple(data[name]) for name in ("numbers", "one_way", "callees", "texts", "accepted")
    }
    lists["unreachable"] = tuple((int(first), int(last)) for first, last in data["unreachable"])
    lists["aims"] = tuple(map(aim, data["aims"]))
    lists["returned"] = read_returned(data["returned"])
    lists["relations"] = tuple(Relation(**item) for item in data["relations"])
    return Interface(**{**data, **lists, "dummies": dummies, "result": result, "state": variables})


def qualified(procedure: Procedure) -> str:
    """Return the name of a procedure, behind its module's."""
    module = _module(procedure)
    return f"{module}::{procedure.name}" if module else procedure.name


def linked_name(procedure: Procedure) -> str:
    """Return what gfortran calls a procedure."""
    module = _module(procedure)
    return f"__{module}_MOD_{procedure.name}" if module else f"{procedure.name}_"


def _module(procedure: Procedure) -> str:
    parent = procedure.scope.parent
    unit = parent.unit if parent is not None else None
    return unit.name if unit is not None and unit.kind == "module" else ""


def _dummy(symbol: Symbol, procedure: Procedure, program: Program) -> Dummy:
    if symbol.role == "procedure":
        called = callback(symbol, procedure)
        assert not isinstance(called, str)  # That would be an obstacle.
        return Dummy(name=symbol.name, value=PROCEDURE, callback=called)
    return Dummy(
        name=symbol.name,
        value=value_of(symbol),
        rank=symbol.rank,
        shape=symbol.shape,
        leading=symbol.name in _leading(procedure),
        rows=_rows(symbol),
        choices=choices(symbol, procedure, program),
        optional="optional" in symbol.attributes,
        fresh=symbol.allocatable and "intentout" in symbol.attributes,
    )


def _returned(procedure: Procedure) -> Returned | None:
    found = returned(procedure)
    assert not isinstance(found, str)  # That would be an obstacle.
    return found


def _leading(procedure: Procedure) -> set[str]:
    """Return the names in extents of arrays but for their last ones."""
    return {
        item.name
        for dummy in procedure.dummies
        for bounds in (dummy.dimensions or ())[:-1]
        for item in names(bounds)
    }


def _tuned(procedure: Procedure, called: tuple[Procedure, ...]) -> bool:
    """Tell whether a whole number is made by a function of the library."""
    functions = {item.name for item in called if item.result is not None}
    for statement in procedure.unit.body:
        for node in walk(statement):
            if not isinstance(node, tree.Assign) or not isinstance(node.target, tree.Name):
                continue
            symbol = procedure.scope.find(node.target.name)
            whole = symbol is not None and symbol.type.base == "integer" and not symbol.rank
            if whole and functions & {item.name for item in names(node.value)}:
                return True
    return False


def _lasting(scope: Scope) -> bool:
    """Tell whether local variables of a procedure, or of those within it, keep their values."""
    own = (item for item in scope.symbols.values() if item.role == "variable" and not item.dummy)
    kept = any("save" in item.attributes or item.initial is not None for item in own)
    return scope.saved or bool(scope.data) or kept or any(_lasting(item.scope) for item in scope.procedures)


def _straight(procedure: Procedure) -> bool:
    """Tell whether a procedure has no arrays, and nothing in it is done more than once."""
    if any(item.rank for item in procedure.scope.symbols.values()) or procedure.scope.procedures:
        return False
    if "recursive" in procedure.unit.prefixes:
        return False
    nodes = (node for statement in procedure.unit.body for node in walk(statement))
    return not any(isinstance(node, (tree.Do, tree.Goto)) for node in nodes)


def _rows(symbol: Symbol) -> str:
    """Return the name of the extent of a matrix's first dimension; nothing where it is no name."""
    first = symbol.dimensions[0] if symbol.dimensions is not None and symbol.rank == 2 else None
    return first.name if isinstance(first, tree.Name) else ""


def _texts(unit: tree.Unit) -> Iterator[str]:
    """Yield the texts of comparisons and of choices of cases."""
    for statement in unit.body:
        for node in walk(statement):
            match node:
                case tree.Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
                    yield from (item.value for item in (left, right) if isinstance(item, tree.String))
                    yield from _letters(left, right)
                case tree.Select(cases=cases):
                    values = (item for row, _ in cases for item in row or ())
                    yield from (item.value for item in values if isinstance(item, tree.String))
                case _:
                    pass


def _letters(left: tree.Expression, right: tree.Expression) -> Iterator[str]:
    """Yield the letter whose number a comparison of numbers of letters is with."""
    for one, other in ((left, right), (right, left)):
        if not (isinstance(one, tree.Apply) and isinstance(one.base, tree.Name)):
            continue
        if one.base.name not in ("ichar", "iachar"):
            continue
        if isinstance(other, tree.Integer) and 0 <= other.value < _ASCII:
            yield chr(other.value)
        given = one.arguments[0].value
        if isinstance(given, tree.String):
            yield given.value


def _numbers(procedure: Procedure) -> Iterator[float]:
    """Yield the numbers of a routine's text but for labels, and the values of its constants."""
    yield from real_constants(procedure.scope)
    unit = procedure.unit
    parts: tuple[Node, ...] = (*unit.declarations, *unit.body)
    for part in parts:
        for node in walk(part):
            if isinstance(node, tree.Integer):
                yield float(node.value)
            elif isinstance(node, tree.Real):
                yield float(node.text.lower().replace("d", "e"))


def _one_way(procedure: Procedure) -> Iterator[int]:
    yield procedure.unit.line
    yield from _loops(procedure.unit)
    for statement in procedure.unit.body:
        for node in walk(statement):
            made = isinstance(node, tree.Assign) and _makes_room(node, procedure.scope)
            if made or isinstance(node, (tree.Allocate, tree.Deallocate)):
                yield node.line  # type: ignore[union-attr]


def _makes_room(node: tree.Assign, scope: Scope) -> bool:
    """Tell whether branches of an assignment are of lengths and of memory, and none of the text."""
    if any(item.name == "merge" for item in names(node.value)):
        return False
    try:
        target = symbol_of(node.target, scope)
        text = typed(node.target, scope).type.base == "character"
    except Refused:
        return False
    return text or (isinstance(node.target, tree.Name) and target is not None and target.allocatable)


def _loops(unit: tree.Unit) -> Iterator[int]:
    for statement in unit.body:
        for node in walk(statement):
            if isinstance(node, tree.Do) and node.loop is not None:
                yield node.line
    for inner in unit.procedures:
        yield from _loops(inner)
