"""Tokens: every byte is a token, white space, a comment or part of a directive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.code.lexer import Kind, closing, depth, spelled, split, tokenize


def texts(data: bytes) -> list[bytes]:
    return [token.text for token in tokenize(data).text]


@given(st.binary(max_size=300))
def test_any_bytes_are_tokens_in_order_within_the_text(data: bytes) -> None:
    at = 0
    for token in tokenize(data).text:
        assert token.start >= at
        assert data[token.start : token.end] == token.text
        at = token.end


def test_comments_and_strings_hide_what_they_hold() -> None:
    source = b'a /* b<<<1>>> */ "c<<<" R"x(d ")" )x" \'"\' // e \\\n f\ng'
    assert texts(source) == [b"a", b'"c<<<"', b'R"x(d ")" )x"', b"'\"'", b"g"]


def test_macro_bodies_are_apart_from_the_text() -> None:
    found = tokenize(b"#define K(a, b) f(a) \\\n  + b\nint x;\n# define EMPTY\n#define N (1)\n")
    assert texts(b"#define X 1\nint x;\n") == [b"int", b"x", b";"]
    assert [(macro.name, macro.parameters) for macro in found.macros] == [
        (b"K", (b"a", b"b")),
        (b"EMPTY", None),
        (b"N", None),
    ]
    assert spelled(found.macros[0].body) == "f(a)+b"


def test_conditionals_are_tokens_and_each_branch_starts_at_the_same_depth() -> None:
    tokens = tokenize(b"{\n#if A\nif (x) {\n#else\nif (y) {\n#endif\n} } z").text
    assert sum(token.kind is Kind.DIRECTIVE for token in tokens) == 3
    close = closing(tokens, 0)
    assert close is not None
    assert tokens[close + 1].text == b"z"


def test_split_counts_template_arguments_as_brackets_but_not_comparisons() -> None:
    tokens = tokenize(b"f<int, 3>(x, y), a < b && f, c > d").text
    assert [spelled(part) for part in split(tokens)] == ["f<int,3>(x,y)", "a<b&&f", "c>d"]


def test_spelled_keeps_words_and_doubled_signs_apart() -> None:
    assert spelled(tokenize(b"unsigned   int * const p - -1 : : x").text) == "unsigned int*const p- -1: :x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [(b"a b", 0), (b"f(x[1])", 2), (b"{ } { ( ) }", 2), (b") ) (", 1), (b"'(' \"((\" /* ((( */", 0)],
)
def test_depth_counts_what_is_open_at_once(text: bytes, expected: int) -> None:
    """Strings and comments open nothing."""
    assert depth(tokenize(text).text) == expected
