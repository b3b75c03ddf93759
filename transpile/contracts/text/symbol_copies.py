"""Host variables that a program copies into constant memory: what kernels find there at a launch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.trees import ancestors, descendants, text
from transpile.contracts.text.host_values import CHOICES, function_at, root_of, settings_of
from transpile.core import LaunchSite, Signature, Source
from transpile.parsers.files.discovery import is_code

_COPIES = ("cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync")
_OTHERWISE = ("cudaGetSymbolAddress",)
_DECLARED = ("declaration", "parameter_declaration", "optional_parameter_declaration")
_WITHOUT_OFFSET = 3
"""Arguments of a copy that begins at the variable's first byte."""


def copied(
    source: Source, launch: LaunchSite, signature: Signature, altering: frozenset[str]
) -> dict[str, str]:
    """Return the host's texts, at a launch, for numbers that the kernel finds in constant memory.

    One copy of the program sets each, on every way to the launch, from a variable that keeps its value.

    Args:
        source: The program.
        launch: The launch.
        signature: Of the kernel.
        altering: Functions that may change what they are given.
    """
    found: dict[str, str] = {}
    constant = {item.name for item in signature.globals if item.constant}
    for parameter in signature.parameters:
        variable, dot, member = parameter.name.partition(".")
        if parameter.outside and variable in constant:
            name = _copied(source, launch, variable, member, altering)
            if name is not None:
                found[parameter.name] = name + dot + member
    return found


def _copied(
    source: Source, launch: LaunchSite, variable: str, member: str, altering: frozenset[str]
) -> str | None:
    """Return the host variable that a variable of the device is a copy of; None where that is not certain."""
    copies = [
        (path, call)
        for path, data in source.files.items()
        if is_code(path) and variable.encode() in data and b"Symbol" in data
        for call in _setting(root_of(path, data), variable)
    ]
    if len(copies) != 1 or copies[0][0] != launch.path:
        return None
    [(_, copy)] = copies
    name = _source_of(copy)
    if name is None or not _leads_to(copy, launch.span.start):
        return None
    function = function_at(copy, copy.start_byte)
    known = [*settings_of(function, name, altering), *settings_of(function, f"{name}.{member}", altering)]
    declared = any(item.node.type in _DECLARED for item in known)
    later = (item.node for item in known if item.node.start_byte >= copy.start_byte)
    kept = all(any(_is_copy(around) for around in ancestors(node)) for node in later)
    return name if declared and kept else None


def _setting(root: Node, variable: str) -> Iterator[Node]:
    """Yield the calls by which a program may set a variable of a device."""
    for call in descendants(root, "call_expression"):
        given = _arguments(call)
        by_address = text(call.child_by_field_name("function")) in _OTHERWISE
        set_here = given[:1] if _is_copy(call) else given if by_address else []
        if variable in map(_bare, set_here):
            yield call


def _is_copy(node: Node) -> bool:
    return node.type == "call_expression" and text(node.child_by_field_name("function")) in _COPIES


def _arguments(call: Node) -> list[str]:
    listed = call.child_by_field_name("arguments")
    return [text(item) for item in listed.named_children if item.type != "comment"] if listed else []


def _bare(argument: str) -> str:
    return argument.strip("&() ")


def _source_of(copy: Node) -> str | None:
    """Return the variable that a copy takes whole, from its first byte."""
    given = _arguments(copy) if _is_copy(copy) else []
    if len(given) < _WITHOUT_OFFSET or (len(given) > _WITHOUT_OFFSET and given[_WITHOUT_OFFSET] != "0"):
        return None
    taken = re.fullmatch(r"&\s*([A-Za-z_]\w*)", given[1].strip())
    return taken[1] if taken else None


def _leads_to(copy: Node, place: int) -> bool:
    """Tell whether a copy is made on every way to a place behind it."""
    if copy.start_byte >= place:
        return False
    for node in ancestors(copy):
        if node.type == "compound_statement":
            return node.end_byte > place
        condition = node.child_by_field_name("condition")
        in_condition = condition is not None and condition.start_byte <= copy.start_byte < condition.end_byte
        if node.type in CHOICES and not in_condition:
            return False
    return False
