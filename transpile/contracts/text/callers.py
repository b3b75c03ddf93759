"""The calls of a function that stand in its source: what is passed, and how long the arrays behind it are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.lexer import tokenize
from transpile.code.trees import descendants, grammar_of, parse, text
from transpile.contracts.text.constants import constants_for
from transpile.contracts.text.text_variables import Surroundings, Variables
from transpile.core import Signature, Source, Unit

_SWAPPING = frozenset(("swap", "exchange", "tie", "getline"))
"""Functions of the library that take what they change by reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A call, in expressions over what the caller knows; what cannot be told is absent."""

    scalars: Mapping[str, str]
    """By parameter."""
    lengths: Mapping[str, str]
    """Elements behind a pointer, by parameter."""


def calls_of(source: Source, unit: Unit, signature: Signature) -> tuple[Passed, ...]:
    """Return all calls of a function in its source; none where it may be called in ways that are not seen."""
    name = unit.name.rpartition("::")[2]
    alike = [item for item in source.units if item.name.rpartition("::")[2] == name]
    if len(alike) > 1 or signature.assembly is not None or _beyond_functions(source, name):
        return ()
    found: list[Passed] = []
    for caller in source.units:
        if name.encode("utf-8", "surrogateescape") not in caller.text:
            continue
        root = parse(caller.text, grammar_of(caller.path)).root_node
        calls = list(_calls(root, name, own=caller.id == unit.id))
        if None in calls or root.has_error:
            return ()
        if calls:
            around = _surroundings(source, caller, unit, signature)
            variables = Variables(root, around)
            found += [_passed(variables, call, signature) for call in calls if call is not None]
    return tuple(found)


def _beyond_functions(source: Source, name: str) -> bool:
    """Tell whether a macro, a table or an initialiser at file scope names the function."""
    word = name.encode("utf-8", "surrogateescape")
    for path, data in source.files.items():
        if word not in data:
            continue
        tokens = tokenize(data)
        if any(token.text == word for macro in tokens.macros for token in macro.body):
            return True
        inside = [item.span for item in source.units if item.path == path]
        for node in descendants(parse(data, grammar_of(path)).root_node, "identifier", "field_identifier"):
            if text(node) != name or any(span.start <= node.start_byte < span.end for span in inside):
                continue
            if node.parent is None or node.parent.type != "function_declarator":
                return True
    return False


def _calls(root: Node, name: str, *, own: bool) -> Iterator[Node | None]:
    """Yield the arguments of every call; None where the name stands for anything else than a call."""
    for node in descendants(root, "identifier", "field_identifier"):
        if text(node) != name or node.parent is None:
            continue
        around = node.parent
        while around.type == "qualified_identifier" and around.parent is not None:
            around = around.parent
        callee = around.child_by_field_name("function")
        if around.type == "call_expression" and callee is not None and callee.end_byte == node.end_byte:
            yield around.child_by_field_name("arguments")
        elif around.type != "function_declarator" or (own and around.parent is None):
            yield None


def _passed(variables: Variables, arguments: Node, signature: Signature) -> Passed:
    scalars: dict[str, str] = {}
    lengths: dict[str, str] = {}
    given = [item for item in arguments.named_children if item.type != "comment"]
    for node, parameter in zip(given, signature.parameters, strict=False):
        if not parameter.pointer:
            number = variables.number(node)
            if number is not None:
                scalars[parameter.name] = number
        elif parameter.element is not None and parameter.element.size:
            size = variables.size(node)
            if size is not None:
                lengths[parameter.name] = f"({size}) / {parameter.element.size}"
    return Passed(scalars=scalars, lengths=lengths)


def altering(source: Source) -> frozenset[str]:
    """Return the functions that may change what they are given without its address: by reference."""
    units = (item for item in source.units if b"&" in item.text.partition(b"{")[0])
    return _SWAPPING.union(item.name.rpartition("::")[2] for item in units)


def _surroundings(source: Source, caller: Unit, unit: Unit, signature: Signature) -> Surroundings:
    constants = constants_for(source, caller)
    changing = altering(source)
    sizes = {item.element.spelling: item.element.size for item in signature.parameters if item.element}

    def alters(callee: str) -> bool:
        return callee.rpartition("::")[2] in changing

    return Surroundings(constant=constants.get, alters=alters, sizes=sizes)
