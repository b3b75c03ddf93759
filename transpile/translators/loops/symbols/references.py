"""References to structs as pointers: what is known of members behind pointers holds behind references, too.

With ``Grid &g`` analysis looks at ``g->nx`` in the place of ``g.nx``. What comes through a translation is
spelled again as the author spelled it.
"""

from __future__ import annotations

from collections import Counter

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, field, operator, replace, source
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.expansions import Spelling


def with_pointers(text: str, around: EnclosingScope) -> tuple[str, tuple[Spelling, ...]]:
    """Return a function whose references to structs are pointers, and how these are spelled."""
    function = Function(text)
    variables = resolve(function, around.refers, around.words)
    edits, spellings = list[Edit[str]](), dict[Spelling, None]()
    for variable in (item for item in variables.all if _leads_to_struct(item, variables, around)):
        places = [(_mark(variable.shape, "&"), "*")]
        places += [(_mark(_member(use), "."), "->") for use in variable.uses]
        edits += [replace(node, written) for node, written in places]
        wholes = [variable.declaration, *map(_member, variable.uses)]
        for whole, (node, written) in zip(wholes, places, strict=True):
            own, at = source(whole), node.start_byte - whole.start_byte
            spellings[Spelling(own, own[:at] + written + own[at + 1 :])] = None
    return function.edited(edits), tuple(spellings)


def _leads_to_struct(variable: Variable, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a parameter is a reference to a struct of which members are named, and nothing else is."""
    alone = Counter(item.name for item in variables.all)[variable.name] == 1
    if not alone or not variable.parameter or elements(variable) is not None:
        return False
    known = any(name.startswith(f"{variable.name}.") for name in (*around.numbers, *around.pointers))
    plain = source(variable.shape).replace(" ", "") == f"&{variable.name}"
    named = bool(variable.uses) and not variables.in_macros(variable)
    return known and plain and named and all(map(_names_member, variable.uses))


def _names_member(use: Node) -> bool:
    parent = use.parent
    return (
        parent is not None
        and parent.type == "field_expression"
        and operator(parent) == "."
        and field(parent, "argument").id == use.id
    )


def _member(use: Node) -> Node:
    assert use.parent is not None
    return use.parent


def _mark(node: Node, sign: str) -> Node:
    return next(child for child in node.children if child.type == sign)
