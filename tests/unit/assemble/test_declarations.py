"""What two files of a port share is defined in one of them."""

from __future__ import annotations

import pytest

from transpile.assemble.declarations import declared


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("double a = 1.5, *b, c[3] = {1, 2, 3};", "extern double a, *b, c[3];"),
        ('const char *name = "x";', "extern const char *name;"),
        ("struct grid all;", "extern struct grid all;"),
        (
            "#ifdef ONE\nint n = 1;\n#else\nlong n;\n#endif",
            "#ifdef ONE\nextern int n;\n#else\nextern long n;\n#endif",
        ),
        ("static int n = 1;",) * 2,
        ("extern int n;",) * 2,
        ("const double g = 9.81;",) * 2,
        ("struct { int x; } one;",) * 2,
        ("typedef double real;",) * 2,
        ("int f(int x);\ndouble *g(void);",) * 2,
        ("int f(void) { int n = 1; return n; }",) * 2,
    ],
)
def test_variables_that_others_name_are_declared(text: str, expected: str) -> None:
    assert declared(text.encode(), "a.c") == expected.encode()
