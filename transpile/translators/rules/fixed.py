"""Kernels with a single launch whose threads never meet: loops with constant bounds, flat where one will do.

``blockIdx.x * 34 + threadIdx.x`` under blocks of 34 threads is the number of a thread. So is, shifted by 3,
``blockIdx.x * 8 + (threadIdx.x >> 3)`` under blocks of 64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed

from tree_sitter import Node

from transpile.core import LaunchLaw, ShapeDependent
from transpile.translators.rules.coordinates import sides
from transpile.translators.rules.draft import Draft
from transpile.translators.rules.effects import has_atomic, has_barrier, has_warp_primitive
from transpile.translators.rules.layout import Rewriting, assemble, render
from transpile.translators.rules.names import free_name
from transpile.translators.rules.polynomial import LAUNCH, launch_name, read
from transpile.translators.rules.syntax import (
    LOOPS,
    Function,
    alternative,
    called,
    condition,
    find,
    indent_unit,
    indentation,
    inside,
    operator,
    replace,
    source,
    unparenthesized,
    walk,
)
from transpile.translators.rules.syntax import field as child_of

_SHARED_OUT = 1 << 17
"""Operations, about, below which starting threads takes longer than they save."""
_CALL = 30
"""Operations that a call counts for."""
_CHEAP = frozenset({"min", "max", "fabsf", "floorf", "sqrtf", "std::fmin", "std::fmax"})
_TURNS = 8
"""Of a loop that does not say how many it has."""
_COUNTED = re.compile(r"for\s*\([^;]*=\s*0\s*;\s*\w+\s*<\s*(\d+)\s*;")
_BLOCK, _THREAD = "blockIdx.x", "threadIdx.x"


def fixed_launch(draft: Draft) -> Draft:
    """Put loops with constant bounds in the place of the only launch that a law admits."""
    function = draft.function
    launch = _only(draft.law)
    meets = has_barrier(function.body) or has_warp_primitive(function.body) or has_atomic(function.body)
    if launch is None or draft.placed or meets or "__shared__" in draft.text:
        return draft
    mentioned = {".".join(match.groups()) for match in LAUNCH.finditer(source(function.body))}
    signed = all(_cast(node) for node in _mentions(function.body))
    if not mentioned or mentioned - {_BLOCK, _THREAD} or not signed or _leaves(function):
        return draft
    return _Emission(draft, function, *launch).done()


def _only(law: LaunchLaw | None) -> tuple[int, int] | None:
    """Return blocks and threads of the only launch, on one axis, that a law admits."""
    if not isinstance(law, ShapeDependent) or len(law.launches) != 1:
        return None
    parts = law.launches[0]
    if not all(part.isdigit() for part in parts) or any(parts[index] != "1" for index in (1, 2, 4, 5)):
        return None
    needed = {f"gridDim.x == {parts[0]}", f"blockDim.x == {parts[3]}"}
    return (int(parts[0]), int(parts[3])) if needed <= set(law.relations) else None


def _mentions(body: Node) -> Iterator[Node]:
    return (node for node in walk(body) if launch_name(node) is not None)


def _cast(node: Node) -> bool:
    """Tell whether a mention of the launch is an int at once, so that it makes nothing unsigned."""
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        around = around.parent
    return (
        around is not None
        and around.type == "cast_expression"
        and source(child_of(around, "type")).strip() == "int"
    )


def _leaves(function: Function) -> bool:
    return any(True for _ in find(function.body, "return_statement", "goto_statement", "preproc_if"))


@dataclass(slots=True)
class _Emission:
    """The work on one kernel."""

    draft: Draft
    function: Function
    blocks: int
    threads: int
    rewriting: Rewriting = field(default_factory=Rewriting)

    def done(self) -> Draft:
        """Return the draft as one loop or two."""
        taken = self.function.identifiers
        index = free_name(taken, "i", "index", "id")
        # Only what is replaced as a whole may be left out by one loop; what is left asks for two.
        flat = [replace(node, text) for node, text in self._flat(self.function.body, index)]
        whole = all(
            any(edit.start <= node.start_byte and node.end_byte <= edit.end for edit in flat)
            for node in _mentions(self.function.body)
        )
        if whole:
            self.rewriting.edits += flat
            end = min(self.blocks * self.threads, self._end() or self.blocks * self.threads)
            heads = [f"for (int {index} = 0; {index} < {end}; ++{index})"]
        else:
            block, thread = free_name(taken, "block", "block_index"), free_name(taken, "t", "tid", "thread")
            names = {_BLOCK: block, _THREAD: thread}
            self.rewriting.edits += [
                replace(node, names[launch_name(node) or ""]) for node in _mentions(self.function.body)
            ]
            heads = [
                f"for (int {block} = 0; {block} < {self.blocks}; ++{block})",
                f"for (int {thread} = 0; {thread} < {self.threads}; ++{thread})",
            ]
        text = assemble(self.function, [f"int {name}" for name in self._sizes()], list(self._lines(heads)))
        result = self.draft.after("fixed-launch", text, "<cassert>")
        extra = tuple(
            zip((f"int {name}" for name in self._sizes()), ("gridDim.x", "blockDim.x"), strict=True)
        )
        return changed(result, extra=extra, parallel=self._worth_sharing(), placed=True)

    def _sizes(self) -> tuple[str, str]:
        taken = self.function.identifiers
        return free_name(taken, "blocks", "grid_size"), free_name(taken, "threads", "block_size")

    def _lines(self, heads: list[str]) -> Iterator[str]:
        """Yield the body: what is relied on, the loops, and what the threads do."""
        unit = indent_unit(self.function)
        indent = indentation(self.function.text, self.function.body.end_byte - 1) + unit
        blocks, threads = self._sizes()
        yield f"{indent}assert({blocks} == {self.blocks} && {threads} == {self.threads});"
        simple = len(heads) == 1 and not any(True for _ in find(self.function.body, *LOOPS))
        shared = " parallel for" if self._worth_sharing() else ""
        if shared or simple:
            yield f"{indent}#pragma omp{shared}{' simd' if simple else ''}"
        for depth, head in enumerate(heads):
            yield f"{indent}{unit * depth}{head}{' {' if depth == len(heads) - 1 else ''}"
        yield from render(self.function, self.function.statements, self.rewriting, indent + unit * len(heads))
        yield f"{indent}{unit * (len(heads) - 1)}}}"

    def _worth_sharing(self) -> bool:
        """Tell whether the work is long enough for several threads."""
        return self.blocks * self.threads * _operations(self.function.body) >= _SHARED_OUT

    def _end(self) -> int | None:
        """Take a bound that all statements are under out of its condition, and return it."""
        statements = [node for node in self.function.statements if node.type != "comment"]
        if len(statements) != 1 or statements[0].type != "if_statement" or alternative(statements[0]):
            return None
        test = unparenthesized(condition(statements[0]))
        if test.type != "binary_expression" or operator(test) != "<":
            return None
        left, right = sides(test)
        number = source(unparenthesized(right))
        found = self._place(left)
        if found is None or found[1] != 1 or not number.isdigit():
            return None
        self.rewriting.unwrapped.add(statements[0].id)
        return int(number) << found[0]

    def _flat(self, node: Node, index: str) -> Iterator[tuple[Node, str]]:
        """Yield the largest expressions that the number of a thread gives, with what they become."""
        text = self._by_number(node, index)
        if text is not None:
            yield node, text
            return
        for child in node.children:
            yield from self._flat(child, index)

    def _by_number(self, node: Node, index: str) -> str | None:
        if node.type not in ("binary_expression", "cast_expression", "parenthesized_expression"):
            return None
        found = self._place(node)
        if found is not None:
            shift, factor = found
            return f"({index} >> {shift})" if shift else f"({index} * {factor})" if factor > 1 else index
        inner = unparenthesized(node)
        if inner.type != "binary_expression" or operator(inner) not in ("%", "&"):
            return None
        left, right = sides(inner)
        number = source(unparenthesized(right))
        if not number.isdigit() or int(number) == 0:
            return None
        modulus = int(number) + (operator(inner) == "&")
        if operator(inner) == "&" and modulus & (modulus - 1):
            return None
        place = self._place(left, modulus)
        if place is None or place[1] != 1:
            return None
        shifted = f"({index} >> {place[0]})" if place[0] else index
        return f"({shifted} {operator(inner)} {number})"

    def _place(self, node: Node, modulus: int = 0) -> tuple[int, int] | None:
        """Return shift and factor by which an expression follows from the number of a thread.

        Args:
            node: The expression.
            modulus: What it is taken modulo; 0 where it is not.
        """
        node = unparenthesized(node)
        value = _polynomial(node)
        if value is not None:
            factor = value.get((_THREAD,), 0)
            blocks = value.get((_BLOCK,), 0)
            if set(value) - {(_THREAD,), (_BLOCK,)} or factor < 1:
                # A grid of blocks of one thread each.
                alone = self.threads == 1 and set(value) == {(_BLOCK,)}
                return (0, blocks) if alone and blocks > 0 else None
            return (0, factor) if self._follows(blocks, factor * self.threads, modulus) else None
        if node.type != "binary_expression" or operator(node) not in ("+", ">>"):
            return None
        left, right = (None, node) if operator(node) == ">>" else sides(node)
        value = _polynomial(left) if left is not None else {}
        shift = _shift(unparenthesized(right))
        if value is None or set(value) - {(_BLOCK,)} or shift is None or self.threads % (1 << shift):
            return None
        blocks = value.get((_BLOCK,), 0)
        return (shift, 1) if self._follows(blocks, self.threads >> shift, modulus) else None

    def _follows(self, blocks: int, step: int, modulus: int) -> bool:
        """Tell whether blocks count on where the block before ended."""
        if self.blocks == 1:
            return True
        return blocks == step or (modulus > 0 and (blocks - step) % modulus == 0)


def _polynomial(node: Node) -> dict[tuple[str, ...], int] | None:
    value = read(node, lambda _: None)
    return None if value is None else dict(value)


def _shift(node: Node) -> int | None:
    """Return by how much a thread's index is shifted to the right."""
    if node.type != "binary_expression" or operator(node) != ">>":
        return None
    left, right = sides(node)
    number = source(unparenthesized(right))
    return int(number) if _polynomial(left) == {(_THREAD,): 1} and number.isdigit() else None


def _operations(body: Node) -> int:
    """Return about how many operations a thread runs."""
    found = 1
    for node in find(body, "call_expression"):
        turns = 1
        for loop in find(body, *LOOPS):
            turns *= _turns(loop) if inside(node, loop) else 1
        found += turns * (1 if called(node) in _CHEAP else _CALL)
    for loop in find(body, *LOOPS):
        if not any(True for _ in find(child_of(loop, "body"), *LOOPS)):
            around = [other for other in find(body, *LOOPS) if inside(loop, other)]
            turns = 1
            for other in around:
                turns *= _turns(other)
            found += turns
    return found


def _turns(loop: Node) -> int:
    counted = _COUNTED.match(source(loop))
    return int(counted[1]) if counted else _TURNS
