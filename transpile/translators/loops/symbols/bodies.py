"""The body of a function in the place of a call, its variables under names of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
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
    operator,
    replace,
    source,
    subscript,
)
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_JUMPS = (
    "goto_statement",
    "labeled_statement",
    "lambda_expression",
    "throw_statement",
    "try_statement",
    "gnu_asm_expression",
    "type_definition",
    "field_declaration_list",
)
"""Syntax that cannot be moved elsewhere as it is: jumps, and names of types."""
_CHANGES = ("assignment_expression", "update_expression")


class Closed(Exception):
    """A body that does not stand in the place of its call."""


class Body:
    """What stands in the place of a call."""

    def __init__(
        self, call: Node, function: Function, around: EnclosingScope, outer: Variables, suffix: str
    ) -> None:
        """Keep what is called; raises Closed where it jumps, keeps something, or means something else there.

        Args:
            call: The call.
            function: The function that is called.
            around: What names stand for.
            outer: The variables around the call.
            suffix: What tells its names from those of other calls.
        """
        self._call = call
        self._function = function
        self._outer = outer
        self._suffix = suffix
        self._variables = resolve(function, around.refers, around.words)
        self._refuse(around)

    def _refuse(self, around: EnclosingScope) -> None:
        function, given = self._function, arguments(self._call)
        if "#" in function.text or any(True for _ in find(function.body, *_JUMPS)):
            raise Closed
        if any(item.static for item in self._variables.all) or any(self._variables.by_macro.values()):
            raise Closed
        if len(function.parameters) != len(given):
            raise Closed
        if any(True for item in given for _ in find(item, *_CHANGES)):
            raise Closed
        names = {item.name for item in self._outer.all}
        if any(names & {name, *around.words.get(name, ())} for name in self._free()):
            raise Closed

    def _free(self) -> Iterator[str]:
        """Yield the names that the body finds at file scope."""
        variables = self._variables
        declared = {name.id for item in variables.all for name in find(item.declarator, "identifier")}
        for item in find(self._function.body, "identifier"):
            if variables.of(item) is None and item.id not in declared:
                yield source(item)

    def statements(self) -> tuple[list[str], str]:
        """Return its statements, a line each, and the variable that holds what it returns; empty for none."""
        lines, edits = self._given()
        edits += self._renamed()
        edits += [replace(item, "") for item in find(self._function.body, "comment")]
        returned = self._returned()
        found = [item for item in self._function.statements if item.type != "comment"]
        if returned is None:
            guards = list(takewhile(_leaves, found))
            heads = [f"if (!({self._texts([condition(item)], edits)[0]})) {{" for item in guards]
            body = self._texts(found[len(guards) :], edits)
            return [*lines, *heads, *body, "}" * len(guards)], ""
        [value], result = self._texts([returned], edits), f"result{self._suffix}"
        if field(self._function.node, "declarator").type != "function_declarator":
            raise Closed  # a pointer or a reference is returned
        kind = source(field(self._function.node, "type"))
        return [*lines, *self._texts(found[:-1], edits), f"{kind} {result} = {value};"], result

    def _given(self) -> tuple[list[str], list[Edit[str]]]:
        """Return parameters as variables, and the edits that put others in the place of parameters."""
        named = {item.name: item for item in self._variables.all if item.parameter}
        lines, edits = [f"/* {called(self._call)}{self._suffix} */"], list[Edit[str]]()
        for parameter, argument in zip(self._function.parameters, arguments(self._call), strict=True):
            variable = named.get(parameter.name)
            if variable is None:
                continue
            place = self._place(variable, argument)
            if place is None:
                name = variable.name + self._suffix
                lines.append(_declared(variable, name, argument))
                edits += [replace(use, name) for use in variable.uses]
            else:
                edits += place
        return lines, edits

    def _renamed(self) -> Iterator[Edit[str]]:
        for variable in self._variables.all:
            if not variable.parameter:
                names = list(find(variable.declarator, "identifier"))[:1]
                yield from (replace(item, variable.name + self._suffix) for item in (*names, *variable.uses))

    def _texts(self, nodes: Sequence[Node], edits: Iterable[Edit[str]]) -> list[str]:
        text, made = self._function.text, list(edits)
        return [in_a_line(apply_outermost(text, made, node.start_byte, node.end_byte)) for node in nodes]

    def _returned(self) -> Node | None:
        """Return the value of the only return, the last statement; None where nothing is returned."""
        found = [item for item in self._function.statements if item.type != "comment"]
        guards = [item.id for item in takewhile(_leaves, found)]
        returns = [
            item
            for item in find(self._function.body, "return_statement")
            if not any(around.id in guards for around in ancestors(item))
        ]
        if not returns:
            return None
        last = found[-1]
        if len(returns) > 1 or last.id != returns[0].id or not returns[0].named_children:
            raise Closed
        return returns[0].named_children[0]

    def _place(self, variable: Variable, argument: Node) -> list[Edit[str]] | None:
        """Return the edits by which a parameter is what it leads to around the call; None for other ones."""
        if variable.reference:
            if argument.type != "identifier" and "const" in variable.type:
                return None
            if argument.type != "identifier":
                self._settle(argument)
            return [replace(use, source(argument)) for use in variable.uses]
        if argument.type != "pointer_expression" or operator(argument) != "&":
            return None
        aim = field(argument, "argument")
        if aim.type != "identifier":
            return None
        led = self._outer.of(aim)
        if led is None or led.array or variable.writes:
            raise Closed
        return [replace(_followed(use), source(aim)) for use in variable.uses]

    def _settle(self, place: Node) -> None:
        """Raise Closed for what is no element, or where the call may change which one it is."""
        if place.type != "subscript_expression" or field(place, "argument").type != "identifier":
            raise Closed
        number = subscript(place)
        given = {source(item).removeprefix("&").strip() for item in arguments(self._call)}
        if any(source(item) in given for item in find(number, "identifier")):
            raise Closed
        if any(True for _ in find(number, "subscript_expression", "call_expression")):
            raise Closed


def _leaves(statement: Node) -> bool:
    """Tell whether a statement does nothing but leave the function, with no value, under a condition."""
    if statement.type != "if_statement" or alternative(statement) is not None:
        return False
    inner = [item for item in block_statements(consequence(statement)) if item.type != "comment"]
    return len(inner) == 1 and inner[0].type == "return_statement" and not inner[0].named_children


def _followed(use: Node) -> Node:
    """Return the expression that is what a pointer leads to; raises Closed where it is used otherwise."""
    around = use.parent
    if around is not None and around.type == "pointer_expression" and operator(around) == "*":
        return around
    if around is not None and around.type == "subscript_expression" and source(subscript(around)) == "0":
        return around
    raise Closed


def _declared(variable: Variable, name: str, argument: Node) -> str:
    """Return the declaration of a parameter as a variable; raises Closed for rows and functions."""
    shape = source(variable.shape)
    if "(" in shape or shape.count("[") + shape.count("*") > 1:
        raise Closed
    star = "*" if "[" in shape or "*" in shape else ""
    return f"{variable.type} {star}{name} = {in_a_line(_begun(argument))};"


def _begun(argument: Node) -> str:
    """Return an argument; ``&a[i]`` as ``a + (i)``."""
    aim = field(argument, "argument") if argument.type == "pointer_expression" else None
    if aim is None or operator(argument) != "&" or aim.type != "subscript_expression":
        return source(argument)
    base = field(aim, "argument")
    return f"{source(base)} + ({source(subscript(aim))})" if base.type == "identifier" else source(argument)


def in_a_line(text: str) -> str:
    """Return a text without ends of lines."""
    return re.sub(r"\s*\n\s*", " ", text).strip()
