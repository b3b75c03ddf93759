"""A launch configuration as C++ expressions of its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from transpile.assemble.host_code.declarations import Declared, declared
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.stable import stable_expression, stable_variable
from transpile.assemble.host_code.tree import arguments_of, called, of_type, peel, text_of
from transpile.code.lexer import Token, tokenize

_FRACTION = re.compile(rb"(?:std::)?(?:float|double|sqrt|pow|log2?|exp2?|fabs|fmin|fmax)f?")
_ROUNDED = re.compile(rb"\b(?:ceil|floor|round|rint|trunc)f?$")
_WHOLE = re.compile(rb"\d+[uUlL]*")


@dataclass(frozen=True, slots=True)
class Shape:
    """Grid or block: the text of each axis."""

    whole: str
    axes: tuple[str, str, str]


def shape_of(node: Node, known: Definitions) -> Shape:
    """Return the axes of a grid or block argument: a number, ``dim3(…)`` or a variable."""
    whole = text_of(node).decode("utf-8", "surrogateescape")
    parts = _components(node, known)
    if parts is not None:
        padded = [*parts, *["1"] * (3 - len(parts))]
        return Shape(whole, (padded[0], padded[1], padded[2]))
    if peel(node).type == "identifier" and _is_dim3(declared(peel(node))):
        return Shape(whole, (f"{whole}.x", f"{whole}.y", f"{whole}.z"))
    if _arithmetic(node):
        return Shape(whole, (_whole(node), "1", "1"))
    made = f"dim3({whole})"
    return Shape(whole, (f"{made}.x", f"{made}.y", f"{made}.z"))


def _components(node: Node, known: Definitions) -> list[str] | None:
    """Return the constructor's arguments where the shape is ``dim3(…)`` or an unchanging variable made so."""
    node = peel(node)
    if called(node) == b"dim3":
        return [_whole(argument) for argument in arguments_of(node)]
    if node.type != "identifier":
        return None
    found = declared(node)
    if found is None or not _is_dim3(found) or not stable_variable(found, node, known):
        return None
    value = found.value
    given = arguments_of(value) if value is not None and called(value) == b"dim3" else found.given
    if given is None or not all(stable_expression(argument, node, known) for argument in given):
        return None
    return [_whole(argument) for argument in given]


def _whole(size: Node) -> str:
    """Return the text of a size, which is a whole number even where its expression is none."""
    text = text_of(size).decode("utf-8", "surrogateescape")
    return f"unsigned({text})" if _may_have_fraction(size) else text


def _may_have_fraction(node: Node) -> bool:
    """Tell whether an expression may be a floating number that is not whole."""
    node = peel(node) if node.type == "parenthesized_expression" else node
    match node.type:
        case "number_literal":
            return re.fullmatch(rb"(?!0[xX])[\d']*(?:\.|[eE]|\d[fF]).*", text_of(node)) is not None
        case "identifier" | "type_identifier":
            found = declared(node)
            made = _deduced_from(found) if found is not None else None
            if found is None or made is not None:
                return made is not None and _may_have_fraction(made)
            return re.search(rb"\b(?:float|double)\b", found.type) is not None
        case "binary_expression":
            sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            return any(side is not None and _may_have_fraction(side) for side in sides) or _divides_rounded(
                node
            )
        case "conditional_expression" | "unary_expression":
            return any(map(_may_have_fraction, node.named_children))
        case "cast_expression":
            kind = node.child_by_field_name("type")
            return kind is not None and text_of(kind) in (b"float", b"double")
        case "call_expression":
            return _FRACTION.fullmatch(called(node) or b"") is not None
        case _:
            return False


def _divides_rounded(quotient: Node) -> bool:
    """Tell whether a quotient is one of floating numbers that are whole, as of what ``ceil`` returns."""
    operator = quotient.child_by_field_name("operator")
    rounded = any(_ROUNDED.search(called(call) or b"") for call in of_type(quotient, "call_expression"))
    return operator is not None and text_of(operator) == b"/" and rounded


def _is_dim3(found: Declared | None) -> bool:
    if found is None or found.pointers:
        return False
    made = _deduced_from(found)
    return found.bare_type in (b"dim3", b"uint3") or (made is not None and called(made) == b"dim3")


def _deduced_from(found: Declared) -> Node | None:
    """Return the value that a variable has its type from; None where the type is spelled."""
    return found.value if found.bare_type == b"auto" else None


def _arithmetic(node: Node) -> bool:
    """Tell whether the argument is plainly a number: literals, operators, integer variables."""
    node = peel(node)
    if node.type == "identifier":
        found = declared(node)
        if found is None:
            return _is_macro_number(node)
        made = _deduced_from(found)
        if made is not None:
            return made.type != "identifier" and _arithmetic(made)
        return re.search(rb"\b(int|unsigned|size_t|long|u?int\d+_t)\b", found.type) is not None
    if node.type == "binary_expression":
        return True
    return node.type in ("number_literal", "sizeof_expression", "unary_expression")


def _is_macro_number(name: Node) -> bool:
    """Tell whether the file defines a name as a number, and as nothing else."""
    root = name
    while root.parent is not None:
        root = root.parent
    bodies = [macro.body for macro in tokenize(text_of(root)).macros if macro.name == text_of(name)]
    return bool(bodies) and all(map(_is_number, bodies))


def _is_number(body: tuple[Token, ...]) -> bool:
    """Tell whether a macro's body is a whole number, maybe in parentheses."""
    bracketed = [token.text for token in body[:1] + body[-1:]] == [b"(", b")"]
    inner = body[1:-1] if bracketed else body
    return len(inner) == 1 and _WHOLE.fullmatch(inner[0].text) is not None
