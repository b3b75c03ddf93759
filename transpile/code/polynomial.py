"""Integer expressions as polynomials, so that index formulas are known however they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.syntax import field, operator, source, squeeze, unparenthesized
from transpile.code.types import conversion

Monomial = tuple[str, ...]
"""Sorted names that are multiplied; empty for a constant."""
Polynomial = Mapping[Monomial, int]

LAUNCH = re.compile(r"\b(threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xyz])\b")
INTEGER_TYPES = frozenset(
    ("short", "int", "unsigned", "long", "unsignedlong", "longlong", "unsignedlonglong")
)
"""Types of what counts, by their ``bare`` names."""


def constant(value: int) -> Polynomial:
    """Return the polynomial of a number."""
    return {(): value} if value else {}


def name(text: str) -> Polynomial:
    """Return the polynomial of one name."""
    return {(text,): 1}


def add(left: Polynomial, right: Polynomial, factor: int = 1) -> Polynomial:
    """Return left + factor * right."""
    result = dict(left)
    for monomial, value in right.items():
        result[monomial] = result.get(monomial, 0) + factor * value
        if not result[monomial]:
            del result[monomial]
    return result


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product."""
    result: Polynomial = {}
    for first, a in left.items():
        for second, b in right.items():
            result = add(result, {tuple(sorted(first + second)): a * b})
    return result


def substituted(value: Polynomial, old: str, new: Polynomial) -> Polynomial:
    """Return a polynomial with another one in the place of a name."""
    result: Polynomial = {}
    for monomial, amount in value.items():
        term: Polynomial = constant(amount)
        for item in monomial:
            term = multiply(term, new if item == old else name(item))
        result = add(result, term)
    return result


def names(polynomial: Polynomial) -> frozenset[str]:
    """Return the names in it."""
    return frozenset(item for monomial in polynomial for item in monomial)


def launch_name(node: Node) -> str | None:
    """Return ``threadIdx.x`` and the like for a node that is one; None otherwise."""
    if node.type != "field_expression":
        return None
    match = LAUNCH.fullmatch(source(node))
    return f"{match.group(1)}.{match.group(2)}" if match else None


def depends_on_launch(node: Node) -> bool:
    """Tell whether the text of a node mentions the launch."""
    return bool(LAUNCH.search(code(source(node))))


def read(node: Node, value: Callable[[Node], Polynomial | None]) -> Polynomial | None:
    """Return an expression as a polynomial; None where it is none.

    The callback gives the polynomial of an identifier, or None where it is a name like any other.
    """
    node = unparenthesized(node)
    launch = launch_name(node)
    if launch is not None:
        return name(launch)
    if node.type == "number_literal":
        return number(source(node))
    if node.type == "identifier":
        known = value(node)
        return known if known is not None else name(source(node))
    if node.type == "unary_expression" and operator(node) in "+-":
        inner = read(field(node, "argument"), value)
        return None if inner is None else multiply(constant(-1 if operator(node) == "-" else 1), inner)
    cast = _integer_cast(node)
    if cast is not None:
        return read(cast, value)
    if node.type == "binary_expression" and operator(node) in ("+", "-", "*", "<<"):
        return _binary(node, value)
    if depends_on_launch(node) or any(
        value(item) for item in node.named_children if item.type == "identifier"
    ):
        return None
    return name(squeeze(source(node)))


def _binary(node: Node, value: Callable[[Node], Polynomial | None]) -> Polynomial | None:
    left, right = read(field(node, "left"), value), read(field(node, "right"), value)
    return None if left is None or right is None else combined(operator(node), left, right)


def combined(sign: str, left: Polynomial, right: Polynomial) -> Polynomial | None:
    """Return a sum, a difference, a product or a shift by a small number; None for other operators."""
    match sign:
        case "+":
            return add(left, right)
        case "-":
            return add(left, right, -1)
        case "*":
            return multiply(left, right)
        case "<<" if set(right) == {()} and 0 <= right[()] < 31:
            return multiply(left, constant(1 << right[()]))
        case _:
            return None


def ratio(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """Return a product of names without the factors of another; None where it has not all of them."""
    left = list(monomial)
    for item in divisor:
        if item not in left:
            return None
        left.remove(item)
    return tuple(left)


def number(text: str) -> Polynomial | None:
    """Return the polynomial of a literal, decimal or hexadecimal; None for others.

    The parser takes a minus in front of one for a part of it.
    """
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0|[1-9]\d*)[uUlL]*|-[1-9]\d*", text)
    return constant(int(match[1] or match[0], 0)) if match else None


def _integer_cast(node: Node) -> Node | None:
    """Return what an integer cast converts; None for other nodes."""
    kind, value = conversion(node) or ("", node)
    return value if kind in INTEGER_TYPES else None


def spelled(value: Polynomial) -> str:
    """Return a polynomial as C, what is added before what is taken away."""
    ordered = sorted(value.items(), key=lambda term: (term[1] < 0, -len(term[0]), term[0]))
    text = ""
    for monomial, factor in ordered:
        size = abs(factor)
        factors = ([str(size)] if size != 1 or not monomial else []) + list(monomial)
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        text += sign + " * ".join(factors)
    return text or "0"


def product(*parts: str) -> Polynomial:
    """Return the product of names."""
    return {tuple(sorted(parts)): 1}


def total(*polynomials: Polynomial) -> Polynomial:
    """Return the sum."""
    result: Polynomial = {}
    for polynomial in polynomials:
        result = add(result, polynomial)
    return result


def global_index(axis: str) -> Polynomial:
    """Return ``blockIdx.a * blockDim.a + threadIdx.a``."""
    return total(product(f"blockIdx.{axis}", f"blockDim.{axis}"), name(f"threadIdx.{axis}"))


def grid_stride(axis: str) -> Polynomial:
    """Return ``gridDim.a * blockDim.a``."""
    return product(f"gridDim.{axis}", f"blockDim.{axis}")


JOINT: tuple[tuple[Polynomial, Polynomial], ...] = (
    # (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x: blocks in a plane, threads in a row
    (
        total(product("blockIdx.y", "gridDim.x", "blockDim.x"), global_index("x")),
        product("gridDim.y", "gridDim.x", "blockDim.x"),
    ),
    # row * (gridDim.x * blockDim.x) + column: the whole plane of threads, row by row
    (
        total(
            multiply(global_index("y"), grid_stride("x")),
            global_index("x"),
        ),
        multiply(grid_stride("x"), grid_stride("y")),
    ),
    # block in plane * threads per block + thread in plane
    (
        total(
            multiply(
                total(product("blockIdx.y", "gridDim.x"), name("blockIdx.x")),
                product("blockDim.x", "blockDim.y"),
            ),
            product("threadIdx.y", "blockDim.x"),
            name("threadIdx.x"),
        ),
        multiply(grid_stride("x"), grid_stride("y")),
    ),
    # blocks in a row, threads in a plane
    (
        total(
            product("blockIdx.x", "blockDim.x", "blockDim.y"),
            product("threadIdx.y", "blockDim.x"),
            name("threadIdx.x"),
        ),
        product("gridDim.x", "blockDim.x", "blockDim.y"),
    ),
    # a plane of blocks of one thread each is common too
    (
        total(product("blockIdx.y", "gridDim.x"), name("blockIdx.x")),
        product("gridDim.y", "gridDim.x"),
    ),
)
"""One-dimensional indices over several axes, each with the number of values it takes."""
