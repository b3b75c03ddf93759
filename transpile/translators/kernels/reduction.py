"""Grid-stride sums: each thread adds up its share, then adds that to one total."""

from __future__ import annotations

from dataclasses import replace as changed

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.polynomial import LAUNCH
from transpile.code.syntax import (
    Function,
    arguments,
    called,
    field,
    indent_unit,
    indentation,
    inside,
    operator,
    replace,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.kernels.coordinates import Reader
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import effectful, has_barrier, has_warp_primitive
from transpile.translators.kernels.layout import Rewriting, assemble, render
from transpile.translators.kernels.privates import written_from_outside
from transpile.translators.kernels.strides import Strided, plain_loop, strided_loops

_ZERO = frozenset({"0", "0.0", "0.", "0.f", "0.0f", "0u", "0U", "0ull", "0ULL", "0l", "0L"})


def grid_sum(draft: Draft) -> Draft:
    """Turn such a kernel into one parallel loop with a reduction."""
    function = draft.function
    if has_barrier(function.body) or has_warp_primitive(function.body) or "__shared__" in code(draft.text):
        return draft
    variables = draft.variables(function)
    reader = Reader(function, variables)
    loops = [s for s in strided_loops(function.body, reader, variables) if _at_top(s.loop, function)]
    if len(loops) != 1:
        return draft
    found = _total(function, variables, loops[0])
    if found is None:
        return draft
    total, added = found
    rewriting = Rewriting(edits=plain_loop(function.text, loops[0]))
    for variable in variables.all:
        if id(variable) in reader.formulas or variable is loops[0].variable:
            rewriting.dropped.add(variable.declaration.id)
    rewriting.before[loops[0].loop.id] = (f"#pragma omp parallel for reduction(+ : {total.name})",)
    rewriting.edits.append(replace(added, f"{_place(arguments(added)[0])} += {total.name}"))
    indent = indentation(function.text, function.body.end_byte - 1) + indent_unit(function)
    text = assemble(function, (), render(function, function.statements, rewriting, indent))
    if LAUNCH.search(code(text)):
        return draft
    return changed(draft.after("grid-sum", text), placed=True, parallel=True)


def _at_top(loop: Node, function: Function) -> bool:
    return loop.parent is not None and loop.parent.id == function.body.id


def _total(function: Function, variables: Variables, strided: Strided) -> tuple[Variable, Node] | None:
    """Return the sum that the loop alone adds to, and the call that adds it to the total at the end."""
    carried = [v for v in written_from_outside(strided.loop, variables) if v is not strided.variable]
    statements = [s for s in function.statements if s.type != "comment"]
    if len(carried) != 1 or statements[-1].type != "expression_statement":
        return None
    total, last = carried[0], statements[-1].named_children[0]
    if statements[-2].id != strided.loop.id or last.type != "call_expression" or called(last) != "atomicAdd":
        return None
    if total.initializer is None or squeeze(source(total.initializer)) not in _ZERO or total.escapes:
        return None
    if any(operator(write) != "+=" or not inside(write, strided.loop) for write in total.writes):
        return None
    reads = [use for use in total.uses if not any(inside(use, field(w, "left")) for w in total.writes)]
    if [source(use) for use in reads] != [total.name] or not inside(reads[0], last):
        return None
    if unparenthesized(arguments(last)[1]).id != reads[0].id or not _steady(arguments(last)[0], variables):
        return None
    acting = [e for e in effectful(function.body, variables) if e.id != last.id]
    return None if acting else (total, last)


def _steady(target: Node, variables: Variables) -> bool:
    return all(v.parameter and v.constant for v in variables.used_in(target))


def _place(target: Node) -> str:
    if target.type == "pointer_expression" and operator(target) == "&":
        return source(target.named_children[-1])
    return f"*{source(target)}" if target.type == "identifier" else f"*({source(target)})"
