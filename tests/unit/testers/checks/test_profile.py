"""Remarks of the compiler on loops, with the lines of a translation."""

from __future__ import annotations

from transpile.testers.checks.profile import rates, told

TEXT = b"""void f(int n, const float *x, float *y, const int *p) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        y[i] = 2 * x[i];
    }
    for (int i = 0; i < n; ++i) y[p[i]] += x[i];
    while (n--) g();
}
"""
REMARKS = """a.cpp:4:22: optimized: loop vectorized using 32 byte vectors
a.cpp:4:22: optimized:  loop versioned for vectorization because of possible aliasing
a.cpp:4:22: missed: not vectorized: not suitable.
a.cpp:6:23: missed: couldn't vectorize loop
a.cpp:6:39: missed: not vectorized: no vectype for stmt: _8 = *_7;
 scalar_type: float
a.cpp:6:39: missed: not vectorized: something else
b.h:7:1: missed: not vectorized: of another file
"""
OWN = {line.strip() for line in TEXT.decode().splitlines()}


def test_each_loop_has_one_fate() -> None:
    assert list(told(REMARKS, {"a.cpp": TEXT}, OWN)) == [
        "loop `for (int i = 0; i < n; ++i) {`: vectorised, 32 bytes at a time",
        "loop `for (int i = 0; i < n; ++i) y[p[i]] += x[i];`: not vectorised: no vectype for stmt: _8 = *_7;",
    ]


def test_loops_of_others_are_not_told_of() -> None:
    assert list(told(REMARKS, {"a.cpp": TEXT}, set())) == []


def test_rates_need_both_of_their_counts() -> None:
    counts = {"instructions": 30.0, "cycles": 20.0, "cache-misses": 5.0, "page-faults": 40.0}
    assert list(rates(counts, 4)) == [
        "1.50 instructions a cycle",
        "10 page faults a call, its data's included",
    ]
