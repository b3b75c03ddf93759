"""One variable that counts several loops, as in C89: a variable for each loop.

Threads may take different turns through one loop and the same through the next, where they meet.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from transpile.code.syntax import field, find, inside, operator
from transpile.code.variables import Variable
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import JUMPS, has_barrier
from transpile.translators.kernels.late_declarations import is_bare, moved


def loop_counters(draft: Draft) -> Draft:
    """Write ``int i; for (i = …) … for (i = …)`` with an ``int i`` in the head of each loop."""
    function = draft.function
    if not has_barrier(function.body) or any(True for _ in find(function.body, *JUMPS)):
        return draft
    variables = draft.variables(function)
    own = [
        (variable, start)
        for variable in variables.all
        if is_bare(function.text, variable) and not (variable.escapes or variables.in_macros(variable))
        for start in _starts(variable)
    ]
    return draft.after("loop-counters", function.edited([*moved(function.text, own)])) if own else draft


def _starts(variable: Variable) -> Sequence[Node]:
    """Return where each of several loops starts to count in a variable that nothing else uses."""
    loops = [loop for write in variable.writes if (loop := _started(write)) is not None]
    outer = [loop for loop in loops if not any(loop.id != one.id and inside(loop, one) for one in loops)]
    starts = [field(loop, "initializer") for loop in outer]
    alone = all(any(inside(use, loop) for loop in outer) for use in variable.uses)
    again = any(inside(use, field(start, "right")) for start in starts for use in variable.uses)
    return starts if len(starts) > 1 and alone and not again else []


def _started(write: Node) -> Node | None:
    """Return the loop that starts to count by a write; None where it is another write."""
    loop = write.parent
    if loop is None or loop.type != "for_statement" or write.type != "assignment_expression":
        return None
    head = loop.child_by_field_name("initializer")
    plain = operator(write) == "=" and field(write, "left").type == "identifier"
    return loop if plain and head is not None and head.id == write.id else None
