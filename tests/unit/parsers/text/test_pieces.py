"""Declarations at file scope, and what they name."""

from __future__ import annotations

import pytest

from transpile.parsers.text.pieces import pieces


def named(text: str) -> list[tuple[str, set[str]]]:
    """Return the first word of each piece of a text, and its names."""
    data = text.encode()
    return [
        (piece.span.of(data).decode().split()[0], {name.decode() for name in piece.names})
        for piece in pieces("a.cu", data, frozenset({b"DEFINE"}))
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("static const int N = 4, M[2] = {N, 3};", {"N", "M"}),
        ("float scale(float x, int n);", {"scale"}),
        ("struct Pair { int a, b; } first;", {"Pair", "first"}),
        ("typedef struct { int a; } Item;", {"a", "Item"}),
        ("using Real = double;", {"Real"}),
        ("float (*pointer)(int) = nullptr;", {"pointer"}),
        ("template <typename T> struct Limits<T *> { T least; };", {"Limits", "T"}),
        ("enum Mode { FAST, SAFE };", {"Mode", "FAST", "SAFE"}),
        ("__device__ float table[4];", {"table"}),
        ("__global__ void fill(int *y) { y[0] = 1; }", {"fill"}),
        ("template <> inline int Sum<int>::of(int a) { return a; }", {"of", "Sum"}),
    ],
)
def test_a_declaration_names_what_it_declares(text: str, names: set[str]) -> None:
    ((_, found),) = named(text)
    assert found == names


def test_pieces_are_apart() -> None:
    text = """
    #include <cstdio>
    namespace own {
    int count;
    DEFINE(add)
    __global__ void first(int *y) { if (y) { y[0] = 1; } }
    #if SLOW
    struct Slow { int a; };
    #else
    struct Fast { int a; };
    #endif
    }
    extern "C" { int seed(void); }
    int main() { return 0; }
    """
    assert [first for first, _ in named(text)] == [
        "int", "DEFINE(add)", "struct", "struct", "int", "int",
    ]  # fmt: skip


def test_calls_of_macros_and_using_directives_serve_without_a_name() -> None:
    found = pieces("a.cu", b"DEFINE(add);\nusing namespace own;\nusing T = int;\n", frozenset({b"DEFINE"}))
    assert [piece.nameless for piece in found] == [True, True, False]
