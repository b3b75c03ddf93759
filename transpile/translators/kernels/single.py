"""Kernels in which one thread of the whole grid does all the work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as changed

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.polynomial import LAUNCH
from transpile.code.syntax import (
    alternative,
    condition,
    field,
    find,
    indent_unit,
    indentation,
    operator,
    replace,
    source,
    squeeze,
    unparenthesized,
)
from transpile.translators.kernels.coordinates import Reader, sides
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import has_barrier, has_effects, has_warp_primitive
from transpile.translators.kernels.guards import parts
from transpile.translators.kernels.layout import Rewriting, assemble, render


def single_thread(draft: Draft) -> Draft:
    """Keep what the first thread of the grid does, where no other thread does anything."""
    function = draft.function
    mentioned = {f"{m.group(1)}.{m.group(2)}" for m in LAUNCH.finditer(code(draft.text))}
    indices = {name for name in mentioned if name.endswith(("Idx.x", "Idx.y", "Idx.z"))}
    if not indices or has_barrier(function.body) or has_warp_primitive(function.body):
        return draft
    variables = draft.variables(function)
    reader = Reader(function, variables)
    acting = [s for s in function.statements if s.type != "comment" and has_effects(s, variables)]
    if len(acting) != 1 or acting[0].type != "if_statement" or alternative(acting[0]) is not None:
        return draft
    tested: set[str] = set()
    left: list[Node] = []
    for part in parts(condition(acting[0]), ("&&",)):
        zero = _zero_names(unparenthesized(part), reader)
        tested |= zero
        left += [] if zero else [part]
    if left or tested != indices or _sizes_outside(acting[0], mentioned):
        return draft
    rewriting = Rewriting(unwrapped={acting[0].id})
    for variable in variables.all:
        if id(variable) in reader.formulas:
            rewriting.dropped.add(variable.declaration.id)
            rewriting.edits += [replace(use, "0") for use in variable.uses]
    rewriting.edits += [
        replace(node, "0") for node in find(function.body, "field_expression") if _is_index(node)
    ]
    indent = indentation(function.text, function.body.end_byte - 1) + indent_unit(function)
    lines = render(function, function.statements, rewriting, indent)
    return changed(draft.after("single-thread", assemble(function, (), lines)), placed=True)


def _is_index(node: Node) -> bool:
    match = LAUNCH.fullmatch(source(node))
    return match is not None and match.group(1).endswith("Idx")


def _sizes_outside(statement: Node, mentioned: set[str]) -> bool:
    """Tell whether the branch uses sizes of the launch, which are not known without it."""
    body = field(statement, "consequence")
    used = {f"{m.group(1)}.{m.group(2)}" for m in LAUNCH.finditer(code(source(body)))}
    return bool({name for name in used if "Dim" in name} & mentioned)


def _zero_names(node: Node, reader: Reader) -> frozenset[str]:
    """Return the indices of which a condition says that they are all zero."""
    if node.type == "unary_expression" and operator(node) == "!":
        return frozenset(_indices(unparenthesized(field(node, "argument")), reader))
    if node.type != "binary_expression" or operator(node) != "==":
        return frozenset()
    first, second = sides(node)
    if squeeze(source(first)) == "0":
        first, second = second, first
    return frozenset(_indices(first, reader)) if squeeze(source(second)) == "0" else frozenset()


def _indices(node: Node, reader: Reader) -> Iterator[str]:
    """Yield the indices in a sum of products that is zero only if all of them are."""
    value = reader.read(node)
    if value is None or any(number < 0 for number in value.values()) or () in value:
        return
    for monomial in value:
        indices = [name for name in monomial if name.startswith(("threadIdx", "blockIdx"))]
        others = [name for name in monomial if not LAUNCH.fullmatch(name)]
        if len(indices) != 1 or others:
            return
        yield indices[0]
