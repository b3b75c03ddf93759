"""Functions that return from several branches, as the same with one return at the end.

``if (c) return a; … return b;`` is ``if (c) { r = a; } else { … r = b; } return r;``. What stands behind a
branch that returns is run by those that did not take it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from transpile.code.names import free_name
from transpile.code.syntax import (
    INDENT,
    Function,
    alternative,
    block_statements,
    condition,
    consequence,
    field,
    indentation,
    outside_lambdas,
    reindent,
    source,
)
from transpile.translators.kernels.declarations import hides

_QUALIFIERS = re.compile(r"\b(?:const|constexpr|inline|static|extern)\b")


class _Tangled(Exception):
    """A return in a place from which no branch leads to the end alone."""


def single_exit(text: str) -> str:
    """Return a function with one return, at its end; as it is where it has one, or returns from a loop."""
    function = Function(text)
    returns = list(outside_lambdas(function.body, "return_statement"))
    last = next((item for item in reversed(function.statements) if item.type != "comment"), None)
    if not returns or (len(returns) == 1 and last is not None and returns[0].id == last.id):
        return text
    try:
        return _Exits(function, _result_type(function)).text()
    except _Tangled:
        return text


def _result_type(function: Function) -> str:
    """Return the type of the result, which may be assigned to; empty where there is none."""
    declarator = field(function.node, "declarator")
    kind = _QUALIFIERS.sub("", source(field(function.node, "type"))).strip()
    if declarator.type == "pointer_declarator":
        held = (source(item) for item in function.node.named_children if item.type == "type_qualifier")
        kind = " ".join([*(word for word in held if word in ("const", "volatile")), kind])
    while declarator.type == "pointer_declarator":
        kind, declarator = f"{kind} *", field(declarator, "declarator")
    if declarator.type != "function_declarator" or kind == "auto":
        raise _Tangled
    return "" if kind == "void" else kind


class _Exits:
    """The body of a function, its returns as assignments."""

    def __init__(self, function: Function, kind: str) -> None:
        self._function = function
        self._kind = kind
        self._result = free_name(function.identifiers, "result", "returned")

    def text(self) -> str:
        """Return the function."""
        text, body = self._function.text, self._function.body
        indent = indentation(text, body.end_byte - 1)
        lines = self._lines(self._function.statements, indent + INDENT)
        if self._kind:
            lines = [f"{self._kind} {self._result};", *lines, f"return {self._result};"]
        inner = "".join(f"{indent}{INDENT}{line}\n" for line in lines)
        return f"{text[: body.start_byte]}{{\n{inner}{indent}}}{text[body.end_byte :]}"

    def _lines(self, statements: Sequence[Node], indent: str) -> list[str]:
        """Return the lines of statements, the first without its indentation."""
        lines: list[str] = []
        for index, statement in enumerate(statements):
            if statement.type == "return_statement":
                value = statement.named_children
                return [*lines, *(f"{self._result} = {source(item)};" for item in value[:1])]
            if not _returns(statement):
                lines.append(self._moved(statement, indent))
                continue
            if statement.type != "if_statement":
                raise _Tangled
            return [*lines, *self._branches(statement, statements[index + 1 :], indent)]
        return lines

    def _branches(self, branch: Node, rest: Sequence[Node], indent: str) -> list[str]:
        """Return a branch that returns, with what follows it where it goes on."""
        other = alternative(branch)
        sides = [block_statements(consequence(branch)), [] if other is None else block_statements(other)]
        ends = [_ends(side) for side in sides]
        if rest and not any(ends):
            raise _Tangled
        for side, end in zip(sides, ends, strict=True):
            if rest and not end:
                if hides(side, rest):
                    raise _Tangled
                side += rest
        then, otherwise = (self._lines(side, indent + INDENT) for side in sides)
        clause = field(branch, "condition")
        head, test = self._function.text[branch.start_byte : clause.start_byte], source(clause)
        if not then and source(condition(branch)) == test[1:-1]:
            then, otherwise, test = otherwise, [], f"(!{test})"
        lines = [f"{head}{test} {{", *(f"{INDENT}{line}" for line in then)]
        if otherwise:
            lines += ["} else {", *(f"{INDENT}{line}" for line in otherwise)]
        return [*lines, "}"]

    def _moved(self, statement: Node, indent: str) -> str:
        old = indentation(self._function.text, statement.start_byte)
        return reindent(source(statement), old, indent)


def _returns(statement: Node) -> bool:
    return any(True for _ in outside_lambdas(statement, "return_statement"))


def _ends(statements: Sequence[Node]) -> bool:
    """Tell whether nothing goes on behind statements, since all their ways return."""
    last = next((item for item in reversed(statements) if item.type != "comment"), None)
    if last is None or last.type != "if_statement":
        return last is not None and last.type == "return_statement"
    other = alternative(last)
    return other is not None and _ends(block_statements(consequence(last))) and _ends(block_statements(other))
