"""Which floating expressions are surely numbers, and never NaN."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    alternative,
    ancestors,
    arguments,
    block_statements,
    called,
    condition,
    consequence,
    field,
    find,
    inside,
    operator,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.types import RANKS, Types

OF_NUMBERS = frozenset({"fmax", "fmin", "fmaxf", "fminf", "std::fmax", "std::fmin"})
"""Functions of two operands whose result is a number where one of these is."""
_FIRST = frozenset({"std::max", "std::min"})
"""Functions whose result is a number where their first operand is: they take another one that compares."""
_NAMED = re.compile(r"-?(?:INFINITY|HUGE_VALF?|CUDART_INF(?:_F)?|(?:FLT|DBL)_(?:MAX|MIN|EPSILON))")
_LITERAL = re.compile(r"[\s()+-]*(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlLuU]*[\s()]*")
_CHANGING = ("subscript_expression", "pointer_expression", "call_expression", "assignment_expression")
"""Syntax by which a condition of the same text may mean another one."""
_FLOATING = ("float", "double")


class Numbers:
    """The expressions of one function that are numbers whatever its arguments are."""

    def __init__(self, draft: Draft, function: Function) -> None:
        """Find the largest set of local variables of which nothing contradicts that they hold numbers."""
        self.draft = draft
        self.function = function
        self.variables = draft.variables(function)
        self.types = Types(self.variables, draft.surroundings)
        self.asked: set[str] = set()
        """Arrays of which it is being asked whether their elements are numbers."""
        self.known = frozenset(id(v) for v in self.variables.all if _plain(v) and not self._in_macro(v))
        while wrong := {id(v) for v in self.variables.all if id(v) in self.known and not self._kept(v)}:
            self.known -= wrong

    def holds(self, node: Node) -> bool:
        """Tell whether an expression is surely a number."""
        node = unparenthesized(node)
        if node.type == "number_literal" or self.types.of(node) in RANKS[: RANKS.index("float")]:
            return True
        match node.type:
            case "identifier":
                variable = self.variables.of(node)
                return id(variable) in self.known if variable is not None else self._constant(source(node))
            case "unary_expression":
                return operator(node) in ("-", "+") and self.holds(field(node, "argument"))
            case "cast_expression":
                return self.holds(field(node, "value"))
            case "conditional_expression":
                return self.holds(field(node, "consequence")) and self.holds(field(node, "alternative"))
            case "call_expression":
                return self._call(node)
            case "subscript_expression":
                return self._element(node)
            case _:
                return False

    def _constant(self, name: str) -> bool:
        body = self.draft.surroundings.macros.get(name, "").strip()
        return bool(_NAMED.fullmatch(name) or _LITERAL.fullmatch(body) or _NAMED.fullmatch(body.strip("()")))

    def _call(self, node: Node) -> bool:
        name, operands = called(node), arguments(node)
        if name in self.draft.surroundings.functions or len(operands) != 2:
            return False
        if name in _FIRST:
            return self.holds(operands[0])
        return name in OF_NUMBERS and any(self.holds(operand) for operand in operands)

    def _in_macro(self, variable: Variable) -> bool:
        """Tell whether a variable is passed to a macro, which may do anything to it."""
        calls = (
            around for use in variable.uses for around in ancestors(use) if around.type == "call_expression"
        )
        return any(called(call) in self.draft.surroundings.macros for call in calls)

    def _kept(self, variable: Variable) -> bool:
        """Tell whether every definition of a variable gives it a number."""
        if variable.initializer is not None and not self.holds(variable.initializer):
            return False
        return all(_assigns(write) and self.holds(field(write, "right")) for write in variable.writes)

    # -- elements of arrays

    def _element(self, node: Node) -> bool:
        """Tell whether an element was given a number before, and nothing else makes anything else of it.

        That needs an array that no other pointer leads into, whose elements, once numbers, remain such.
        """
        array = self.variables.of(field(node, "argument"))
        if array is None or array.name in self.asked or not _own(array):
            return False
        if any(True for _ in find(self.function.body, "goto_statement", "switch_statement")):
            return False
        self.asked.add(array.name)
        stays = all(_indexes(use) and self._remains(use) for use in array.uses)
        begins = stays and any(self.holds(field(store, "right")) for store in self._stores_before(node))
        self.asked.discard(array.name)
        return begins

    def _remains(self, use: Node) -> bool:
        """Tell whether what a use of an array writes, if it does, is a number where the element was one."""
        element = use.parent
        assert element is not None
        write = element.parent
        if write is None or write.type not in ("assignment_expression", "update_expression"):
            return True
        if write.type == "assignment_expression" and field(write, "left").id != element.id:
            return True
        if not _assigns(write):
            return False
        value = unparenthesized(field(write, "right"))
        compared = value.type == "call_expression" and called(value) in OF_NUMBERS
        return self.holds(value) or (compared and any(_same(item, element) for item in arguments(value)))

    def _stores_before(self, node: Node) -> Iterator[Node]:
        """Yield assignments to the same element that surely ran before, by this thread."""
        taken: set[str] = set()
        around = [node, *ancestors(node)]
        for inner, outer in pairwise(around):
            if outer.type == "if_statement" and inner.id == consequence(outer).id:
                taken |= {squeeze(source(condition(outer)))}
            if outer.type != "compound_statement" or not inside(outer, self.function.body):
                continue
            for statement in outer.named_children:
                if statement.end_byte <= inner.start_byte and self._still(statement, outer, node):
                    yield from (s for s in _stores(statement, taken) if _same(field(s, "left"), node))

    def _still(self, statement: Node, block: Node, node: Node) -> bool:
        """Tell whether names mean the same to a statement of a block and to an expression behind it."""
        before, after = self.variables.used_in(statement), self.variables.used_in(node)
        changing = [variable for variable in before if not _own(variable)]
        return all(variable in before for variable in after) and not any(
            variable.escapes
            or any(
                write.start_byte >= statement.start_byte and inside(write, block) for write in variable.writes
            )
            for variable in changing
        )


def _own(variable: Variable) -> bool:
    """Tell whether a variable is an array that no other pointer leads into."""
    if variable.shared or variable.escapes:
        return False
    return variable.array or (variable.pointer and "restrict" in source(variable.declaration))


def _plain(variable: Variable) -> bool:
    """Tell whether a variable is a local floating number of the thread."""
    other = (
        variable.parameter,
        variable.pointer,
        variable.array,
        variable.reference,
        variable.shared,
        variable.static,
        variable.escapes,
    )
    return variable.bare in _FLOATING and not any(other)


def _assigns(write: Node) -> bool:
    return write.type == "assignment_expression" and operator(write) == "="


def _indexes(use: Node) -> bool:
    parent = use.parent
    return (
        parent is not None
        and parent.type == "subscript_expression"
        and field(parent, "argument").id == use.id
        and (
            parent.parent is None or parent.parent.type not in ("pointer_expression", "subscript_expression")
        )
    )


def _same(one: Node, other: Node) -> bool:
    return squeeze(source(unparenthesized(one))) == squeeze(source(unparenthesized(other)))


def _stores(statement: Node, taken: set[str]) -> Iterator[Node]:
    """Yield the assignments that a statement surely runs where conditions of these texts hold."""
    if statement.type == "expression_statement" and statement.named_children:
        inner = statement.named_children[0]
        if _assigns(inner):
            yield inner
    elif statement.type == "if_statement" and alternative(statement) is None:
        test = condition(statement)
        if squeeze(source(test)) in taken and not any(True for _ in find(test, *_CHANGING)):
            for inner in block_statements(consequence(statement)):
                yield from _stores(inner, set())
