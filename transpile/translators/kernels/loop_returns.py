"""Threads that return from inside loops: they leave the loops first, and return behind them.

``for (…) if (c) return;`` is ``bool done = false; for (…) if (c) { done = true; break; } if (done) return;``,
so that what becomes of a return need not know of loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import LOOPS, Function, ancestors, indentation, outside_lambdas, replace
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import has_barrier, has_warp_primitive
from transpile.translators.kernels.own_lines import in_place_of, on_own_line

_NAMES = ("done", "ended", "left", "over")


def loop_returns(draft: Draft) -> Draft:
    """Return the draft without returns from loops, where threads wait for no others and no switch is left."""
    function = draft.function
    if has_barrier(function.body) or has_warp_primitive(function.body):
        return draft
    for jump in outside_lambdas(function.body, "return_statement"):
        loops = _loops(jump, function)
        if not loops or jump.named_children:
            continue
        opened = on_own_line(function, jump, *loops)
        if opened != function.text:
            return loop_returns(draft.with_text(opened))
        name = free_name(function.identifiers, *_NAMES)
        return loop_returns(draft.after("loop-returns", function.edited(_edits(function, loops, name))))
    return draft


def _loops(jump: Node, function: Function) -> tuple[Node, ...]:
    """Return the loops around a return, innermost first; none where a break would not leave one of them."""
    around = tuple(takewhile(lambda node: node.id != function.body.id, ancestors(jump)))
    loops = tuple(node for node in around if node.type in LOOPS)
    last = around.index(loops[-1]) if loops else 0
    switched = any(node.type == "switch_statement" for node in around[:last])
    in_blocks = all(loop.parent is not None and loop.parent.type == "compound_statement" for loop in loops)
    return loops if in_blocks and not switched else ()


def _edits(function: Function, loops: Sequence[Node], name: str) -> Iterator[Edit[str]]:
    """Yield what leaves the outermost of some loops wherever something in it returns."""
    outermost = loops[-1]
    found = ((jump, _loops(jump, function)) for jump in outside_lambdas(outermost, "return_statement"))
    jumps = [(jump, around) for jump, around in found if around and around[-1].id == outermost.id]
    nested = any(len(around) > 1 for _, around in jumps)
    if not nested and _is_last(function, outermost):
        yield from (replace(jump, "break;") for jump, _ in jumps)
        return
    first = _with_directives(outermost)
    yield Edit(first, first, f"bool {name} = false;\n{indentation(function.text, first)}")
    yield from (in_place_of(function, jump, [f"{name} = true;", "break;"]) for jump, _ in jumps)
    left = {loop.id: loop for _, around in jumps for loop in around}
    for loop in left.values():
        then = "return" if loop.id == outermost.id else "break"
        lead = f"\n{indentation(function.text, loop.start_byte)}"
        if then == "break" or not _is_last(function, loop):
            yield Edit(loop.end_byte, loop.end_byte, f"{lead}if ({name}) {then};")


def _is_last(function: Function, loop: Node) -> bool:
    """Tell whether nothing stands behind a loop of a function."""
    statements = [item for item in function.statements if item.type != "comment"]
    return bool(statements) and statements[-1].id == loop.id


def _with_directives(loop: Node) -> int:
    """Return where a loop begins, with the directives above it."""
    start, before = loop.start_byte, loop.prev_sibling
    while before is not None and before.type == "preproc_call":
        start, before = before.start_byte, before.prev_sibling
    return start
