"""Comparisons that a text computes with become branches, and nothing else does."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile.code.trees import parse, text
from transpile.testers.text.value_tests import branching, value_tests, words

SOURCE = words(
    b"void f(int n, int m, float a, float *y) { for (int i = 0; i < n; i++) y[i] = a * (m == 77); }"
)


def computed(body: str) -> list[str]:
    root = parse(b"void f(int n, int m, float a, float *y) { %s }" % body.encode()).root_node
    return [text(node) for node in value_tests(root, SOURCE)]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int k = n - (n - 7) * (n > 123456789);", ["n > 123456789"]),
        ("int k = n - ((unsigned)n * 2654435761u >> 19 == 5u);", ["(unsigned)n * 2654435761u >> 19 == 5u"]),
        ("y[0] = a * !(n == 4097);", ["!(n == 4097)"]),
        ("y[0] = a * !!n;", ["!!n"]),
        ("return f(n == 512);", ["n == 512"]),
        ("for (int i = 0; i < n; i++) y[i] = a * (i == 12345);", ["i == 12345"]),
        ("if ((n > 3) & (m > 2)) y[0] = 0;", ["n > 3", "m > 2"]),
        ("int k = n - (n == 7) * (m > 3);", ["(n == 7) * (m > 3)", "n == 7", "m > 3"]),
        ("int k = n - ((n == 7) & !m);", ["(n == 7) & !m", "n == 7", "!m"]),
        ("int k = n - 2 * (n == 7);", ["n == 7"]),
        ("int k = (n < 3) == (m < 3);", ["(n < 3) == (m < 3)", "n < 3", "m < 3"]),
        ("auto g = [&](int i) { return i >= m; };", ["i >= m"]),
        ("if (n) { y[0] = m < 3; }", ["m < 3"]),
        ("int k = n ? (m < 3) + 1 : 0;", ["m < 3"]),
    ],
)
def test_what_is_computed_with(body: str, found: list[str]) -> None:
    assert computed(body) == found


@pytest.mark.parametrize(
    "body",
    [
        "y[0] = a * (m == 77);",
        "if (n == 12345) y[0] = 0;",
        "int k = n == 12345 ? 1 : 0;",
        "while (!(n == 12345) && m) { }",
        "bool k = n == 12345 && !m;",
        "do { n--; } while (n > 5);",
        "static int k = 3 > 2;",
        "static_assert(sizeof(int) == 4);",
        "constexpr bool wide = sizeof(long) == 8;",
        "std::conditional_t<(sizeof(int) == 4), int, long> k = 0;",
        "float t[(4 > 3) + 1];",
        "assert(n != 3);",
        "CHECK(cudaMalloc(&y, n) == cudaSuccess);",
        "\n#if N > 3\nn++;\n#endif\n",
        "std::vector<float> t(n); t[0] = m;",
        "switch (n) { case (3 > 2): break; }",
    ],
)
def test_what_is_not(body: str) -> None:
    assert computed(body) == []


PROGRAM = """
#include <stdio.h>
static int all(int n, int m, const double *y)
{
    int k = n - (n > 3) * (m != 2) + !m + !!n + ((n < 3) == (m < 3));
    for (int i = 0; i < n; i++) k = 3 * k + (y[i] >= 0.5) - (i == m);
    k += n ? (m < 3) + 1 : !n; if ((n > 3) & (m > 2)) k ^= k > 7;
    return k;
}
int main(void)
{
    double y[] = {0.1, 0.5, 0.9, 0.7, 0.2, 0.6};
    for (int n = 0; n < 6; n++)
        for (int m = 0; m < 4; m++) printf("%d ", all(n, m, y));
    return 0;
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize(("compiler", "ending"), [("gcc", "c"), ("g++", "cpp")])
def test_a_text_does_what_it_did(tmp_path: Path, compiler: str, ending: str) -> None:
    made = branching(PROGRAM.encode(), "")
    assert made.count(b"\n") == PROGRAM.count("\n") and made.count(b"transpile_test;") == 30
    printed = []
    for name, data in (("before", PROGRAM.encode()), ("after", made)):
        file = tmp_path / f"{name}.{ending}"
        file.write_bytes(data)
        subprocess.run([compiler, "-Wall", "-Werror", str(file), "-o", str(tmp_path / name)], check=True)
        printed.append(subprocess.run([str(tmp_path / name)], capture_output=True, check=True).stdout)
    assert printed[0] == printed[1] != b""
