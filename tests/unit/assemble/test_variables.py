"""Which of two files defines a variable at file scope that both name."""

from __future__ import annotations

import pytest

from transpile.assemble.variables import announced, opened
from transpile.parsers.edits import apply


@pytest.mark.parametrize(
    ("text", "opens", "announces"),
    [
        ("static double t[4];", "double t[4];", "extern double t[4];"),
        ("static int t = 3, u[2] = { 1 };", "int t = 3, u[2] = { 1 };", "extern int t, u[2];"),
        ("double u[N][N];", "double u[N][N];", "extern double u[N][N];"),
        ('const char *u = "x";', 'const char *u = "x";', "extern const char *u;"),
        (
            "#ifdef A\nint u = 1;\n#endif\n",
            "#ifdef A\nint u = 1;\n#endif\n",
            "#ifdef A\nextern int u;\n#endif\n",
        ),
    ],
)
def test_one_file_defines_and_the_other_names(text: str, opens: str, announces: str) -> None:
    data = text.encode()
    assert apply(data, opened(data, {"t"})).decode() == opens
    assert apply(data, announced(data, {"t"})).decode() == announces


@pytest.mark.parametrize(
    "text",
    [
        *("static int u;", "extern int t;", "int t(void);", "int *t(int n);", "static const int t = 3;"),
        *("typedef int t;", "struct t { int n; };", "const double t[2] = { 1, 2 };"),
    ],
)
def test_what_each_file_may_have_stays(text: str) -> None:
    data = text.encode()
    assert apply(data, opened(data, {"t"})) == apply(data, announced(data, {"t"})) == data
