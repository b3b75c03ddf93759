"""Statements put together again: some dropped, some unwrapped, at a new depth, their comments with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, block_statements, consequence, fragment

_WIDTH = 110


@dataclass(slots=True)
class Rewriting:
    """What is to change in the statements of one function."""

    edits: list[Edit[str]] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)
    """Statements that go, with the comment that belongs to them."""
    unwrapped: set[int] = field(default_factory=set)
    """If statements whose branch takes their place."""
    before: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Lines that go in front of a statement."""


def flatten(statements: Sequence[Node], rewriting: Rewriting) -> list[Node]:
    """Return the statements with unwrapped ones replaced by what they hold."""
    result: list[Node] = []
    for statement in statements:
        if statement.id in rewriting.unwrapped:
            result += flatten(block_statements(consequence(statement)), rewriting)
        else:
            result.append(statement)
    return result


def render(function: Function, statements: Sequence[Node], rewriting: Rewriting, indent: str) -> list[str]:
    """Return the lines of the statements at an indentation."""
    text = function.text
    flat = flatten(statements, rewriting)
    lines: list[str] = []
    previous: Node | None = None
    for index, node in enumerate(flat):
        following = flat[index + 1] if index + 1 < len(flat) else None
        if node.type == "comment" and _belongs_to_dropped(text, previous, node, following, rewriting):
            continue
        if node.id in rewriting.dropped:
            previous = node
            continue
        if node.type == "comment" and previous is not None and lines and _same_line(text, previous, node):
            lines[-1] += "  " + fragment(text, node, (), "")
            continue
        if previous is not None and lines and _blank_between(text, previous, node) and lines[-1]:
            lines.append("")
        lines += [indent + line for line in rewriting.before.get(node.id, ())]
        lines += fragment(text, node, rewriting.edits, indent).removesuffix("\n").split("\n")
        previous = node
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _same_line(text: str, previous: Node, node: Node) -> bool:
    return "\n" not in text[previous.end_byte : node.start_byte]


def _blank_between(text: str, previous: Node, node: Node) -> bool:
    # The end of a directive is that of its line.
    end = len(text[: previous.end_byte].removesuffix("\n"))
    return text[end : node.start_byte].count("\n") > 1


def _belongs_to_dropped(
    text: str, previous: Node | None, comment: Node, following: Node | None, rewriting: Rewriting
) -> bool:
    if previous is not None and previous.id in rewriting.dropped and _same_line(text, previous, comment):
        return True
    return (
        following is not None
        and following.id in rewriting.dropped
        and text[comment.end_byte : following.start_byte].count("\n") == 1
        and (previous is None or not _same_line(text, previous, comment))
    )


def assemble(function: Function, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """Return the function with more parameters at the end of its list, and another body."""
    text = function.text
    close = function.parameter_list.end_byte - 1
    present = text[function.parameter_list.start_byte + 1 : close].strip()
    added = _appended(text, function, parameters, bool(present and present != "void"))
    kept = text[:close].rstrip() if added and not text[:close].rstrip().endswith("(") else text[:close]
    rest = ""
    if present == "void" and parameters:
        kept = kept[: kept.rindex("void")]
    elif added and function.parameters:
        last = function.parameters[-1].node.end_byte
        kept, rest = (text[:last], text[last:close]) if text[last:close].strip() else (kept, "")
    head = kept + added + rest + text[close : function.body.start_byte + 1]
    closing = text[function.body.end_byte - 1 :]
    outer = "" if "\n" not in text[: function.body.end_byte] else _line_start(text, function)
    return head + "\n" + "\n".join(lines) + "\n" + outer + closing


def _line_start(text: str, function: Function) -> str:
    start = text.rfind("\n", 0, function.node.start_byte) + 1
    line = text[start : function.node.start_byte]
    return line if not line.strip() else ""


def _appended(text: str, function: Function, parameters: Sequence[str], after_others: bool) -> str:
    """Return the new parameters as they continue the list, on a new line where the list has one each."""
    if not parameters:
        return ""
    written = text[function.parameter_list.start_byte : function.parameter_list.end_byte]
    line_start = text.rfind("\n", 0, function.parameter_list.end_byte) + 1
    last = text[line_start : function.parameter_list.end_byte]
    separator = ", "
    if len(last) + sum(len(p) + 2 for p in parameters) > _WIDTH:
        if "\n" in written:
            lead = last[: len(last) - len(last.lstrip())]
        else:
            lead = " " * (function.parameter_list.start_byte + 1 - line_start)
        separator = ",\n" + lead
    return (separator if after_others else "") + ", ".join(parameters)
