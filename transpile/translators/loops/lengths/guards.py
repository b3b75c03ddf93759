"""Conditions under which loops come to an access: some hold for a whole call, others for some iterations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.translators.rules.syntax import (
    alternative,
    ancestors,
    condition,
    consequence,
    field,
    find,
    inside,
    operator,
    source,
    unparenthesized,
)
from transpile.translators.rules.variables import Variables

_JUMPS = ("break_statement", "continue_statement", "return_statement")
_CHOICES = ("if_statement", "conditional_expression")
_BRANCHES = (*_CHOICES, "while_statement", "switch_statement")
_USES = ("subscript_expression", "argument_list", "field_expression")
_SMALLER = {"<": False, "<=": True}
_GREATER = {">": False, ">=": True}


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition, and how it comes out where the access happens."""

    test: Node
    holds: bool | None
    """None where that is more than true or false."""

    @property
    def text(self) -> str:
        """Return it as what holds."""
        plain = unparenthesized(self.test)
        loose = plain.type in ("binary_expression", "conditional_expression")
        text = f"({source(plain)})" if loose else source(plain)
        return text if self.holds else f"!{text}"


def guards(node: Node, outer: Node) -> Iterator[Guard]:
    """Yield the conditions under which control comes to a node; in none of them it stands itself."""
    for parent in ancestors(node):
        if not inside(parent, outer):
            return
        if parent.type in _BRANCHES and not inside(node, test := _test(parent)):
            yield Guard(test, _side(parent, node))
        lazy = parent.type == "binary_expression" and operator(parent) in ("&&", "||")
        if lazy and inside(node, field(parent, "right")):
            yield Guard(field(parent, "left"), operator(parent) == "&&")


def _test(branch: Node) -> Node:
    return field(branch, "condition") if branch.type == "conditional_expression" else condition(branch)


def _side(branch: Node, node: Node) -> bool | None:
    if branch.type not in _CHOICES:
        return None
    if inside(node, consequence(branch)):
        return True
    other = alternative(branch) if branch.type == "if_statement" else field(branch, "alternative")
    return False if other is not None and inside(node, other) else None


def may_jump(nest: Node) -> bool:
    """Tell whether an iteration may end before its last statement."""
    return any(True for _ in find(nest, *_JUMPS))


def bounds(guard: Guard) -> Iterator[tuple[Node, Node, bool]]:
    """Yield what a condition says to be below what, and whether it may be equal."""
    if guard.holds is not True:
        return
    waiting = [unparenthesized(guard.test)]
    while waiting:
        node = waiting.pop()
        if node.type != "binary_expression":
            continue
        left, right = (unparenthesized(field(node, side)) for side in ("left", "right"))
        sign = operator(node)
        if sign == "&&":
            waiting += [left, right]
        elif sign in _SMALLER:
            yield left, right, _SMALLER[sign]
        elif sign in _GREATER:
            yield right, left, _GREATER[sign]


def asked_pointers(nest: Node, variables: Variables) -> Iterator[str]:
    """Yield the pointers that conditions ask whether they lead anywhere."""
    for branch in find(nest, *_BRANCHES):
        for name in find(_test(branch), "identifier"):
            variable = variables.of(name)
            used = name.parent is not None and name.parent.type in _USES
            if variable is not None and variable.pointer and not used:
                yield variable.name
