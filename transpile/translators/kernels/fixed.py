"""Kernels with a single launch whose threads never meet: loops with constant bounds in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import LAUNCH, depends_on_launch, launch_name
from transpile.code.syntax import (
    LOOPS,
    Function,
    alternative,
    called,
    condition,
    consequence,
    find,
    indent_unit,
    indentation,
    inside,
    operator,
    outside_lambdas,
    replace,
    source,
    squeeze,
    unparenthesized,
    walk,
)
from transpile.code.syntax import field as child_of
from transpile.code.variables import Variables
from transpile.core import LaunchLaw, ShapeDependent
from transpile.translators.kernels.coordinates import sides
from transpile.translators.kernels.digits import BLOCK, THREAD, Digits, Launch, strides, written
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import (
    has_atomic,
    has_barrier,
    has_block_fence,
    has_effects,
    has_warp_primitive,
)
from transpile.translators.kernels.layout import Rewriting, assemble, render

_SHARED_OUT = 1 << 17
"""Operations, about, below which starting threads takes longer than they save."""
_CALL = 30
"""Operations that a call counts for."""
_CHEAP = frozenset(
    {"min", "max", "fabsf", "floorf", "sqrtf", "std::fmin", "std::fmax", "std::min", "std::max"}
)
_TURNS = 8
"""Of a loop that does not say how many it has."""
_COUNTED = re.compile(r"for\s*\([^;]*=\s*0\s*;\s*\w+\s*<\s*(\d+)\s*;")


def fixed_launch(draft: Draft) -> Draft:
    """Put loops with constant bounds in the place of the only launch that a law admits."""
    function = draft.function
    launch = _only(draft.law)
    body = function.body
    meets = has_barrier(body) or has_warp_primitive(body) or has_block_fence(body) or has_atomic(body)
    if launch is None or draft.placed or meets or "__shared__" in code(draft.text):
        return draft
    mentioned = {".".join(match.groups()) for match in LAUNCH.finditer(code(source(body)))}
    signed = all(_cast(node) for node in _mentions(body))
    if not mentioned or mentioned - {BLOCK, THREAD} or not signed or _leaves(function):
        return draft
    return _Emission(draft, function, launch, draft.variables(function)).done()


def _only(law: LaunchLaw | None) -> Launch | None:
    """Return the only launch, on one axis, that a law admits."""
    if not isinstance(law, ShapeDependent) or len(law.launches) != 1:
        return None
    parts = law.launches[0]
    if not all(part.isdigit() for part in parts) or any(parts[index] != "1" for index in (1, 2, 4, 5)):
        return None
    needed = {f"gridDim.x == {parts[0]}", f"blockDim.x == {parts[3]}"}
    return Launch(int(parts[0]), int(parts[3])) if needed <= set(law.relations) else None


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
    return any(
        True for _ in outside_lambdas(function.body, "return_statement", "goto_statement", "preproc_if")
    )


@dataclass(frozen=True, slots=True)
class _Loops:
    """Expressions of the launch as digits, the strides of the loops that count these, and where they end."""

    mentions: list[tuple[Node, Digits]]
    strides: tuple[int, ...]
    end: int
    guards: tuple[Node, ...] = ()
    """The branches whose condition the end stands for."""


@dataclass(slots=True)
class _Emission:
    """The work on one kernel."""

    draft: Draft
    function: Function
    launch: Launch
    variables: Variables
    rewriting: Rewriting = field(default_factory=Rewriting)

    def done(self) -> Draft:
        """Return the draft as loops over the digits of the threads' numbers, or over blocks and threads."""
        loops = self._by_digits() or self._by_indices()
        for guard in loops.guards:
            self._unwrap(guard)
        counters = list(zip(self._names(len(loops.strides)), loops.strides, strict=True))
        self.rewriting.edits += [replace(node, written(item, counters)) for node, item in loops.mentions]
        sizes = [f"int {name}" for name in self._sizes()]
        text = assemble(self.function, sizes, list(self._lines(counters, loops.end)))
        extra = tuple(zip(sizes, ("gridDim.x", "blockDim.x"), strict=True))
        result = self.draft.after("fixed-launch", text, "<cassert>")
        return changed(result, extra=extra, parallel=self._worth_sharing(), placed=True)

    def _by_digits(self) -> _Loops | None:
        """Return loops over digits; None where the launch is mentioned otherwise, or no strides will do."""
        found = list(self._digits(self.function.body))
        if not all(any(inside(node, whole) for whole, _ in found) for node in _mentions(self.function.body)):
            return None
        guards, end = self._guards()
        tests = [condition(guard) for guard in guards]
        left = [(node, item) for node, item in found if not any(inside(node, test) for test in tests)]
        counted = strides([item for _, item in left], end)
        return None if counted is None else _Loops(left, counted, end, guards)

    def _by_indices(self) -> _Loops:
        """Return a loop over the blocks, and one over the threads of each."""
        threads = self.launch.threads
        known = {BLOCK: Digits(threads), THREAD: Digits(1, threads)}
        mentions = [(node, known[launch_name(node) or ""]) for node in _mentions(self.function.body)]
        return _Loops(mentions, tuple(dict.fromkeys((threads, 1))), self.launch.total)

    def _digits(self, node: Node) -> Iterator[tuple[Node, Digits]]:
        """Yield the largest expressions that the number of a thread gives."""
        if node.type in ("binary_expression", "cast_expression", "parenthesized_expression"):
            found = self.launch.digits(node) if depends_on_launch(node) else None
            if found is not None:
                yield node, found
                return
        for child in node.children:
            yield from self._digits(child)

    def _guards(self) -> tuple[tuple[Node, ...], int]:
        """Return the branches that all effects are in, of one condition, and the first thread beyond it."""
        found: list[Node] = []
        if not all(self._guarded(statement, found) for statement in self.function.statements) or not found:
            return (), self.launch.total
        end = self._end(found[0])
        alike = {squeeze(source(condition(guard))) for guard in found}
        if end is None or len(alike) > 1 or has_effects(condition(found[0]), self.variables):
            return (), self.launch.total
        return tuple(found), min(end, self.launch.total)

    def _guarded(self, statement: Node, found: list[Node]) -> bool:
        """Note the branches in a statement; tell whether nothing outside of them can be seen by others."""
        if statement.type == "compound_statement":
            return all(self._guarded(inner, found) for inner in statement.named_children)
        if statement.type == "if_statement" and alternative(statement) is None and self._end(statement):
            found.append(statement)
            return True
        if statement.type == "for_statement":
            body = child_of(statement, "body")
            head = (part for part in statement.named_children if part.id != body.id)
            return not any(has_effects(part, self.variables) for part in head) and self._guarded(body, found)
        return not has_effects(statement, self.variables)

    def _end(self, guard: Node) -> int | None:
        """Return the first thread that does not take a branch, where all before it do."""
        test = unparenthesized(condition(guard))
        if test.type != "binary_expression" or operator(test) != "<":
            return None
        left, right = sides(test)
        number = source(unparenthesized(right))
        found = self.launch.digits(left)
        if found is None or found.modulus or found.factor != 1 or not number.isdigit():
            return None
        return int(number) * found.stride

    def _unwrap(self, guard: Node) -> None:
        """Take the condition from a branch that all threads of the loops take."""
        inner = consequence(guard)
        held = inner.named_children
        in_block = guard.parent is not None and guard.parent.type == "compound_statement"
        declares = any(item.type == "declaration" for item in held)
        if guard in self.function.statements:
            self.rewriting.unwrapped.add(guard.id)
        elif in_block and inner.type == "compound_statement" and held and not declares:
            self.rewriting.edits += [
                Edit(guard.start_byte, held[0].start_byte, ""),
                Edit(held[-1].end_byte, guard.end_byte, ""),
            ]
        else:
            self.rewriting.edits.append(Edit(guard.start_byte, inner.start_byte, ""))

    def _names(self, count: int) -> Iterator[str]:
        taken = self.function.identifiers
        if count == 1:
            return iter((free_name(taken, "i", "index", "id"),))
        return (free_name(taken, f"i{turn}", f"index_{turn}") for turn in range(count))

    def _sizes(self) -> tuple[str, str]:
        taken = self.function.identifiers
        return free_name(taken, "blocks", "grid_size"), free_name(taken, "threads", "block_size")

    def _lines(self, counters: list[tuple[str, int]], end: int) -> Iterator[str]:
        """Yield the body: what is relied on, the loops, and what the threads do."""
        unit = indent_unit(self.function)
        indent = indentation(self.function.text, self.function.body.end_byte - 1) + unit
        blocks, threads = self._sizes()
        yield f"{indent}assert({blocks} == {self.launch.blocks} && {threads} == {self.launch.threads});"
        simple = not any(True for _ in find(self.function.body, *LOOPS))
        last = len(counters) - 1
        for depth, (name, stride) in enumerate(counters):
            lead = indent + unit * depth
            directive = self._directive(depth, last, simple)
            if directive:
                yield f"{lead}#pragma omp {directive}"
            head = f"for (int {name} = 0; {name} < {end // stride}; ++{name})"
            yield f"{lead}{head}{' {' if depth == last else ''}"
            end = stride
        yield from render(self.function, self.function.statements, self.rewriting, indent + unit * (last + 1))
        yield f"{indent}{unit * last}}}"

    def _directive(self, depth: int, last: int, simple: bool) -> str:
        """Return what stands above a loop: the outer ones are shared out, the innermost one is vectorised."""
        shared = self._worth_sharing() and depth == 0
        clause = f" collapse({last})" if shared and last > 1 else ""
        words = [f"parallel for{clause}"] if shared else []
        return " ".join([*words, *(["simd"] if simple and depth == last else [])])

    def _worth_sharing(self) -> bool:
        """Tell whether the work is long enough for several threads."""
        return self.launch.total * _operations(self.function.body) >= _SHARED_OUT


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
