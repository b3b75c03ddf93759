"""Values of a kernel's expressions, over its parameters and the launch, by where they stand in the text.

What is read is a proposal: a name may be set on a path that the order of the text does not show. Whoever asks
tries what it gets on the running source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from transpile.code.trees import descendants, text, whole_number
from transpile.code.types import size_of
from transpile.contracts.text.polynomial import Monomial, Polynomial
from transpile.expressions import Binary, ExpressionError, Name, Number, Unary, parse, to_text
from transpile.expressions import Node as Tree

BUILTINS = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_DEPTH = 16
_UNSIGNED = re.compile(r"\b(?:unsigned|size_t|uint\w*|ulong|auto)\b")
_OPERATORS = frozenset("+-*/%")
_SHIFTS = {"<<": "*", ">>": "/"}
_MOST_SHIFTED = 20
_CASTS = frozenset({"static_cast", "int", "unsigned", "size_t", "long", "uint32_t", "int64_t"})


@dataclass(slots=True)
class _Named:
    """A name of the function: its type, and what it is set to from which places on."""

    kind: str = ""
    parameter: bool = False
    pointer: bool = False
    settings: list[tuple[int, Node | None]] = field(default_factory=list)


class Symbols:
    """The names of one function."""

    def __init__(
        self, function: Node, constant: Callable[[str], Node | None], fixed: Mapping[str, str] | None = None
    ) -> None:
        """Read a function.

        Args:
            function: Its tree.
            constant: What a macro or a constant at file scope stands for.
            fixed: Numbers and types that template parameters stand for.
        """
        self._constant = constant
        self._fixed = fixed or {}
        self._names: dict[str, _Named] = {}
        for node in descendants(function, *_READERS):
            _READERS[node.type](self, node)

    def expression(self, node: Node | None, depth: int = _DEPTH) -> str | None:
        """Return an expression over parameters, their members and the launch; None where it is none."""
        if node is None or depth == 0:
            return None
        match node.type:
            case "number_literal":
                return whole_number(node)
            case "identifier":
                return self._named(text(node), node.start_byte, depth - 1)
            case "field_expression":
                return self._member(node)
            case "parenthesized_expression" | "cast_expression" | "condition_clause":
                inner = node.child_by_field_name("value") or node.named_child(0)
                return self.expression(inner, depth - 1)
            case "sizeof_expression":
                return self._size(node)
            case "unary_expression" if text(node).startswith("-"):
                negated = self.expression(node.child_by_field_name("argument"), depth - 1)
                return None if negated is None else f"(0 - {negated})"
            case "binary_expression":
                return self._binary(node, depth - 1)
            case "call_expression":
                return self._call(node, depth - 1)
            case _:
                return None

    def unsigned(self, node: Node | None) -> bool:
        """Tell whether a comparison with this operand compares unsigned numbers."""
        if node is None:
            return False
        match node.type:
            case "identifier":
                named = self._names.get(text(node))
                return named is not None and bool(_UNSIGNED.search(named.kind))
            case "field_expression":
                return text(node).partition(".")[0] in BUILTINS
            case "cast_expression":
                return bool(_UNSIGNED.search(text(node.child_by_field_name("type"))))
            case "parenthesized_expression":
                return self.unsigned(node.named_child(0))
            case "binary_expression":
                sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
                return any(self.unsigned(side) for side in sides)
            case "number_literal":
                return text(node)[-1] in "uU"
            case _:
                return False

    def _named(self, name: str, place: int, depth: int) -> str | None:
        if self._fixed.get(name, "").isdigit():
            return self._fixed[name]
        named = self._names.get(name)
        if named is None:
            return self.expression(self._constant(name), depth)
        if named.pointer:
            return None
        before = [value for start, value in named.settings if start < place]
        if not before:
            return name if named.parameter else None
        return self.expression(before[-1], depth)

    def _member(self, node: Node) -> str | None:
        whole = text(node)
        base = whole.partition(".")[0]
        if not re.fullmatch(r"\w+(?:\.\w+)+", whole):
            return None
        named = self._names.get(base)
        by_value = named is not None and named.parameter and not named.pointer and not named.settings
        return whole if base in BUILTINS or by_value else None

    def _binary(self, node: Node, depth: int) -> str | None:
        left = self.expression(node.child_by_field_name("left"), depth)
        right = self.expression(node.child_by_field_name("right"), depth)
        operator = text(node.child_by_field_name("operator"))
        if left is None or right is None:
            return None
        if operator in _SHIFTS and right.isdigit() and int(right) < _MOST_SHIFTED:
            return f"({left} {_SHIFTS[operator]} {1 << int(right)})"
        if operator == "/" and left.isdigit() and right.isdigit() and int(right):
            return str(int(left) // int(right))
        return f"({left} {operator} {right})" if operator in _OPERATORS else None

    def _size(self, node: Node) -> str | None:
        """Return the bytes of a type, which may be a template parameter; None for any other operand."""
        spelling = text(node.child_by_field_name("type") or node.child_by_field_name("value")).strip("() ")
        size = None if spelling in self._names else size_of(self._fixed.get(spelling, spelling))
        return None if size is None else str(size)

    def _call(self, node: Node, depth: int) -> str | None:
        """Return the value of a cast that looks like a call, and of ``min`` and ``max``."""
        arguments = node.child_by_field_name("arguments")
        given = [item for item in arguments.named_children if item.type != "comment"] if arguments else []
        name = re.sub(r"\s*<.*", "", text(node.child_by_field_name("function"))).rpartition("::")[2]
        if name in _CASTS and len(given) == 1:
            return self.expression(given[0], depth)
        values = [self.expression(item, depth) for item in given]
        if name not in ("min", "max") or len(given) != 2 or None in values:
            return None
        return f"{name}({values[0]}, {values[1]})"

    def _declare(self, node: Node) -> None:
        parameter = node.type.endswith("parameter_declaration")
        kind = " ".join(
            text(child)
            for child in node.named_children
            if child.type in ("type_qualifier", "sized_type_specifier")
        )
        kind = f"{kind} {text(node.child_by_field_name('type'))}"
        for item in node.children_by_field_name("declarator"):
            value = item.child_by_field_name("value") if item.type == "init_declarator" else None
            inner = item.child_by_field_name("declarator") if item.type == "init_declarator" else item
            pointer = inner is not None and inner.type != "identifier"
            while inner is not None and inner.type != "identifier":
                inner = inner.child_by_field_name("declarator") or (
                    inner.named_child(inner.named_child_count - 1) if inner.named_child_count else None
                )
            if inner is None:
                continue
            if value is not None and value.type in ("argument_list", "initializer_list"):
                value = value.named_child(0) if value.named_child_count == 1 else None
            named = self._names.setdefault(text(inner), _Named())
            named.kind, named.parameter, named.pointer = kind, parameter, pointer
            if value is not None and not parameter:
                named.settings.append((inner.end_byte, value))

    def _assigned(self, node: Node) -> None:
        plain = text(node.child_by_field_name("operator")) == "="
        self._set(node.child_by_field_name("left"), node.child_by_field_name("right") if plain else None)

    def _updated(self, node: Node) -> None:
        self._set(node.child_by_field_name("argument"), None)

    def _set(self, node: Node | None, value: Node | None) -> None:
        if node is not None and node.type == "identifier":
            # What stands on the right is read as it was before.
            self._names.setdefault(text(node), _Named()).settings.append((node.end_byte, value))


_READERS: Mapping[str, Callable[[Symbols, Node], None]] = {
    "declaration": Symbols._declare,
    "parameter_declaration": Symbols._declare,
    "optional_parameter_declaration": Symbols._declare,
    "assignment_expression": Symbols._assigned,
    "update_expression": Symbols._updated,
}


def polynomial(tree: Tree) -> dict[Monomial, int] | None:
    """Return the terms of an expression of sums and products; None where it is none."""
    match tree:
        case Number(value):
            return {(): value}
        case Name(name):
            return {(name,): 1}
        case Unary("-", operand):
            inner = polynomial(operand)
            return None if inner is None else {key: -value for key, value in inner.items()}
        case Binary("+" | "-" | "*" as operator, left, right):
            first, second = polynomial(left), polynomial(right)
            if first is None or second is None:
                return None
            return _product(first, second) if operator == "*" else _sum(first, second, operator)
        case _:
            return None


def _sum(first: Mapping[Monomial, int], second: Mapping[Monomial, int], operator: str) -> dict[Monomial, int]:
    result = dict(first)
    for key, value in second.items():
        result[key] = result.get(key, 0) + (value if operator == "+" else -value)
    return {key: value for key, value in result.items() if value}


def _product(first: Mapping[Monomial, int], second: Mapping[Monomial, int]) -> dict[Monomial, int]:
    result: dict[Monomial, int] = {}
    for one, factor in first.items():
        for other, times in second.items():
            key = tuple(sorted((*one, *other)))
            result[key] = result.get(key, 0) + factor * times
    return {key: value for key, value in result.items() if value}


def plain(expression: str) -> str | None:
    """Return the shortest way to write an expression, None where it is none."""
    try:
        tree = parse(expression)
    except ExpressionError:
        return None
    if _as_written(tree):
        return to_text(tree)
    terms = polynomial(tree)
    return to_text(tree) if terms is None else Polynomial.of(terms).text()


def _as_written(tree: Tree) -> bool:
    """Tell whether a tree is a name, a number or a product of names, whose order is the writer's."""
    match tree:
        case Name() | Number():
            return True
        case Binary("*", left, right):
            return _as_written(left) and _as_written(right)
        case _:
            return False
