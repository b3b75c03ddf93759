"""The body of a function that calls itself, and what its expressions name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import LOOPS, Function, ancestors, called, field, find, inside, operator, squeeze
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.symbols.containers import PLAIN
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


@dataclass(frozen=True, slots=True)
class Body:
    """A function that calls itself."""

    function: Function
    variables: Variables
    around: EnclosingScope
    writes: bool
    """Calls write memory, so that nothing may touch any while they run."""

    def calls(self, node: Node) -> list[Node]:
        """Return the calls of the function by itself at or below a node."""
        return own_calls(node, self.function.name)

    def used(self, node: Node) -> frozenset[Variable]:
        """Return the variables that a node names."""
        return frozenset(self.variables.used_in(node))

    def written(self, node: Node) -> frozenset[Variable]:
        """Return the variables that a node sets or declares."""
        return frozenset(
            item
            for item in self.variables.all
            if inside(item.declaration, node) or any(inside(write, node) for write in item.writes)
        )

    def remembers(self, node: Node) -> bool:
        """Tell whether a node, without the calls of the function by itself, touches what these may write."""
        return self.writes and (touches_memory(node, self.variables) or any(self._others(node)))

    def _others(self, node: Node) -> Iterator[bool]:
        """Yield something for every call that may touch memory."""
        for call in find(node, "call_expression"):
            name = called(call)
            if name != self.function.name and not self.around.calls(name):
                yield field(call, "function").type != "primitive_type"


def own_calls(node: Node, name: str) -> list[Node]:
    """Return the calls of a name at or below a node."""
    return [item for item in find(node, "call_expression") if called(item) == name]


def again_and_again(node: Node, within: Node) -> bool:
    """Tell whether a loop that lies within another node goes around a node."""
    return any(item.type in LOOPS and inside(item, within) for item in ancestors(node))


def branches(function: Function) -> bool:
    """Tell whether a call of a function may lead to several calls of itself."""
    own = own_calls(function.body, function.name)
    return len(own) > 1 or any(again_and_again(call, function.body) for call in own)


def is_plain(variable: Variable) -> bool:
    """Tell whether a variable is a number of the language, and nothing that refers to one."""
    compound = variable.pointer or variable.array or variable.reference
    return not compound and is_number(variable.type)


def is_number(type_: str) -> bool:
    """Tell whether the name of a type is one of the language's numbers."""
    return type_ in ("bool", "_Bool") or PLAIN.fullmatch(squeeze(type_)) is not None


def touches_memory(node: Node, variables: Variables) -> bool:
    """Tell whether an expression or a statement reads or writes more than variables of its function.

    The address of an element is a number.
    """
    for item in find(node, "subscript_expression", "pointer_expression", "field_expression"):
        parent = item.parent
        addressed = parent is not None and parent.type == "pointer_expression" and operator(parent) == "&"
        if not addressed and operator(item) != "&":
            return True
    return any(item.reference and is_number(item.type) for item in variables.used_in(node))
