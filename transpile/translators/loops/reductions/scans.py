"""Running sums and extremes: ``s += a[i]; out[i] = s;``, which iterations need from those before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import block_statements, field, find, inside
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import few
from transpile.translators.loops.reductions.matches import Iterations, Match
from transpile.translators.loops.reductions.parts import unlike
from transpile.translators.loops.reductions.scalars import Kind, Scalar, begun_before, carries, gathered
from transpile.translators.loops.symbols.types import is_number, is_whole, whole
from transpile.translators.refusal import SEQUENTIAL, Refused

_OPERATORS = ("+", "min", "max")


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A sum or an extreme that iterations read while they add to it."""

    variable: Variable
    operator: str
    """``+``, ``min`` or ``max``."""
    step: tuple[Node, ...]
    """The statements of the body that alone add to it, and what they need: so a thread knows its part."""


def scan(given: Iterations) -> Match | None:
    """Return a loop that keeps a running sum or extreme; Refused where its type loses what is added."""
    if len(given.carried) != 1:
        return None
    running = _scan(given.carried[0], given.loop, given.accesses, given.variables)
    if running is None:
        return None
    added = Scalar(running.variable, Kind.REDUCTION, running.operator)
    unequal = unlike([added], given.loop, given.variables, given.around)
    if unequal:
        raise Refused(SEQUENTIAL, unequal)
    reason, variables = carries(running.variable, given.loop).text, (running.variable,)
    return Match(found=running, reason=reason, variables=variables, merges=True, exclusive=True)


def _scan(variable: Variable, loop: Loop, found: Sequence[Access], variables: Variables) -> Scan | None:
    """Return a scalar that goes from one iteration to the next as a running sum; None where it is none."""
    if few(loop) or loop.node.parent is None or loop.node.parent.type != "compound_statement":
        return None
    if loop.body.type != "compound_statement" or any(True for _ in find(loop.body, "continue_statement")):
        return None
    if not begun_before(variable, loop) or not is_number(variable.bare):
        return None
    writes = [write for write in variable.writes if inside(write, loop.node)]
    statements = block_statements(loop.body)
    adds = next((item for item in statements if all(inside(write, item) for write in writes)), None)
    sign = gathered(variable, adds) if adds is not None else ""
    if adds is None or sign not in _OPERATORS:
        return None
    whole_sum = sign == "+" and is_whole(variable.bare)
    if whole_sum and not all(_adds_whole(write, variables) for write in writes):
        return None
    needed = _needed(adds, loop, variables)
    step = (*(item for item in statements if item.id in needed), adds)
    if not all(_repeatable(item, variable, loop, variables) for item in step):
        return None
    if any(inside(use, item) for use in variable.uses for item in step[:-1]):
        return None
    return None if _set_before(step, found, loop) else Scan(variable, sign, step)


def _adds_whole(write: Node, variables: Variables) -> bool:
    """Tell whether what is added has no fraction, which a sum of integers would lose each time."""
    return write.type == "update_expression" or whole(field(write, "right"), variables)


def _needed(adds: Node, loop: Loop, variables: Variables) -> frozenset[int]:
    """Return the declarations in a body that a statement of it rests on."""
    found: set[int] = set()
    left = [adds]
    while left:
        for item in variables.used_in(left.pop()):
            own = item.declaration
            if inside(own, loop.body) and not inside(own, adds) and own.id not in found:
                found.add(own.id)
                left.append(own)
    return frozenset(found)


def _repeatable(statement: Node, variable: Variable, loop: Loop, variables: Variables) -> bool:
    """Tell whether a statement of the body knows no variable that the loop changes, but for the sum."""
    others = (item for item in variables.used_in(statement) if item not in (variable, loop.variable))
    return not any(
        inside(write, loop.node)
        for item in others
        if not inside(item.declaration, statement)
        for write in item.writes
    )


def _set_before(step: Sequence[Node], found: Sequence[Access], loop: Loop) -> bool:
    """Tell whether an iteration writes to an array, before it has added, that it goes to when it adds."""
    touched = {access.base for access in found if any(inside(access.node, item) for item in step)}
    return any(
        access.write and access.base in touched and access.node.start_byte < step[-1].end_byte
        for access in found
        if inside(access.node, loop.body)
    )
