"""``while (i < n) { ...; i++; }`` and ``for (; i < n; i++)`` as loops that say where they begin."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import INTEGER_TYPES
from transpile.code.syntax import Function, condition, field, inside, source
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.nests import moved
from transpile.translators.loops.iteration.places import before, continues, first_changed
from transpile.translators.loops.iteration.starts import start_of
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def as_for(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more loop that begins with its variable; None where there is none."""
    variables = resolve(function, around.refers)
    return first_changed(
        function, lambda node: _edits(function, node, variables), "while_statement", "for_statement"
    )


def _edits(function: Function, node: Node, variables: Variables) -> Iterator[Edit[str]]:
    move = _last(node) if node.type == "while_statement" else node.child_by_field_name("update")
    test = node.child_by_field_name("condition")
    if move is None or test is None or node.child_by_field_name("initializer") is not None:
        return
    step = moved(move.named_children[0] if move.type == "expression_statement" else move, variables)
    if step is None or not _counts(node, step[0]):
        return
    variable = step[0]
    first, head = start_of(variable, node, variables), ""
    if not first:
        first = free_name(function.identifiers, f"{variable.name}_first")
        head = before(function, node, [f"const {variable.type} {first} = {variable.name};"])
    head += f"for ({variable.name} = {first}; "
    if node.type == "for_statement":
        yield Edit(node.start_byte, test.start_byte, head)
        return
    update = source(move).rstrip("; ")
    yield Edit(node.start_byte, test.end_byte, f"{head}{source(condition(node))}; {update})")
    yield Edit(len(function.text[: move.start_byte].rstrip()), move.end_byte, "")


def _last(node: Node) -> Node | None:
    """Return the last statement of a body, where every iteration comes by it."""
    body = field(node, "body")
    statements = [item for item in body.named_children if item.type != "comment"]
    if body.type != "compound_statement" or not statements or continues(node):
        return None
    last = statements[-1]
    return last if last.type == "expression_statement" and last.named_children else None


def _counts(node: Node, variable: Variable) -> bool:
    """Tell whether a variable is tested and moves once an iteration."""
    tested = any(use for use in variable.uses if inside(use, field(node, "condition")))
    plain = not (variable.escapes or variable.static or variable.pointer or variable.reference)
    writes = [write for write in variable.writes if inside(write, node)]
    return tested and plain and len(writes) == 1 and variable.bare in INTEGER_TYPES
