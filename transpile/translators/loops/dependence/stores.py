"""Values that writes store, where all iterations that write an element store the same one."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.polynomial import names
from transpile.code.syntax import field, find, inside, operator, source, squeeze, subscript, unparenthesized
from transpile.code.types import bare
from transpile.code.variables import Variables
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop, steady
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import is_number, type_of

_TRUTHS = ("bool", "_Bool")
_CHANGING = ("assignment_expression", "update_expression", "call_expression")


def stored(access: Access, loop: Loop, values: Values, around: EnclosingScope) -> str:
    """Return what a write stores, with the type, where only the element decides it; empty where more does.

    All iterations of the loop that store what has one such name in an element leave the same there. Where
    an element is reached by loops' variables alone, loops are better told apart than made to agree.
    """
    write, variables = access.node.parent, values.variables
    counted = any(item is not None and names(item) & values.varying for item in access.subscripts)
    if not access.write or access.update or counted or write is None or not _is_plain(write):
        return ""
    target, value = field(write, "left"), unparenthesized(field(write, "right"))
    kind = _element(target, variables)
    atomic = kind in _TRUTHS or kind in around.types or (is_number(kind) and kind != "longdouble")
    if not atomic or not (_is_its_number(value, access, variables) or _keeps(value, loop, variables, around)):
        return ""
    return f"{kind} {squeeze(source(value))}"


def _is_plain(write: Node) -> bool:
    """Tell whether a node is an assignment, and a statement of its own."""
    assigns = write.type == "assignment_expression" and operator(write) == "="
    return assigns and write.parent is not None and write.parent.type == "expression_statement"


def _element(target: Node, variables: Variables) -> str:
    """Return the type of an element; empty where it is not known."""
    if target.type != "subscript_expression":
        return ""
    variable = variables.of(unparenthesized(field(target, "argument")))
    held = elements(variable) if variable is not None else None
    return type_of(target, variables) if held is None else bare(held)


def _is_its_number(value: Node, access: Access, variables: Variables) -> bool:
    """Tell whether a value is the number of the element that it is stored in: ``last[k] = k``."""
    target = unparenthesized(access.node)
    named = variables.of(unparenthesized(field(target, "argument"))) is access.variable
    own = named and len(access.subscripts) == 1 and not any(find(value, *_CHANGING))
    return own and squeeze(source(value)) == squeeze(source(unparenthesized(subscript(target))))


def _keeps(value: Node, loop: Loop, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether an expression is worth the same in all iterations of a loop."""
    used = [variables.of(name) for name in find(value, "identifier")]
    within = any(item is not None and inside(item.declaration, loop.node) for item in used)
    return value.type != "initializer_list" and not within and steady(value, loop.node, variables, around)
