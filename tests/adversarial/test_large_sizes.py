"""Arithmetic that holds in every trial and fails in large calls: products, counts and numbers of bytes."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import rewards
from tests.sampling import sampled
from transpile.core import CUDA
from transpile.rewards import Stage
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

FLAT = """
__global__ void flat(const float *a, float *b, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    size_t i = (size_t)y * w + x;
    b[i] = a[i] + 1;
}
"""
IN_FLAT = "void flat(const float *a, float *b, int w, int h) { %s }"
FLATS = {
    "right: rows": "\n#pragma omp parallel for\nfor (int y = 0; y < h; y++)"
    " for (int x = 0; x < w; x++) b[(size_t)y * w + x] = a[(size_t)y * w + x] + 1;",
    "right: long": "const long n = (long)w * h;\n#pragma omp parallel for\n"
    "for (long i = 0; i < n; i++) b[i] = a[i] + 1;",
    "total": "int n = w * h;\n#pragma omp parallel for\n"
    "for (size_t i = 0; i < (size_t)n; i++) b[i] = a[i] + 1;",
    "row": "\n#pragma omp parallel for\nfor (int y = 0; y < h; y++) { unsigned at = (unsigned)y * w;"
    " for (size_t x = 0; x < (size_t)w; x++) b[at + x] = a[at + x] + 1; }",
    "bound": "\n#pragma omp parallel for\nfor (int i = 0; i < w * h; i++) {"
    " size_t k = (size_t)(i / w) * w + i % w;"
    " b[k] = a[k] + 1; }",
}
SHARE = """
__global__ void share(const float *x, float *out, int rows, int m, float t)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    int count = 0;
    for (int k = 0; k < m; k++)
        if (x[(size_t)r * m + k] > t) count++;
    out[r] = (float)count / m;
}
"""
IN_SHARE = (
    "void share(const float *x, float *out, int rows, int m, float t) {\n#pragma omp parallel for\n"
    "for (int r = 0; r < rows; r++) { %s count = 0;"
    " for (int k = 0; k < m; k++) %s; out[r] = (float)count / m; } }"
)
ABOVE = "if (x[(size_t)r * m + k] > t) count"
SHARES = {
    "right": ("int", ABOVE + "++"),
    "float": ("float", ABOVE + " += 1.0f"),
    "condition": ("float", "count += x[(size_t)r * m + k] > t ? 1.0f : 0.0f"),
}
PAIRS = """
long pairs(const int *a, int n)
{
    long hits = 0;
    for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) if (a[i] == a[j]) hits++;
    return hits;
}
"""
IN_PAIRS = (
    "long pairs(const int *a, int n) { %s hits = 0;\n#pragma omp parallel for reduction(+:hits)\n"
    "for (int i = 0; i < n; i++) { %s } return hits; }"
)
NESTED = "for (int j = i + 1; j < n; j++) if (a[i] == a[j]) hits++;"
PAIRED = {
    "right": ("long", NESTED),
    "right: own": ("long", "int own = 0; for (int j = i + 1; j < n; j++) own += a[i] == a[j]; hits += own;"),
    "int": ("int", NESTED),
}
CLEAR = """
void clear(float *y, const float *x, int n, int shift)
{
    for (int i = 0; i < n; i++) y[i] = x[i] * 2;
    for (int i = 0; i < shift; i++) y[i] = 0;
}
"""
IN_CLEAR = (
    "void clear(float *y, const float *x, int n, int shift) {\n#pragma omp parallel for\n"
    "for (int i = 0; i < n; i++) y[i] = x[i] * 2;\n%s if (shift > 0) __builtin_memset(y, 0, bytes); }"
)
CLEARED = {
    "right": "const unsigned long bytes = shift * sizeof(float);",
    "four": "int bytes = shift * 4;",
    "sizeof": "int bytes = shift * sizeof(float);",
}
TOTAL = """
#include <vector>
long long total(const std::vector<int> &v)
{
    long long s = 0;
    for (std::size_t i = 0; i < v.size(); i++) s += v[i];
    return s;
}
"""
IN_TOTAL = (
    "long long total(const std::vector<int> &v) { long long s = 0; const %s n = v.size();\n"
    "#pragma omp parallel for reduction(+:s)\nfor (%s i = 0; i < n; i++) s += v[i]; return s; }"
)
TOTALS = {"right": ("long", "long"), "int": ("int", "int")}
ALL = [
    (FLAT, ".cu", IN_FLAT, FLATS),
    (SHARE, ".cu", IN_SHARE, SHARES),
    (PAIRS, ".c", IN_PAIRS, PAIRED),
    (CLEAR, ".c", IN_CLEAR, CLEARED),
    (TOTAL, ".cpp", IN_TOTAL, TOTALS),
]


@pytest.mark.parametrize(("source", "suffix", "frame", "texts"), sampled(ALL, 6))
def test_narrow_arithmetic_is_not_kept(
    workshop: Workshop, source: str, suffix: str, frame: str, texts: dict[str, str | tuple[str, ...]]
) -> None:
    found = rewards(workshop, source, {name: frame % text for name, text in texts.items()}, suffix=suffix)
    for name, reward in found.items():
        if name.startswith("right"):
            assert reward.stage is Stage.PASSED, (name, reward)
        else:
            assert (reward.stage, reward.code) == (Stage.CHECKS, "TP415"), (name, reward)


TURN = """
void turn(const float *a, float *b, int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) b[(long)j * rows + i] = a[(long)i * cols + j];
}
"""
IN_TURN = """
__global__ void turned(const float *a, float *b, int rows, int cols)
{
    for (int j = %s; j < cols; j += blockDim.x) b[(long)j * rows + %s] = a[(long)%s * cols + j];
}
void turn(const float *a, float *b, int rows, int cols)
{
    if (rows <= 0 || cols <= 0) return;
    float *of_a, *of_b;
    unsigned long bytes = (unsigned long)rows * cols * sizeof(float);
    cudaMalloc(&of_a, bytes);
    cudaMalloc(&of_b, bytes);
    cudaMemcpy(of_a, a, bytes, cudaMemcpyHostToDevice);
    turned<<<%s, %s>>>(of_a, of_b, rows, cols);
    cudaMemcpy(b, of_b, bytes, cudaMemcpyDeviceToHost);
    cudaFree(of_a);
    cudaFree(of_b);
}
"""
ON_Y = ("blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.y", "blockIdx.y")
TURNS = {
    "right: rows along x": IN_TURN % ("threadIdx.x", "blockIdx.x", "blockIdx.x", "rows", "256"),
    "rows along y": IN_TURN % (*ON_Y, "dim3((cols + 255) / 256, rows)", "256"),
    "rows along y, smaller blocks": IN_TURN % (*ON_Y, "dim3((cols + 127) / 128, rows)", "128"),
}


@pytest.mark.thorough
def test_a_row_for_each_block_along_y_is_not_kept(workshop: Workshop) -> None:
    found = rewards(workshop, TURN, TURNS, suffix=".c", target=CUDA)
    kept = {name: item.stage is Stage.PASSED for name, item in found.items()}
    assert kept == {name: name.startswith("right") for name in TURNS}, found
