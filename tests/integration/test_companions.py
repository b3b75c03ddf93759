"""Functions that call others of their program, and name variables of it: judged with those linked."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integration.functions import check, learn_first, verdict
from tests.sampling import sampled
from transpile import parsers
from transpile.contracts import infer
from transpile.core import CUDA, Contract, Inconclusive, Source, UnitKind
from transpile.parsers.lowering.companions import beside
from transpile.toolchains import sandbox
from transpile.toolchains.build import Flavour
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

OWN = """
{external} double weight(double); {external} double half(double); {external} double next(double);
extern double rate;
static double table(double x) {{ return x; }}
void apply(int n, const double *x, double *y)
{{
    for (int i = 0; i < n; i++) y[i] = weight(x[i]) * rate + table(x[i]);
}}
void draw(int n, double *x)
{{
    for (int i = 0; i < n; i++) x[i] = next(x[i]);
}}
"""
OTHER = """
{external} double half(double);
double rate = 1, seed, spare[4], *places = spare;
double table(double x) {{ return 7 * x; }}
{external} double weight(double x) {{ return table(half(x)) + 1; }}
{external} double next(double x) {{ return seed = seed * 3 + x; }}
"""
THIRD = "{external} double half(double x) {{ return x / 2; }}"


@pytest.mark.parametrize(("suffix", "external"), sampled([("c", ""), ("cpp", ""), ("cpp", 'extern "C"')], 3))
def test_what_other_files_define_is_linked(
    suffix: str, external: str, tmp_path: Path, workshop: Workshop
) -> None:
    for name, text in (("a", OWN), ("b", OTHER), ("c", THIRD)):
        (tmp_path / f"{name}.{suffix}").write_text(text.format(external=external))
    source = parsers.read(tmp_path)
    known = learn_first(workshop, source)
    assert "`next`, which this file lacks" in str(known["draw"])
    contract = known["apply"]
    assert isinstance(contract, Contract), contract

    def judged(value: str) -> str:
        pragma, loop = "#pragma omp parallel for", "for (int i = 0; i < n; i++)"
        text = f"void apply(int n, const double *x, double *y) {{\n{pragma}\n{loop} y[i] = {value}; }}"
        return check(verdict(workshop, source, contract, text))

    assert judged("weight(x[i]) * rate + table(x[i])") == "kept"
    assert judged("half(x[i]) * rate + table(x[i])") == "exact"
    assert judged("weight(x[i]) + table(x[i])") == "exact"


@pytest.mark.thorough
def test_host_code_of_a_device_s_calls_them_too(tmp_path: Path, workshop: Workshop) -> None:
    for name, text in (("a", OWN), ("b", OTHER), ("c", THIRD)):
        (tmp_path / f"{name}.c").write_text(text.format(external=""))
    source = parsers.read(tmp_path)
    contract = learn_first(workshop, source)["apply"]
    assert isinstance(contract, Contract), contract
    loop = "for (int i = 0; i < n; i++) y[i] = weight(x[i]) * rate + table(x[i]);"
    text = f"void apply(int n, const double *x, double *y) {{ {loop} cudaDeviceSynchronize(); }}"
    assert check(verdict(workshop, source, contract, text, CUDA)) == "kept"
    assert check(verdict(workshop, source, contract, text.replace("* rate", ""), CUDA)) == "exact"


KERNELS = """
#include <cstdio>
extern std::FILE *report;
namespace limits { extern double least; }
__global__ void scale(float *x, const float *y, size_t n, char shift)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * y[i] + shift;
}
void scale(float *x, const float *y, size_t n)
{
    scale<<<(n + 127) / 128, 128>>>(x, y, n, 1);
    if (report) std::fprintf(report, "%f\\n", limits::least);
}
"""


def test_variables_of_host_code_beside_a_kernel_are_not_needed(tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "kernels.cu").write_text(KERNELS)
    (tmp_path / "main.cu").write_text(
        "#include <cstdio>\nstd::FILE *report;\nnamespace limits { double least = 1; }\n"
        "void scale(float *, const float *, size_t);\nint main() { scale(nullptr, nullptr, 0); }\n"
    )
    source = parsers.read(tmp_path)
    assert source.elsewhere["kernels.cu"].variables == ("_ZN6limits5leastE", "report")
    [kernel] = [item for item in source.units if item.kind is UnitKind.KERNEL]
    # The host function is called alike, and differs in types that must be named exactly.
    learnt = infer(workshop, source, [kernel])[kernel.id]
    assert isinstance(learnt, tuple), learnt
    [contract] = learnt
    assert isinstance(contract, Contract), contract
    assert {item.name: item.extent for item in contract.arrays} == {"x": "n", "y": "n"}


def test_a_kernel_that_another_file_defines_does_not_keep_the_others_from_loading(
    tmp_path: Path, workshop: Workshop
) -> None:
    (tmp_path / "kernels.h").write_text("__global__ void twice(float *x, int n);\n")
    kernel = "__global__ void NAME(float *x, int n) {{ int i = threadIdx.x; if (i < n) x[i] *= {}; }}\n"
    (tmp_path / "twice.cu").write_text('#include "kernels.h"\n' + kernel.format(2).replace("NAME", "twice"))
    (tmp_path / "main.cu").write_text(
        '#include "kernels.h"\n'
        + kernel.format(3).replace("NAME", "thrice")
        + "void both(float *x, int n) { twice<<<1, 128>>>(x, n); thrice<<<1, 128>>>(x, n); }\n"
    )
    source = parsers.read(tmp_path)
    kernels = [item for item in source.units if item.kind is UnitKind.KERNEL]
    found = infer(workshop, source, kernels)
    assert all(isinstance(found[item.id], tuple) for item in kernels), found


def test_a_kernel_is_said_to_call_what_its_file_lacks(tmp_path: Path, workshop: Workshop) -> None:
    rule = "struct Rule { __device__ static float weight(const float *x, int i); };\n"
    kernel = (
        "__global__ void color(float *x, int n, int color) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n && i % 2 == color) x[i] = Rule::weight(x, i);\n}\n"
    )
    state = (
        "__constant__ float rate;\n"
        "__device__ float Rule::weight(const float *x, int i) { return rate * x[i]; }\n"
    )
    for name, text in (("rule.cuh", rule), ("a.cu", kernel), ("b.cu", state)):
        include = "" if name == "rule.cuh" else '#include "rule.cuh"\n'
        (tmp_path / name).write_text(include + text)
    source = parsers.read(tmp_path)
    units = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
    [found] = infer(workshop, source, units).values()
    assert isinstance(found, Inconclusive)
    assert "calls `Rule::weight`, which this file lacks" in found.reason


DEVICE = """
__device__ float halved(float x) {{ return 0.5f * x; }}
__device__ float weight(const float *x, int at, float rate) {{ return {weight}; }}
"""
KERNEL = """
__device__ float weight(const float *x, int at, float rate);
__global__ void apply(float *y, const float *x, float rate, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = weight(x, i, rate) + 0.1f;
}
void run(float *y, const float *x, int n) { apply<<<(n + 127) / 128, 128>>>(y, x, 1.5f, n); }
"""


def contract_of_kernel(source: Source, workshop: Workshop) -> Contract:
    """Return what is learnt of the only kernel."""
    [kernel] = [item for item in source.units if item.kind is UnitKind.KERNEL]
    learnt = infer(workshop, source, [kernel])[kernel.id]
    assert isinstance(learnt, tuple), learnt
    [contract] = learnt
    assert isinstance(contract, Contract), contract
    return contract


def test_a_kernel_is_judged_with_functions_of_the_device_of_other_files(
    tmp_path: Path, workshop: Workshop
) -> None:
    (tmp_path / "kernel.cu").write_text(KERNEL)
    (tmp_path / "device.cu").write_text(DEVICE.format(weight="rate * halved(x[at]) + expf(-x[at] * x[at])"))
    source = parsers.read(tmp_path)
    contract = contract_of_kernel(source, workshop)
    assert {item.name: item.extent for item in contract.arrays} == {"x": "n", "y": "n"}
    for flavour in (Flavour.PLAIN, Flavour.WIDE):
        [made] = beside(workshop, source, "kernel.cu", flavour).objects
        listed = subprocess.run(["nm", "-gC", made.path], capture_output=True, check=True, text=True).stdout
        assert " T weight(" in listed and " T halved(" not in listed

    def judged(value: str) -> str:
        text = (
            "void apply(float *y, const float *x, float rate, int n) {\n"
            "#pragma omp parallel for\n"
            f"    for (int i = 0; i < n; i++) y[i] = {value} + 0.1f;\n}}"
        )
        return check(verdict(workshop, source, contract, text))

    assert judged("weight(x, i, rate)") == "kept"
    assert judged("weight(x, i, 1.5f)") == judged("weight(x, 0, rate)") == "tolerance"


SIZED = """
struct Grid { int columns, rows; };
extern __constant__ Grid grid;
extern __constant__ float weights[2];
__global__ void smooth(const float *__restrict__ in, float *__restrict__ out) {
    int step = gridDim.x * blockDim.x;
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < grid.columns * grid.rows; at += step)
        out[at] = at % grid.columns > 0 ? weights[0] * in[at] + weights[1] * in[at - 1] : in[at];
}
"""
SIZES = """
struct Grid { int columns, rows; };
__constant__ Grid grid;
__constant__ float weights[2];
"""


def test_a_kernel_is_judged_with_variables_of_other_files(tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "kernel.cu").write_text(SIZED)
    (tmp_path / "sizes.cu").write_text(SIZES)
    source = parsers.read(tmp_path)
    contract = contract_of_kernel(source, workshop)
    assert {item.name: item.extent for item in contract.arrays} == dict.fromkeys(
        ("in", "out"), "grid.columns * grid.rows"
    )

    def judged(width: str) -> str:
        text = (
            "void smooth(const float *in, float *out) {\n"
            "#pragma omp parallel for\n"
            "    for (int at = 0; at < grid.columns * grid.rows; at++)\n"
            f"        out[at] = at % {width} > 0 ? weights[0] * in[at] + weights[1] * in[at - 1] : in[at]; }}"
        )
        return check(verdict(workshop, source, contract, text))

    assert judged("grid.columns") == "kept"
    assert judged("grid.rows") != "kept"
