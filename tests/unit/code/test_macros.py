"""Uses of macros stand for what a preprocessor makes of them, or for nothing that is known."""

from __future__ import annotations

import re

import pytest

from transpile.code.lexer import tokenize
from transpile.code.macros import defined, expanded, use_end


def written_out(text: str) -> str | None:
    """Return what the text of a file stands for, blanks made one."""
    data = text.encode()
    found = expanded("a.cu", tokenize(data).text, defined({"a.cu": data}), data)
    return None if found is None else re.sub(r"\s+", " ", found.text.decode()).strip()


@pytest.mark.parametrize(
    ("macro", "use", "wanted"),
    [
        ("RUN(k, n) k<<<n, 1>>>(x)", "RUN(f, a + b);", "f<<<a + b, 1>>>(x);"),
        ("RUN(k, ...) k<<<1, 1>>>(__VA_ARGS__)", "RUN(f, x, n);", "f<<<1, 1>>>(x, n);"),
        ("RUN(k, rest...) k<<<1, 1>>>(rest)", "RUN(f, x, n);", "f<<<1, 1>>>(x, n);"),
        ("RUN(k, ...) k(0, ##__VA_ARGS__)", "RUN(f);", "f(0);"),
        ("RUN(k) puts(#k); k()", "RUN(f<int>);", 'puts("f<int>"); f<int>();'),
        ("RUN(k) k(1)", "RUN((f<a, b>));", "(f<a, b>)(1);"),
        ("RUN(k) k(1)", "RUN(f<a, b>);", "RUN(f<a, b>);"),
        ("RUN(k) k(RUN(1))", "RUN(f);", "f(RUN(1));"),
        ("RUN(k) k##_v2(1)", "RUN(f);", "f_v2(1);"),
        ("RUN(k, t) k ## _ ## t ## _kernel(1)", "RUN(f, half);", "f_half_kernel(1);"),
        ("RUN(k, t) k##_##t(1)", "RUN(f, );", "f_(1);"),
        ("RUN(k, t) t##k(t##1)", "RUN(f, );", "f(1);"),
        ("RUN(a, b, c) a##b##c(1)", "RUN(, , f);", "f(1);"),
        ("RUN(k) k##1(k)", "RUN(SIZE);", "SIZE1(SIZE);"),
        ("RUN(k) k##+(1)", "RUN(f);", None),
        ("SIZE 16", "f(SIZE);", "f(16);"),
        ("NONE() 1", "NONE() + NONE;", "1 + NONE;"),
    ],
)
def test_uses_stand_for_bodies(macro: str, use: str, wanted: str | None) -> None:
    assert written_out(f"#define {macro}\n{use}\n") == wanted


def test_uses_in_bodies_and_arguments_are_replaced() -> None:
    text = "#define ONE(k) k<<<1, 1>>>()\n#define TWO(k) ONE(k); ONE(k)\n#define ID(x) x\nID(TWO(f));\n"
    assert written_out(text) == "f<<<1, 1>>>(); f<<<1, 1>>>();"


@pytest.mark.parametrize("more", ["#define RUN(k) k(2)", "#undef RUN"])
def test_what_has_several_meanings_has_none(more: str) -> None:
    assert written_out(f"#define RUN(k) k(1)\n{more}\nRUN(f);\n") == "RUN(f);"


def test_what_grows_without_end_is_given_up() -> None:
    levels = "\n".join(f"#define A{level}(x) A{level - 1}(x) A{level - 1}(x)" for level in range(1, 20))
    assert written_out(f"#define A0(x) x x\n{levels}\nA19(f);\n") is None


def test_lines_of_the_body_stay_lines() -> None:
    data = b"#define RUN(k) \\\n  start(); \\\n  k(1)\nRUN(f);\n"
    found = expanded("a.cu", tokenize(data).text, defined({"a.cu": data}), data)
    assert found is not None and found.text == b"start();\n  f(1);"
    assert [token.text for token in found.tokens] == [
        found.text[token.start : token.end] for token in found.tokens
    ]


def test_a_use_ends_with_its_bracket() -> None:
    data = b"#define RUN(k) k(1)\nRUN((f))(2); RUN;\n"
    tokens = tokenize(data)
    [macro] = tokens.macros
    assert use_end(tokens.text, 0, macro) == 5
    assert use_end(tokens.text, len(tokens.text) - 2, macro) is None
