"""Which functions get a wrapper, and what becomes of their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Source
from transpile.testers.programs.boundaries import (
    Instrumented,
    blamed,
    instrumented,
    is_of_functions,
    unrecorded,
    with_variables,
)

FORMS = {
    "void f(int *x, int n) { x[0] = n; }": "",
    "static inline int f(const double *x, int n) // as it is\n{ return x[n] > 0; }": "",
    "namespace a { void f(int *x); }\nvoid a::f(int *x) { x[0] = 1; }": "of a form",
    "void f(int *x, int n = 3) { x[0] = n; }": "of a form",
    "constexpr int f(int n) { return n; }": "of a form",
    "template <class T> void f(T *x) { x[0] = 1; }\ntemplate void f(int *);": "it is a template",
    "void f(int *x, int) { x[0] = 1; }": "a parameter has no name",
    "int *f(int *x) { return x; }": "what it returns is a pointer",
    "void f(double **x, int n) { x[0][n] = 1; }": "rows behind pointers",
}


def made(root: Path, text: str, *without: str) -> tuple[Source, Instrumented]:
    (root / "main.cpp").write_text(text + "\nint main() { return 0; }\n")
    (root / "Makefile").write_text("main: main.cpp\n\tg++ -o main main.cpp\n")
    source = parsers.read(root)
    names = frozenset(unit.id for unit in source.units if unit.name in without)
    return source, instrumented(source, source.programs[0], names)


@pytest.mark.parametrize("text", FORMS)
def test_a_function_tells_or_it_is_said_why_not(tmp_path: Path, text: str) -> None:
    _, found = made(tmp_path, text)
    refused = "\n".join(found.refused)
    assert (FORMS[text] in refused) if FORMS[text] else not refused, refused
    assert (b"transpile_inner_f" in found.files["main.cpp"]) == (not FORMS[text])


def test_what_does_not_compile_is_left_as_it_was(tmp_path: Path) -> None:
    source, _ = made(tmp_path, "static int g;\nvoid f(int *x) { x[0] = g; }\nvoid h(int *x) { x[0] = 1; }")
    [guilty] = blamed("main.cpp:3: error: in 'void transpile_inner_f(int*)'", source)
    assert guilty.endswith("f(int*)")
    _, found = made(
        tmp_path, "static int g;\nvoid f(int *x) { x[0] = g; }\nvoid h(int *x) { x[0] = 1; }", "f"
    )
    text = found.files["main.cpp"]
    assert b"transpile_inner_f" not in text and b"transpile_inner_h" in text and b'"g"' not in text
    assert found.refused == ("calls of `f` give no trials: its wrapper does not compile",)


def test_variables_are_named_at_the_end_of_the_file(tmp_path: Path) -> None:
    _, found = made(tmp_path, "namespace a { static int g; void f(int *x) { x[0] = g; } }")
    assert (
        b'"a::g", (const void *)&a::g, sizeof(a::g))' in found.files["main.cpp"].rpartition(b"return 0;")[2]
    )


def test_kernels_and_functions_of_one_program(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(
        "__device__ int g;\n__global__ void k(int *x) { x[0] = g; }\nint main() {}\n"
    )
    (tmp_path / "part.cpp").write_text("void f(int *x) { x[0] = 1; }\n")
    (tmp_path / "Makefile").write_text("main: main.cu part.cpp\n\tnvcc -o main main.cu part.cpp\n")
    source = parsers.read(tmp_path)
    [program] = source.programs
    assert not is_of_functions(source, program)
    assert unrecorded(source, program) == ("functions are not carved of a program that has kernels",)
    assert b'("k", "g", &g, sizeof(g))' in with_variables(source, source.files)["main.cu"]
