"""Vectors, arrays and strings of the standard library: memory of their own, as long as they say.

Two of them share no element unless one holds the other: two names are of one, or of two that lie apart.
What may be done to one in a loop is naming its elements and asking for its length; all else may move them.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from transpile.code.syntax import (
    ancestors,
    arguments,
    field,
    find,
    inside,
    operator,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables

_TEMPLATE = re.compile(r"(std::)?(?:vector|array)<(.+)>")
_ARRAY = re.compile(r"(?:std::)?array<")
_BITS = re.compile(r"(?:std::)?vector<bool>")
_STRING = re.compile(r"std::string")
_EXTENT = re.compile(r",\d+$")
_CONST = re.compile(r"\bconst\b")
PLAIN = re.compile(
    r"(?:(?:unsigned|signed)?(?:char|short|int|long|longlong|longint|longlongint|shortint)|unsigned|signed"
    r"|float|double|longdouble|(?:std::)?(?:u?int\d+_t|size_t|ptrdiff_t)|std::complex<(?:float|double)>)"
)
_DISTINCT = frozenset(("float", "double", "int", "char", "std::complex<float>", "std::complex<double>"))
"""Types that no other of these is."""
_NAMED = re.compile(r"(?:\w+::)*\w+")
_LENGTHS = ("size", "length")
_QUESTIONS = (*_LENGTHS, "empty")
_PUSHES = ("push_back", "emplace_back")


def elements(variable: Variable) -> str | None:
    """Return the type of a container's elements, squeezed; None for what is no container that owns them.

    A name may hide a type that is packed or leads elsewhere. The contract of a function looks through those
    of its parameters, and nobody through those of its variables, or of a template that others may use.
    """
    if variable.pointer or variable.array or variable.static or "volatile" in variable.type:
        return None
    if variable.reference and not variable.parameter:
        return None
    if _BITS.fullmatch(spelled(variable)):
        return "bool" if _CONST.search(variable.type) else None  # neighbours share bytes: they are only read
    return _held(spelled(variable), trusted=_is_trusted(variable))


def _is_trusted(variable: Variable) -> bool:
    """Tell whether a contract knows what the names in a variable's type stand for."""
    around = ancestors(variable.declaration)
    return variable.parameter and all(node.type != "template_declaration" for node in around)


def spelled(variable: Variable) -> str:
    """Return the type of a variable, squeezed, and without what is constant in it."""
    return squeeze(_CONST.sub("", variable.type))


def _held(spelling: str, *, trusted: bool) -> str | None:
    if _STRING.fullmatch(spelling):
        return "char"
    match = _TEMPLATE.fullmatch(spelling)
    if match is None or not (match[1] or trusted):
        return None
    inner = _EXTENT.sub("", match[2])
    known = PLAIN.fullmatch(inner) or _held(inner, trusted=trusted) is not None
    return inner if known or (trusted and inner != "bool" and _NAMED.fullmatch(inner)) else None


def fixed_length(variable: Variable) -> int | None:
    """Return the length of an array of plain numbers that its type tells; None for others."""
    told = _EXTENT.search(spelled(variable).removesuffix(">"))
    return int(told[0][1:]) if told and _is_array(variable) and has_numbers(variable) else None


def distinct(one: Variable, other: Variable) -> bool:
    """Tell whether two containers are of two types, and so never the same, whatever names stand for."""
    held = {elements(one), elements(other)}
    return _is_array(one) != _is_array(other) or (len(held) == 2 and held <= _DISTINCT)


def has_numbers(variable: Variable) -> bool:
    """Tell whether the elements of a container are plain numbers by their type's own name."""
    return PLAIN.fullmatch(elements(variable) or "") is not None


def may_hold(outer: Variable, inner: Variable) -> bool:
    """Tell whether a container may lie in an element of another: a row, or an array that a struct has."""
    if _STRING.fullmatch(elements(outer) or ""):
        return _STRING.fullmatch(spelled(inner)) is not None
    return not has_numbers(outer) and (_is_array(inner) or depth(outer) > depth(inner))


def _is_array(variable: Variable) -> bool:
    return _ARRAY.match(spelled(variable)) is not None


def depth(variable: Variable) -> int:
    """Return how many subscripts lead from a container to what owns no memory of its own; 0 for others."""
    inner, found = elements(variable), 0
    while inner is not None:
        found += 1
        inner = _held(inner, trusted=_is_trusted(variable))
    return found


def asked(call: Node, variables: Variables) -> Variable | None:
    """Return the container that a call asks for its length, or whether it has one; None for other calls."""
    return _owner(call, variables, _QUESTIONS)


def measured(call: Node, variables: Variables) -> Variable | None:
    """Return the container whose length a call is; None for other calls."""
    return _owner(call, variables, _LENGTHS)


def pushed(call: Node, variables: Variables) -> Variable | None:
    """Return the function's own container of numbers that a statement makes one longer; None for others."""
    owner = _owner(call, variables, _PUSHES)
    if owner is None or owner.parameter or not has_numbers(owner):
        return None
    alone = call.parent is not None and call.parent.type == "expression_statement"
    return owner if alone and len(arguments(call)) == 1 else None


def only_pushed(variable: Variable, node: Node, variables: Variables) -> bool:
    """Tell whether a part of a function does nothing to a container but make it longer."""
    calls = [call for call in find(node, "call_expression") if pushed(call, variables) is variable]
    own = [field(call, "function") for call in calls]
    uses = [use for use in variable.uses if inside(use, node)]
    return bool(own) and all(any(inside(use, item) for item in own) for use in uses)


def _owner(call: Node, variables: Variables, members: tuple[str, ...]) -> Variable | None:
    function = call.child_by_field_name("function")
    if function is None or function.type != "field_expression" or operator(function) != ".":
        return None
    owner = variables.of(unparenthesized(field(function, "argument")))
    known = owner is not None and elements(owner) is not None
    return owner if known and source(field(function, "field")) in members else None


def stays(variable: Variable, node: Node) -> bool:
    """Tell whether a part of a function leaves a container as long and where it is, and names it alone."""
    return all(_is_plain(use) for use in variable.uses if inside(use, node))


def _is_plain(use: Node) -> bool:
    parent = use.parent
    while parent is not None and parent.type == "parenthesized_expression":
        use, parent = parent, parent.parent
    if parent is None or parent.type not in ("subscript_expression", "field_expression"):
        return False
    if field(parent, "argument").id != use.id:
        return False
    if parent.type == "subscript_expression":
        return True
    call = parent.parent
    is_called = (
        call is not None and call.type == "call_expression" and field(call, "function").id == parent.id
    )
    return is_called and operator(parent) == "." and source(field(parent, "field")) in _QUESTIONS
