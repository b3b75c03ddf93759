"""Ports of code whose libraries are not here: what does not need them is judged all the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile import pipeline
from transpile.core import BuildOutcome, Inconclusive, Passed, Port
from transpile.options import PortOptions, Silent

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
]

LAYER = """\
#pragma once
#include <absent_net.h>
#define CHECK(call) do { absent_status_t s = call; if (s != ABSENT_OK) exit(1); } while (0)
class Layer {
    absent_tensor_t in, out;
    float *weights;
  public:
    void forward(absent_handle_t net, float *x, int n);
};
"""
CUDA = """\
#include "layer.h"
#include <cstdio>
static const float SLOPE = 0.1f;
__device__ float leaky(float x) { return x > 0 ? x : SLOPE * x; }
__global__ void activate(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = leaky(x[i]);
}
__global__ void describe(absent_tensor_t *t) { t[threadIdx.x].rank = 1; }
void Layer::forward(absent_handle_t net, float *x, int n) {
    CHECK(absent_forward(net, in, x, out));
    activate<<<(n + 255) / 256, 256>>>(x, n);
    describe<<<1, 1>>>(&out);
}
#define BIND(type) \\
    absent::Array forward_##type(absent::Array x) { activate<<<1, 64>>>((type *)x.data(), 64); return x; }
BIND(float)
int main() { Layer layer; layer.forward(absent_create(), nullptr, 0); }
"""
C = """\
#include <stdio.h>
#include "mpi.h"
static int rank;
void scale(double *x, int n) { for (int i = 0; i < n; i++) x[i] = 2 * x[i]; }
void send(double *x, int n) {
    for (int i = 0; i < n; i++) x[i] += rank;
    MPI_Send(x, n, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
    double x[4] = {1, 2, 3, 4};
    MPI_Init(&argc, &argv);
    scale(x, 4);
    send(x, 4);
    printf("%g\\n", x[3]);
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.parametrize(
    ("files", "kept", "lost", "header"),
    [
        pytest.param(
            {"layer.h": LAYER, "layer.cu": CUDA, "Makefile": "net: layer.cu\n\tnvcc layer.cu -o net\n"},
            "activate",
            "describe",
            "absent_net.h",
            marks=pytest.mark.thorough,
        ),
        ({"main.c": C, "Makefile": "main: main.c\n\tcc main.c -o main\n"}, "scale", "send", "mpi.h"),
    ],
    ids=["CUDA", "C"],
)
def test_what_does_not_need_a_missing_header_is_ported(
    files: dict[str, str], kept: str, lost: str, header: str, builds: Path, tmp_path: Path
) -> None:
    if shutil.which("mpicc") and header == "mpi.h":
        pytest.skip("MPI is installed")
    root = tmp_path / "source"
    root.mkdir()
    for path, text in files.items():
        (root / path).write_text(text)
    port = pipeline.port(root, PortOptions(cache=builds, out=tmp_path / "port"), Silent())
    verdicts = {item.unit.name: item.verdict for item in port.evidence}
    passed, left = verdicts[kept], verdicts[lost]
    assert isinstance(passed, Passed), passed
    assert passed.guarantee.requires == (f"`{header}`, which is not found, redefines nothing that it uses",)
    assert isinstance(left, Inconclusive)
    assert f"`{header}`, which is not found" in left.reason
    assert port.lacking == (header,)
    assert port.own_build.outcome is BuildOutcome.NOT_SHOWN
    assert port.own_build.reason == f"{header} is not here"
    assert [item.code for item in port.diagnostics].count("TP504") == 1
    assert_ported(port, tmp_path / "port", kept)


@pytest.mark.thorough
def test_what_another_file_without_its_header_defines_is_linked(builds: Path, tmp_path: Path) -> None:
    root = tmp_path / "source"
    root.mkdir()
    (root / "table.c").write_text(
        "#include <absent.h>\ndouble table[3] = {1, 2, 3};\nvoid share(absent_t *all) { absent_send(all); }\n"
        "int main(void) { return 0; }\n"
    )
    (root / "work.c").write_text(
        "extern double table[3];\n"
        "void twice(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= table[1]; }\n"
    )
    (root / "Makefile").write_text("main: table.c work.c\n\tcc table.c work.c -o main\n")
    port = pipeline.port(root, PortOptions(cache=builds, out=tmp_path / "port"), Silent())
    [passed] = [item.verdict for item in port.evidence if item.unit.name == "twice"]
    assert isinstance(passed, Passed), passed
    assert passed.guarantee.requires == ("`absent.h`, which is not found, redefines nothing that it uses",)


def assert_ported(port: Port, out: Path, kept: str) -> None:
    """Assert that the port holds the whole source, with the translation in it."""
    place = next(path for unit, path in port.places.items() if f"::{kept}(" in unit)
    text = (out / place).read_text()
    assert "#pragma omp parallel for" in text
    assert "absent_forward" in text or "MPI_Send" in text


BROKEN = """\
#include <cstdio>
#include "device.h"
__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = times(x[i], FACTOR);
}
int main() {
    float *x;
    cudaMalloc(&x, 64 * sizeof(float));
    twice<<<1, 64>>>(x, 64);
    std::printf("%f\\n", rate * 64);
    cudaUnheardOf(x);
}
"""
DEVICE = "#define FACTOR 2\n__device__ inline float times(float x, int n) { return x * n; }\n"


@pytest.mark.thorough
def test_kernels_beside_broken_host_code_are_judged(builds: Path, tmp_path: Path) -> None:
    root = tmp_path / "source"
    root.mkdir()
    (root / "main.cu").write_text(BROKEN)
    (root / "device.h").write_text(DEVICE)
    (root / "Makefile").write_text("main: main.cu\n\tnvcc main.cu -o main\n")
    port = pipeline.port(root, PortOptions(cache=builds, out=tmp_path / "port"), Silent())
    (evidence,) = port.evidence
    assert isinstance(evidence.verdict, Passed), evidence.verdict
    assert port.lacking == ()
    assert port.own_build.outcome is BuildOutcome.NOT_SHOWN
    assert "was not declared in this scope" in port.own_build.reason
    (told,) = [item for item in port.diagnostics if item.code == "TP504"]
    assert told.path == "main.cu" and "was not declared in this scope" in told.message
