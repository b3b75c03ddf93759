"""Enumerators of a source."""

from __future__ import annotations

import pytest

from transpile.parsers.text.enumerations import ends, enumerators


@pytest.mark.parametrize(
    ("text", "spelling", "values"),
    [
        ("enum Kind { A, B, C };", "Kind", {"A": 0, "B": 1, "C": 2}),
        ("typedef enum { A = 2, B } Kind;", "const Kind", {"A": 2, "B": 3}),
        (
            "namespace n { enum class Kind : int { A, B = 0x10 /* odd */, C }; }",
            "n::Kind",
            {"A": 0, "B": 16, "C": 17},
        ),
        ("enum Kind { A, B };", "enum Kind", {"A": 0, "B": 1}),
        ("enum Kind { A = LIMIT, B };", "Kind", None),
        ("enum Kind { A,\n#ifdef MORE\nB,\n#endif\nC };", "Kind", None),
        ("enum Kind { A, B }; enum Other { P };", "int", None),
        ("enum Kind { A, B }; void f(int i) { g((Kind)i); }", "Kind", None),
        ("enum Kind { A, B }; void f(int i) { g(static_cast<Kind>(i)); }", "Kind", None),
        ("enum Kind { A, B }; void f(int i) { g(Kind(i)); }", "Kind", None),
    ],
)
def test_enumerators_have_values(text: str, spelling: str, values: dict[str, int] | None) -> None:
    assert enumerators({"a.h": text.encode()}, spelling) == values


def test_two_definitions_that_differ_are_none() -> None:
    files = {"a.h": b"enum Kind { A, B };", "b.h": b"enum Kind { A, B, C };"}
    assert enumerators(files, "Kind") is None
    assert enumerators({"a.h": files["a.h"], "copy.h": files["a.h"]}, "Kind") == {"A": 0, "B": 1}


def test_only_values_without_gaps_have_ends() -> None:
    assert ends({"A": 3, "B": 1, "C": 2, "D": 2}) == (1, 3)
    assert ends({"A": 1, "B": 2, "C": 4}) is None
