"""``double v[3];`` above a loop each of whose iterations sets what it reads of it: declared in the loop."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import prod

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.polynomial import number
from transpile.code.syntax import LOOPS, Function, ancestors, field, find, inside, source, walk
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.analysis.lifetimes import begins_anew
from transpile.translators.loops.iteration.nests import counted
from transpile.translators.loops.iteration.places import beginning, in_block
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.types import is_number

_MOST = 4096
"""Elements of an array that a thread has on its stack."""
_COUNTING = ("identifier", "number_literal", "binary_expression", "parenthesized_expression")
_SPECIAL = ("alignas_qualifier", "attribute_specifier", "attribute_declaration", "ms_declspec_modifier")


def with_own_array(function: Function, around: EnclosingScope) -> str | None:
    """Return the text with one more array declared in the loops that use it; None where there is none."""
    variables = resolve(function, around.refers, around.words)
    for array in reversed(variables.all):  # each is put in front of those before
        if not _is_plain(array, variables, around):
            continue
        loops = list(_served(array, variables, around))
        if loops and None not in loops:
            line = f"{_type(function, array)} {source(array.shape)};"
            added = [edit for loop in loops if loop is not None for edit in beginning(function, loop, line)]
            return function.edited([_without(function, array), *added])
    return None


def _is_plain(array: Variable, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a variable is an array of few numbers that lives as long as its block."""
    declaration = array.declaration
    if not array.array or array.pointer or array.static or array.initializer is not None or array.escapes:
        return False
    return (
        declaration.type == "declaration"
        and in_block(declaration)
        and not any(item.type in _SPECIAL for item in declaration.children)
        and (is_number(array.bare) or array.type in around.types)
        and not variables.in_macros(array)
        and _fits(array, variables, around)
    )


def _fits(array: Variable, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether an array has few elements, or as many as variables say that keep their values."""
    sizes = [item.child_by_field_name("size") for item in find(array.shape, "array_declarator")]
    known = [_number(size, around) for size in sizes if size is not None]
    if len(known) < len(sizes) or not known:
        return False
    if None not in known:
        return 0 < prod(item for item in known if item is not None) <= _MOST
    return all(_is_kept(size, variables, around) for size in sizes if size is not None)


def _number(size: Node, around: EnclosingScope) -> int | None:
    known = number(source(size))
    return known.get((), 0) if known is not None else around.constants.get(source(size))


def _is_kept(size: Node, variables: Variables, around: EnclosingScope) -> bool:
    """Tell whether a length is the same, under the same names, in all of the function."""
    if any(item.type not in _COUNTING for item in walk(size) if item.is_named):
        return False
    for item in find(size, "identifier"):
        variable = variables.of(item)
        if variable is None and source(item) not in around.constants:
            return False
        if variable is not None and not (variable.parameter and variable.constant):
            return False
        if sum(other.name == source(item) for other in variables.all) > 1:
            return False
    return True


def _served(array: Variable, variables: Variables, around: EnclosingScope) -> Iterator[Node | None]:
    """Yield the loop in which an array may be declared for each outermost one that names it.

    None stands for what has no such loop.
    """
    left = list(array.uses)
    while left:
        loops = [item for item in ancestors(left[0]) if item.type in LOOPS and _is_in(item, array.scope)]
        if not loops:
            yield None
            return
        uses = [use for use in left if inside(use, loops[-1])]
        yield next((loop for loop in loops if _serves(array, loop, uses, variables, around)), None)
        left = [use for use in left if use not in uses]


def _is_in(loop: Node, scope: Node) -> bool:
    return inside(loop, scope) and loop.id != scope.id


def _serves(
    array: Variable, node: Node, uses: Collection[Node], variables: Variables, around: EnclosingScope
) -> bool:
    """Tell whether each iteration of a loop may have an array of its own, which serves these uses."""
    if not all(inside(use, field(node, "body")) for use in uses):
        return False
    loop = counted(node, variables, around)
    others = (item for item in variables.all if item is not array and item.name == array.name)
    hidden = any(inside(item.declaration, node) for item in others)
    return loop is not None and not hidden and begins_anew(array, loop, variables, around)


def _type(function: Function, array: Variable) -> str:
    """Return the type of an array as its declaration spells it, comments and all."""
    first = array.declaration.children_by_field_name("declarator")[0]
    return function.text[array.declaration.start_byte : first.start_byte].strip()


def _without(function: Function, array: Variable) -> Edit[str]:
    """Return the edit that takes away what declares an array, and no more."""
    whole, own = array.declaration, array.declarator
    declared = whole.children_by_field_name("declarator")
    at = [item.id for item in declared].index(own.id)
    if at + 1 < len(declared):
        return Edit(own.start_byte, declared[at + 1].start_byte, "")
    if at:
        return Edit(declared[at - 1].end_byte, own.end_byte, "")
    beside = whole.next_sibling
    if beside is not None and beside.type == "comment" and beside.start_point.row == whole.end_point.row:
        return Edit(whole.start_byte, beside.start_byte, "")
    return Edit(len(function.text[: whole.start_byte].rstrip()), whole.end_byte, "")
