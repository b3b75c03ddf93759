"""A program that calls cuBLAS, ported: it builds by its own Makefile, without that library."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import pipeline
from transpile.core import HIP, OPENMP, Dialect, Level, Passed, Port
from transpile.options import PortOptions, Silent
from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

TEXT = """#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void shifted(float *data, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += by;
}
int main()
{
    const int n = 9;
    float host[n * n], *a, *b;
    for (int i = 0; i < n * n; ++i) host[i] = i % 7 - 3;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cublasHandle_t handle;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cublasCreate(&handle);
    cublasSetStream(handle, stream);
    shifted<<<2, 64, 0, stream>>>(a, 1.0f, n * n);
    const float two = 2.0f, zero = 0.0f;
    cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &two, a, n, a, n, &zero, b, n);
    cudaStreamSynchronize(stream);
    cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            float sum = 0;
            for (int p = 0; p < n; ++p) sum += ((p + i * n) % 7 - 2) * ((p + j * n) % 7 - 2);
            if (host[i + j * n] != 2 * sum) return 1;
        }
    }
    cublasDestroy(handle);
    cudaStreamDestroy(stream);
    printf("%g\\n", host[0]);
    return 0;
}
"""
MAKEFILE = "main: main.cu\n\tnvcc -O2 main.cu -o main -lcublas\n\nrun: main\n\t./main\n"


def ported(place: Path, cache: Path, target: Dialect) -> Port:
    root = place / "source"
    root.mkdir()
    (root / "main.cu").write_text(TEXT)
    (root / "Makefile").write_text(MAKEFILE)
    options = PortOptions(cache=cache, out=place / "port", target=target, jobs=2, prove=0, clocks=False)
    return pipeline.port(root, options, Silent())


def expect_kept(port: Port) -> None:
    [item] = port.evidence
    assert item.kept(Level.TESTED)
    [program] = port.programs
    assert isinstance(program.verdict, Passed)


def test_to_openmp(cache: Path, tmp_path: Path) -> None:
    expect_kept(ported(tmp_path, cache, OPENMP))
    subprocess.run(["make", "main"], cwd=tmp_path / "port", check=True, capture_output=True, timeout=120)
    done = subprocess.run([tmp_path / "port" / "main"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "80\n")
    text = (tmp_path / "port" / "main.cpp").read_text()
    assert "#pragma omp" in text and "cudaStreamCreate(&stream)" in text


@pytest.mark.thorough
def test_to_hip(cache: Path, tmp_path: Path) -> None:
    expect_kept(ported(tmp_path, cache, HIP))
    assert "hipcc -O2 main.hip -o main -lhipblas" in (tmp_path / "port" / "Makefile").read_text()
    text = (tmp_path / "port" / "main.hip").read_text()
    assert "#include <hipblas/hipblas.h>" in text and "hipblasSgemm(handle, HIPBLAS_OP_T" in text
