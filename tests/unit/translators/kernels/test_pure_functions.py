"""Functions and macros that only compute with their arguments, and others."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.draft import Surroundings


def pure(**definitions: str) -> bool:
    """Tell whether ``f`` is, of functions and of macros that begin with their parameters."""
    macros = {name: text.partition(" ")[2] for name, text in definitions.items() if text.startswith("#")}
    functions = {name: (text,) for name, text in definitions.items() if not text.startswith("#")}
    return Surroundings(functions=functions, macros=macros, constants={"WIDTH": "16"}).is_pure("f")


@pytest.mark.parametrize(
    "definitions",
    [
        {"f": "__device__ int f(int a, int b) { return (a + b - 1) / b; }"},
        {"f": "template <class T> __host__ __device__ T f(const T &a) { T s = 0; s += a; return fabsf(s); }"},
        {"f": "__device__ int f(int a) { int t[3] = {1, 2, 3}; t[a % 3]++; return t[0] + WIDTH; }"},
        {"f": "# (M, N)\n(((M) + (N)-1) / (N))"},
        {"f": "# (x,y)\n({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })"},
        {"f": "__device__ int f(int a) { return g(a) + 1; }", "g": "# (a)\n(a > h ? a : h)", "h": "# \n12"},
        {"f": "__device__ int f(int a) { return a < 2 ? 1 : a * f(a - 1); }"},
    ],
)
def test_what_computes_with_its_arguments_is_pure(definitions: dict[str, str]) -> None:
    assert pure(**definitions)


@pytest.mark.parametrize(
    "definitions",
    [
        {"f": "__device__ int f(int a) { return a + threadIdx.x; }"},
        {"f": "__device__ int f(int *a) { return a[0]; }"},
        {"f": "__device__ int f(int a[]) { return a[0]; }"},
        {"f": "__device__ int f(int &a) { return a++; }"},
        {"f": "__device__ int f(int a) { static int n; return n + a; }"},
        {"f": "__device__ int f(int a) { counter = a; return a; }"},
        {"f": "__device__ int f(int a) { return counter + a; }"},
        {"f": "__device__ int f(int a) { return atomicAdd(&counter, a); }"},
        {"f": "__device__ int f(int a) { return unknown(a); }"},
        {"f": "__device__ int f(int a) { auto p = &a; return *p; }"},
        {"f": "__device__ int f(View v, int i) { return v.data[i] + 1; }"},
        {"f": "__device__ int f(Node n) { return n.next->value; }"},
        {"f": "# (a)\n(a + tid)"},
        {"f": "# (a)\n(a += 1)"},
        {
            "f": "__device__ int f(int a) { return g(a); }",
            "g": "__device__ int g(int a) { return clock64(); }",
        },
        {"g": "__device__ int g(int a) { return a; }"},
    ],
)
def test_what_may_do_more_is_not(definitions: dict[str, str]) -> None:
    assert not pure(**definitions)
