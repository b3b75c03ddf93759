"""Loops that try a compare-and-swap again: whether they go round is chance, and nothing else is behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from transpile.parsers.syntax import descendants, text

_BUILTIN = re.compile(r"__atomic_compare_exchange_n")
_MEMBER = re.compile(r"(\w+(?:\[[^][]*\])?)\.compare_exchange_(?:weak|strong)")


def is_retry(loop: Node) -> bool:
    """Tell whether a loop without a body swaps until nobody came between.

    Then ``expected`` holds what is there now, and what is to be stored is made of it anew. Where that is made
    of something else that was read there, another thread's update would be lost: such a loop needs a trial.
    """
    body, condition = loop.child_by_field_name("body"), loop.child_by_field_name("condition")
    if loop.type != "while_statement" or body is None or condition is None or not _is_empty(body):
        return False
    negated = condition.named_children[0] if condition.named_child_count == 1 else condition
    call = negated.child_by_field_name("argument") if negated.type == "unary_expression" else None
    if call is None or not text(negated).startswith("!") or call.type != "call_expression":
        return False
    return _is_swap(call, loop)


def _is_empty(body: Node) -> bool:
    return text(body).replace(" ", "").replace("\n", "") in ("{}", ";")


def _is_swap(call: Node, loop: Node) -> bool:
    name, listed = text(call.child_by_field_name("function")), call.child_by_field_name("arguments")
    arguments = [] if listed is None else [item for item in listed.named_children if item.type != "comment"]
    member = _MEMBER.fullmatch(name)
    if member is not None and len(arguments) >= 2:
        return _made_anew(text(arguments[0]), member[1], arguments[1], loop)
    if _BUILTIN.fullmatch(name) and len(arguments) == 6 and text(arguments[1]).startswith("&"):
        place = text(arguments[0]).removeprefix("&")
        return _made_anew(text(arguments[1])[1:], place, arguments[2], loop)
    return False


def _made_anew(expected: str, place: str, desired: Node, loop: Node) -> bool:
    """Tell whether what is stored is made of what was expected, and of nothing else that was read there."""
    names = {
        text(item) for item in (desired, *descendants(desired, "identifier")) if item.type == "identifier"
    }
    calls = [
        item for item in (desired, *descendants(desired, "call_expression")) if item.type == "call_expression"
    ]
    if expected not in names or calls:
        return False
    stale = {expected, *re.findall(r"[A-Za-z_]\w*", place)}
    return all(_is_apart(name, stale, loop) for name in names - {expected})


def _is_apart(name: str, stale: set[str], loop: Node) -> bool:
    """Tell whether no value that a function gives to a variable mentions one of some names."""
    function = loop
    while function.parent is not None and function.type != "function_definition":
        function = function.parent
    return not any(stale & _words(item) for item in _given(function, name))


def _given(function: Node, name: str) -> Sequence[Node]:
    fields = {"init_declarator": ("declarator", "value"), "assignment_expression": ("left", "right")}
    found = []
    for node in descendants(function, *fields):
        target, value = (node.child_by_field_name(field) for field in fields[node.type])
        if target is not None and value is not None and name in _words(target):
            found.append(value)
    return found


def _words(node: Node) -> set[str]:
    return {*re.findall(r"[A-Za-z_]\w*", text(node))}
