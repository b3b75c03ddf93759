"""Comparisons that a text computes with, as branches: compilers make none of them, so none is counted.

``n - (n == 12345)`` is right for all sizes but one. In the build that counts branches such a comparison is
an ``if``, and so has to come out both ways in trials.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.lexer import tokenize
from transpile.code.trees import ancestors, descendants, parse, text

_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
CONDITIONS = ("if_statement", "while_statement", "for_statement", "do_statement", "conditional_expression")
"""Statements, and an expression, that choose by a condition."""
_PRODUCTS = frozenset(("*", "&"))
"""Operators that join tests as ``&&`` does: either may come out both ways while their product never holds."""
_TRANSPARENT = frozenset(("parenthesized_expression", "condition_clause"))
_CONSTANT = frozenset(
    (
        "array_declarator", "alignof_expression", "attribute_declaration", "attribute_specifier",
        "bitfield_clause", "case_statement", "decltype", "enumerator", "gnu_asm_expression", "noexcept",
        "optional_parameter_declaration", "preproc_def", "preproc_function_def", "requires_clause",
        "sizeof_expression", "static_assert_declaration", "template_argument_list", "template_parameter_list",
    )
)  # fmt: skip
"""Where no statement may stand, or nothing is computed."""
_FIXED = frozenset(("static", "constexpr", "consteval", "constinit", "thread_local"))
_MACRO = re.compile(r"assert|[A-Z][A-Z\d_]*")
_OPEN = b"({ __typeof__(0 == 0) transpile_test; if (("
_CLOSE = b") != 0) transpile_test = 1; else transpile_test = 0; transpile_test; })"


def branching(data: bytes, source: str) -> bytes:
    """Return a text in which a branch is made of each comparison that it computes with, on the same line.

    Args:
        data: The text.
        source: The tokens of the source (see ``words``): comparisons of its own are left as they are.
    """
    found = list(value_tests(parse(data).root_node, source))
    if not found:
        return data
    opened = [(node.start_byte, 1, -node.end_byte, _OPEN) for node in found]
    closed = [(node.end_byte, 0, -node.start_byte, _CLOSE) for node in found]
    pieces, at = [], 0
    for place, _, _, piece in sorted((*opened, *closed)):
        pieces += [data[at:place], piece]
        at = place
    return b"".join((*pieces, data[at:]))


def words(data: bytes) -> str:
    """Return the tokens of a text with blanks between and around them."""
    return " ".join(
        ["", *(token.text.decode("utf-8", "surrogateescape") for token in tokenize(data).text), ""]
    )


def value_tests(root: Node, source: str) -> Iterator[Node]:
    """Yield the tests of functions whose value is computed with, and that are not the source's."""
    for node in descendants(root, "binary_expression", "unary_expression"):
        if (
            _is_test(node)
            and not node.has_error
            and _runs(node)
            and not _decides(node)
            and words(node.text or b"") not in source
        ):
            yield node


def _is_test(node: Node | None) -> bool:
    """Tell whether a text is a comparison, a negation, or a product of such."""
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_child(0)
    if node is None:
        return False
    operator = text(node.child_by_field_name("operator"))
    if node.type == "unary_expression":
        return operator == "!"
    if node.type != "binary_expression":
        return False
    return operator in _COMPARISONS or (
        operator in _PRODUCTS and all(_is_test(node.child_by_field_name(side)) for side in ("left", "right"))
    )


def _runs(test: Node) -> bool:
    """Tell whether a test is made while a function runs."""
    below = test
    for node in ancestors(test):
        directive = node.type.startswith("preproc_") and node.child_by_field_name("condition") == below
        constant = node.type in _CONSTANT or _is_fixed(node)
        if directive or constant or node.type == "ERROR" or _is_macro(node):
            return False
        if node.type == "compound_statement":
            return True
        below = node
    return False


def _decides(test: Node) -> bool:
    """Tell whether a branch is made of a test, or another test of its negation."""
    below = test
    for node in ancestors(test):
        said = text(node.child_by_field_name("operator"))
        joined = node.type == "binary_expression" and said in ("&&", "||")
        if joined or (node.type == "unary_expression" and said == "!"):
            return True
        if node.type in CONDITIONS:
            return node.child_by_field_name("condition") == below
        if node.type not in _TRANSPARENT:
            return False
        below = node
    return False


def _is_fixed(node: Node) -> bool:
    """Tell whether a declaration has values that are known before the program runs."""
    return node.type == "declaration" and any(
        text(part) in _FIXED
        for part in node.named_children
        if part.type in ("storage_class_specifier", "type_qualifier")
    )


def _is_macro(node: Node) -> bool:
    """Tell whether something is called that writes its argument out, or asks whether a call succeeded."""
    return node.type == "call_expression" and bool(
        _MACRO.fullmatch(text(node.child_by_field_name("function")))
    )
