"""``const auto &p = points[i];``: a name for an element, as the element that it names."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import (
    LOOPS,
    Function,
    ancestors,
    field,
    find,
    inside,
    replace,
    source,
    subscript,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.places import in_block
from transpile.translators.loops.symbols.containers import elements, stays
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import type_of

_MOVING = (
    *("call_expression", "subscript_expression", "pointer_expression", "field_expression"),
    *("assignment_expression", "update_expression", "conditional_expression"),
)


def with_named_elements(function: Function, around: EnclosingScope) -> str | None:
    """Return the text without one of its references to elements in loops; None where there is none."""
    variables = resolve(function, around.refers)
    for reference in variables.all:
        edits = list(_edits(function, reference, variables))
        if edits:
            return function.edited(edits)
    return None


def _edits(function: Function, reference: Variable, variables: Variables) -> Iterator[Edit[str]]:
    declaration, place = reference.declaration, reference.initializer
    if not reference.reference or reference.static or place is None or declaration.type != "declaration":
        return
    if not in_block(declaration) or not any(parent.type in LOOPS for parent in ancestors(declaration)):
        return
    declared = [item for item in variables.all if item.declaration.id == declaration.id]
    hidden = any(find(reference.scope, "lambda_expression"))
    if len(declared) != 1 or hidden or not _is_kept(reference, unparenthesized(place), variables):
        return
    start = len(function.text[: declaration.start_byte].rstrip())
    yield Edit(start, declaration.end_byte, "")
    yield from (replace(use, source(place)) for use in reference.uses)


def _is_kept(reference: Variable, place: Node, variables: Variables) -> bool:
    """Tell whether an expression is one element of the reference's own type as long as the name is known."""
    if place.type != "subscript_expression":
        return False
    base = variables.of(unparenthesized(field(place, "argument")))
    index = subscript(place)
    if base is None or any(True for _ in find(index, *_MOVING)):
        return False
    known = [variables.of(name) for name in find(index, "identifier")]
    held = elements(base) or type_of(place, variables)
    stands = stays(base, reference.scope) if elements(base) else not (base.pointer and base.writes)
    return (
        reference.bare in ("auto", held)
        and bool(held)
        and stands
        and not base.escapes
        and not _is_hidden(base, reference.scope, variables)
        and all(item is not None and _is_fixed(item, reference.scope, variables) for item in known)
    )


def _is_fixed(variable: Variable, scope: Node, variables: Variables) -> bool:
    """Tell whether a variable keeps its value in a part of a function, and its name."""
    changed = variable.escapes or variable.reference or any(inside(write, scope) for write in variable.writes)
    return not changed and not _is_hidden(variable, scope, variables)


def _is_hidden(variable: Variable, scope: Node, variables: Variables) -> bool:
    others = (item for item in variables.all if item is not variable and item.name == variable.name)
    return any(inside(item.declaration, scope) for item in others)
