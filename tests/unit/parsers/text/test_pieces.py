"""Declarations at file scope, and what they name."""

from __future__ import annotations

import pytest

from transpile.code.lexer import tokenize
from transpile.parsers.text.pieces import Macros, pieces

MACROS = Macros(called=frozenset({b"DEFINE", b"OPEN"}), declaring=frozenset({b"OPEN", b"END", b"_Pragma"}))


def named(text: str) -> list[tuple[str, set[str]]]:
    """Return the first word of each piece of a text, and its names."""
    data = text.encode()
    return [
        (piece.span.of(data).decode().split()[0], {name.decode() for name in piece.names})
        for piece in pieces("a.cu", data, MACROS)
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("static const int N = 4, M[2] = {N, 3};", {"N", "M"}),
        ("float scale(float x, int n);", {"scale"}),
        ("struct Pair { int a, b; } first;", {"Pair", "first"}),
        ("typedef struct { int a; } Item;", {"Item"}),
        (
            "typedef struct { enum { ON, OFF } a; struct Inner { int b; } c; } Item;",
            {"Item", "ON", "OFF", "Inner"},
        ),
        ("typedef enum { ON, OFF } State;", {"State", "ON", "OFF"}),
        ("static union { int a; float b; };", {"a", "b"}),
        ("__device__ float (max)(float a, float b) { return (a) * b; }", {"max"}),
        ("float (*const table[])(float) = {f, g};", {"table"}),
        ("static int count __attribute__((unused)) = 3;", {"count"}),
        ("float DEFINE(own)(float x) { return x; }", {"DEFINE", "own"}),
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
    found = pieces("a.cu", b"DEFINE(add);\nusing namespace own;\nusing T = int;\n", MACROS)
    assert [piece.nameless for piece in found] == [True, True, False]


def test_macros_that_open_namespaces_stand_alone() -> None:
    text = """
    OPEN(own)
    struct First { int a; };
    _Pragma("pack(1)")
    struct Second { int a; };
    DEFINE({ int b; })
    #include "own.h"
    struct Third { int a; };
    DEFINE(int c)
    #include "own.h"
    struct Fourth { int a; };
    END
    END int d;
    """
    data = text.encode()
    assert [data[piece.span.start : piece.span.end].split()[0] for piece in pieces("a.cu", data, MACROS)] == [
        b"OPEN(own)", b"struct", b'_Pragma("pack(1)")', b"struct", b"DEFINE({", b"struct", b"DEFINE(int",
        b"struct", b"END", b"END", b"int",
    ]  # fmt: skip


def test_macros_of_macros_that_declare_something() -> None:
    text = (
        b"#define OPEN namespace own {\n#define BEGIN(name) OPEN\n#define KERNEL(name) __global__ void name\n"
    )
    known = Macros.of(tokenize(text).macros)
    assert known.called == {b"BEGIN", b"KERNEL"}
    assert known.declaring == {b"OPEN", b"BEGIN", b"_Pragma", b"__pragma"}


def test_what_is_called_without_a_name_is_always_needed() -> None:
    found = pieces(
        "a.cpp", b"void *operator new(size_t n) { return calloc(1, n); }\nint operator+(A a, A b);\n"
    )
    assert [piece.nameless for piece in found] == [True, False]


@pytest.mark.parametrize(
    ("macro", "function"),
    [
        ("#define BIND(t) void bind_##t(lib::Array a) { a.fill(0); }\n", True),
        ("#define BIND(t) lib::Array bind_##t(lib::Array a) { return a; }\n", True),
        ("#define BIND(t) QUALIFIED void bind_##t(int a) { }\n", False),
        ("#define BIND(t) constexpr int bind_##t(int a) { return a; }\n", False),
        ("#define BIND(t) struct bind_##t { int a; };\n", False),
        ("#define BIND(t) int bind_##t(int a) { return a; } int other;\n", False),
    ],
)
def test_functions_that_macros_define_are_known(macro: str, *, function: bool) -> None:
    data = f"{macro}BIND(one)\n".encode()
    (piece,) = pieces("a.cu", data, Macros.of(tokenize(data).macros))
    assert piece.function_of == (b"BIND" if function else b"")
