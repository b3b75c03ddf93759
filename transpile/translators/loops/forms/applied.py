"""Callables given to algorithms of the standard library, as expressions or statements of a loop."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import apply_outermost
from transpile.code.syntax import Function, field, find, inside, replace, source, squeeze
from transpile.code.variables import Variable, Variables

_FUNCTOR = re.compile(r"std::(plus|multiplies|logical_and|logical_or)<(.*)>(?:\(\)|{})")
_OPERATORS = {"plus": "+", "multiplies": "*", "logical_and": "&&", "logical_or": "||"}
_LEAVING = ("return_statement", "lambda_expression", "goto_statement")
_CHANGES = ("assignment_expression", "update_expression", "lambda_expression")
_PLAIN = ("[", "]", "lambda_default_capture", "identifier", "&", ",")


@dataclass(frozen=True, slots=True)
class Argument:
    """What takes the place of a parameter, and its type, squeezed."""

    text: str
    kind: str


def value(function: Function, given: Node, arguments: Sequence[Argument], variables: Variables) -> str | None:
    """Return what a function, a functor or a lambda makes of arguments; None where that is no expression."""
    if given.type == "identifier" and variables.of(given) is None:
        return f"{source(given)}({', '.join(item.text for item in arguments)})"
    functor = _FUNCTOR.fullmatch(squeeze(source(given)))
    if functor is not None and len(arguments) == 2 and functor[2] in ("", "void", arguments[0].kind):
        return f"{arguments[0].text} {_OPERATORS[functor[1]]} {arguments[1].text}"
    taken = _taken(given, arguments, variables)
    if taken is None:
        return None
    held = [item for item in field(given, "body").named_children if item.type != "comment"]
    if len(held) != 1 or held[0].type != "return_statement" or len(held[0].named_children) != 1:
        return None
    [result] = held[0].named_children
    if any(True for _ in find(result, *_CHANGES)):
        return None
    return f"({_filled(function, result, taken)})"


def block(function: Function, given: Node, argument: Argument, variables: Variables) -> str | None:
    """Return what a lambda does with an element, as a block; None where it is left before its end."""
    taken = _taken(given, [argument], variables)
    if taken is None:
        return None
    body, [parameter] = field(given, "body"), taken
    if any(True for _ in find(body, *_LEAVING)):
        return None
    if parameter.reference:
        return _filled(function, body, taken)
    return f"{{ {source(parameter.declaration)} = {argument.text};{source(body)[1:]}"


def _taken(
    given: Node, arguments: Sequence[Argument], variables: Variables
) -> Mapping[Variable, Argument] | None:
    """Return the parameters of a lambda with what each stands for; None where a conversion would be lost."""
    if given.type != "lambda_expression" or any(
        child.type not in _PLAIN for child in field(given, "captures").children
    ):
        return None
    declarator = given.child_by_field_name("declarator")
    if declarator is None or len(declarator.children) != 1:  # a type of its own for the result, or `mutable`
        return None
    listed = field(declarator, "parameters").named_children
    found = [
        next((item for item in variables.all if item.declaration.id == node.id), None) for node in listed
    ]
    if len(found) != len(arguments):
        return None
    taken = {item: argument for item, argument in zip(found, arguments, strict=True) if item is not None}
    if len(taken) != len(arguments) or not all(_is_same(*pair) for pair in taken.items()):
        return None
    return taken


def _is_same(parameter: Variable, argument: Argument) -> bool:
    kind = parameter.bare
    plain = not (parameter.pointer or parameter.array or parameter.escapes)
    return plain and kind in ("auto", argument.kind)


def _filled(function: Function, node: Node, taken: Mapping[Variable, Argument]) -> str:
    edits = [
        replace(use, argument.text)
        for item, argument in taken.items()
        for use in item.uses
        if inside(use, node)
    ]
    return apply_outermost(function.text, edits, node.start_byte, node.end_byte)
