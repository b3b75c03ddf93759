"""Functions of C++, from libclang's cursors to trees."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from clang.cindex import CursorKind, StorageClass, TypeKind

from transpile.parsers.types import clang
from transpile.testers.prove.expressions import Expressions, key_of
from transpile.testers.prove.operators import elements, pointee, scalar_of
from transpile.testers.prove.tree import (
    Assign,
    Builtin,
    Declare,
    Element,
    Evaluate,
    Exit,
    Expression,
    If,
    Inlined,
    Loop,
    NotModelled,
    Routine,
    Statement,
    leaves,
    walk,
)

Cursor = Any

_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+([^\n]*)\n", re.MULTILINE)
_BLANK = re.compile(rb"(?:\s+|//[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
_IGNORED = ("unroll", "GCC ivdep", "nounroll", "scop", "endscop")
_DEPTH = 4
"""Calls within calls that are read."""


def read(cursor: Cursor, files: Mapping[str, bytes]) -> Routine:
    """Return a function as a tree.

    Args:
        cursor: Its definition.
        files: The texts that were parsed, by the names that libclang has for them.

    Raises:
        NotModelled: It holds something that proofs do not model.
    """
    return _Reader(files).routine(cursor)


class _Reader:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._expressions = Expressions(self._own, self._inline)
        self._pragmas: dict[int, str] = {}
        self._calls: list[str] = []

    def routine(self, cursor: Cursor) -> Routine:
        data = self._text(cursor)
        extent = cursor.extent
        self._pragmas = pragmas(data, extent.start.offset, extent.end.offset)
        declared = list(cursor.get_arguments())
        body = self._body(cursor)
        if self._pragmas:
            raise NotModelled(f"`#pragma {next(iter(self._pragmas.values()))}` where no loop follows")
        parameters = tuple((key_of(item), scalar_of(item.type)) for item in declared)
        pointers = [item for item in declared if scalar_of(item.type) is None]
        return Routine(
            name=cursor.spelling,
            parameters=parameters,
            elements=tuple((key_of(item), pointee(item.type)) for item in pointers),
            body=body,
            builtins=frozenset(node.name for node in walk(body) if isinstance(node, Builtin)),
            lines={
                key: (first - extent.end.line, last - extent.end.line)
                for key, (first, last) in self._expressions.lines.items()
            },
        )

    def _text(self, cursor: Cursor) -> bytes:
        file = cursor.location.file
        if file is None or file.name not in self._files:
            raise NotModelled(f"the text of {cursor.spelling}")
        return self._files[file.name]

    def _own(self, callee: Cursor) -> bool:
        file = callee.location.file
        return file is not None and file.name in self._files

    def _body(self, cursor: Cursor) -> tuple[Statement, ...]:
        found = [item for item in cursor.get_children() if item.kind is CursorKind.COMPOUND_STMT]
        if len(found) != 1:
            raise NotModelled(f"{cursor.spelling} without a body")
        return self._block(found[0])

    def _block(self, cursor: Cursor) -> tuple[Statement, ...]:
        """Return a statement, or the statements of a block."""
        children = cursor.get_children() if cursor.kind is CursorKind.COMPOUND_STMT else [cursor]
        if cursor.kind is CursorKind.COMPOUND_STMT:
            return tuple(part for child in children for part in self._block(child))
        return tuple(self._statement(cursor))

    def _statement(self, cursor: Cursor) -> Sequence[Statement]:
        kind = cursor.kind
        if kind is CursorKind.DECL_STMT:
            return [part for child in cursor.get_children() for part in self._declared(child)]
        if kind is CursorKind.NULL_STMT:
            return []
        if kind is CursorKind.IF_STMT:
            return [self._if(cursor)]
        if kind is CursorKind.FOR_STMT:
            return [self._for(cursor)]
        if kind in (CursorKind.WHILE_STMT, CursorKind.DO_STMT):
            return [self._while(cursor)]
        if kind is CursorKind.RETURN_STMT:
            if list(cursor.get_children()):
                raise NotModelled("a value that is returned")
            return [Exit("return")]
        if kind is CursorKind.BREAK_STMT:
            return [Exit("break")]
        if kind is CursorKind.CONTINUE_STMT:
            return [Exit("continue")]
        if clang.is_expression(cursor):
            return [self._effect(part) for part in self._expressions.root(cursor)]
        raise NotModelled(str(kind.name).lower().replace("_", " "))

    def _effect(self, expression: Expression) -> Evaluate:
        _quiet(expression.arguments if isinstance(expression, Inlined) else expression)
        return Evaluate(expression)

    def _declared(self, cursor: Cursor) -> Sequence[Statement]:
        if cursor.kind is not CursorKind.VAR_DECL or cursor.storage_class not in (
            StorageClass.NONE,
            StorageClass.INVALID,
        ):
            raise NotModelled(f"the declaration of {cursor.spelling}")
        kind = cursor.type.get_canonical()
        scalar = scalar_of(kind)
        values = clang.expressions(cursor)
        if kind.kind is TypeKind.CONSTANTARRAY:
            if any(item.kind is CursorKind.INIT_LIST_EXPR for item in values):
                raise NotModelled("an array with initial values")
            return [Declare(key_of(cursor), pointee(kind), None, elements=elements(kind))]
        if scalar is None and kind.kind is not TypeKind.POINTER:
            raise NotModelled(f"a variable of type `{cursor.type.spelling}`")
        if scalar is None:
            pointee(kind)
        if len(values) > 1 or (values and values[0].kind is CursorKind.INIT_LIST_EXPR):
            raise NotModelled(f"the initial value of {cursor.spelling}")
        value = self._expressions.read(values[0]) if values else None
        _quiet(value)
        return [Declare(key_of(cursor), scalar, value)]

    def _if(self, cursor: Cursor) -> If:
        condition, yes, *no = cursor.get_children()
        if not clang.is_expression(condition) or len(no) > 1:
            raise NotModelled("a declaration in a condition")
        return If(
            self._condition(condition), self._block(yes), tuple(p for item in no for p in self._block(item))
        )

    def _condition(self, cursor: Cursor) -> Expression:
        condition = self._expressions.condition(cursor)
        _quiet(condition)
        return condition

    def _while(self, cursor: Cursor) -> Loop:
        late = cursor.kind is CursorKind.DO_STMT
        first, second = cursor.get_children()
        body, condition = (first, second) if late else (second, first)
        if not clang.is_expression(condition):
            raise NotModelled("a declaration in a condition")
        return Loop((), self._condition(condition), (), self._block(body), late=late)

    def _for(self, cursor: Cursor) -> Loop:
        start = cursor.extent.start.offset
        pragma = self._pragmas.pop(start, "")
        children = list(cursor.get_children())
        if len(children) != 4:  # libclang leaves out what is empty, and does not say which
            raise NotModelled("a `for` without all its parts")
        first, condition, step, body = children
        if not clang.is_expression(condition) or not clang.is_expression(step):
            raise NotModelled("a `for` of an unusual form")
        return Loop(
            self._block(first),
            self._condition(condition),
            tuple(self._effect(part) for part in self._expressions.root(step)),
            self._block(body),
            pragma=pragma,
        )

    def _inline(self, cursor: Cursor, callee: Cursor) -> Expression:
        """Return a call of a function of the text with its body: one that returns at its end, if at all."""
        definition = callee.get_definition()
        name = callee.spelling
        if definition is None or len(self._calls) >= _DEPTH or name in self._calls:
            raise NotModelled(f"the call of {name}")
        extent = definition.extent
        if pragmas(self._text(definition), extent.start.offset, extent.end.offset):
            raise NotModelled(f"a directive in {name}")
        declared = list(definition.get_arguments())
        arguments = tuple(self._expressions.read(item) for item in cursor.get_arguments())
        self._calls.append(name)
        try:
            body, result = self._inner(definition)
        finally:
            self._calls.pop()
        parameters = tuple((key_of(item), scalar_of(item.type)) for item in declared)
        kind = scalar_of(cursor.type)
        if kind is None and cursor.type.get_canonical().kind is not TypeKind.VOID:
            raise NotModelled(f"what {name} returns")
        return Inlined(name, parameters, arguments, body, result, kind)

    def _inner(self, definition: Cursor) -> tuple[tuple[Statement, ...], Expression | None]:
        (block,) = [item for item in definition.get_children() if item.kind is CursorKind.COMPOUND_STMT]
        children = list(block.get_children())
        result = None
        if children and children[-1].kind is CursorKind.RETURN_STMT:
            values = list(children.pop().get_children())
            result = self._expressions.read(values[0]) if values else None
        body = tuple(part for child in children for part in self._block(child))
        if leaves(body) or any(isinstance(node, Exit) and node.kind == "return" for node in walk(body)):
            raise NotModelled(f"an early return in {definition.spelling}")
        return body, result


def _quiet(expression: object) -> None:
    """Refuse calls that write to memory where other operands are computed beside them."""
    for node in walk(expression):
        if isinstance(node, Inlined) and _writes(node.body):
            raise NotModelled(f"the call of {node.name} within an expression")


def _writes(body: object) -> bool:
    return any(isinstance(node, Assign) and isinstance(node.target, Element) for node in walk(body))


def pragmas(data: bytes, start: int, end: int) -> dict[int, str]:
    """Return the directives between two offsets, by the offset of what follows each.

    Raises:
        NotModelled: Two follow each other, or one goes on over a line.
    """
    found: dict[int, str] = {}
    for match in _PRAGMA.finditer(data, start, end):
        text = match[1].decode("utf-8", "replace").strip()
        blank = _BLANK.match(data, match.end())
        place = blank.end() if blank else match.end()
        if text.endswith("\\") or place in found:
            raise NotModelled("directives over several lines")
        if not text.startswith(_IGNORED):
            found[place] = " ".join(text.split())
    return found
