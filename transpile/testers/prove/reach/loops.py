"""Loops: their parts, what they change, and what counts their rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import z3
from clang.cindex import CursorKind

from transpile.core import Scalar
from transpile.parsers.types import clang
from transpile.testers.prove import operators
from transpile.testers.prove.arithmetic import unsigned, width
from transpile.testers.prove.expressions import key_of
from transpile.testers.prove.reach.variables import integer
from transpile.testers.prove.tree import NotModelled

if TYPE_CHECKING:
    from transpile.testers.prove.reach.evaluation import Evaluation

Cursor = Any
Term = Any

_LOOPS = (
    CursorKind.FOR_STMT,
    CursorKind.WHILE_STMT,
    CursorKind.DO_STMT,
    CursorKind.CXX_FOR_RANGE_STMT,
)
_KEPT = (
    CursorKind.DECL_REF_EXPR,
    CursorKind.UNEXPOSED_EXPR,
    CursorKind.PAREN_EXPR,
    CursorKind.INTEGER_LITERAL,
)
"""Parts of a step that is the same in each round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The parts of a loop."""

    first: Cursor | None
    condition: Cursor | None
    step: Cursor | None
    body: Cursor
    late: bool = False


def header(cursor: Cursor) -> Header:
    """Return the parts of a loop.

    Raises:
        NotModelled: They cannot be told apart.
    """
    children = list(cursor.get_children())
    if cursor.kind is not CursorKind.FOR_STMT:
        late = cursor.kind is CursorKind.DO_STMT
        if len(children) != 2 or not clang.is_expression(children[0 if not late else 1]):
            raise NotModelled("a loop of an unusual form")
        body, condition = children if late else children[::-1]
        return Header(first=None, condition=condition, step=None, body=body, late=late)
    *parts, body = children
    ends = _ends(cursor)
    found: list[Cursor | None] = [None, None, None]
    for part in parts:
        place = sum(part.extent.start.offset > end for end in ends)
        if found[place] is not None:
            raise NotModelled("a `for` of an unusual form")
        found[place] = part
    first, condition, step = found
    if condition is not None and not clang.is_expression(condition):
        raise NotModelled("a declaration in a condition")
    return Header(first=first, condition=condition, step=step, body=body)


def _ends(cursor: Cursor) -> list[int]:
    """Return where the first two parts of a ``for`` end: libclang leaves out which of them are empty."""
    depth, found = 0, list[int]()
    for token in cursor.get_tokens():
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.spelling, 0)
        if token.spelling == ";" and depth == 1:
            found.append(token.extent.start.offset)
        if len(found) == 2:
            return found
    raise NotModelled("a `for` of an unusual form")


def breaks(body: Cursor) -> bool:
    """Tell whether the body of a loop may leave it for what follows."""
    if body.kind is CursorKind.BREAK_STMT:
        return True
    inner = (*_LOOPS, CursorKind.SWITCH_STMT, CursorKind.LAMBDA_EXPR)
    return any(child.kind not in inner and breaks(child) for child in body.get_children())


class Counters:
    """Facts about the variables that a loop changes, at its head and behind it."""

    def __init__(self, loop: Header, evaluation: Evaluation) -> None:
        """Look at what the loop assigns, in the state before it."""
        self._evaluation = evaluation
        parts = [part for part in (loop.condition, loop.body, loop.step) if part is not None]
        self._writes: dict[str, list[Cursor]] = {}
        for part in parts:
            for key, write in _writes(part):
                self._writes.setdefault(key, []).append(write)
        self._loop = loop
        self._before = {key: term for key, term in evaluation.known.items() if key in self._writes}

    def havoc(self) -> None:
        """Forget what the loop changes, but that a counter has made some rounds."""
        self._evaluation.forget(list(self._before))
        for key, writes in self._writes.items():
            if key in self._before and len(writes) == 1:
                self._count(key, writes[0])

    def _count(self, key: str, write: Cursor) -> None:
        """Take note of what a variable is that is moved by the last part of a ``for`` alone."""
        move = self._move(write)
        if move is None:
            return
        term, start = self._evaluation.known[key], self._before[key]
        if z3.is_int_value(move):
            self._evaluation.suppose(term == start + move * self._evaluation.values.rounds())
        else:
            self._evaluation.suppose(
                z3.Implies(move >= 0, term >= start), z3.Implies(move <= 0, term <= start)
            )

    def _move(self, write: Cursor) -> Term | None:
        """Return by how much each round moves a variable; None where it is not the same each time."""
        if self._loop.step is None or write not in _parts(self._loop.step):
            return None
        target, *rest = write.get_children()
        kind = integer(target.type)
        if kind is None or not self._stays(target, kind, write):
            return None
        if write.kind is CursorKind.UNARY_OPERATOR:
            return z3.IntVal(1 if operators.unary(write).endswith("++") else -1)
        sign = {"+=": 1, "-=": -1}.get(operators.binary(write)) if rest else None
        if sign is None or not self._is_kept(rest[0]):
            return None
        return z3.simplify(sign * self._evaluation.value(rest[0]))

    def _stays(self, target: Cursor, kind: Scalar, write: Cursor) -> bool:
        """Tell whether a variable moves without wrapping: where it is signed, or below a bound."""
        if width_of(kind) >= 32 and not unsigned(kind):
            return True
        bound = self._loop.condition
        if (
            bound is None
            or write.kind is not CursorKind.UNARY_OPERATOR
            or bound.kind is not CursorKind.BINARY_OPERATOR
        ):
            return False
        left, _ = bound.get_children()
        plain = next(iter(left.get_children()), left)
        return (
            operators.binary(bound) == "<"
            and operators.unary(write).endswith("++")
            and left.type.get_canonical().kind is target.type.get_canonical().kind
            and plain.kind is CursorKind.DECL_REF_EXPR
            and plain.referenced == target.referenced
        )

    def _is_kept(self, step: Cursor) -> bool:
        """Tell whether an expression is the same in each round."""
        for item in (step, *clang.descend(step)):
            if item.kind not in _KEPT:
                return False
            if (
                item.kind is CursorKind.DECL_REF_EXPR
                and key_of(item.referenced) not in self._evaluation.known
            ):
                return False
            if item.kind is CursorKind.DECL_REF_EXPR and key_of(item.referenced) in self._writes:
                return False
        return True


def width_of(kind: Scalar) -> int:
    """Return the bits of a type of whole numbers."""
    return 1 if kind is Scalar.BOOL else width(kind)


def _parts(step: Cursor) -> list[Cursor]:
    """Return the expressions that commas part."""
    if step.kind is CursorKind.BINARY_OPERATOR and operators.binary(step) == ",":
        return [part for child in step.get_children() for part in _parts(child)]
    return [step]


def _writes(cursor: Cursor) -> Iterator[tuple[str, Cursor]]:
    """Yield the variables that are assigned within, with the expressions that do so."""
    for item in (cursor, *clang.descend(cursor)):
        target = operators.written(item)
        if target is not None and target.kind is CursorKind.DECL_REF_EXPR and target.referenced is not None:
            yield key_of(target.referenced), item
