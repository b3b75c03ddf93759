"""Functions of the source that loops call: analysis sees their bodies in the place of the calls.

It looks at ``{ double *x_0 = a + i * m; for (int j_0 = 0; j_0 < m; j_0++) x_0[j_0] *= 2; }`` in the place of
``scale(a + i * m, m);``. What comes through a translation unchanged is the call again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import (
    LOOPS,
    Function,
    ancestors,
    called,
    field,
    find,
    function_of,
    inside,
    operator,
    replace,
    source,
)
from transpile.code.variables import Variables, resolve
from transpile.translators.loops.symbols.bodies import Body, Closed, in_a_line
from transpile.translators.loops.symbols.directives import without
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.expansions import Spelling

_MARK = "_of_call_"
_DEEPEST = 3
"""Calls within calls that are followed."""
_CHOICES = ("conditional_expression", "comma_expression", "lambda_expression", "sizeof_expression")


def opened(text: str, around: EnclosingScope) -> tuple[str, tuple[Spelling, ...]]:
    """Return a function with bodies in the place of calls in loops, and how these are spelled.

    Functions that make a value of numbers stay, and so do calls under a condition of their statement.
    """
    function = Function(text)
    found = [
        (node, body)
        for node, body in _Calls(around).statements(function)
        if any(item.type in LOOPS for item in ancestors(node))
    ]
    spellings = dict.fromkeys(Spelling(source(node), body) for node, body in found)
    return function.edited([replace(node, body) for node, body in found]), tuple(spellings)


def is_open(text: str) -> bool:
    """Tell whether a body still stands in the place of its call."""
    return _MARK in text


class _Calls:
    """Calls of functions of the source, numbered."""

    def __init__(self, around: EnclosingScope) -> None:
        self._around = around
        self._numbers = count()

    def statements(self, function: Function, depth: int = 0) -> Iterator[tuple[Node, str]]:
        """Yield the statements of a function that call others, with what stands for them."""
        if any(True for _ in find(function.body, "type_definition", "field_declaration_list")):
            return  # names of types that bodies may have another meaning for
        variables = resolve(function, self._around.refers, self._around.words)
        calls: dict[int, tuple[Node, list[Node]]] = {}
        for call in find(function.body, "call_expression"):
            statement = _statement(call)
            if statement is not None and self._is_known(call, variables):
                calls.setdefault(statement.id, (statement, []))[1].append(call)
        for statement, inner in calls.values():
            try:
                yield statement, self._written(statement, inner, variables, depth)
            except Closed:
                continue

    def _is_known(self, call: Node, variables: Variables) -> bool:
        name, node = called(call), field(call, "function")
        hidden = name in self._around.defined or variables.of(node) is not None
        return name in self._around.bodies and node.type == "identifier" and not hidden

    def _written(self, statement: Node, calls: Sequence[Node], variables: Variables, depth: int) -> str:
        """Return what stands for a statement; raises Closed."""
        lines, results, start = list[str](), list[Edit[str]](), statement.start_byte
        for call in calls:
            if any(inside(call, other) and call.id != other.id for other in calls):
                raise Closed
            body, result = self._body(call, variables, depth).statements()
            lines += body
            if call.parent is not None and call.parent.id == statement.id:
                continue
            if not result:
                raise Closed
            results.append(Edit(call.start_byte - start, call.end_byte - start, result))
        if results:
            lines.append(in_a_line(apply_outermost(source(statement), results)))
        return " ".join(lines) if statement.type == "declaration" else f"{{ {' '.join(lines)} }}"

    def _body(self, call: Node, variables: Variables, depth: int) -> Body:
        unit = self._around.bodies[called(call)]
        function = function_of(without(unit.text.decode("latin-1"), simd=True))
        if function is None:
            raise Closed
        if depth < _DEEPEST:
            inner = list(self.statements(function, depth + 1))
            function = Function(function.edited([replace(node, body) for node, body in inner]))
        return Body(call, function, self._around, variables, f"{_MARK}{next(self._numbers)}")


def _statement(call: Node) -> Node | None:
    """Return the statement that makes a call whenever it runs; None for other calls."""
    for item in ancestors(call):
        if item.type in _CHOICES or (item.type == "binary_expression" and operator(item) in ("&&", "||")):
            return None
        if item.type == "expression_statement":
            return item
        if item.type == "declaration":
            return item if item.parent is not None and item.parent.type == "compound_statement" else None
        if item.type.endswith("_statement"):
            return None
    return None
