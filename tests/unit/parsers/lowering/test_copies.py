"""Functions that are inlined where every access is watched, and such as stay calls."""

from __future__ import annotations

import pytest

from transpile.parsers.lowering.copies import watched_copies

INLINED = b"__attribute__((always_inline)) "


def inlined(text: str, *, branching: bool = True) -> bool:
    """Tell whether the function that a text ends with is inlined."""
    [data] = watched_copies({"a.cu": text.encode()}, (), branching=branching).values()
    assert data.replace(INLINED, b"") == text.encode()
    return data.splitlines()[-1].startswith(INLINED)


@pytest.mark.parametrize(
    "text",
    [
        "__device__ float dot(float2 a, float2 b) { return a.x * b.x; }",
        "static double norm(const struct vec a) { return a.x; }",
        "inline __host__ __device__ float4 operator+(float4 a, float4 b) { return {a.x, 0, 0, b.y}; }",
        "template <class T>\n__device__ T first(geo::Pair<T> p) { return p.one; }",
        "__device__ Body moved(const Body &b, float d) { return {b.x + d}; }",
        "float dot(float2 a) { return sum(a); }\nfloat sum(float2 a) { return a.x; }",
    ],
)
def test_structs_by_value_are_assigned(text: str) -> None:
    assert inlined(text)


@pytest.mark.parametrize(
    "text",
    [
        "__device__ float length(const float2 &a) { return a.x; }",
        "__device__ float length(float2 *a) { return a->x; }",
        "__device__ Body *next(Body *b) { return b + 1; }",
        "__device__ float scale(float a, int n) { return a * n; }",
        "__global__ void k(Params p, float *x) { x[0] = p.a; }",
        "__noinline__ __device__ float dot(float2 a) { return a.x; }",
        "__device__ float depth(Node n) { return n.leaf ? 0 : 1 + depth(*n.next); }",
        "float odd(V v);\nfloat even(V v) { return odd(v); }\nfloat odd(V v) { return even(v); }",
        "void f(Body b);",
    ],
)
def test_what_copies_nothing_or_calls_itself_stays_a_call(text: str) -> None:
    assert not inlined(text)


def test_functions_with_branches_stay_calls_where_branches_count() -> None:
    text = "__device__ float positive(V v) { return v.x > 0 && v.y > 0; }"
    assert inlined(text) and not inlined(text, branching=False)
