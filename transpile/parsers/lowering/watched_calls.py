"""Calls of functions that are not inlined: the structs that they pass and return are assigned beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce

from tree_sitter import Node

from transpile.code.edits import Edit, apply
from transpile.code.trees import ancestors, descendants, parse, text

_OPEN, _CLOSE = b"({ auto simt_copy = ", b"; static_cast<decltype(simt_copy) &&>(simt_copy); })"
_IN_MEMORY = frozenset({"subscript_expression", "pointer_expression", "field_expression"})
"""Expressions that an access to an array may stand in, where no call has made a value of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """The structs that a function takes and returns by value."""

    name: str
    places: frozenset[int]
    """Of its parameters."""
    returns: bool
    inlined: bool


Calls = frozenset[tuple[str, frozenset[int], bool]]
"""Names of functions, each with the arguments to copy and whether its result is copied."""


def common(definitions: Iterable[Passing]) -> Calls:
    """Return what calls by a name pass in any case, for names that are not always inlined."""
    by_name: dict[str, list[Passing]] = {}
    for item in definitions:
        by_name.setdefault(item.name, []).append(item)
    found: list[tuple[str, frozenset[int], bool]] = []
    for name, items in by_name.items():
        places = reduce(frozenset[int].intersection, (item.places for item in items))
        returns = all(item.returns for item in items)
        if (places or returns) and not all(item.inlined for item in items):
            found.append((name, places, returns))
    return frozenset(found)


@lru_cache(maxsize=4096)
def with_copies(data: bytes, calls: Calls) -> bytes:
    """Return a text of C++ whose calls pass copies of elements, and copy what becomes one. No line moves."""
    if not calls:
        return data
    known = {name: (places, returns) for name, places, returns in calls}
    edits = [
        edit
        for node in descendants(parse(data).root_node, "call_expression")
        if (name := last_name(text(node.child_by_field_name("function")))) in known and _is_run(node)
        for copied in _copied(node, *known[name])
        for edit in (
            Edit(copied.start_byte, copied.start_byte, _OPEN),
            Edit(copied.end_byte, copied.end_byte, _CLOSE),
        )
    ]
    return apply(data, edits) if edits else data


def last_name(name: str) -> str:
    """Return a name without namespaces, objects and template arguments."""
    return re.split(r"::|\.|->", name.partition("<")[0])[-1].strip()


def _is_run(call: Node) -> bool:
    """Tell whether a call stands in the body of a function, and is no constant."""
    around = next((node for node in ancestors(call) if node.type == "function_definition"), None)
    body = None if around is None else around.child_by_field_name("body")
    if around is None or body is None or not body.start_byte <= call.start_byte < body.end_byte:
        return False
    return b"constexpr" not in (around.text or b"")[: body.start_byte - around.start_byte]


def _copied(call: Node, places: frozenset[int], returns: bool) -> Iterator[Node]:
    """Yield the expressions at a call that are copied."""
    if returns and _becomes_an_element(call):
        yield call
    given = call.child_by_field_name("arguments")
    for place, argument in enumerate(given.named_children if given is not None else ()):
        if place in places and argument.type in _IN_MEMORY:
            yield argument


def _becomes_an_element(call: Node) -> bool:
    parent = call.parent
    left = parent.child_by_field_name("left") if parent and parent.type == "assignment_expression" else None
    return left is not None and left.type in _IN_MEMORY
