"""Translations with too little room or too few steps, of which only long, deep or extreme calls tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.adversarial.direct import judged
from tests.conftest import Once
from tests.integration.functions import check
from tests.sampling import sampled_items
from transpile import parsers
from transpile.core import CUDA, Verdict
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

SOURCE = """
#include <stdint.h>
typedef struct { int id; double weight; } Item;
int alike(int n, const Item *a, const Item *b)
{
    int found = 0;
    for (int i = 0; i < n; i++) found += a[i].id == b[i].id && a[i].weight == b[i].weight;
    return found;
}
uint64_t apart(int n, const uint16_t *a, const uint16_t *b)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return sum;
}
void filter(int n, int taps, const float *w, const float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < taps && k <= i; k++) sum += w[k] * x[i - k];
        y[i] = sum;
    }
}
void roots(int n, const int *parent, int *root)
{
    for (int i = 0; i < n; i++) root[i] = parent[i] >= 0 && parent[i] < i ? root[parent[i]] : i;
}
void twice(int h, int w, const float *x, float *y)
{
    for (int r = 0; r < h; r++)
        for (int c = 0; c < w; c++) y[(long)r * w + c] = 2 * x[(long)r * w + c];
}
int above(int n, float limit, const float *x)
{
    int found = 0;
    for (int i = 0; i < n; i++) found += x[i] > limit;
    return found;
}
"""
ALIKE = "int alike(int n, const Item *a, const Item *b)\n{\n    int found = 0;\n"
APART = "uint64_t apart(int n, const uint16_t *a, const uint16_t *b)\n{\n"
FILTER = "void filter(int n, int taps, const float *w, const float *x, float *y)\n{\n"
ROOTS = "void roots(int n, const int *parent, int *root)\n{\n    if (n <= 0) return;\n"


def alike(same: str) -> str:
    return (
        f"{ALIKE}    #pragma omp parallel for reduction(+ : found)\n"
        f"    for (int i = 0; i < n; i++) found += {same};\n    return found;\n}}\n"
    )


def apart(kind: str) -> str:
    return (
        f"{APART}    {kind} sum = 0;\n    #pragma omp parallel for reduction(+ : sum)\n"
        "    for (int i = 0; i < n; i++) sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];\n"
        "    return sum;\n}\n"
    )


def filtered(copy: str, release: str = "") -> str:
    return (
        f"{FILTER}    int m = taps < n ? taps : n;\n    if (m < 0) m = 0;\n    {copy};\n"
        "    for (int k = 0; k < m; k++) c[k] = w[k];\n    #pragma omp parallel for\n"
        "    for (int i = 0; i < n; i++) {\n        float sum = 0;\n"
        "        for (int k = 0; k < m && k <= i; k++) sum += c[k] * x[i - k];\n        y[i] = sum;\n    }\n"
        f"{release}}}\n"
    )


def jumped(rounds: int) -> str:
    return (
        f"{ROOTS}    int *next = malloc((size_t)n * sizeof *next);\n    #pragma omp parallel for\n"
        "    for (int i = 0; i < n; i++) root[i] = parent[i] >= 0 && parent[i] < i ? parent[i] : i;\n"
        f"    for (int k = 0; k < {rounds}; k++) {{\n        #pragma omp parallel for\n"
        "        for (int i = 0; i < n; i++) next[i] = root[root[i]];\n        #pragma omp parallel for\n"
        "        for (int i = 0; i < n; i++) root[i] = next[i];\n    }\n    free(next);\n}\n"
    )


WRONG = {
    "members and what lies between them": alike("memcmp(a + i, b + i, sizeof *a) == 0"),
    "a sum of 32 bits": apart("uint32_t"),
    "a buffer of 1024": filtered("float c[1024]"),
    "a buffer of 3000": filtered("float c[3000]"),
    "eight rounds of jumps": jumped(8),
}
RIGHT = {
    "member by member": alike("a[i].id == b[i].id && a[i].weight == b[i].weight"),
    "a sum of 64 bits": apart("uint64_t"),
    "a buffer from the heap": filtered(
        "float *c = malloc(sizeof(float) * (m > 0 ? m : 1))", "    free(c);\n"
    ),
    "as many rounds as there are bits": jumped(31),
}


def doubled(blocks: str, row: str) -> str:
    return (
        "__global__ void twice_k(int h, int w, const float *x, float *y)\n{\n"
        "    int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    {row}\n        if (c < w) y[(size_t)r * w + c] = 2 * x[(size_t)r * w + c];\n}}\n"
        "void twice(int h, int w, const float *x, float *y)\n{\n    if (h <= 0 || w <= 0) return;\n"
        "    float *dx, *dy;\n    size_t bytes = sizeof(float) * h * w;\n"
        "    cudaMalloc(&dx, bytes);\n    cudaMalloc(&dy, bytes);\n"
        "    cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);\n"
        f"    twice_k<<<dim3((w + 31) / 32, {blocks}), dim3(32, 8)>>>(h, w, dx, dy);\n"
        "    cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost);\n    cudaFree(dx);\n    cudaFree(dy);\n}\n"
    )


def counted(bounds: str, threads: int = 256, *, shared: int = 1, of_host: bool = False) -> str:
    count = "&found" if of_host else "count"
    return (
        f"__global__ void {bounds} above_k(int n, float limit, const float *x, int *count)\n{{\n"
        f"    __shared__ float held[{shared}];\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (threadIdx.x == 0) held[0] = limit;\n    __syncthreads();\n"
        "    if (i < n && x[i] > held[0]) atomicAdd(count, 1);\n}\n"
        "int above(int n, float limit, const float *x)\n{\n    if (n <= 0) return 0;\n"
        "    float *d;\n    int *count, found = 0;\n"
        "    cudaMalloc(&d, sizeof(float) * n);\n    cudaMalloc(&count, sizeof(int));\n"
        "    cudaMemcpy(d, x, sizeof(float) * n, cudaMemcpyHostToDevice);\n"
        "    cudaMemset(count, 0, sizeof(int));\n"
        f"    above_k<<<(n + {threads - 1}) / {threads}, {threads}>>>(n, limit, d, {count});\n"
        + ("" if of_host else "    cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);\n")
        + "    cudaDeviceSynchronize();\n    cudaFree(d);\n    cudaFree(count);\n    return found;\n}\n"
    )


ROW = "int r = blockIdx.y * blockDim.y + threadIdx.y;\n    if (r < h)"
ROWS = "for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += gridDim.y * blockDim.y)"
WRONG_ON_DEVICES = {
    "rows beyond the second dimension": doubled("h", ROW).replace("dim3(32, 8)", "dim3(32, 1)"),
    "more threads than its bounds": counted("__launch_bounds__(128)"),
    "a variable of the host's stack": counted("", of_host=True),
    "more shared memory than a block has": counted("", shared=20_000),
}
RIGHT_ON_DEVICES = {
    "rows by strides": doubled("min((h + 7) / 8, 65535)", ROWS),
    "as many threads as its bounds": counted("__launch_bounds__(128)", 128),
    "as much shared memory as a block has": counted("", shared=12_000),
}
WRONG = sampled_items(WRONG, 8)
RIGHT = sampled_items(RIGHT, 8)
WRONG_ON_DEVICES = sampled_items(WRONG_ON_DEVICES, 8)
RIGHT_ON_DEVICES = sampled_items(RIGHT_ON_DEVICES, 8)


@pytest.fixture(scope="module")
def found(once: Once, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.c").write_text(SOURCE)
    source = parsers.read(root)
    return once("bounds of buffers", lambda: judged(workshop, source, WRONG | RIGHT)) | once(
        "bounds of buffers on devices",
        lambda: judged(workshop, source, WRONG_ON_DEVICES | RIGHT_ON_DEVICES, CUDA),
    )


@pytest.mark.parametrize("name", [*WRONG, *WRONG_ON_DEVICES])
def test_what_only_long_deep_or_extreme_calls_tell_is_not_kept(found: dict[str, Verdict], name: str) -> None:
    assert check(found[name]) != "kept", found[name]


@pytest.mark.parametrize("name", [*RIGHT, *RIGHT_ON_DEVICES])
def test_those_with_enough_room_are_kept(found: dict[str, Verdict], name: str) -> None:
    assert check(found[name]) == "kept", found[name]
