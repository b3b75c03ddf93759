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
_COMPUTED = frozenset({"binary_expression", "unary_expression", "call_expression"})
_COMPLEX = re.compile(rb"\bcomplex[ \t]*[<>]")
"""The type, or its header: operators and functions that are in no file return such numbers."""


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


def has_complex_numbers(data: bytes) -> bool:
    """Tell whether a text names the complex numbers of a library."""
    return _COMPLEX.search(data) is not None


@lru_cache(maxsize=4096)
def with_copies(data: bytes, calls: Calls, *, computed: bool) -> bytes:
    """Return a text of C++ whose calls pass copies of elements, and copy what becomes one. No line moves.

    Args:
        data: The text.
        calls: What calls of known functions pass.
        computed: Whether all that is computed and becomes an element is copied, whatever computes it.
    """
    if not calls and not computed:
        return data
    known = {name: (places, returns) for name, places, returns in calls}
    root = parse(data).root_node
    spans = {
        (copied.start_byte, copied.end_byte)
        for node in descendants(root, "call_expression")
        if (name := last_name(text(node.child_by_field_name("function")))) in known and _is_run(node)
        for copied in _copied(node, *known[name])
    }
    if computed:
        values = filter(_becomes_an_element, descendants(root, *_COMPUTED))
        spans |= {(node.start_byte, node.end_byte) for node in values if _is_run(node)}
    edits = [
        edit for start, end in sorted(spans) for edit in (Edit(start, start, _OPEN), Edit(end, end, _CLOSE))
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


def _becomes_an_element(value: Node) -> bool:
    parent = value.parent
    if parent is None or parent.type != "assignment_expression":
        return False
    left, right = (parent.child_by_field_name(side) for side in ("left", "right"))
    plain = text(parent.child_by_field_name("operator")) in ("", "=")
    return left is not None and left.type in _IN_MEMORY and right == value and plain
