"""Conditions under which loops come to an access: some hold for a whole call, others for some iterations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    LOOPS,
    alternative,
    ancestors,
    block_statements,
    condition,
    consequence,
    field,
    find,
    inside,
    operator,
    source,
    unparenthesized,
)
from transpile.code.variables import Variables

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
    case: str = ""
    """The comparison of a ``switch``'s number that holds in this case."""

    @property
    def text(self) -> str:
        """Return it as what holds."""
        if self.case:
            return self.case
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
            yield Guard(test, _side(parent, node), _case(parent, node))
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


def _case(branch: Node, node: Node) -> str:
    """Return what a ``switch`` asks of its number before control comes to a node in it; empty for others."""
    cases = _cases(branch) if branch.type == "switch_statement" else []
    at = next((place for place, item in enumerate(cases) if inside(node, item)), None)
    if at is None or any(item.type != "case_statement" for item in cases):
        return ""
    first = at
    while first > 0 and not _ends(cases[first - 1]):
        first -= 1
    chosen = cases[first : at + 1]
    by_default = any(_label(item) is None for item in chosen)
    labels = map(_label, [item for item in cases if item not in chosen] if by_default else chosen)
    test = f"({source(unparenthesized(condition(branch)))})"
    asked = " || ".join(f"{test} == {source(label)}" for label in labels if label is not None)
    return f"!({asked})" if asked and by_default else f"({asked})" if asked else ""


def _cases(branch: Node) -> list[Node]:
    return [item for item in block_statements(field(branch, "body")) if item.type != "comment"]


def _label(case: Node) -> Node | None:
    """Return what the number of a ``switch`` is compared with; None for ``default``."""
    return case.child_by_field_name("value")


def _ends(case: Node) -> bool:
    """Tell whether control never goes on to the next case."""
    return case.named_child_count > 0 and case.named_children[-1].type in (*_JUMPS, "goto_statement")


def may_jump(nest: Node) -> bool:
    """Tell whether an iteration may end before its last statement."""
    return any(not _leaves_switch(item) for item in find(nest, *_JUMPS))


def _leaves_switch(jump: Node) -> bool:
    around = next(item for item in ancestors(jump) if item.type in (*LOOPS, "switch_statement"))
    return jump.type == "break_statement" and around.type == "switch_statement"


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


def still_holds(guard: Guard, node: Node, variables: Variables) -> bool:
    """Tell whether nothing that an expression names is set under a condition that it stands under."""
    governed = next(item for item in ancestors(guard.test) if inside(node, item))
    named = [item for name in find(node, "identifier") if (item := variables.of(name)) is not None]
    return not any(inside(write, governed) for item in named for write in item.writes)


def asked_pointers(nest: Node, variables: Variables) -> Iterator[str]:
    """Yield the pointers that conditions ask whether they lead anywhere."""
    for branch in find(nest, *_BRANCHES):
        for name in find(_test(branch), "identifier"):
            variable = variables.of(name)
            used = name.parent is not None and name.parent.type in _USES
            if variable is not None and variable.pointer and not used:
                yield variable.name
