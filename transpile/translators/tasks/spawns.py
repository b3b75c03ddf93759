"""Calls of a function by itself that may be tasks: what becomes of the result, and what speaks against it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tree_sitter import Node

from transpile.code.syntax import ancestors, field, find, operator, source, unparenthesized
from transpile.code.variables import Variable
from transpile.translators.refusal import DEPENDENT, Refused
from transpile.translators.tasks.body import Body, is_plain

LEAVES = ("expression_statement", "declaration", "return_statement")
"""Statements without statements in them."""
_SOMETIMES = ("conditional_expression", "lambda_expression", "sizeof_expression", "comma_expression")
_INTEGER = re.compile(r"(?:unsigned|signed)?(?:char|short|int|long|longlong|longint|longlongint)|unsigned")


class Form(StrEnum):
    """What becomes of the result of a call."""

    DROPPED = "dropped"
    STORED = "stored"
    """It is all that a variable is set to."""
    ADDED = "added"
    """An integer grows by it."""
    WITHIN = "within"
    """It is part of an expression, which waits for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Spawn:
    """A call that may run beside others."""

    call: Node
    statement: Node
    form: Form
    target: Variable | None = None
    """The variable that it is stored in or added to."""


def spawns(body: Body, statement: Node) -> tuple[Spawn, ...]:
    """Return the calls that a statement without statements in it makes.

    Raises:
        Refused: Where one needs another, or is not made in any case.
    """
    calls = body.calls(statement)
    for call in calls:
        _refuse_entangled(body, call, statement)
    if len(calls) == 1:
        return (_single(body, statement, calls[0]),)
    return tuple(Spawn(call, statement, Form.WITHIN) for call in calls)


def shared(body: Body, calls: Sequence[Spawn]) -> frozenset[Variable]:
    """Return what is named in the arguments of calls and is neither a number nor a pointer.

    Such a variable is not copied for a call, which may reach it itself.
    """
    named = (item for spawn in calls for item in body.used(field(spawn.call, "arguments")))
    return frozenset(item for item in named if not (is_plain(item) or (item.pointer and not item.array)))


def _refuse_entangled(body: Body, call: Node, statement: Node) -> None:
    """Raise Refused where a call is not made in any case, or where its arguments do more than compute."""
    given = field(call, "arguments")
    if body.calls(given):
        raise Refused(DEPENDENT, f"`{source(call)}` needs the result of another call")
    if any(True for _ in find(given, "assignment_expression", "update_expression")):
        raise Refused(DEPENDENT, f"the arguments of `{source(call)}` change variables")
    if body.remembers(given):
        raise Refused(DEPENDENT, f"the arguments of `{source(call)}` are read from memory")
    for parent in ancestors(call):
        if parent.id == statement.id:
            return
        if parent.type in _SOMETIMES or operator(parent) in ("&&", "||"):
            raise Refused(DEPENDENT, f"`{source(call)}` is called only under a condition")


def _single(body: Body, statement: Node, call: Node) -> Spawn:
    """Return the one call of a statement."""
    if statement.type == "expression_statement":
        expression = unparenthesized(statement.named_children[0])
        if expression.id == call.id:
            return Spawn(call, statement, Form.DROPPED)
        target = _target(body, expression, call)
        if target is not None and operator(expression) == "=":
            return Spawn(call, statement, Form.STORED, target)
        if target is not None and operator(expression) == "+=" and _INTEGER.fullmatch(target.bare):
            return Spawn(call, statement, Form.ADDED, target)
    if statement.type == "declaration":
        declared = [item for item in body.variables.all if item.declaration.id == statement.id]
        given = declared[0].initializer if len(declared) == 1 else None
        if given is not None and given.id == call.id and is_plain(declared[0]):
            return Spawn(call, statement, Form.STORED, declared[0])
    return Spawn(call, statement, Form.WITHIN)


def _target(body: Body, expression: Node, call: Node) -> Variable | None:
    """Return the variable that an assignment of a call's result changes, and nobody else does."""
    if expression.type != "assignment_expression" or field(expression, "right").id != call.id:
        return None
    variable = body.variables.of(field(expression, "left"))
    return variable if variable is not None and is_plain(variable) and not variable.escapes else None
