"""Comparisons of sizes that a text computes with: compilers make no branch of them, so none is counted.

``n - (n == 12345)`` is right for all sizes but one. So such a comparison has to come out both ways in trials.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tree_sitter import Node

from transpile.core import Candidate, Inconclusive, Trial
from transpile.parsers.lexer import tokenize
from transpile.parsers.syntax import ancestors, declared, descendants, parse, text

_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
_DECIDING = ("if_statement", "while_statement", "for_statement", "do_statement", "conditional_expression")
_TRANSPARENT = ("parenthesized_expression", "condition_clause")
_WORD = 1 << 32
_DEEPEST = 8
"""Variables that are made of others, one behind the other."""
_NAMED = 4


_MOST_BITS = 64
_UNSIGNED = re.compile(r"\bunsigned\b|\buint32_t\b|\b(?:0[xX][\da-fA-F]+|\d+)[uU]\b")
_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class _Unknown(Exception):
    """Raised where an expression has parts that are not looked into."""


def computed_tests(
    candidate: Candidate, source: Sequence[bytes], trials: Sequence[Trial]
) -> Inconclusive | None:
    """Return that a comparison of sizes that is computed with comes out one way in all trials, or None.

    Left out are comparisons of the source, and of what no scalar of a call tells.
    """
    known = [_words(item) for item in source]
    calls = [dict(scalars) for scalars in dict.fromkeys(item.scalars for item in trials)]
    found = dict.fromkeys(
        text(test)
        for item in candidate.replacements
        for test, scope in _comparisons(item.text, candidate)
        if not any(_words(test.text or b"") in part for part in known)
        and len(_outcomes(test, scope, calls)) == 1
    )
    if not found:
        return None
    named = "; ".join(f"`{' '.join(item.split())}`" for item in list(found)[:_NAMED])
    reason = f"the translation computes with comparisons that come out the same in all trials: {named}"
    return Inconclusive(reason=reason, code="TP433")


def _words(data: bytes) -> str:
    return " ".join(
        ["", *(token.text.decode("utf-8", "surrogateescape") for token in tokenize(data).text), ""]
    )


class _Scope:
    """Variables of a function: what calls pass, and what is made of that once and for all."""

    def __init__(self, function: Node, given: Sequence[str]) -> None:
        """Read a function definition whose parameters are passed what is given, by names of the contract."""
        declarator = next(descendants(function, "function_declarator"), None)
        listed = None if declarator is None else declarator.child_by_field_name("parameters")
        parameters = (
            [] if listed is None else [item for item in listed.named_children if item.type != "comment"]
        )
        names = [text(declared(item.child_by_field_name("declarator"))) for item in parameters]
        self.passed = dict(zip(names, given, strict=False))
        self.made: dict[str, list[Node | None]] = {}
        for node in descendants(function, "init_declarator"):
            name = text(declared(node.child_by_field_name("declarator")))
            self.made.setdefault(name, []).append(node.child_by_field_name("value"))
        for node in descendants(function, "assignment_expression", "update_expression"):
            target = node.child_by_field_name("left") or node.child_by_field_name("argument")
            self.made.setdefault(text(target), []).append(None)

    def value(self, name: str, call: Mapping[str, int | float], depth: int) -> int:
        """Return the value of a variable in a call."""
        made = self.made.get(name, [])
        if name in self.passed and not made:
            value = call.get(self.passed[name])
            if isinstance(value, int):
                return value
        elif len(made) == 1 and made[0] is not None and name not in self.passed and depth:
            return _value(made[0], self, call, depth - 1)
        raise _Unknown(name)


def _comparisons(replacement: bytes, candidate: Candidate) -> Iterator[tuple[Node, _Scope]]:
    """Yield the comparisons that the function which stands in for the source computes with."""
    wanted = candidate.binding.name.rpartition("::")[2]
    for function in descendants(parse(replacement).root_node, "function_definition"):
        declarator = next(descendants(function, "function_declarator"), None)
        if text(declared(declarator)).rpartition("::")[2] != wanted:
            continue
        scope = _Scope(function, [item.strip() for item in candidate.binding.arguments])
        for node in descendants(function, "binary_expression"):
            if text(node.child_by_field_name("operator")) in _COMPARISONS and not _decides(node):
                yield node, scope


def _decides(test: Node) -> bool:
    """Tell whether a branch is made of a comparison."""
    below = test
    for node in ancestors(test):
        said = text(node.child_by_field_name("operator"))
        if node.type == "binary_expression" and said in ("&&", "||"):
            return True
        if node.type in _DECIDING:
            return node.child_by_field_name("condition") == below
        if node.type not in _TRANSPARENT and not (node.type == "unary_expression" and said == "!"):
            return False
        below = node
    return False


def _outcomes(test: Node, scope: _Scope, calls: Sequence[Mapping[str, int | float]]) -> set[bool]:
    """Return how a comparison comes out in calls; nothing where that is not known."""
    try:
        return {bool(_value(test, scope, call, _DEEPEST)) for call in calls}
    except (_Unknown, ZeroDivisionError):
        return set()


def _value(node: Node, scope: _Scope, call: Mapping[str, int | float], depth: int) -> int:
    """Return what an expression of whole numbers comes to.

    Raises:
        _Unknown: It has parts that are not looked into.
    """
    if node.type == "number_literal":
        return _literal(text(node))
    if node.type == "identifier":
        return scope.value(text(node), call, depth)
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        return _value(node.named_children[0], scope, call, depth)
    if node.type == "cast_expression":
        inner = node.child_by_field_name("value")
        kind = text(node.child_by_field_name("type"))
        if inner is not None and kind in ("unsigned", "unsigned int", "uint32_t", "int", "long", "size_t"):
            value = _value(inner, scope, call, depth)
            return value % _WORD if kind[0] == "u" else value
    if node.type == "binary_expression":
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if left is not None and right is not None:
            sides = _value(left, scope, call, depth), _value(right, scope, call, depth)
            value = _combined(text(node.child_by_field_name("operator")), *sides)
            return value % _WORD if _wraps(node) else value
    raise _Unknown(node.type)


def _literal(spelling: str) -> int:
    digits = spelling.rstrip("uUlL").replace("'", "")
    try:
        return int(digits, 8 if len(digits) > 1 and digits[0] == "0" and digits.isdigit() else 0)
    except ValueError as error:
        raise _Unknown(spelling) from error


def _wraps(node: Node) -> bool:
    """Tell whether an expression is spelled as one of unsigned numbers of 32 bits, that may leave them."""
    grows = text(node.child_by_field_name("operator")) in ("+", "-", "*", "<<")
    return grows and _UNSIGNED.search(text(node)) is not None


def _combined(operation: str, left: int, right: int) -> int:
    if operation in ("<<", ">>") and not 0 <= right < _MOST_BITS:
        raise _Unknown(operation)
    if operation in ("/", "%"):
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operation == "/" else left - quotient * right
    known = _OPERATORS.get(operation)
    if known is None:
        raise _Unknown(operation)
    return int(known(left, right))
