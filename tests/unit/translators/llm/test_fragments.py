"""Changes named by what changes."""

from __future__ import annotations

from transpile.translators.llm.fragments import changed

LINE = b"void f(int *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] + 1; }"


def test_a_change_of_one_long_line_is_told_from_others() -> None:
    said = changed(LINE, LINE.replace(b"+ 1", b"- 1"))
    assert "x[i] + 1; }` becomes `" in said and "x[i] - 1; }`" in said
    assert changed(LINE, LINE.replace(b"i < n", b"i <= n")) != said


def test_what_is_shown_keeps_to_its_line() -> None:
    assert changed(b"a\nb < c;\nd", b"a\nb <= c;\nd") == "line 2: `b < c;` becomes `b <= c;`"
    assert changed(b"a+a", b"a") == "line 1: `a+a` becomes `a`"
