"""Neighbouring loops with the same head as one loop, whose iterations do what both did.

Iterations of a loop that may run in parallel depend on nothing in each other. So where the fused loop may, an
iteration of the second loop needs no more of the first one than the same iteration, which comes before it.
What the first loop leaves in a scalar reaches no other one: a loop that hands its last value out is not
fused with the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import (
    Function,
    begins_line,
    block_statements,
    condition,
    find,
    indent_unit,
    indentation,
    inside,
    operator,
    reindent,
    source,
    squeeze,
)
from transpile.code.syntax import replace as written
from transpile.code.variables import Variables, resolve
from transpile.translators.loops.analysis.analysis import Known, Nest, nests
from transpile.translators.loops.iteration.nests import Loop, steady
from transpile.translators.loops.iteration.places import closed, continues, in_block
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_MOST = 32


@dataclass(frozen=True, slots=True)
class Region:
    """A statement of a function, outside of all loops, in which loops were fused."""

    start: int
    end: int
    before: str
    """The statements that stood there."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A function some of whose loops were fused."""

    text: str
    regions: tuple[Region, ...] = ()

    def then(self, edit: Edit[str], start: int, end: int) -> Fused:
        """Return the function with one more edit, within a range of whole statements outside of loops."""
        longer = len(edit.text) - (edit.end - edit.start)
        within = [item for item in self.regions if start <= item.start and item.end <= end]
        before = apply_outermost(
            self.text, [Edit(item.start, item.end, item.before) for item in within], start, end
        )
        others = (
            replace(item, start=item.start + longer, end=item.end + longer) if item.start >= end else item
            for item in self.regions
            if item not in within
        )
        return Fused(apply_outermost(self.text, [edit]), (*others, Region(start, end + longer, before)))


