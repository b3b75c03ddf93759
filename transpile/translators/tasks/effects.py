"""Effects of a function call on memory, with all that it calls, as far as their texts tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.syntax import (
    Function,
    arguments,
    called,
    field,
    find,
    function_of,
    operator,
    source,
    target_of,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables, resolve
from transpile.core import Source, Unit
from transpile.parsers.text.hosts import is_c
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.tasks.body import is_number

_OPAQUE = {
    "lambda_expression": "holds a lambda",
    "throw_statement": "throws",
    "try_statement": "catches what is thrown",
    "goto_statement": "jumps by `goto`",
    "gnu_asm_expression": "holds assembly",
    "preproc_if": "is chosen by `#if`",
    "preproc_ifdef": "is chosen by `#if`",
    "preproc_call": "holds a directive",
}
_OF_ARGUMENTS = re.compile(
    r"memcpy|memmove|memset|malloc|calloc|free"
    r"|(?:std::)?(?:swap|copy|copy_n|fill|merge|inplace_merge|vector)"
)
"""Functions that write no more than what their arguments lead to, and what they allocate."""
_QUESTIONS = frozenset(("size", "length", "empty", "begin", "end", "data", "front", "back"))
_CHANGES = frozenset(("push_back", "pop_back", "reserve", "resize", "clear", "assign"))
_STEPS = {
    "subscript_expression": "argument",
    "field_expression": "argument",
    "pointer_expression": "argument",
    "update_expression": "argument",
    "cast_expression": "value",
    "binary_expression": "left",
}
"""From an expression to the one within it whose memory is meant."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What calls may do to memory."""

    writes: bool
    """They write more than variables of their own: what arguments lead to, or what is allocated."""
    unknown: str = ""
    """Why that may not be all; empty where it is."""


def effects(source_: Source, unit: Unit, around: EnclosingScope) -> Effects:
    """Return what a call of a function may do, whatever it is called with."""
    parts = (unit, *source_.closure(unit))
    names = frozenset(item.name for item in parts)
    found = [_effects(item, names, around) for item in parts]
    hidden = any(source_.opaque.get(item.id) for item in parts)
    unknown = next((item.unknown for item in found if item.unknown), "")
    return Effects(writes=hidden or any(item.writes for item in found), unknown=unknown)


def root(node: Node) -> Node | None:
    """Return the identifier whose memory an expression names a part of; None where it is not clear."""
    while node.type != "identifier":
        node = unparenthesized(node)
        step = _STEPS.get(node.type)
        if step is None:
            return node if node.type == "identifier" else None
        node = field(node, step)
    return node


def _effects(unit: Unit, names: Collection[str], around: EnclosingScope) -> Effects:
    """Return what the text of one function may do; what it calls by these names is looked at elsewhere."""
    function = function_of(unit.text.decode("latin-1"))
    if function is None:
        return Effects(writes=True, unknown=f"`{unit.name}` is not understood")
    variables = resolve(function)
    reasons = (
        *_opaque(function, variables, around),
        *_written(function, variables),
        *_called(function, variables, names, around),
    )
    open_types = not is_c(unit.path) and not all(is_number(_bare(item.type)) for item in variables.all)
    return Effects(
        writes=open_types
        or any(_reaches_out(node, variables) for node in writes(function))
        or any(
            _is_active(call, names, around)
            for call in find(function.body, "call_expression", "new_expression")
        ),
        unknown=f"`{unit.name}` {reasons[0]}" if reasons else "",
    )


def writes(function: Function) -> Iterator[Node]:
    """Yield what a function assigns to or updates."""
    for node in find(function.body, "assignment_expression", "update_expression"):
        yield unparenthesized(target_of(node))


def _opaque(function: Function, variables: Variables, around: EnclosingScope) -> Iterator[str]:
    """Yield what keeps a text from telling what it does."""
    for node in find(function.body, *_OPAQUE):
        yield _OPAQUE[node.type]
    for item in variables.all:
        if item.static and (item.pointer or not re.search(r"\bconst\b", item.type)):
            yield f"keeps the static variable `{item.name}` between calls"
        if re.search(r"\b(?:volatile|_Atomic|atomic|atomic_\w+)\b", item.type):
            yield f"holds `{item.name}`, which others may change"
    for node in find(function.body, "identifier"):
        name = source(node)
        if name in around.defined and name not in around.values:
            yield f"uses the macro `{name}`"
        if name in around.of_threads and variables.of(node) is None:
            yield f"uses `{name}`, which is thread-local"


def _written(function: Function, variables: Variables) -> Iterator[str]:
    """Yield what is written that belongs to no call."""
    for target in writes(function):
        base = root(target)
        if base is None:
            yield f"writes `{source(target)}`"
        elif variables.of(base) is None:
            yield f"writes `{source(base)}`, a variable at file scope"


def _called(
    function: Function, variables: Variables, names: Collection[str], around: EnclosingScope
) -> Iterator[str]:
    """Yield what is called of which nothing is known, and variables at file scope that calls may write."""
    for call in find(function.body, "call_expression"):
        if _is_method(call, variables) or around.calls(called(call)):
            continue
        callee = field(call, "function")
        if callee.type == "primitive_type":
            continue
        if called(call) not in names and not _OF_ARGUMENTS.fullmatch(called(call)):
            yield f"calls `{source(callee)}`"
        for given in arguments(call):
            base = root(given)
            if base is not None and variables.of(base) is None and source(base) not in around.values:
                yield f"passes on `{source(base)}`, a variable at file scope"


def _is_method(call: Node, variables: Variables) -> bool:
    """Tell whether a call asks a container of the function, or changes one of its own."""
    callee = field(call, "function")
    if callee.type != "field_expression":
        return False
    base = root(callee)
    owner = variables.of(base) if base is not None else None
    if owner is None:
        return False
    name = source(field(callee, "field"))
    own = not owner.parameter and not owner.reference and not owner.pointer
    return name in _QUESTIONS or (own and name in _CHANGES)


def _is_active(call: Node, names: Collection[str], around: EnclosingScope) -> bool:
    """Tell whether a call writes memory itself: functions of the source are looked at on their own."""
    if call.type == "new_expression":
        return True
    name = called(call)
    return not (name in names or around.calls(name) or field(call, "function").type == "primitive_type")


def _reaches_out(target: Node, variables: Variables) -> bool:
    """Tell whether something other than a variable of the function may be written."""
    inner, subscripts = target, 0
    while inner.type == "subscript_expression":
        inner, subscripts = unparenthesized(field(inner, "argument")), subscripts + 1
    while not subscripts and inner.type == "field_expression" and operator(inner) == ".":
        inner = unparenthesized(field(inner, "argument"))
    variable = variables.of(inner)
    if variable is None or variable.reference or variable.static:
        return True
    # A name of a type may hide a pointer: only what is declared as an array has elements of its own.
    return subscripts > 0 and (variable.pointer or subscripts > _dimensions(variable))


def _dimensions(variable: Variable) -> int:
    return sum(1 for _ in find(variable.shape, "array_declarator")) if variable.array else 0


def _bare(type_: str) -> str:
    return re.sub(r"\bconst\b", "", type_).strip()
