"""Code that prints nothing but whole numbers, letters and strings."""

from __future__ import annotations

import pytest

from transpile.parsers.types.printing import prints


@pytest.mark.parametrize(
    "call",
    [
        r'printf("hello\n");',
        r'printf("%04d | %-3u %%%c%s %llu %#x %*d\n", 1, 2u, 3, "4", 5ull, 6, 7, 8);',
        r'printf("one " /* and */ "two %zu\n", n);',
        r'if (n) ::printf("%d\n", n);',
        r'std::printf("%d\n", n);',
    ],
)
def test_such_text_is_the_same_whoever_prints_it(call: str) -> None:
    assert prints([b"void other() {}", f"void k(int n) {{ {call} }}".encode()])


@pytest.mark.parametrize(
    "call",
    [
        r'printf("%f\n", x);',
        r'printf("%d %5.2e\n", n, x);',
        r'printf("%p\n", &n);',
        r'printf("%n", &n);',
        r'printf("%Lf", x);',
        r"printf(format, n);",
        r'printf("%" PRIu64 "\n", n);',
        r'fprintf(stderr, "%d\n", n);',
        r'printf("%d\n", n); printf("%g\n", x);',
        r'// printf("%d\n", n);',
        r"",
    ],
)
def test_other_text_is_not(call: str) -> None:
    assert not prints([f"void k(int n) {{ {call}\n }}".encode()])
