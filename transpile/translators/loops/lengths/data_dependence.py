"""Which numbers of a function follow from data: from elements of arrays and from floating numbers.

A length that rests on such a number cannot be learnt from runs: the data that these runs had decides it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.syntax import (
    LOOPS,
    Function,
    ancestors,
    called,
    find,
    inside,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.core import Contract, array_of
from transpile.translators.loops.symbols.containers import measured
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.members import member

_BRANCHES = (*LOOPS, "if_statement", "conditional_expression", "switch_statement", "case_statement")
_JUMPS = ("break_statement", "continue_statement", "return_statement", "goto_statement")
_OTHERS = ("identifier", "number_literal", "call_expression")
_MEMORY = ("subscript_expression", "pointer_expression", "field_expression")


def numbers_of(contract: Contract | None) -> frozenset[str]:
    """Return the numbers of the caller's, by the names that contracts have."""
    if contract is None:
        return frozenset()
    given = {item.name for item in contract.signature.parameters if not item.pointer}
    return frozenset(given.union(fact.name for fact in contract.scalars if not array_of(fact.name)))


class DataDependence:
    """Tells which expressions of a function follow from data, by the flow of values and of control."""

    def __init__(
        self, function: Function, variables: Variables, contract: Contract | None, around: EnclosingScope
    ) -> None:
        """Find the variables that follow from data.

        Args:
            function: The function.
            variables: Its own.
            contract: Names the members of structs that are numbers of the caller.
            around: What other names stand for.
        """
        self._body = function.body
        self._variables = variables
        self._around = around
        self._scalars = numbers_of(contract)
        self._found: set[int] = set()
        self._loops: set[int] = set()
        """Loops that end, or go on to the next iteration, as data has it."""
        while self._grows():
            pass

    def follows(self, node: Node) -> bool:
        """Tell whether the value of an expression may differ between calls with the same numbers."""
        return any(map(self._is_data, find(node, *_MEMORY, *_OTHERS)))

    def ends_early(self, loop: Node) -> bool:
        """Tell whether data decides after how many iterations a loop ends, or what parts of them it skips."""
        return loop.id in self._loops

    def _grows(self) -> bool:
        before = len(self._found) + len(self._loops)
        for jump in find(self._body, *_JUMPS):
            if any(self._decided(parent) for parent in self._around_of(jump)):
                self._loops |= {parent.id for parent in ancestors(jump) if parent.type in LOOPS}
        for variable in self._variables.all:
            if not variable.array and (variable.leaks or any(map(self._given, _values(variable)))):
                self._found.add(id(variable))
        return len(self._found) + len(self._loops) > before

    def _given(self, node: Node) -> bool:
        """Tell whether what a variable is set to, or whether it is set at all, follows from data."""
        return self.follows(node) or any(self._decided(parent) for parent in self._around_of(node))

    def _around_of(self, node: Node) -> Iterator[Node]:
        return (item for item in ancestors(node) if item.type in _BRANCHES and inside(item, self._body))

    def _decided(self, branch: Node) -> bool:
        """Tell whether data decides which way a branch goes, or how often a loop runs."""
        if branch.id in self._loops or branch.type == "for_range_loop":
            return True
        tests = (branch.child_by_field_name(part) for part in ("condition", "value"))
        return any(test is not None and self.follows(test) for test in tests)

    def _is_data(self, node: Node) -> bool:
        match node.type:
            case "number_literal":
                return not _is_whole(source(node))
            case "call_expression":
                return not self._around.calls(called(node)) and measured(node, self._variables) is None
            case "identifier":
                variable = self._variables.of(node)
                return variable is not None and (id(variable) in self._found or self._is_fraction(variable))
            case "pointer_expression" if source(node).startswith("&"):
                return False
            case "pointer_expression":
                return f"{squeeze(source(node)).removeprefix('*')}.value" not in self._scalars
            case "subscript_expression" if _has_its_address_taken(node):
                return False
            case "field_expression" if node.parent is not None and node.parent.type == "field_expression":
                return False  # it is the way to the member that is asked about
            case "field_expression":
                known = member(node, self._variables, self._around)
                named = known in self._scalars or known in self._around.pointers
                return not named and not _is_called(node)
            case _:
                text = squeeze(source(node))
                return text not in self._scalars and not self._around.element(text)

    def _is_fraction(self, variable: Variable) -> bool:
        return not variable.pointer and not variable.array and self._around.holds_fractions(variable.bare)


def _values(variable: Variable) -> Iterator[Node]:
    """Yield what a variable is set to, and what changes it."""
    if variable.initializer is not None:
        yield variable.initializer
    for write in variable.writes:
        target = write.child_by_field_name("left") or write.child_by_field_name("argument")
        # What is stored behind a pointer does not move it.
        if target is None or unparenthesized(target).type == "identifier":
            yield write


def _is_whole(text: str) -> bool:
    return text[:2] in ("0x", "0X") or not any(letter in ".eEfF" for letter in text)


def _is_called(node: Node) -> bool:
    """Tell whether a member is a function that is called, which counts as a call."""
    return node.parent is not None and node.parent.type == "call_expression"


def _has_its_address_taken(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        parent = parent.parent
    return parent is not None and parent.type == "pointer_expression" and source(parent).startswith("&")
