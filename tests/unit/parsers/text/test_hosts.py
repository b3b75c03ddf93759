"""Which functions of the host are units, and how parameters are taken apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Signature, UnitKind


def kinds(root: Path, name: str, text: str) -> dict[str, UnitKind]:
    (root / name).write_text(text)
    return {unit.name: unit.kind for unit in parsers.read(root).units}


def signature(root: Path, name: str, text: str) -> Signature:
    (root / name).write_text(text)
    source = parsers.read(root)
    [found] = next(source.signatures[unit.id] for unit in source.units if unit.name == "f")
    return found


def test_functions_of_plain_files_are_units(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    static int helper(int x) { return x; }
    void f(float *x, int n) { x[helper(n)] = 0; }
    void show(float *x) { printf("%f", x[0]); }
    int main(void) { return 0; }
    """
    function, glue = UnitKind.FUNCTION, UnitKind.GLUE
    expected = {"helper": function, "f": function, "show": glue, "main": glue}
    assert kinds(tmp_path, "a.c", text) == expected


@pytest.mark.parametrize(
    "beside",
    ["#include <cuda_runtime.h>\n", "__device__ int d;\n", "void g(void **p) { cudaMalloc(p, 4); }\n"],
)
def test_host_code_of_cuda_is_glue(tmp_path: Path, beside: str) -> None:
    found = kinds(tmp_path, "a.cpp", beside + "void f(float *x) { x[0] = 0; }\n")
    assert found["f"] is UnitKind.GLUE


@pytest.mark.parametrize(
    "beside", ["#include <cuda_runtime.h>\n", "__device__ int d;\n", '#include "device.h"\n']
)
def test_what_only_builds_for_a_gpu_have_makes_no_cuda(tmp_path: Path, beside: str) -> None:
    (tmp_path / "device.h").write_text("__device__ int d;\n")
    found = kinds(tmp_path, "a.c", f"#ifdef GPU\n{beside}#endif\nvoid f(float *x) {{ x[0] = 0; }}\n")
    assert found["f"] is UnitKind.FUNCTION


def test_a_build_for_a_gpu_makes_cuda(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("a.o: a.c\n\tgcc -DGPU -c a.c\n")
    text = "#ifdef GPU\n#include <cuda_runtime.h>\n#endif\nvoid f(float *x) { x[0] = 0; }\n"
    assert kinds(tmp_path, "a.c", text)["f"] is UnitKind.GLUE


def test_a_header_of_the_source_makes_no_cuda_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "cuda.h").write_text("int devices(void);\n")
    found = kinds(tmp_path, "a.c", '#include "cuda.h"\nvoid f(float *x) { x[0] = 0; }\n')
    assert found["f"] is UnitKind.FUNCTION


def test_a_name_that_begins_with_cuda_makes_no_cuda(tmp_path: Path) -> None:
    assert kinds(tmp_path, "a.c", "void cudaLike(float *x) { x[0] = 0; }\n") == {
        "cudaLike": UnitKind.FUNCTION
    }


@pytest.mark.parametrize(
    "body",
    [
        "auto g = [=](double v) { return v * s + offset; }; for (int i = 0; i < n; i++) x[i] = g(x[i]);",
        "struct G { double s; double operator()(double v) { return v * s + offset; } } g{s};"
        " for (int i = 0; i < n; i++) x[i] = g(x[i]);",
    ],
)
def test_a_lambda_is_a_part_of_its_function(tmp_path: Path, body: str) -> None:
    text = f"double offset;\nvoid f(int n, double *x, double s) {{ {body} }}\n"
    found = signature(tmp_path, "a.cpp", text)
    assert found.names == ("n", "x", "s")
    assert [item.name for item in found.globals] == ["offset"], "what it alone touches is compared, too"


def test_rows_are_counted_in_numbers(tmp_path: Path) -> None:
    found = signature(
        tmp_path, "a.c", "void f(int n, int m, double a[n][m], float b[][4]) { a[0][0] = b[0][0]; }"
    )
    assert [item.pointer for item in found.parameters] == [False, False, True, True]
    assert [item.element.size for item in found.parameters if item.element] == [4, 4, 8, 4]
    assert found.assembly is None


def test_results_and_globals_belong_to_the_signature(tmp_path: Path) -> None:
    found = signature(tmp_path, "a.c", "static int g; const int k = 2; float f(int x) { g += k; return x; }")
    assert found.returns is not None
    assert found.returns.spelling == "float"
    assert [item.name for item in found.globals] == ["g"]


def test_an_object_is_an_array_of_one_with_its_integers_as_scalars(tmp_path: Path) -> None:
    text = "struct S { int n; float w; double *v; }; void f(struct S *s) { s->v[s->n] = s->w; }"
    found = signature(tmp_path, "a.c", text)
    assert [(item.name, item.pointer, item.least) for item in found.parameters] == [
        ("s", True, 1),
        ("s.n", False, 0),
        ("s.v", True, 0),
    ]
    assert found.names == ("s",)
    assert found.assembly is not None
    assert found.assembly.before == (
        "((struct S *)s)->n = s__n;",
        "((struct S *)s)->v = (double *)s__v;",
    )


def test_a_pointer_that_is_subscripted_is_an_array(tmp_path: Path) -> None:
    found = signature(tmp_path, "a.c", "struct S { int n; }; void f(struct S *s) { s[1].n = s->n; }")
    assert [item.name for item in found.parameters] == ["s"]
    assert found.assembly is None


@pytest.mark.parametrize("use", ["*n", "(*n) + 1", "g(n)", "n ? *n : 0"])
def test_a_pointer_to_one_number_gives_a_scalar(tmp_path: Path, use: str) -> None:
    text = f"int g(const int *p); int f(const int *n) {{ return {use}; }}"
    names = [item.name for item in signature(tmp_path, "a.c", text).parameters]
    assert names == (["n"] if "?" in use else ["n", "n.value"])


@pytest.mark.parametrize("use", ["n[1]", "*n++", "*(n + 1)", "x * n[0]"])
def test_a_pointer_that_moves_is_an_array(tmp_path: Path, use: str) -> None:
    text = f"int f(const int *n, int x) {{ return {use}; }}"
    assert [item.name for item in signature(tmp_path, "a.c", text).parameters] == ["n", "x"]
