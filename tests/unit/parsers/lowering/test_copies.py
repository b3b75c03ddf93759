"""Functions that are inlined where every access is watched, and such as stay calls."""

from __future__ import annotations

import pytest

from transpile.parsers.lowering.copies import watched_copies

INLINED = b"__attribute__((always_inline)) "


def inlined(text: str, *, branching: bool = True) -> bool:
    """Tell whether the function that a text ends with is inlined."""
    [data] = watched_copies({"a.cu": text.encode()}, (), branching=branching).values()
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


POSITIVE = "__device__ V positive(V v, int n) { return v.x > 0 ? v : V(); }\n"
OPEN, CLOSE = "({ auto simt_copy = ", "; static_cast<decltype(simt_copy) &&>(simt_copy); })"


@pytest.mark.parametrize(
    ("call", "watched"),
    [
        ("q[i] = positive(v, i);", f"q[i] = {OPEN}positive(v, i){CLOSE};"),
        ("p->v = ns::positive(v, i);", f"p->v = {OPEN}ns::positive(v, i){CLOSE};"),
        ("V v = positive(q[i], m[i]);", f"V v = positive({OPEN}q[i]{CLOSE}, m[i]);"),
        ("V v = positive(*q, i);", f"V v = positive({OPEN}*q{CLOSE}, i);"),
        ("V v = positive({1, 2}, i);", "V v = positive({1, 2}, i);"),
        ("q[i] = negative(q[i], i);", "q[i] = negative(q[i], i);"),
    ],
)
def test_calls_that_stay_pass_copies_and_copy_results(call: str, watched: str) -> None:
    text = f"{POSITIVE}__global__ void k() {{ {call} }}"
    [data] = watched_copies({"a.cu": text.encode()}, (), branching=False).values()
    assert data.decode() == f"{POSITIVE}__global__ void k() {{ {watched} }}"
    [inlined_data] = watched_copies({"a.cu": text.encode()}, (), branching=True).values()
    assert b"simt_copy" not in inlined_data


@pytest.mark.parametrize(
    ("statement", "watched"),
    [
        ("c[i] = a[i] * b[i];", f"c[i] = {OPEN}a[i] * b[i]{CLOSE};"),
        ("*p = -*q;", f"*p = {OPEN}-*q{CLOSE};"),
        ("q->z = std::conj(z);", f"q->z = {OPEN}std::conj(z){CLOSE};"),
        *(
            (plain, plain)
            for plain in ("c[i] = a[i];", "c[i] += a[i] * b[i];", "z = a[i] * b[i];", "c[i] = {1, 2};")
        ),
    ],
)
@pytest.mark.parametrize("complex_numbers", [True, False])
def test_what_operators_make_of_complex_numbers_is_copied(
    statement: str, watched: str, complex_numbers: bool
) -> None:
    header = "#include <complex>\n" if complex_numbers else "#include <cmath>\n"
    files = {"z.h": header.encode(), "a.cpp": f"void k() {{ {statement} }}".encode()}
    data = watched_copies(files, (), branching=False)["a.cpp"]
    assert data.decode() == f"void k() {{ {watched if complex_numbers else statement} }}"


@pytest.mark.parametrize(
    "text",
    [
        "V positive(V &v, int n) { return v.x > 0 ? v : V(); }\nvoid k() { V v = positive(q[i], 1); }",
        "__device__ V &at(V *q) { return q->x > 0 ? *q : q[1]; }\nvoid k() { q[i] = at(q); }",
        POSITIVE + "constexpr V k() { return positive(q[i], 1); }",
        POSITIVE + "V first = positive(q[0], 1);",
    ],
)
def test_what_refers_to_its_argument_or_is_a_constant_copies_nothing(text: str) -> None:
    [data] = watched_copies({"a.cu": text.encode()}, (), branching=False).values()
    assert b"simt_copy" not in data


def test_another_function_of_the_name_that_refers_to_its_argument_is_heeded() -> None:
    other = "void positive(V &v, int n) { v.x = n; }\n"
    text = f"{POSITIVE}{other}void k() {{ positive(q[i], 1); }}"
    [data] = watched_copies({"a.cu": text.encode()}, (), branching=False).values()
    assert b"simt_copy" not in data
