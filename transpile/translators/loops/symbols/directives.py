"""Directives that a source has of its own: what they say of its loops is worked out anew, and said anew.

A program with directives of OpenMP or OpenACC means the same without them, as long as it does not ask for its
threads (OpenMP 5.2, section 1.3; OpenACC 3.3, section 1.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, called, find, function_of, source
from transpile.core import Dialect, ProgrammingModel, Unit

_DIRECTIVE = re.compile(r"#[ \t]*pragma[ \t]+(.*)", re.DOTALL)
_PARALLEL = re.compile(r"omp\b(?![ \t]+(?:simd|ordered|declare)\b)")
_FOREIGN = re.compile(
    r"acc\b|(?:GCC[ \t]+|clang[ \t]+loop[ \t]+)?(?:ivdep|unroll|nounroll|vector|simd|novector)\b"
)
_SIMD = re.compile(r"omp[ \t]+simd\b")


def hindrance(unit: Unit, target: Dialect) -> tuple[int, str] | None:
    """Return why a function stays as it is, whatever its loops are, with the row of it; None for others."""
    function = function_of(unit.text.decode("latin-1"))
    if function is None:
        return 0, "the function is not understood as C++: are its parameters declared in front of the body?"
    first = next((node for node in _directives(function) if _PARALLEL.match(_text(node))), None)
    if first is None:
        return None
    if target.model is ProgrammingModel.OPENMP:
        return first.start_point[0], f"it runs in parallel already: `{' '.join(source(first).split())}`"
    for call in find(function.body, "call_expression"):
        if called(call).startswith(("omp_", "acc_")):
            return call.start_point[0], f"it calls `{called(call)}`, so it depends on the number of threads"
    return None


def without(text: str, *, simd: bool) -> str:
    """Return a function without its directives for loops.

    Args:
        text: The function.
        simd: Whether directives for vectors go as well.
    """
    if "#" not in text:
        return text
    function = Function(text)
    gone = [node for node in _directives(function) if _goes(_text(node), simd=simd)]
    return function.edited(_lines(function, node) for node in gone)


def row_before(text: str, row: int, *, simd: bool) -> int:
    """Return which row of a function a row was that it has without its directives, both from 0."""
    for node in _directives(Function(text)) if "#" in text else ():
        if _goes(_text(node), simd=simd) and node.start_point[0] <= row:
            row += source(node).count("\n")
    return row


def hints(loop: Node) -> Iterator[Node]:
    """Yield the directives for loops right above one."""
    above = loop.prev_named_sibling
    while above is not None and above.type == "preproc_call" and _goes(_text(above), simd=True):
        yield above
        above = above.prev_named_sibling


def _goes(text: str, *, simd: bool) -> bool:
    if _SIMD.match(text):
        return simd
    return bool(_PARALLEL.match(text) or _FOREIGN.match(text))


def _directives(function: Function) -> Iterator[Node]:
    return (node for node in find(function.body, "preproc_call") if _DIRECTIVE.match(source(node)))


def _text(node: Node) -> str:
    found = _DIRECTIVE.match(source(node))
    return found[1] if found else ""


def _lines(function: Function, node: Node) -> Edit[str]:
    return Edit(function.text.rfind("\n", 0, node.start_byte) + 1, node.end_byte, "")
