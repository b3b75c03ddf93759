"""Kernels that print text which is the same whoever prints it: whole numbers, letters and strings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from transpile.code.trees import descendants, parse, text

_CALLS = ("printf", "::printf", "std::printf")
_ALIKE = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlzjt])?[diouxXcs]|%%|[^%]")
"""Digits of floating numbers depend on how they were computed, and pointers on where memory is."""


def prints(texts: Iterable[bytes]) -> bool:
    """Tell whether code prints, and whole numbers, letters and strings alone, by formats that it spells."""
    calls = [
        node
        for code in texts
        if b"printf" in code
        for node in descendants(parse(code).root_node, "call_expression")
        if text(node.child_by_field_name("function")) in _CALLS
    ]
    return bool(calls) and all(_is_alike(node) for node in calls)


def _is_alike(call: Node) -> bool:
    listed = call.child_by_field_name("arguments")
    first = next((item for item in listed.named_children if item.type != "comment"), None) if listed else None
    if first is None or first.type not in ("string_literal", "concatenated_string"):
        return False
    parts = [first] if first.type == "string_literal" else first.named_children
    if any(item.type not in ("string_literal", "comment") for item in parts):
        return False
    words = "".join(text(item) for item in parts if item.type == "string_literal")
    return re.fullmatch(f"(?:{_ALIKE.pattern})*", words, re.DOTALL) is not None
