"""One variable that counts several loops, as in C89: a variable for each loop.

Threads may take different turns through one loop and the same through the next, where they meet.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from transpile.code.syntax import field, find, inside, operator
from transpile.code.variables import Variable
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import has_barrier
from transpile.translators.kernels.late_declarations import is_bare, moved

_JUMPS = ("goto_statement", "labeled_statement", "lambda_expression")


def loop_counters(draft: Draft) -> Draft:
    """Write ``int i; for (i = …) … for (i = …)`` with an ``int i`` in the head of each loop."""
    function = draft.function
    if not has_barrier(function.body) or any(True for _ in find(function.body, *_JUMPS)):
        return draft
    variables = draft.variables(function)
    of_macros = {id(variable) for some in variables.by_macro.values() for variable in some}
    own = [
        (variable, start)
        for variable in variables.all
        if id(variable) not in of_macros and not variable.escapes and is_bare(function.text, variable)
        for start in _starts(variable)
    ]
    return draft.after("loop-counters", function.edited([*moved(function.text, own)])) if own else draft


def _starts(variable: Variable) -> Sequence[Node]:
    """Return where each of several loops starts to count in a variable that nothing else uses."""
    starts = [write for write in variable.writes if _starts_loop(write)]
    loops = [start.parent for start in starts if start.parent is not None]
    outer = [
        (start, loop)
        for start, loop in zip(starts, loops, strict=True)
        if not any(inside(loop, other) and other.id != loop.id for other in loops)
    ]
    alone = all(any(inside(use, loop) for _, loop in outer) for use in variable.uses)
    again = any(inside(use, field(start, "right")) for start, _ in outer for use in variable.uses)
    return [start for start, _ in outer] if len(outer) > 1 and alone and not again else []


def _starts_loop(write: Node) -> bool:
    loop = write.parent
    if loop is None or loop.type != "for_statement" or write.type != "assignment_expression":
        return False
    head = loop.child_by_field_name("initializer")
    plain = operator(write) == "=" and field(write, "left").type == "identifier"
    return plain and head is not None and head.id == write.id
