"""Integer expressions of a contract: ``(n - 1) * ld + m``, ``min(n, gridDim.x * blockDim.x)``.

A small closed grammar: integers, names (``p.n`` and ``n[2]`` are some), ``+ - * / %``, comparisons,
``&& || !``, ``min`` and ``max``. Division truncates towards zero as in C; comparisons give 0 or 1. Nothing is
ever executed, so a text from a configuration file or a lock file is safe to evaluate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"\s*(?:(\d+)|([A-Za-z_][\w$]*(?:\.[A-Za-z_]\w*|\[\d+\])*)|(<=|>=|==|!=|&&|\|\||[-+*/%()<>,!]))"
)
_MAXIMUM_LENGTH = 2000
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "%"),
)
_PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_FUNCTIONS: Mapping[str, Callable[..., int]] = {"min": min, "max": max}


class ExpressionError(ValueError):
    """A text is not an expression, or has no value in the environment given."""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer literal."""

    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """A scalar or a launch quantity."""

    text: str


@dataclass(frozen=True, slots=True)
class Unary:
    """``-x`` or ``!x``."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands around an operator."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Apply:
    """``min(...)`` or ``max(...)`` of one or more arguments."""

    function: str
    arguments: tuple[Node, ...]


Node = Number | Name | Unary | Binary | Apply


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            found = token or "its end"
            raise ExpressionError(f"expected {expected or 'a value'} in {self.text!r}, found {found}")
        self.position += 1
        return token

    def binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self.unary()
        node = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            node = Binary(self.take(), node, self.binary(level + 1))
        return node

    def unary(self) -> Node:
        if self.peek() in ("-", "!"):
            operator = self.take()
            operand = self.unary()
            if operator == "-" and isinstance(operand, Number):
                return Number(-operand.value)
            return Unary(operator, operand)
        if self.peek() == "+":
            self.take()
            return self.unary()
        return self.primary()

    def primary(self) -> Node:
        token = self.take()
        if token == "(":
            node = self.binary(0)
            self.take(")")
            return node
        if token.isdigit():
            return Number(int(token))
        if not (token[0].isalpha() or token[0] == "_"):
            raise ExpressionError(f"unexpected {token} in {self.text!r}")
        if self.peek() != "(":
            return Name(token)
        if token not in _FUNCTIONS:
            raise ExpressionError(f"unknown function {token} in {self.text!r}; known are min and max")
        self.take("(")
        arguments = [self.binary(0)]
        while self.peek() == ",":
            self.take()
            arguments.append(self.binary(0))
        self.take(")")
        return Apply(token, tuple(arguments))


def _tokens(text: str) -> list[str]:
    if len(text) > _MAXIMUM_LENGTH:
        raise ExpressionError(f"expression of {len(text)} characters; at most {_MAXIMUM_LENGTH} are allowed")
    tokens: list[str] = []
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise ExpressionError(f"unexpected {stripped[position:].lstrip()[0]} in {text!r}")
        tokens.append(match.group(match.lastindex or 0))
        position = match.end()
    return tokens


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """Return the tree of a text; raises ExpressionError where it is not an expression."""
    parser = _Parser(text)
    try:
        node = parser.binary(0)
    except RecursionError:
        raise ExpressionError(f"expression too deep: {text[:60]!r}…") from None
    if parser.peek():
        raise ExpressionError(f"unexpected {parser.peek()} in {text!r}")
    return node


def evaluate(text: str, environment: Mapping[str, int]) -> int:
    """Return the value of a text; raises ExpressionError for an unknown name or a division by zero."""
    return value_of(parse(text), environment)


def value_of(node: Node, environment: Mapping[str, int]) -> int:
    """Return the value of a tree, as ``evaluate`` does for a text."""
    match node:
        case Number(value):
            return value
        case Name(text):
            if text not in environment:
                known = ", ".join(sorted(environment)) or "nothing"
                raise ExpressionError(f"{text} has no value here; known: {known}")
            return int(environment[text])
        case Unary(operator, operand):
            inner = value_of(operand, environment)
            return -inner if operator == "-" else int(not inner)
        case Apply(function, arguments):
            values = [value_of(argument, environment) for argument in arguments]
            return values[0] if len(values) == 1 else _FUNCTIONS[function](*values)
        case Binary("&&", left, right):
            return int(bool(value_of(left, environment)) and bool(value_of(right, environment)))
        case Binary("||", left, right):
            return int(bool(value_of(left, environment)) or bool(value_of(right, environment)))
        case Binary(operator, left, right):
            return _apply(operator, value_of(left, environment), value_of(right, environment))


def _apply(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                raise ExpressionError(f"{left} {operator} 0")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case "==":
            return int(left == right)
        case _:
            return int(left != right)


def names(text: str) -> frozenset[str]:
    """Return the names that the value of a text depends on."""
    return frozenset(_names(parse(text)))


def _names(node: Node) -> set[str]:
    match node:
        case Number():
            return set()
        case Name(text):
            return {text}
        case Unary(_, operand):
            return _names(operand)
        case Binary(_, left, right):
            return _names(left) | _names(right)
        case Apply(_, arguments):
            return set().union(*(_names(argument) for argument in arguments))


def divisors(text: str) -> frozenset[int]:
    """Return the numbers that parts of a text are divided by."""
    return frozenset(_divisors(parse(text)))


def _divisors(node: Node) -> Iterator[int]:
    match node:
        case Number() | Name():
            return
        case Unary(_, operand):
            yield from _divisors(operand)
        case Binary(operator, left, right):
            if operator == "/" and not _names(right):
                yield value_of(right, {})
            yield from _divisors(left)
            yield from _divisors(right)
        case Apply(_, arguments):
            for argument in arguments:
                yield from _divisors(argument)


def to_text(node: Node) -> str:
    """Return the shortest text, with spaces around operators, that parses to the same value."""
    return _text(node, 0)


def _text(node: Node, level: int) -> str:
    match node:
        case Number(value):
            return str(value) if value >= 0 or level == 0 else f"({value})"
        case Name(text):
            return text
        case Unary(operator, operand):
            return f"{operator}{_text(operand, len(_LEVELS))}"
        case Apply(function, arguments):
            return f"{function}({', '.join(_text(argument, 0) for argument in arguments)})"
        case Binary(operator, left, right):
            own = _PRECEDENCE[operator]
            text = f"{_text(left, own)} {operator} {_text(right, own + 1)}"
            return f"({text})" if own < level else text


def substitute(text: str, values: Mapping[str, str]) -> str:
    """Return the text with names replaced by other expressions."""
    return to_text(_replace(parse(text), {name: parse(value) for name, value in values.items()}))


def _replace(node: Node, values: Mapping[str, Node]) -> Node:
    match node:
        case Number():
            return node
        case Name(text):
            return values.get(text, node)
        case Unary(operator, operand):
            return Unary(operator, _replace(operand, values))
        case Binary(operator, left, right):
            return Binary(operator, _replace(left, values), _replace(right, values))
        case Apply(function, arguments):
            return Apply(function, tuple(_replace(argument, values) for argument in arguments))


def ceil_div(numerator: str, denominator: str) -> str:
    """Return the text of a division rounded up, for a numerator of at least 0 and a denominator above it."""
    top, bottom = parse(numerator), parse(denominator)
    if bottom == Number(1):
        return to_text(top)
    if isinstance(bottom, Number):
        return to_text(Binary("/", Binary("+", top, Number(bottom.value - 1)), bottom))
    return to_text(Binary("/", Binary("-", Binary("+", top, bottom), Number(1)), bottom))