def fused(text: str, around: EnclosingScope) -> Fused | None:
    """Return a function with its neighbouring loops fused as far as they may be; None where none may."""
    found = Fused(text)
    for _ in range(_MOST):
        step = next(_steps(found.text, around), None)
        if step is None:
            break
        found = found.then(*step)
    return found if found.regions else None


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two loops that follow each other, with comments between them."""

    function: Function
    variables: Variables
    nests: tuple[Nest, Nest]
    known: tuple[Known, Known]
    comments: Sequence[Node] = field(default=())

    @property
    def first(self) -> Loop:
        return self.known[0].loop

    @property
    def second(self) -> Loop:
        return self.known[1].loop


def _steps(text: str, around: EnclosingScope) -> Iterator[tuple[Edit[str], int, int]]:
    """Yield the edits that fuse two loops each, with the statements outside of loops that they are in."""
    function = Function(text)
    variables = resolve(function, around.refers)
    for pair in _pairs(function, variables, around):
        if _alike(pair) and _meet(pair):
            edit = _edit(pair)
            start, end = pair.nests[0].node.start_byte, pair.nests[1].node.end_byte
            if edit is not None and _is_legal(function.edited([edit]), pair.first, around):
                yield edit, start, end


def _pairs(function: Function, variables: Variables, around: EnclosingScope) -> Iterator[_Pair]:
    """Yield neighbours in a block each of which runs in parallel."""
    neighbours = list(_neighbours(function))
    if not neighbours:  # most functions need no second analysis
        return
    free = {
        known.loop.node.id: (nest, known)
        for nest in nests(function, variables, (), around)
        for known in nest.loops
        if known.parallel and in_block(nest.node)
    }
    for one, other, comments in neighbours:
        if one.id in free and other.id in free and not free[one.id][1].lasts:
            (first, known), (second, then) = free[one.id], free[other.id]
            yield _Pair(function, variables, (first, second), (known, then), comments)


def _neighbours(function: Function) -> Iterator[tuple[Node, Node, tuple[Node, ...]]]:
    """Yield loops that follow each other in a block, with the comments between them."""
    for block in find(function.body, "compound_statement"):
        last: Node | None = None
        comments: list[Node] = []
        for node in block.named_children:
            if node.type == "comment":
                comments.append(node)
                continue
            if last is not None and last.type == node.type == "for_statement":
                yield last, node, tuple(comments)
            last, comments = node, []


def _alike(pair: _Pair) -> bool:
    """Tell whether two loops go through the same numbers."""
    first, second = pair.first, pair.second
    own = first.own_variable and second.own_variable and first.variable.bare == second.variable.bare
    return (own or first.variable is second.variable) and _head(first) == _head(second)


def _head(loop: Loop) -> tuple[str, str, str, bool, int]:
    ends = squeeze(source(loop.first)), squeeze(source(loop.bound))
    return *ends, operator(condition(loop.node)), loop.inclusive, loop.step


def _meet(pair: _Pair) -> bool:
    """Tell whether two loops go through one array, so that it would be gone through once."""
    bases = [
        {access.base for access in nest.accesses if inside(access.node, known.loop.node)}
        for nest, known in zip(pair.nests, pair.known, strict=True)
    ]
    return not bases[0].isdisjoint(bases[1])


def _is_legal(text: str, first: Loop, around: EnclosingScope) -> bool:
    """Tell whether the loop that begins where the first of two began runs in parallel, and keeps its head."""
    function = Function(text)
    variables = resolve(function, around.refers)
    start = first.node.start_byte
    for nest in nests(function, variables, (), around):
        for known in nest.loops:
            if known.loop.node.start_byte == start:
                merged = known.updated or known.merges
                begun = steady(known.loop.first, known.loop.node, variables, around)
                return known.parallel and not merged and begun
    return False


def _edit(pair: _Pair) -> Edit[str] | None:
    """Return the edit that writes two loops as one; None where their texts do not allow it."""
    function, first, second = pair.function, pair.first, pair.second
    if any(any(find(loop.node, *_LINES)) for loop in (first, second)) or continues(first.node):
        return None
    renamed = _renamed(pair)
    if renamed is None:
        return None
    outer = indentation(function.text, first.node.start_byte)
    step = indent_unit(function)
    inner = outer + step
    bodies = _body(function, first, (), inner), _body(function, second, renamed, inner)
    if _clash(pair):
        bodies = _block(bodies[0], inner, step), _block(bodies[1], inner, step)
    head = function.text[first.node.start_byte : closed(first.node)]
    comments = [
        *_beside_body(first),
        bodies[0],
        *map(source, pair.comments),
        *_beside_body(second),
        bodies[1],
    ]
    text = "".join(f"\n{inner}{part}" for part in comments if part)
    return Edit(first.node.start_byte, second.node.end_byte, f"{head} {{{text}\n{outer}}}")


_LINES = ("preproc_call", "preproc_if", "preproc_ifdef", "preproc_def", "preproc_function_def")


def _renamed(pair: _Pair) -> list[Edit[str]] | None:
    """Return the edits that put the first loop's variable into the second body; None if it has that name."""
    old, new, body = pair.second.variable, pair.first.variable, pair.second.body
    if old.name == new.name:
        return []
    if any(source(item) == new.name for item in find(body, "identifier")):
        return None
    return [written(use, new.name) for use in old.uses if inside(use, body)]


def _clash(pair: _Pair) -> bool:
    """Tell whether a name that the first body declares stands for something else in the second one."""
    declared = [item for item in block_statements(pair.first.body) if item.type == "declaration"]
    own = {item.name for item in pair.variables.all if item.declaration in declared}
    return any(source(item) in own for item in find(pair.second.body, "identifier"))


def _body(function: Function, loop: Loop, edits: Sequence[Edit[str]], indent: str) -> str:
    """Return the statements of a loop at an indentation, without that of the first line."""
    body = loop.body
    braced = body.type == "compound_statement"
    inner = body.named_children if braced else [body]
    if not inner:
        return ""
    begun = next((item for item in inner if begins_line(function.text, item.start_byte)), inner[0])
    start, end = (body.start_byte + 1, body.end_byte - 1) if braced else (body.start_byte, body.end_byte)
    text = apply_outermost(function.text, edits, start, end).strip()
    return reindent(text, indentation(function.text, begun.start_byte), indent)


def _block(body: str, indent: str, step: str) -> str:
    """Return statements as a block of their own."""
    return f"{{\n{indent}{step}{reindent(body, indent, indent + step)}\n{indent}}}"


def _beside_body(loop: Loop) -> list[str]:
    """Return the comments between the head of a loop and its body."""
    return [source(item) for item in loop.node.children if item.type == "comment"]
