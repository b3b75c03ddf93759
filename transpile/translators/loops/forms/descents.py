"""``for (i = n; i--; )`` and ``while (n-- > 0)``: a test that moves what it tests, as a loop that counts up.

So it goes for unsigned numbers as well, which are never less than zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import INTEGER_TYPES
from transpile.code.syntax import Function, condition, field, inside, operator, source, unparenthesized
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.nests import begun
from transpile.translators.loops.iteration.places import before, beginning, closed, first_changed
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


def counted_up(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more such loop counting up; None where there is none."""
    variables = resolve(function, around.refers)
    return first_changed(
        function, lambda node: _edits(function, node, variables), "while_statement", "for_statement"
    )


def _edits(function: Function, node: Node, variables: Variables) -> Iterator[Edit[str]]:
    if node.child_by_field_name("condition") is None or node.child_by_field_name("update") is not None:
        return
    variable = _falling(condition(node), variables)
    if variable is None or not _only_there(variable, node) or read_after(variable, node):
        return
    start = node.child_by_field_name("initializer")
    given = begun(start, variables) if start is not None else None
    if start is not None and (given is None or given[0] is not variable):
        return
    kind = variable.type
    taken, name = function.identifiers, variable.name
    first, count = free_name(taken, f"{name}_first"), free_name(taken, f"{name}_count")
    value = source(given[1]) if given is not None else variable.name
    head = before(function, node, [f"const {kind} {first} = {value};"])
    body = field(node, "body")
    yield Edit(node.start_byte, closed(node), f"{head}for ({kind} {count} = 0; {count} < {first}; {count}++)")
    if any(inside(use, body) for use in variable.uses):
        own = f"const {kind} " if inside(variable.declaration, node) else ""
        yield from beginning(function, node, f"{own}{variable.name} = {first} - 1 - {count};")


def _falling(test: Node, variables: Variables) -> Variable | None:
    """Return the whole number that a test of ``i--`` or ``i-- > 0`` makes less."""
    if test.type == "binary_expression" and operator(test) == ">" and source(field(test, "right")) == "0":
        test = unparenthesized(field(test, "left"))
    if test.type != "update_expression" or operator(test) != "--" or test.children[0].type == "--":
        return None
    variable = variables.of(unparenthesized(field(test, "argument")))
    return variable if variable is not None and variable.bare in INTEGER_TYPES else None


def _only_there(variable: Variable, node: Node) -> bool:
    """Tell whether nothing but the head of a loop gives a variable a value while it runs."""
    plain = not (variable.escapes or variable.static or variable.pointer or variable.array)
    return (
        plain
        and not variable.reference
        and not any(inside(write, field(node, "body")) for write in variable.writes)
    )
