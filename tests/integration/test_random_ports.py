"""Kernels that draw random numbers by cuRAND's functions, ported: states of their own and in memory."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import pipeline
from transpile.core import HIP, OPENMP, Dialect, Level
from transpile.options import PortOptions, Silent
from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

TEXT = """#include <cstdio>
#include <cuda_runtime.h>
#include <curand_kernel.h>
// Counts the points of each thread that fall into the quarter circle.
__global__ void inside(unsigned *counts, int points, unsigned long long seed, int threads)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads) return;
    curandState state;
    curand_init(seed, thread, 0, &state);
    unsigned count = 0;
    for (int i = 0; i < points; ++i) {
        float x = curand_uniform(&state), y = curand_uniform(&state);
        if (x * x + y * y <= 1.0f) ++count;
    }
    counts[thread] = count;
}
__global__ void begin(curandStatePhilox4_32_10_t *states, unsigned long long seed, int threads)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < threads) curand_init(seed, thread, 0, &states[thread]);
}
__global__ void walk(curandStatePhilox4_32_10_t *states, float *places, int steps, int threads)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads) return;
    float place = 0.0f;
    for (int i = 0; i < steps; ++i) place += curand_normal(&states[thread]);
    places[thread] = place;
}
int main()
{
    const int threads = 300;
    unsigned counts[threads], *counted;
    float places[threads], *walked;
    curandStatePhilox4_32_10_t *states;
    cudaMalloc(&counted, sizeof counts);
    cudaMalloc(&walked, sizeof places);
    cudaMalloc(&states, threads * sizeof(curandStatePhilox4_32_10_t));
    inside<<<(threads + 127) / 128, 128>>>(counted, 100, 42, threads);
    begin<<<(threads + 127) / 128, 128>>>(states, 42, threads);
    walk<<<(threads + 127) / 128, 128>>>(states, walked, 10, threads);
    cudaMemcpy(counts, counted, sizeof counts, cudaMemcpyDeviceToHost);
    cudaMemcpy(places, walked, sizeof places, cudaMemcpyDeviceToHost);
    for (int i = 0; i < threads; i += 50) printf("%u %.3f\\n", counts[i], places[i]);
    return 0;
}
"""
MAKEFILE = """\
main: main.cu
\tnvcc -O2 main.cu -o main -lcurand

run: main
\t./main
"""


@pytest.mark.thorough
@pytest.mark.parametrize("target", [OPENMP, HIP], ids=["openmp", "hip"])
def test_kernels_that_draw_are_kept(target: Dialect, cache: Path, tmp_path: Path) -> None:
    root, out = tmp_path / "source", tmp_path / "port"
    root.mkdir()
    (root / "main.cu").write_text(TEXT)
    (root / "Makefile").write_text(MAKEFILE)
    port = pipeline.port(root, PortOptions(cache=cache, out=out, target=target, jobs=2, prove=0), Silent())
    assert [item.unit.name for item in port.evidence if item.kept(Level.TESTED)] == [
        "inside",
        "begin",
        "walk",
    ]
    if target is OPENMP:
        assert "#pragma omp parallel for" in (out / "main.cpp").read_text()
        done = subprocess.run(["make", "run"], cwd=out, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stdout.count("\n") >= 6, done.stderr
    else:
        assert "hiprand_init(seed, thread, 0, &state)" in (out / "main.hip").read_text()
