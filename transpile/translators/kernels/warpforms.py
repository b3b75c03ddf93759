"""Warp primitives in the few forms that the warp pass reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import launch_name
from transpile.code.syntax import (
    ancestors,
    arguments,
    called,
    condition,
    enclosing_statement,
    field,
    find,
    indentation,
    inside,
    operator,
    quoted,
    replace,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.effects import SHUFFLES, WARP, calls
from transpile.translators.kernels.refusal import refuse
from transpile.translators.kernels.types import Types

_WARP_SIZE = re.compile(r"\bwarpSize\b")
LANE_FORMS = frozenset(
    {("%", "32"), ("&", "31"), ("&", "0x1f"), ("&", "(32-1)"), ("&", "0x1F"), ("%", "(32)")}
)
WARP_FORMS = frozenset({("/", "32"), (">>", "5"), ("/", "(32)")})
_VOTE = re.compile(r"__(ballot|any|all)(_sync)?|__reduce_(add|min|max|and|or|xor)_sync")


_RESULTS = {"ballot": "ballot", "add": "total", "max": "largest", "min": "smallest"}


def warp_forms(draft: Draft) -> Draft:
    """Write 32 for the warp size, and give operands, votes and what is stored statements of their own."""
    text = _WARP_SIZE.sub("32", draft.text)
    sizes = _warp_sizes(draft) if WARP.search(text) else []
    if sizes:
        text = re.sub(rf"([%/]\s*|[(]\s*)(?:{'|'.join(map(re.escape, sizes))})\b", r"\g<1>32", text)
    text = re.sub(r"__activemask\s*\(\s*\)", "0xffffffffu", text)
    draft = draft.after("warp-forms", text)
    while True:
        step = _one(draft)
        if step is None:
            return draft
        draft = step


def _warp_sizes(draft: Draft) -> list[str]:
    """Return the names that stand for 32: macros, constants at file scope, and the function's own."""
    around = draft.surroundings
    variables = draft.variables(draft.function).all
    names = [variable.name for variable in variables]
    own = [variable.name for variable in variables if _is_32(variable) and names.count(variable.name) == 1]
    macros = [name for name, body in around.macros.items() if body.strip() in ("32", "(32)")]
    constants = [name for name, number in around.constants.items() if number == "32" and name not in names]
    return [*macros, *constants, *own]


def _is_32(variable: Variable) -> bool:
    value = variable.initializer
    return value is not None and variable.constant and source(value).rstrip("uU") == "32"


def _one(draft: Draft) -> Draft | None:
    """Return the draft with one more expression in a statement of its own; None where all are."""
    function = draft.function
    types = Types(draft.variables(function), draft.surroundings)
    for name, call in calls(function.body):
        if not WARP.fullmatch(name) or name == "__syncwarp":
            continue
        inner = operand(call)
        if SHUFFLES.fullmatch(name) and unparenthesized(inner).type != "identifier":
            return _hoisted(draft, call, inner, types.of(inner), "value")
        if SHUFFLES.fullmatch(name) and _is_stored(call, types):
            return _hoisted(draft, call, call, types.of(inner), "other")
        if _VOTE.fullmatch(name) and not _whole(call):
            kind = "unsigned" if "ballot" in name else types.of(inner) if "reduce" in name else "int"
            wish = next((wish for word, wish in _RESULTS.items() if word in name), "vote")
            return _hoisted(draft, call, call, kind, wish)
        statement = enclosing_statement(call)
        if statement.type == "if_statement" and inside(call, condition(statement)):
            return _hoisted(draft, call, call, types.of(inner), "other")
    return None


def _is_stored(call: Node, types: Types) -> bool:
    """Tell whether a call is assigned to an element of an array that is no lane's own."""
    assigned = next((item for item in ancestors(call) if item.type == "assignment_expression"), None)
    if assigned is None or inside(call, field(assigned, "left")):
        return False
    target = unparenthesized(field(assigned, "left"))
    while target.type in ("subscript_expression", "pointer_expression"):
        target = unparenthesized(target.named_children[0])
        variable = types.variables.of(target) if target.type == "identifier" else None
        if variable is not None:
            return variable.pointer
    return False


def _hoisted(draft: Draft, call: Node, value: Node, kind: str | None, wish: str) -> Draft:
    if kind is None:
        refuse("TP211", value, f"the type of {quoted(value)}, an operand of `{called(call)}`, is unknown")
    statement = enclosing_statement(call)
    parent = statement.parent
    control = statement.type in ("for_statement", "while_statement", "do_statement")
    if control or any(
        p.type in ("conditional_expression", "lambda_expression") for p in _between(call, statement)
    ):
        refuse("TP209", call, f"{quoted(call)} is part of a condition")
    function = draft.function
    name = free_name(function.identifiers, wish, f"{wish}_here")
    if parent is None or parent.type not in ("compound_statement", "case_statement"):
        indent = indentation(function.text, parent.start_byte if parent is not None else 0)
        start = len(function.text[: statement.start_byte].rstrip())
        text = f" {{\n{indent}    {source(statement)}\n{indent}}}"
        return draft.after("warp-forms", function.edited([Edit(start, statement.end_byte, text)]))
    start = statement.start_byte
    line = f"{kind} {name} = {source(value)};\n{indentation(function.text, start)}"
    return draft.after("warp-forms", function.edited([Edit(start, start, line), replace(value, name)]))


def _between(node: Node, outer: Node) -> Iterator[Node]:
    return (a for a in ancestors(node) if inside(a, outer) and a.id != outer.id)


def _whole(call: Node) -> bool:
    """Tell whether a call is all that a variable starts with."""
    return call.parent is not None and call.parent.type == "init_declarator"


def operand(call: Node) -> Node:
    """Return the value that a warp primitive passes between lanes."""
    values = arguments(call)
    index = 1 if called(call).endswith("_sync") else 0
    if len(values) <= index:
        refuse("TP209", call, f"no rule translates {quoted(call)}")
    return values[index]


def distance(call: Node) -> Node:
    """Return the lane, the distance or the mask of a shuffle."""
    return arguments(call)[2 if called(call).endswith("_sync") else 1]


def width(call: Node) -> str:
    """Return the width of the groups in which a shuffle works."""
    values = arguments(call)[3 if called(call).endswith("_sync") else 2 :]
    return squeeze(source(values[0])) if values else "32"


def is_lane(node: Node) -> bool:
    """Tell whether an expression is a thread's place in its warp."""
    return _form(node) in LANE_FORMS


def is_warp(node: Node) -> bool:
    """Tell whether an expression is the place of a thread's warp in its block."""
    return _form(node) in WARP_FORMS


def _form(node: Node) -> tuple[str, str] | None:
    if node.type != "binary_expression":
        return None
    if launch_name(unparenthesized(field(node, "left"))) != "threadIdx.x":
        return None
    return operator(node), squeeze(source(field(node, "right"))).rstrip("uU")


def exchanges(statement: Node) -> bool:
    """Tell whether a statement itself passes values between lanes."""
    if statement.type not in ("expression_statement", "declaration"):
        return False
    return any(WARP.fullmatch(name) and name != "__syncwarp" for name, _ in calls(statement))


def is_vote(name: str) -> bool:
    """Tell whether a function gives all lanes one result."""
    return _VOTE.fullmatch(name) is not None


def shuffles(statement: Node) -> list[Node]:
    """Return the shuffles in a statement."""
    return [c for c in find(statement, "call_expression") if SHUFFLES.fullmatch(called(c))]
