"""Increments of one variable that every iteration of the loops around them makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import ancestors, field, find, inside, operator, source, unparenthesized
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.nests import Loop, leaves_early, steady
from transpile.translators.loops.iteration.places import continues
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import whole

_ONCE = frozenset(
    (
        "argument_list",
        "assignment_expression",
        "binary_expression",
        "call_expression",
        "cast_expression",
        "compound_statement",
        "declaration",
        "expression_statement",
        "init_declarator",
        "parenthesized_expression",
        "pointer_expression",
        "subscript_argument_list",
        "subscript_expression",
    )
)
"""Statements that run everything in them exactly once."""
_SHORT = ("&&", "||")
_STATEMENTS = ("expression_statement", "declaration")


@dataclass(frozen=True, slots=True, eq=False)
class Increment:
    """``k++``, ``k += c`` or ``y[k++]``."""

    node: Node
    amount: str
    """As C, with its sign."""
    statement: Node
    around: tuple[Loop, ...]
    """The counted loops around it, outermost first."""

    @property
    def alone(self) -> bool:
        """Tell whether its value is not used."""
        return self.node.parent is not None and self.node.parent.id == self.statement.id

    @property
    def first(self) -> bool:
        """Tell whether its value is the one after it."""
        return self.node.children[0].type in ("++", "--")


def increments(
    variable: Variable, loop: Loop, counted: Mapping[int, Loop], variables: Variables, around: EnclosingScope
) -> list[Increment] | None:
    """Return all that a loop does to a variable; None where that is anything else."""
    found = []
    for write in variable.writes:
        if inside(write, loop.node):
            one = _increment(write, variable, loop, counted)
            if one is None or not _steady_amount(write, variable, loop, variables, around):
                return None
            found.append(one)
    looped = {id(item): item for one in found for item in one.around}
    if any(leaves_early(item) or continues(item.node) for item in looped.values()):
        return None
    heads = [part for item in looped.values() for part in (item.first, item.bound)]
    return found if all(_unchanged(part, loop, variables, around) for part in heads) else None


def _increment(write: Node, variable: Variable, loop: Loop, counted: Mapping[int, Loop]) -> Increment | None:
    amount = _amount(write, variable)
    around = _always(write, loop, counted)
    if not amount or around is None:
        return None
    statement = next(item for item in ancestors(write) if item.type in _STATEMENTS)
    one = Increment(write, amount, statement, around)
    if not one.alone and (write.type != "update_expression" or _used_beside(variable, one)):
        return None
    return one


def _amount(write: Node, variable: Variable) -> str:
    if write.type == "update_expression":
        plain = source(unparenthesized(field(write, "argument"))) == variable.name
        return {"++": "1", "--": "-1"}[operator(write)] if plain else ""
    right, sign = unparenthesized(field(write, "right")), operator(write).removesuffix("=")
    if source(unparenthesized(field(write, "left"))) != variable.name:
        return ""
    if not sign and right.type == "binary_expression":
        sign = operator(right)
        if source(unparenthesized(field(right, "left"))) != variable.name:
            return ""
        right = unparenthesized(field(right, "right"))
    if sign not in ("+", "-") or any(source(item) == variable.name for item in find(right, "identifier")):
        return ""
    text = source(right) if right.type in ("identifier", "number_literal") else f"({source(right)})"
    return text if sign == "+" else f"-{text}"


def done_once(node: Node, statement: Node) -> bool:
    """Tell whether a statement does what a part of it does exactly once."""
    for parent in ancestors(node):
        if parent.id == statement.id:
            return True
        if parent.type not in _ONCE or operator(parent) in _SHORT:
            return False
    return False


def _always(node: Node, loop: Loop, counted: Mapping[int, Loop]) -> tuple[Loop, ...] | None:
    """Return the loops around what each iteration does once; None where some do not."""
    found: list[Loop] = []
    inner = node
    for parent in ancestors(node):
        if parent.id in counted and inside(inner, counted[parent.id].body):
            found.insert(0, counted[parent.id])
        elif parent.type not in _ONCE or operator(parent) in _SHORT:
            return None
        if parent.id == loop.node.id:
            return tuple(found)
        inner = parent
    return None


def _used_beside(variable: Variable, one: Increment) -> bool:
    """Tell whether a statement names the variable elsewhere, so that the order of its parts would matter."""
    return sum(inside(use, one.statement) for use in variable.uses) > 1


def _steady_amount(
    write: Node, variable: Variable, loop: Loop, variables: Variables, around: EnclosingScope
) -> bool:
    right = write.child_by_field_name("right")
    names: Sequence[Node] = [] if right is None else list(find(right, "identifier"))
    own = [item for item in names if variables.of(item) is not variable]
    plain = right is None or (
        whole(right, variables, around)
        and not any(True for _ in find(right, "call_expression", "subscript_expression"))
    )
    return plain and all(_unchanged(item, loop, variables, around) for item in own)


def _unchanged(node: Node, loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether an expression is worth the same wherever the loop has come."""
    known = [variables.of(item) for item in find(node, "identifier")]
    own = any(item is not None and inside(item.declaration, loop.node) for item in known)
    return not own and steady(node, loop.node, variables, around)
