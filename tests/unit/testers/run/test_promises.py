"""``restrict`` in kernels of a candidate: allowed of allocations that it made itself, each passed once."""

from __future__ import annotations

import pytest

from transpile.testers.run.promises import kept_apart

KERNEL = "__global__ void k(int n, float *__restrict__ x, const float *__restrict__ y) { }\n"
SET = "cudaMalloc(&a, n); cudaMalloc((void **)&b, n);"
TEXTS = [
    (f"void f(float *p, int n) {{ float *a, *b; {SET} k<<<1, n>>>(n, a, b); }}", 2),
    (f"void f(float *p, int n) {{ float *a = nullptr, *b = NULL; {SET} k<<<1, n>>>(n, a, b); }}", 2),
    (f"void f(float *p, int n) {{ float *a = p, *b = NULL; {SET} k<<<1, n>>>(n, a, b); }}", 0),
    (f"void f(float *p, int n) {{ float *a, *b; {SET} k<<<1, n>>>(n, a, a); }}", 0),
    (f"void f(float *p, int n) {{ float *a, *b; {SET} k<<<1, n>>>(n, a, p); }}", 0),
    (f"void f(float *p, int n) {{ float *a, *b; {SET} k<<<1, n>>>(n, a, b + 1); }}", 0),
    (f"void f(float *p, int n) {{ float *a, *b; {SET} b = a; k<<<1, n>>>(n, a, b); }}", 0),
    ("void f(float *p, int n) { float *a, *b = a; cudaMalloc(&a, n); k<<<1, n>>>(n, a, b); }", 0),
    ("void f(float *p, int n) { float *a, *b; same(&a); same(&b); k<<<1, n>>>(n, a, b); }", 0),
    (
        f"void f(float *p, int n) {{ float *a, *b; {SET} k<<<1, n>>>(n, a, b); }}\n"
        "void g(float *p, int n) { k<<<1, n>>>(n, p, p); }",
        0,
    ),
    ("void f(float *__restrict__ p, int n) { }", 0),
]


@pytest.mark.parametrize(("text", "count"), TEXTS)
def test_promises_that_are_the_candidates_own(text: str, count: int) -> None:
    assert len(kept_apart((KERNEL + text).encode())) == count
