"""Kernels that take structs with pointers by value: judged, translated and launched as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Once
from transpile import pipeline
from transpile.core import Passed, Port
from transpile.options import PortOptions, Silent

SOURCE = """
#include <cstdio>
#define TILE 8
struct Matrix { int width, height, stride; float *elements; };
struct Particles { float *x; const float *mass; int count; float step; };
struct Scaled { Matrix inner; float scale; };
template <class T> struct Span {
    T *data;
    unsigned size;
    __device__ T &operator[](unsigned i) { return data[i]; }
};

__global__ void move(Particles p, const float *force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) p.x[i] += p.step * force[i] * p.mass[i];
}
__global__ void scale(Scaled all) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all.inner.width) all.inner.elements[i] *= all.scale;
}
__global__ void add(Span<float> a, Span<const float> b) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < a.size) a[i] += b.data[i];
}
__device__ Matrix tile_of(Matrix m, int row, int column) {
    Matrix tile;
    tile.width = tile.height = TILE;
    tile.stride = m.stride;
    tile.elements = &m.elements[m.stride * TILE * row + TILE * column];
    return tile;
}
__global__ void multiply(Matrix a, Matrix b, Matrix c) {
    Matrix own = tile_of(c, blockIdx.y, blockIdx.x);
    int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int m = 0; m < a.width / TILE; ++m) {
        Matrix left = tile_of(a, blockIdx.y, m), right = tile_of(b, m, blockIdx.x);
        __shared__ float l[TILE][TILE], r[TILE][TILE];
        l[row][column] = left.elements[row * left.stride + column];
        r[row][column] = right.elements[row * right.stride + column];
        __syncthreads();
        for (int e = 0; e < TILE; ++e) sum += l[row][e] * r[e][column];
        __syncthreads();
    }
    own.elements[row * own.stride + column] = sum;
}

int main() {
    const int n = 24;
    Matrix m[3];
    for (Matrix &one : m) {
        one.width = one.height = one.stride = n;
        cudaMalloc(&one.elements, n * n * sizeof(float));
    }
    float host[n * n];
    for (int i = 0; i < n * n; ++i) host[i] = i % 7;
    cudaMemcpy(m[0].elements, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(m[1].elements, host, sizeof host, cudaMemcpyHostToDevice);
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(m[0], m[1], m[2]);
    scale<<<2, 64>>>(Scaled{m[2], 0.5f});
    add<<<2, 64>>>(Span<float>{m[2].elements, 100}, Span<const float>{m[0].elements, 100});
    move<<<2, 64>>>(Particles{m[2].elements, m[1].elements, n, 0.25f}, m[0].elements);
    cudaMemcpy(host, m[2].elements, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i += 25) std::printf("%g ", host[i]);
}
"""


MAKEFILE = "main: main.cu\n\tnvcc -O2 -o main main.cu\nrun: main\n\t./main\n"


@pytest.fixture(scope="module")
def port(once: Once, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Port:
    folder: Path = tmp_path_factory.mktemp("structs")
    source = folder / "source"
    source.mkdir()
    (source / "main.cu").write_text(SOURCE)
    (source / "Makefile").write_text(MAKEFILE)
    options = PortOptions(cache=cache, out=folder / "port", jobs=1)
    return once("structs of pointers", lambda: pipeline.port(source, options, Silent()))


@pytest.mark.thorough
def test_all_are_kept_and_the_program_agrees(port: Port) -> None:
    refused = [item for item in port.evidence if not isinstance(item.verdict, Passed)]
    assert not refused and {item.unit.name for item in port.evidence} == {"move", "scale", "add", "multiply"}
    assert [type(run.verdict) for run in port.programs] == [Passed]


@pytest.mark.thorough
def test_what_holds_between_members_at_the_launches_is_asserted(port: Port) -> None:
    [multiply] = [item for item in port.evidence if item.unit.name == "multiply"]
    assert multiply.candidate is not None
    text = multiply.candidate.replacements[0].text
    assert b"assert(a.height == a.width);" in text and b"assert(c.stride == a.width);" in text
