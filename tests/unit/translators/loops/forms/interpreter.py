"""A few statements of C, run: what a function leaves in its arrays, and what it returns.

A loop under a line of OpenMP is run backwards: its iterations may come in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.syntax import Function, condition, declared_name, operator, source
from transpile.code.syntax import field as child

_STEPS = 5000
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": int.__floordiv__,
    "%": int.__mod__,
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "!=": int.__ne__,
    "==": int.__eq__,
    "&&": lambda left, right: left and right,
    "||": lambda left, right: left or right,
}


Address = int | tuple[str, tuple[int, ...]]


class Left(Exception):
    """A loop, or the function, is left."""


class Returned(Left):
    """The function is left."""


@dataclass
class Machine:
    """Names are whole numbers; pointers are numbers of elements of one memory, where one array lies at 0.

    What is no name is an array of its own, of any number of dimensions. One whose length is a name
    (``x.size()``) has no other elements.
    """

    names: dict[str, int]
    memory: dict[Address, int] = field(default_factory=dict)
    result: int | None = None
    steps: int = 0
    modulus: int = 0
    """At which sums wrap; 0 where they do not."""

    def run(self, node: Node) -> None:
        self.steps += 1
        assert self.steps < _STEPS, "it does not end"
        match node.type:
            case "compound_statement":
                for item in node.named_children:
                    self.run(item)
            case "declaration":
                for item in node.named_children:
                    if item.type == "init_declarator":
                        self.declare(item)
                    elif item.type == "array_declarator":
                        self.forget(declared_name(item))
            case "expression_statement":
                for item in node.named_children:
                    self.value(item)
            case "if_statement":
                other = node.child_by_field_name("alternative")
                if self.value(condition(node)):
                    self.run(child(node, "consequence"))
                elif other is not None:
                    self.run(other.named_children[0])
            case "while_statement":
                while self.value(condition(node)):
                    self.run(child(node, "body"))
            case "break_statement":
                raise Left
            case "for_statement":
                try:
                    self.repeated(node)
                except Returned:
                    raise
                except Left:
                    return
            case "preproc_call" | "comment":
                return
            case "return_statement":
                self.result = self.value(node.named_children[0])
                raise Returned
            case _:
                raise AssertionError(node.type)

    def repeated(self, node: Node) -> None:
        start, update = node.child_by_field_name("initializer"), node.child_by_field_name("update")
        if start is not None:
            self.run(start) if start.type == "declaration" else self.value(start)
        before = node.prev_named_sibling
        if before is not None and before.type == "preproc_call":
            self.backwards(node)
            return
        while self.value(condition(node)):
            self.run(child(node, "body"))
            if update is not None:
                self.value(update)

    def declare(self, item: Node) -> None:
        name, value = source(child(item, "declarator")).strip("* "), child(item, "value")
        if value.type != "initializer_list":
            self.names[name] = self.value(value)
            return
        for at, element in enumerate(value.named_children):
            self.memory[name.removesuffix("[]"), (at,)] = self.value(element)

    def forget(self, array: str) -> None:
        """Take away what an array held that begins to live."""
        for address in [item for item in self.memory if isinstance(item, tuple) and item[0] == array]:
            del self.memory[address]

    def backwards(self, loop: Node) -> None:
        start = child(loop, "initializer")
        name = source(child(start, "left") if start.type == "assignment_expression" else _declared(start))
        values = []
        while self.value(condition(loop)):
            values.append(self.names[name])
            self.value(child(loop, "update"))
        for self.names[name] in reversed(values):
            self.run(child(loop, "body"))

    def value(self, node: Node) -> int:
        match node.type:
            case "number_literal":
                return int(source(node))
            case "identifier" | "call_expression":
                return self.names[source(node)]
            case "parenthesized_expression":
                return self.value(node.named_children[0])
            case "cast_expression":
                return self.value(child(node, "value"))
            case "unary_expression":
                return -self.value(child(node, "argument"))
            case "conditional_expression":
                chosen = "consequence" if self.value(child(node, "condition")) else "alternative"
                return self.value(child(node, chosen))
            case "comma_expression":
                self.value(child(node, "left"))
                return self.value(child(node, "right"))
            case "binary_expression":
                operation = _OPERATIONS[operator(node)]
                found = operation(self.value(child(node, "left")), self.value(child(node, "right")))
                return int(found) % self.modulus if self.modulus else int(found)
            case "update_expression":
                name = source(child(node, "argument"))
                old = self.names[name]
                self.names[name] += 1 if operator(node) == "++" else -1
                return old if node.children[0].type == "identifier" else self.names[name]
            case "assignment_expression":
                return self.assigned(node)
            case "subscript_expression" | "pointer_expression":
                return self.memory.get(self.address(node), 0)
            case _:
                raise AssertionError(node.type)

    def address(self, node: Node) -> Address:
        indices, array = [], node
        while array.type == "subscript_expression":
            indices.insert(0, child(array, "indices").named_children[0])
            array = child(array, "argument")
        if array.type == "identifier" and source(array) not in self.names:
            place = tuple(self.value(item) for item in indices)
            length = self.names.get(f"{source(array)}.size()", _STEPS)
            assert 0 <= place[0] < length or length == _STEPS, "it is not there"
            return source(array), place
        base = self.value(child(node, "argument"))
        if node.type == "pointer_expression":
            return base
        return base + self.value(child(node, "indices").named_children[0])

    def assigned(self, node: Node) -> int:
        target, sign = child(node, "left"), operator(node).removesuffix("=")
        value = self.value(child(node, "right"))
        if target.type == "identifier":
            old = self.names.get(source(target), 0)
            self.names[source(target)] = _OPERATIONS[sign](old, value) if sign else value
            return self.names[source(target)]
        address = self.address(target)
        self.memory[address] = _OPERATIONS[sign](self.memory.get(address, 0), value) if sign else value
        return self.memory[address]


def _declared(start: Node) -> Node:
    return child(child(start, "declarator"), "declarator")


def ran(
    text: str, memory: Mapping[Address, int] | None = None, *, modulus: int = 0, **names: int
) -> tuple[dict[Address, int], int | None]:
    """Return what a function leaves in memory, and what it returns."""
    machine = Machine(dict(names), dict(memory or {}), modulus=modulus)
    with suppress(Returned):
        machine.run(Function(text).body)
    return machine.memory, machine.result
