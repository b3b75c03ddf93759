"""Loops of a function that can stand in a function of their own, by the text alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import Function, find, source, walk
from transpile.parsers.text.effects import OUTSIDE, effect_of

_LEAVING = frozenset(
    (
        *("return_statement", "goto_statement", "labeled_statement", "throw_statement"),
        *("co_return_statement", "co_yield_statement", "co_await_expression"),
        *("lambda_expression", "gnu_asm_expression"),
    )
)
"""Syntax that leaves a loop for elsewhere than its end, or binds its surroundings."""
BOUND = frozenset(
    (
        *(
            "_Pragma",
            "__pragma",
            "__LINE__",
            "__COUNTER__",
            "__func__",
            "__FUNCTION__",
            "__PRETTY_FUNCTION__",
        ),
        *("alloca", "__builtin_alloca", "_alloca", "strdupa", "strndupa", "va_arg", "va_copy"),
        *("__builtin_frame_address", "__builtin_return_address", "source_location"),
    )
)
"""Words of the place where they stand, or of the memory of the function they stand in."""
_LABELS = ("labeled_statement", "goto_statement")
_DIRECTIVE = "preproc"
_HINT = re.compile(
    r"#[ \t]*pragma[ \t]+(?:no)?(?:ivdep|vector|unroll|simd|prefetch|loop_count|loop[ \t]+count)\b"
)
"""Directives of some compilers about the next loop; those that g++ knows have to stand right before one."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A ``for`` statement and its number among all of its function."""

    node: Node
    number: int
    start: int
    """Offset of what moves: hints for compilers stand before the loop that they are for."""


def loops(function: Function, own: Collection[bytes], bound: frozenset[str]) -> Iterator[Loop]:
    """Yield the outermost loops of a function that can be moved.

    Args:
        function: A function.
        own: Names of functions of the source, which print no more than their texts say.
        bound: Words that mean something else in another function, ``BOUND`` among them.
    """
    if any(True for _ in find(function.body, *_LABELS)):
        return
    numbers = {node.id: at for at, node in enumerate(find(function.body, "for_statement"), 1)}
    waiting = [function.body]
    while waiting:
        node = waiting.pop()
        if (
            node.type == "for_statement"
            and is_movable(node, own)
            and bound.isdisjoint(_words(function, node))
        ):
            yield Loop(node, numbers[node.id], _start(node))
        elif node.type != "lambda_expression" and not _is_parallel(node):
            waiting += reversed(node.children)


def is_movable(loop: Node, own: Collection[bytes]) -> bool:
    """Tell whether a loop runs to its end, does nothing but compute, and has no directives around it."""
    if loop.has_error or _is_directed(loop):
        return False
    if any(node.type in _LEAVING or node.type.startswith(_DIRECTIVE) for node in walk(loop)):
        return False
    effect = effect_of(source(loop).encode("latin-1"), own)
    return effect is None or effect.code != OUTSIDE


def _words(function: Function, loop: Node) -> list[str]:
    """Return the words of a loop and of what stands right before it: that may be a directive for it."""
    before = max(function.text.rfind(sign, 0, loop.start_byte) for sign in ";{}")
    return re.findall(r"\w+", function.text[before + 1 : loop.end_byte])


def _is_directed(loop: Node) -> bool:
    """Tell whether a directive stands right before a loop: it may be for the loop."""
    return any(node.type.startswith(_DIRECTIVE) and not _is_hint(node) for node in _before(loop)[-1:])


def _start(loop: Node) -> int:
    """Return where the hints for a loop begin."""
    found = [loop, *(node for node in _before(loop) if _is_hint(node))]
    return min(node.start_byte for node in found)


def _before(loop: Node) -> list[Node]:
    """Return the comments and hints right before a loop, nearest first, and what stands before them."""
    found: list[Node] = []
    node = loop.prev_named_sibling
    while node is not None:
        found.append(node)
        if node.type != "comment" and not _is_hint(node):
            break
        node = node.prev_named_sibling
    return found


def _is_hint(node: Node) -> bool:
    return node.type == "preproc_call" and _HINT.match(source(node)) is not None


def _is_parallel(node: Node) -> bool:
    """Tell whether a statement runs in parallel already: whatever is in it does."""
    if not node.type.endswith("_statement"):
        return False
    before = node.prev_named_sibling
    return before is not None and before.type.startswith(_DIRECTIVE) and "omp" in source(before).split()


def sizes(loop: Node) -> Iterator[str]:
    """Yield the names whose sizes a loop asks for: those of arrays are others for a parameter."""
    for node in find(loop, "sizeof_expression", "decltype"):
        for name in find(node, "identifier", "field_identifier"):
            yield source(name)
