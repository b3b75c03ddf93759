"""Host variables that a program copies into constant memory: what kernels find there at a launch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from transpile.code.brackets import split
from transpile.code.trees import ancestors, descendants, text
from transpile.contracts.text.host_values import CHOICES, Setting, function_at, root_of, settings_of
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
    for variable in signature.globals:
        numbers = [item for item in signature.held if item.name.partition(".")[0] == variable.name]
        copy = _copy(source, launch, variable.name) if numbers and variable.constant else None
        name = _source_of(copy) if copy is not None else None
        if copy is None or name is None or not _is_kept(copy, name, altering):
            continue
        members = [leaf.name for leaf in variable.element.leaves] if variable.element is not None else []
        for number in numbers:
            member = number.name.partition(".")[2]
            text = f"{name}.{member}" if member else name
            if _is_kept(copy, text, altering):
                found[number.name] = _set_from(copy, name, member, members, altering) or text
    return found


def _copy(source: Source, launch: LaunchSite, variable: str) -> Node | None:
    """Return the only call that sets a variable of the device; None where that is not made at each launch."""
    copies = [
        (path, call)
        for path, data in source.files.items()
        if is_code(path) and variable.encode() in data and b"Symbol" in data
        for call in _setting(root_of(path, data), variable)
    ]
    if len(copies) != 1 or copies[0][0] != launch.path:
        return None
    [(_, copy)] = copies
    return copy if _leads_to(copy, launch.span.start) else None


def _settings(copy: Node, name: str, altering: frozenset[str]) -> list[Setting]:
    """Return what sets a name in the function of a copy; what copies it to a device does not."""
    known = settings_of(function_at(copy, copy.start_byte), name, altering)
    return [item for item in known if not any(map(_is_copy, ancestors(item.node)))]


def _is_kept(copy: Node, name: str, altering: frozenset[str]) -> bool:
    """Tell whether a function sets a variable of its own, or a member of one, ahead of a copy alone."""
    whole = _settings(copy, name.partition(".")[0], altering)
    declared = any(item.node.type in _DECLARED for item in whole)
    return declared and all(
        item.node.start_byte < copy.start_byte for item in _settings(copy, name, altering)
    )


def _set_from(
    copy: Node, name: str, member: str, members: Sequence[str], altering: frozenset[str]
) -> str | None:
    """Return the variable that a member of a struct was set from, where that keeps its value, too."""
    single, whole = _settings(copy, f"{name}.{member}", altering), _settings(copy, name, altering)
    setting = single[0] if len(single) == 1 else whole[0] if not single and len(whole) == 1 else None
    if setting is None or setting.adds or not _leads_to(setting.node, copy.start_byte):
        return None
    value = (setting.value or "").strip()
    if not single:
        parts = split(value[1:-1]) if value.startswith("{") else []
        value = parts[members.index(member)].strip() if len(parts) == len(members) else ""
    simple = re.fullmatch(r"[A-Za-z_]\w*", value) is not None
    place = setting.node.start_byte
    kept = simple and all(item.node.start_byte < place for item in _settings(copy, value, altering))
    return value if kept and _is_kept(copy, value, altering) else None


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
