"""Variables that outlive a call and may change."""

from __future__ import annotations

import pytest

from transpile.parsers.text.lasting import lasting, of_threads


@pytest.mark.parametrize(
    "text",
    [
        "static int kept[3];",
        "int kept = 0;",
        "static const char *kept;",
        "void f() { static double kept; }",
        "auto l = 0; void f() { auto g = [] { static int kept; return kept++; }; }".replace(
            "auto l = 0; ", ""
        ),
        "struct S { static int kept; };",
        "__device__ int kept;",
        "__constant__ float kept[9];",
        "namespace { int kept; }",
        "static std::atomic<int> kept{0};",
        "static int (*kept)(int);",
    ],
)
def test_what_outlives_a_call_is_told(text: str) -> None:
    assert [item.name for item in lasting(text.encode())] == ["kept"]


@pytest.mark.parametrize(
    "text",
    [
        "const int one = 1;",
        "static const double table[] = {1, 2};",
        'static const char *const name = "x";',
        "extern int elsewhere;",
        "static int function(int x) { return x; }",
        "void prototype(int);",
        "void f() { int own; static const int one = 1; static thread_local int mine; }",
        "static std::mutex lock;",
        "__global__ void k() { __shared__ float tile[4]; static __shared__ int count; }",
        "struct S { int member; inline static const int k = 3; };",
        "constexpr int c = 3; typedef int Y; enum { A };",
    ],
)
def test_constants_and_what_belongs_to_a_call_are_not(text: str) -> None:
    assert not list(lasting(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "thread_local float own[2];",
        "void f() { static thread_local int own[3][4]; }",
        "void f() { thread_local std::array<int, 4> own; }",
        "struct Both { int a, b; }; thread_local Both own;",
        "thread_local struct { int a[3]; } own;",
        "static __thread int *own[4];",
        "thread_local const int own[] = {1, 2};",
    ],
)
def test_arrays_of_threads_are_told(text: str) -> None:
    assert [item.name for item in of_threads(text.encode())] == ["own"]


@pytest.mark.parametrize(
    "text",
    [
        "thread_local int own;",
        "thread_local const float *own = nullptr;",
        "thread_local std::vector<float> own;",
        "struct Both { int a, b; }; thread_local Both *own;",
        "static float shared[2];",
        "void f() { float here[2]; }",
    ],
)
def test_what_lies_elsewhere_is_not(text: str) -> None:
    assert not list(of_threads(text.encode()))
