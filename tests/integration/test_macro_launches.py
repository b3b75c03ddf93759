"""Programs whose macros launch kernels behave alike whichever of the kernels are kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile import parsers
from transpile.assemble import Style, assemble
from transpile.core import Binding, Candidate, Passed, Replacement, Source
from transpile.testers.programs.program import judge_programs
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add(int *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += i; }
__global__ void twice(int *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] *= 2; }
template <typename T>
__global__ void raise(T *y, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += by;
}
#define ONCE(kernel, blocks) \
    do { \
        printf("%s\n", #kernel); \
        kernel<<<blocks, 32>>>(y, n); \
        cudaDeviceSynchronize(); \
    } while (0)
#define AGAIN(kernel) ONCE(kernel, (n + 31) / 32); ONCE(kernel, n)
#define LAUNCH(kernel, ...) { dim3 grid((n + 63) / 64); kernel<<<grid, 64>>>(__VA_ARGS__); }
#define BIND(kernel, word) \
    void run_##kernel##_##word(int *y, int n) { kernel##word<<<(n + 31) / 32, 32>>>(y, n); }
BIND(ad, d)
BIND(twi, ce)
#define RAISE(by) raise<<<(n + 63) / 64, 64>>>(y, by, n)
int main()
{
    const int n = 100;
    int h[n] = {}, *y;
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice);
    ONCE(add, 4);
    AGAIN(twice);
    LAUNCH(add, y, n);
    LAUNCH(raise<int>, y, 3, n);
    RAISE(n + 1);
    run_ad_d(y, n);
    run_twi_ce(y, n);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 3 + h[i];
    printf("%d\n", sum);
    cudaFree(y);
    return 0;
}
"""
LOOP = "#pragma omp parallel for\n    for (int i = 0; i < n; i++)"
TEXTS = {
    "add": f"void add(int *y, int n)\n{{\n    {LOOP} y[i] += i;\n}}",
    "twice": f"void twice(int *y, int n, int blocks)\n{{\n    n = n < blocks * 32 ? n : blocks * 32;\n"
    f"    {LOOP} y[i] *= 2;\n}}",
    "raise": f"template <typename T>\nvoid raise(int n, T *y, T by)\n{{\n    {LOOP} y[i] += by;\n}}",
}
ARGUMENTS = {"add": ("y", "n"), "twice": ("y", "n", "gridDim.x"), "raise": ("n", "y", "by")}


def candidates(source: Source, names: tuple[str, ...]) -> dict[str, Candidate]:
    return {
        unit.id: Candidate(
            unit=unit.id,
            replacements=(Replacement(unit=unit.id, text=TEXTS[unit.name].encode()),),
            binding=Binding(name=unit.name, arguments=ARGUMENTS[unit.name]),
        )
        for unit in source.units
        if unit.name in names
    }


@pytest.mark.parametrize("names", sampled([(), ("add",), ("twice", "raise"), ("add", "twice", "raise")], 2))
@pytest.mark.parametrize("style", [Style.IN_PLACE, Style.EMULATED])
def test_kept_kernels_are_called_and_others_launched(
    names: tuple[str, ...], style: Style, builds: Path, tmp_path: Path
) -> None:
    (tmp_path / "main.cu").write_text(PROGRAM)
    source = parsers.read(tmp_path)
    assembly = assemble(source, candidates(source, names), style=style)
    workshop = Workshop(cache=builds, timeout=60.0)
    (found,) = judge_programs(workshop, source, assembly, [("./main",)])
    assert isinstance(found.verdict, Passed), found.verdict
    text = assembly.files["main.cpp"].decode()
    assert ("simt::launch" in text) == (len(names) < len(TEXTS))
