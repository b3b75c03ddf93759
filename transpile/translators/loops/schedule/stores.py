"""Sums that a variable holds until they are stored: ``s = 0; for (...) s += e; x[i] = s;`` adds to ``x[i]``.

Loops around such a variable wait for it; with the element itself in its place they may change places.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, field, find, inside, operator, replace, source
from transpile.code.types import bare
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.reductions.reductions import FLOATING

_UPDATES = ("+=", "-=")


def stored(function: Function, variables: Variables, nest: Node) -> str | None:
    """Return the function's text with such sums of a nest in their elements; None where there is none.

    Each element is written earlier than before: nothing reads its array meanwhile, where arrays lie apart.
    """
    edits = [edit for block in find(nest, "compound_statement") for edit in _edits(block, variables)]
    return function.edited(edits) if edits else None


def _edits(block: Node, variables: Variables) -> Iterator[Edit[str]]:
    statements = [item for item in block.named_children if item.type != "comment"]
    if [item.type for item in statements[1:]] != ["for_statement", "expression_statement"]:
        return
    begun, loop, ended = statements
    start, store = _start(begun, variables), ended.named_children[0]
    if start is None or store.type != "assignment_expression" or operator(store) != "=":
        return
    variable, value = start
    target = field(store, "left")
    updates = list(_updates(variable, loop))
    if source(field(store, "right")) != variable.name or not _holds(variable, target, variables):
        return
    base, place = _base(target), source(target)
    if (
        not updates
        or base is None
        or _names(base, loop)
        or _names(base, value)
        or _moves(target, loop, variables)
    ):
        return
    rest = {field(update, "left").id for update, _ in updates} | {field(store, "right").id}
    others = [use for use in variable.uses if use.id not in rest and not inside(use, begun)]
    if others or any(_names(variable.name, item) for _, item in updates):
        return
    yield replace(begun, f"{place} = {source(value)};")
    for update, _ in updates:
        yield replace(field(update, "left"), place)
    yield Edit(loop.end_byte, ended.end_byte, "")


def _start(begun: Node, variables: Variables) -> tuple[Variable, Node] | None:
    """Return the variable that a statement sets, and to what; None for other statements."""
    parts = begun.named_children[1:] if begun.type == "declaration" else begun.named_children
    if len(parts) != 1:
        return None
    [first] = parts
    if begun.type == "declaration" and first.type == "init_declarator":
        name, value = field(first, "declarator"), field(first, "value")
    elif begun.type == "expression_statement" and first.type == "assignment_expression":
        name, value = field(first, "left"), field(first, "right")
        if operator(first) != "=":
            return None
    else:
        return None
    known = [item for item in variables.all if item.name == name.text.decode("latin-1")] if name.text else []
    if name.type != "identifier" or len(known) != 1 or known[0].parameter or known[0].escapes:
        return None
    return known[0], value


def _updates(variable: Variable, loop: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the statements of a loop that add to a variable, and what they add."""
    for node in find(loop, "assignment_expression"):
        left = field(node, "left")
        whole = node.parent is not None and node.parent.type == "expression_statement"
        if source(left) == variable.name and whole and operator(node) in _UPDATES:
            yield node, field(node, "right")


def _holds(variable: Variable, target: Node, variables: Variables) -> bool:
    """Tell whether an element is of the variable's type, and of an array that callers handed over."""
    base = _base(target)
    known = [item for item in variables.all if item.name == base and item.parameter and item.pointer]
    if len(known) != 1 or target.type != "subscript_expression":
        return False
    element = " ".join(word for word in known[0].type.split() if "restrict" not in word)
    return bare(element) == variable.bare and variable.bare in FLOATING


def _moves(target: Node, loop: Node, variables: Variables) -> bool:
    """Tell whether an element is another one after a loop than it is before."""
    used = [variables.of(node) for node in find(target, "identifier")]
    return any(
        item is None or item.escapes or any(inside(node, loop) for node in (*item.writes, item.declaration))
        for item in used
    )


def _base(target: Node) -> str | None:
    while target.type == "subscript_expression":
        target = field(target, "argument")
    return source(target) if target.type == "identifier" else None


def _names(name: str, node: Node) -> bool:
    return any(source(item) == name for item in find(node, "identifier"))
