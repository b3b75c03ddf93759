"""Products, counts and cuts of sizes, by what clang says of a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.core import TranslationUnit
from transpile.testers.text.narrow_arithmetic import Arithmetic, Count, arithmetic_in, below_sign, narrower


def read(body: str) -> Arithmetic:
    """Return what a function with the sizes n, m, u (32 bits, u without a sign) and k (64) does."""
    text = (
        "#include <string.h>\nnamespace ours {\nstruct V { unsigned long size() const; };\nint side;\n"
        f"void f(int n, int m, long k, unsigned u, float *x, const V &v) {{ {body} }}\n}}\n"
    )
    named = {0: "n", 1: "m", 2: "k", 3: "u"}
    unit = TranslationUnit(path="a.cpp")
    return arithmetic_in(
        Path("/nowhere"),
        {"a.cpp": text.encode()},
        unit,
        lambda function: named if function.spelling == "f" else None,
        ["k"],
        plain=True,
    )


@pytest.mark.parametrize(
    ("source", "candidate", "told"),
    [
        ("x[(long)n * m] = 0;", "x[n * m] = 0;", "multiplies `m` and `n` in 32 bits"),
        ("x[(long)n * m] = 0;", "for (int i = 0; i < n; i++) x[i * m] = 0;", "multiplies `m` and `n`"),
        ("x[(long)n * m] = 0;", "unsigned at = (unsigned)n * m; x[at] = 0;", "multiplies `m` and `n`"),
        ("x[0] = 0;", "x[n * (n - 1) / 2] = 0;", "multiplies `n` in 32 bits"),
        ("x[0] = 0;", "x[side * n] = 0;", "multiplies `n` and `side` in 32 bits"),
        ("for (int i = 0; i < n; i++) x[i * m] = 0;", "x[n * m] = 0;", ""),
        ("int i = (int)x[0]; x[i * m] = 0;", "x[n * m] = 0;", ""),
        ("x[0] = 0;", "x[(n + 15) / 16 * ((m + 15) / 16)] = 0;", ""),
        ("x[0] = 0;", "x[(size_t)n * m] = 0;", ""),
        ("x[0] = 0;", "int bytes = n * 4; memset(x, 0, bytes);", "computes in 32 bits how many bytes `n`"),
        ("x[0] = 0;", "int bytes = n * sizeof(float); memset(x, 0, bytes);", "keeps `n` in 32 bits"),
        ("x[0] = 0;", "memset(x, 0, n * sizeof(float));", ""),
        ("x[2 * n] = 0;", "memset(x, 0, 2 * n * sizeof(float));", ""),
        ("x[k] = 0;", "int i = k; x[i] = 0;", "keeps `k` in 32 bits"),
        ("x[k] = 0;", "int i = (int)v.size(); x[i] = 0;", "keeps `size()` in 32 bits"),
        ("x[k] = 0;", "int i = (int)(k % n); x[i] = 0;", ""),
        ("for (int i = 0; i < v.size(); i++) x[i] = 0;", "int all = (int)v.size(); x[all] = 0;", ""),
        ("for (int i = 0; k > i; i++) x[i] = 0;", "int all = (int)v.size(); x[all] = 0;", "keeps `size()`"),
        ("for (long i = 0; i < k; i++) x[i] = 0;", "for (int i = 0; i < k; i++) x[i] = 0;", "keeps `k`"),
        ("x[0] = 0;", "int same = n == m; for (int i = 0; i < n * same; i++) x[i] = 0;", ""),
        ("x[k] = 0;", "for (int t = 0; t < n; t++) { int i = (int)((long)n * t / m); x[i] = 0; }", ""),
        ("long c = 0; for (;;) c++;", "int c = 0; for (;;) for (;;) c++;", "counts in 32 bits"),
        ("int c = 0; for (;;) for (;;) c++;", "int c = 0; for (;;) for (;;) c++;", ""),
        ("long c = 0; for (;;) c++;", "for (;;) { int c = 0; for (;;) c += x[0] > 0; }", ""),
        ("long c = 0; for (;;) c++;", "int c = 0; for (;;) for (;;) c += n;", "adds up in 32 bits"),
        ("int c = 0; for (;;) c++;", "float c = 0; for (;;) c += 1.0f;", "counts in floats"),
        ("long c = 0; for (;;) c++;", "int c = 0; for (;;) c += x[n] + 1;", "adds up in 32 bits"),
        ("long c = 0; for (;;) c++;", "long c = 0; for (;;) c += x[n] + 1;", ""),
        ("int c = 0; for (;;) c++;", "int c = 0; for (;;) c += x[n] + 1;", ""),
        ("long c = 0; int s = 0; for (;;) { c++; s += x[n]; }", "int c = 0; for (;;) c += x[n] + 1;", ""),
        ("float c = 0; for (;;) c++;", "float c = 0; for (;;) c += 1.0f;", ""),
        ("int c = 0; for (;;) c++;", "float c = 0; c += 1.0f; for (;;) c += x[0];", ""),
    ],
)
def test_what_is_narrower_is_told(source: str, candidate: str, told: str) -> None:
    found = narrower(read(source), read(candidate))
    assert found is None if not told else found is not None and told in found.reason, found


@pytest.mark.parametrize(
    ("source", "candidate", "told"),
    [
        ("for (unsigned i = 0; i < u; i++) x[i] = 0;", "for (int i = 0; i < (int)u; i++) x[i] = 0;", "`u`"),
        ("for (unsigned i = 0; i < u; i++) x[i] = 0;", "for (int i = 0; i < u; i++) x[i] = 0;", "`u`"),
        ("for (unsigned i = 0; i < u; i++) x[i] = 0;", "const int all = u; x[all - 1] = 0;", "`u`"),
        ("for (int i = 0; i < u; i++) x[i] = 0;", "for (int i = 0; i < (int)u; i++) x[i] = 0;", ""),
        ("for (unsigned i = 0; i < u; i++) x[i] = 0;", "for (long i = 0; i < (long)u; i++) x[i] = 0;", ""),
        ("for (unsigned i = 0; i < u; i++) x[i] = 0;", "for (int i = 0; i < n; i++) x[i] = 0;", ""),
        ("x[u] = 0;", "x[u > 2 ? u : 0] = (int)(u % 8);", ""),
    ],
)
def test_sizes_kept_with_a_sign_are_told(source: str, candidate: str, told: str) -> None:
    found = list(below_sign(read(source), read(candidate)))
    assert found == (
        [f"{told} stays below 2^31: the translation keeps it in a number with a sign"] if told else []
    )


def test_a_comparison_with_bits_that_are_taken_for_a_number_is_read() -> None:
    found = read("unsigned r = u; while (x[0] > __builtin_bit_cast(float, r)) r = n;")
    assert not found.products


def test_counters_of_loops_are_no_counts() -> None:
    assert read("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[j] = 0;").counts == frozenset()
    assert read("long c = 0; while (n > 0) c += 2;").counts == {Count.WIDE}
