"""Final values of loop variables as statements after the loop, so that each iteration may have its own."""

from __future__ import annotations

from transpile.code.syntax import Function, find, source
from transpile.code.variables import Variables, resolve
from transpile.translators.loops.iteration.nests import Loop, counted, leaves_early, steady
from transpile.translators.loops.iteration.places import after, in_block
from transpile.translators.loops.iteration.trips import count, grouped, some, value
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def with_final_value(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more variable set behind its loop; None where none has to be."""
    variables = resolve(function, around.refers)
    for node in find(function.body, "for_statement"):
        loop = counted(node, variables, around)
        if loop is not None and _left(loop, variables, around):
            last = value(loop, grouped(count(loop)))
            line = f"{loop.variable.name} = {some(loop)} ? {last} : {source(loop.first)};"
            return function.edited([after(function, node, line)])
    return None


def _left(loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether what a loop leaves in its variable is read, and known."""
    if loop.own_variable or leaves_early(loop) or not in_block(loop.node):
        return False
    return steady(loop.first, loop.node, variables, around) and read_after(loop.variable, loop.node)
