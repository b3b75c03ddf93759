"""Choices that take the greater or the lesser of two numbers, and calls that do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.trees import descendants, text

_COMPARED = re.compile(r"([^<>=!&|?]+)([<>])=?([^<>=!&|?]+)")
_ASSIGNED = re.compile(r"\{?([^=;{}]+)=([^=;{}]+);\}?")
_DOES = re.compile(r"\w\(|\+\+|--")
"""A call, and what counts on."""
_CALLED = re.compile(r"(?:std::|::)?[fu]?(min|max)[fl]?(?:<[\w ]+>)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extreme:
    """The greater or the lesser of two operands, which are spelled without blanks."""

    kind: str
    """``min`` or ``max``."""
    operands: tuple[str, str]
    target: str = ""
    """The operand that is replaced by the other one, where it is a statement."""


def extreme_of(node: Node) -> Extreme | None:
    """Return what a statement ``if`` or a conditional expression takes of two numbers, or None."""
    compared = _COMPARED.fullmatch(_bare(node.child_by_field_name("condition")))
    if compared is None or _DOES.search(compared[0]) or compared[1] == compared[3]:
        return None
    taken, left, target = _sides(node)
    if (taken, left) == (compared[1], compared[3]):
        greater = compared[2] == ">"
    elif (taken, left) == (compared[3], compared[1]):
        greater = compared[2] == "<"
    else:
        return None
    return Extreme(kind="max" if greater else "min", operands=(taken, left), target=target)


def _sides(node: Node) -> tuple[str, str, str]:
    """Return what is taken where the condition holds and where it does not, and what is assigned to."""
    chosen, other = (node.child_by_field_name(name) for name in ("consequence", "alternative"))
    if node.type == "conditional_expression":
        return _bare(chosen), _bare(other), ""
    assigned = _ASSIGNED.fullmatch("".join(text(chosen).split()))
    if node.type != "if_statement" or other is not None or assigned is None:
        return "", "", ""
    return assigned[2], assigned[1], assigned[1]


def extremes_called(root: Node) -> Iterator[tuple[str, str]]:
    """Yield the operands of calls that take the greater or lesser of two numbers, each with which one."""
    for node in descendants(root, "call_expression"):
        called = _CALLED.fullmatch("".join(text(node.child_by_field_name("function")).split()))
        arguments = node.child_by_field_name("arguments")
        operands = [item for item in arguments.named_children if item.type != "comment"] if arguments else []
        if called is not None and len(operands) == 2:
            yield from ((called[1], _bare(operand)) for operand in operands)


def _bare(node: Node | None) -> str:
    """Return an expression without blanks, and without brackets around all of it."""
    spelled = "".join(text(node).split())
    while spelled.startswith("(") and spelled.endswith(")") and _is_one(spelled):
        spelled = spelled[1:-1]
    return spelled


def _is_one(spelled: str) -> bool:
    """Tell whether the first bracket ends with the last one."""
    depth = 0
    for place, letter in enumerate(spelled):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(spelled) - 1
    return False
