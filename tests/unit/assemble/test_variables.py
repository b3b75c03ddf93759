"""Which of two files defines a variable at file scope that both name."""

from __future__ import annotations

import pytest

from transpile.assemble.variables import announced, declared, opened
from transpile.code.edits import apply


@pytest.mark.parametrize(
    ("text", "opens", "announces"),
    [
        ("static double t[4];", "double t[4];", "extern double t[4];"),
        ("static int t = 3, u[2] = { 1 };", "int t = 3, u[2] = { 1 };", "extern int t, u[2];"),
        ("double t[N][N];", "double t[N][N];", "extern double t[N][N];"),
        ('const char *t = "x";', 'const char *t = "x";', "extern const char *t;"),
        ("void (*t[2])(int);", "void (*t[2])(int);", "extern void (*t[2])(int);"),
        (
            "#ifdef A\nint t = 1;\n#endif\n",
            "#ifdef A\nint t = 1;\n#endif\n",
            "#ifdef A\nextern int t;\n#endif\n",
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
        *(
            "static int u;",
            "int u;",
            "extern int t;",
            "int t(void);",
            "int *t(int n);",
            "static const int t = 3;",
        ),
        *("typedef int t;", "struct t { int n; };", "const double t[2] = { 1, 2 };"),
    ],
)
def test_what_each_file_may_have_stays(text: str) -> None:
    data = text.encode()
    assert apply(data, opened(data, {"t"})) == apply(data, announced(data, {"t"})) == data


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("double a = 1.5, *b, c[3] = {1, 2, 3};", "extern double a, *b, c[3];"),
        ('const char *name = "x";', "extern const char *name;"),
        ("struct grid all;", "extern struct grid all;"),
        (
            "#ifdef A\nint n = 1;\n#else\nlong n;\n#endif",
            "#ifdef A\nextern int n;\n#else\nextern long n;\n#endif",
        ),
        ("void (*calls[])(int) = { gone };", "extern void (*calls[])(int);"),
        ("static void (*calls[])(int) = { gone };", ""),
        ("static int n = 1;",) * 2,
        ("static void (*calls[])(int) = { here };",) * 2,
        ("double t[4];",) * 2,
        ("extern int n;",) * 2,
        ("const double g = 9.81;",) * 2,
        ("typedef double real;",) * 2,
        ("int f(int x);\ndouble *g(void);",) * 2,
        ("int f(void) { int n = 1; return n; }",) * 2,
    ],
)
def test_what_the_c_file_defines_is_declared_beside_it(text: str, expected: str) -> None:
    assert apply(text.encode(), declared(text.encode(), {"t"}, {"gone"})).decode() == expected
