"""The prototype that is asked for."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers
from transpile.core import CUDA, OPENMP, Contract, Covers, LaunchLaw, ShapeDependent, Unbounded, Unit
from transpile.translators.llm.form import Form, form_of


def form(tmp_path: Path, text: str, law: LaunchLaw | None, name: str = "k.cu") -> Form:
    """Return the form of the first unit of a file under a law."""
    (tmp_path / name).write_text(text)
    source = parsers.read(tmp_path)
    unit: Unit = source.units[0]
    signature = source.signatures[unit.id][0]
    found = form_of(
        unit,
        (Contract(signature=signature, arrays=(), scalars=(), law=law),),
        OPENMP if law is not None else CUDA,
    )
    assert found is not None
    return found


INDEX = "blockIdx.x * blockDim.x + threadIdx.x"
GUARDED = f"__global__ void k(float *a, int n) {{ int i = {INDEX}; if (i < n) a[i] = 0; }}"


def test_covering_kernels_take_what_they_took(tmp_path: Path) -> None:
    found = form(tmp_path, GUARDED, Covers(x="n"))
    assert found.prototype == "void k(float *a, int n)"
    assert found.arguments == ("a", "n")


def test_unbounded_kernels_take_the_launch(tmp_path: Path) -> None:
    text = f"__global__ void __launch_bounds__(256) k(float *a) {{ a[{INDEX}] = 0; }}"
    found = form(tmp_path, text, Unbounded())
    assert found.prototype == "void k(float *a, int blocks, int threads)"
    assert found.arguments == ("a", "gridDim.x", "blockDim.x")


def test_names_that_are_taken_are_left_alone(tmp_path: Path) -> None:
    text = "__global__ void k(float *threads, int blocks) { threads[threadIdx.x] = blocks; }"
    found = form(tmp_path, text, Unbounded())
    assert found.prototype == "void k(float *threads, int blocks, int blocks_count, int threads_count)"


def test_two_axes_and_shared_memory(tmp_path: Path) -> None:
    text = (
        "__global__ void k(float *a) { extern __shared__ float s[];"
        " s[threadIdx.x] = a[threadIdx.y]; __syncthreads(); a[threadIdx.x] = s[threadIdx.y]; }"
    )
    found = form(tmp_path, text, ShapeDependent())
    assert [declaration for declaration, _ in found.launch] == [
        "int blocks_x",
        "int blocks_y",
        "int threads_x",
        "int threads_y",
        "size_t shared_bytes",
    ]
    assert found.arguments[-1] == "dynamicShared"


TEMPLATE = "template <class T> __global__ void k(T *a) { *a = 0; }\ntemplate __global__ void k<int>(int *);"
COMMENTED = "int sum(const int *a, /* count */ int n) { return a[n]; }"


def test_templates_stay_templates(tmp_path: Path) -> None:
    assert form(tmp_path, TEMPLATE, None).prototype == "template <class T> void k(T *a)"


def test_functions_stay_as_they_are(tmp_path: Path) -> None:
    found = form(tmp_path, COMMENTED, None, "k.cpp")
    assert found.prototype == "int sum(const int *a,  int n)"
    assert found.arguments == ("a", "n")
