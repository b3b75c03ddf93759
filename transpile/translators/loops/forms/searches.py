"""``for (...) if (a[i] == x) return i;`` as the first of all hits, with what is done at it behind."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.names import free_name
from transpile.code.syntax import (
    INDENT,
    Function,
    condition,
    indentation,
    inside,
    operator,
    reindent,
    replace,
    source,
)
from transpile.code.variables import Variables, resolve
from transpile.translators.loops.iteration.nests import Loop, counted, leaves_early
from transpile.translators.loops.iteration.places import closed, first_changed
from transpile.translators.loops.iteration.trips import ends
from transpile.translators.loops.reductions.searches import Search, search
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.refusal import Refused


def with_first_hit(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more search that goes through all iterations; None where there is none."""
    variables = resolve(function, around.refers)

    def edits_of(node: Node) -> Iterator[Edit[str]]:
        loop = counted(node, variables, around)
        if loop is None or not leaves_early(loop):
            return
        try:
            found = search(loop, variables, around)
        except Refused:
            return
        yield from _edits(function, found, variables)

    return first_changed(function, edits_of, "for_statement")


def _edits(function: Function, found: Search, variables: Variables) -> Iterator[Edit[str]]:
    loop, text = found.loop, function.text
    up = loop.step > 0
    hit = free_name(function.identifiers, *(("first", "first_hit") if up else ("last", "last_hit")))
    indent = indentation(text, loop.node.start_byte)
    yield Edit(loop.node.start_byte, loop.node.start_byte, f"{found.kind} {hit} = {ends(loop)[1]};\n{indent}")
    test = f"({source(found.test)})" if operator(found.test) == "||" else source(found.test)
    name, sign = loop.variable.name, "<" if up else ">"
    lines = [source(item) for item in found.given]
    lines.append(f"if ({name} {sign} {hit} && {test}) {hit} = {name};")
    body = "".join(f"\n{indent}{INDENT}{line}" for line in lines)
    yield Edit(closed(loop.node), loop.body.end_byte, f" {{{body}\n{indent}}}")
    done = "".join(f"\n{indent}{INDENT}{line}" for line in _at_the_hit(function, found, hit, variables))
    if done:
        again = _renamed(text, condition(loop.node), loop, hit)
        yield Edit(loop.node.end_byte, loop.node.end_byte, f"\n{indent}if ({again}) {{{done}\n{indent}}}")


def _at_the_hit(function: Function, found: Search, hit: str, variables: Variables) -> Iterator[str]:
    """Yield what is done at the hit, where the loop's variable is what it was."""
    loop, text = found.loop, function.text
    variable, inner = loop.variable, indentation(text, loop.node.start_byte) + INDENT
    used = [use for item in found.hit for use in variable.uses if inside(use, item)]
    needed = _needed(found, variables)
    named = used or any(inside(use, item) for item in needed for use in variable.uses)
    if not loop.own_variable:
        yield f"{variable.name} = {hit};"
    elif named and (found.kind != variable.type or needed):
        yield f"{variable.type} {variable.name} = {hit};"
    else:
        for item in found.hit:
            yield reindent(_renamed(text, item, loop, hit), indentation(text, item.start_byte), inner)
        return
    for item in (*needed, *found.hit):
        yield reindent(source(item), indentation(text, item.start_byte), inner)


def _needed(found: Search, variables: Variables) -> tuple[Node, ...]:
    """Return the declarations of an iteration, where what is done at the hit names one of them."""
    own = {item.id for item in found.given}
    named = any(
        item.declaration.id in own and any(inside(use, part) for use in item.uses for part in found.hit)
        for item in variables.all
    )
    return found.given if named else ()


def _renamed(text: str, node: Node, loop: Loop, name: str) -> str:
    """Return a part of a loop with another name for its variable."""
    uses = (replace(use, name) for use in loop.variable.uses if inside(use, node))
    return apply_outermost(text, uses, node.start_byte, node.end_byte)
