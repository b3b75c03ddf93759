"""Contracts of compiled kernels: traced on the emulator, in the sandbox, with nothing told but the text."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Once
from transpile import parsers
from transpile.contracts import infer
from transpile.contracts.user import UnitSettings
from transpile.core import (
    Contract,
    Covers,
    Inconclusive,
    Invariant,
    Launch,
    LaunchLaw,
    Origin,
    RecordedLaunch,
    Role,
    ShapeDependent,
    Unbounded,
    UnitKind,
)
from transpile.expressions import evaluate
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SOURCE = r"""
#include <cuda_runtime.h>
#define TILE 16
struct Box { int width, height; };

__global__ void pitched(float *out, const float *in, int pitch, Box box)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < box.width && y < box.height)
        ((float *)((char *)out + y * pitch))[x] = in[y * box.width + x];
}

__global__ void partial(const float *in, float *out, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

struct Body { float x, y, z, m; };
__device__ Body operator+(Body a, Body b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.m + b.m}; }
__device__ Body pull(Body a, Body b) { return b.m > a.m ? Body{b.x, a.y, a.z, 0} : a + b; }

__global__ void pulled(const Body *in, Body *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = pull(in[i], out[i]);
}

__global__ void tile(const float *in, float *out, int width, int height)
{
    __shared__ float block[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) block[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = block[threadIdx.x][threadIdx.y];
}

__global__ void diagonal(int at, int pitch, int n, float *a)
{
    __shared__ float block[TILE][TILE];
    int y = at * TILE + threadIdx.y, x = at * TILE + threadIdx.x;
    block[threadIdx.y][threadIdx.x] = y < n && x < n ? a[y * pitch + x] : 0;
    __syncthreads();
    if (y < n && x < n) a[y * pitch + x] += block[threadIdx.x][threadIdx.y];
}

__global__ void spread(const float *in, float *out, int pitch, int width, int height)
{
    __shared__ float block[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    block[threadIdx.y][threadIdx.x] = x < width && y < height ? in[y * width + x] : 0;
    __syncthreads();
    if (x < width && y < height) out[y * pitch + x] = block[threadIdx.y][threadIdx.x ^ 1] + x + y;
}

__global__ void count(const unsigned char *data, int n, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i] % 32], 1u);
}

__global__ void multiply(int rows, const int *offsets, const int *columns, const double *values,
                         const double *x, double *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int k = offsets[row]; k < offsets[row + 1]; k++) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

__global__ void scale_rows(int rows, int stored, const int *offsets, double *values, const double *by)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) for (int k = offsets[row]; k < offsets[row + 1]; k++) values[k] *= by[row];
}

__device__ int rank(const float *a, int n, float key, bool after)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] < key || (after && a[middle] == key)) low = middle + 1; else high = middle;
    }
    return low;
}

__global__ void merge(int n, const float *a, const float *b, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i + rank(b, n, a[i], false)] = a[i];
    out[i + rank(a, n, b[i], true)] = b[i];
}

__global__ void crash(int n, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 7 / (n - n);
}

void run(const float *a, float *b, int w, int h, int pitch)
{
    dim3 block(TILE, TILE), grid((w + TILE - 1) / TILE, (h + TILE - 1) / TILE);
    tile<<<grid, block>>>(a, b, w, h);
    if (h % 3) grid.x += 1;
    spread<<<grid, block>>>(a, b, pitch, w, h);
    partial<<<(w + 255) / 256, 256>>>(a, b, w);
    for (int i = 0; i < w / TILE; i++) diagonal<<<1, block>>>(i, w, h, b);
}
"""


@pytest.fixture(scope="module")
def learnt(
    once: Once, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Contract | Inconclusive]:
    root = tmp_path_factory.mktemp("source")
    return once("contracts of kernels", partial(learnt_in, root, workshop))


def learnt_in(root: Path, workshop: Workshop) -> dict[str, Contract | Inconclusive]:
    (root / "kernels.cu").write_text(SOURCE)
    source = parsers.read(root)
    kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
    corrections = {"count": UnitSettings(ranges={"n": (1, 50)})}
    found = infer(workshop, source, kernels, corrections=corrections)
    result: dict[str, Contract | Inconclusive] = {}
    for unit in kernels:
        known = found[unit.id]
        result[unit.name] = known if isinstance(known, Inconclusive) else known[0]
    return result


def contract(learnt: dict[str, Contract | Inconclusive], name: str) -> Contract:
    found = learnt[name]
    assert isinstance(found, Contract), found
    return found


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("pitched", Covers(x="box.width", y="box.height")),
        ("count", Invariant()),
        ("multiply", Covers(x="rows")),
    ],
)
def test_law(learnt: dict[str, Contract | Inconclusive], name: str, law: LaunchLaw) -> None:
    assert contract(learnt, name).law == law


@pytest.mark.parametrize(
    ("name", "array", "role", "values", "elements"),
    [
        ("pitched", "out", Role.OUT, {"pitch": 40, "box.width": 9, "box.height": 3}, 29),
        ("pitched", "in", Role.IN, {"pitch": 40, "box.width": 9, "box.height": 3}, 27),
        ("partial", "out", Role.OUT, {"n": 600, "gridDim.x": 3, "blockDim.x": 256}, 3),
        ("partial", "in", Role.IN, {"n": 600, "gridDim.x": 3, "blockDim.x": 256}, 600),
        ("tile", "in", Role.IN, {"width": 20, "height": 30}, 600),
        ("tile", "out", Role.OUT, {"width": 20, "height": 30}, 600),
        ("spread", "out", Role.OUT, {"pitch": 40, "width": 20, "height": 30}, 1180),
        ("diagonal", "a", Role.INOUT, {"at": 1, "pitch": 40, "n": 32}, 1280),
        ("count", "bins", Role.INOUT, {"n": 9}, 32),
        ("multiply", "offsets", Role.IN, {"rows": 9}, 10),
        ("multiply", "y", Role.OUT, {"rows": 9}, 9),
        ("multiply", "x", Role.IN, {"rows": 9, "columns": 8}, 9),
        ("multiply", "values", Role.IN, {"rows": 9, "offsets": 27}, 27),
        ("scale_rows", "values", Role.INOUT, {"rows": 9, "offsets": 5}, 5),
    ],
)
def test_extent(
    learnt: dict[str, Contract | Inconclusive],
    name: str,
    array: str,
    role: Role,
    values: dict[str, int],
    elements: int,
) -> None:
    fact = contract(learnt, name).array(array)
    assert fact is not None
    assert (fact.role, evaluate(fact.extent, values)) == (role, elements)


def test_rows_of_a_matrix_in_tiles_do_not_overlap(learnt: dict[str, Contract | Inconclusive]) -> None:
    found = contract(learnt, "spread")
    assert "pitch >= width" in found.relations
    assert isinstance(found.law, ShapeDependent)
    assert "gridDim.x >= (width + 15) / 16" in found.law.relations


def test_structs_that_are_passed_by_value_are_read(learnt: dict[str, Contract | Inconclusive]) -> None:
    arrays = {item.name: (item.role, item.extent) for item in contract(learnt, "pulled").arrays}
    assert arrays == {"in": (Role.IN, "n"), "out": (Role.INOUT, "n")}


def test_rows_of_a_pitch_do_not_overlap(learnt: dict[str, Contract | Inconclusive]) -> None:
    assert "pitch >= 4 * box.width" in contract(learnt, "pitched").relations


def test_blocks_fit_what_is_declared_as_shared(learnt: dict[str, Contract | Inconclusive]) -> None:
    for name in ("partial", "tile"):
        law = contract(learnt, name).law
        assert isinstance(law, ShapeDependent), law
        for launch in law.launches:
            sizes = [evaluate(text, {"n": 600, "width": 20, "height": 30}) for text in launch[3:6]]
            assert sizes == ([256, 1, 1] if name == "partial" else [16, 16, 1])


def test_offsets_and_columns_are_bounded(learnt: dict[str, Contract | Inconclusive]) -> None:
    found = contract(learnt, "multiply")
    for name in ("offsets", "columns"):
        fact = found.array(name)
        assert fact is not None and fact.values is not None and fact.values.low == "0"


def test_offsets_ascend_only_where_the_source_misbehaves_otherwise(
    learnt: dict[str, Contract | Inconclusive],
) -> None:
    for name, ascending in (("multiply", False), ("scale_rows", True)):
        fact = contract(learnt, name).array("offsets")
        assert fact is not None and fact.ascending is ascending


def test_numbers_ascend_where_the_source_races_otherwise(learnt: dict[str, Contract | Inconclusive]) -> None:
    found = contract(learnt, "merge")
    assert [fact.name for fact in found.arrays if fact.ascending] == ["a", "b"]


def test_atomics_and_free_data(learnt: dict[str, Contract | Inconclusive]) -> None:
    found = contract(learnt, "count")
    bins, data = found.array("bins"), found.array("data")
    assert bins is not None and bins.atomic
    assert data is not None and data.values is None


def test_the_user_is_right(learnt: dict[str, Contract | Inconclusive]) -> None:
    fact = contract(learnt, "count").scalar("n")
    assert fact is not None and (fact.values.high, fact.origin) == ("50", Origin.USER)


def test_what_always_traps_has_no_contract(learnt: dict[str, Contract | Inconclusive]) -> None:
    found = learnt["crash"]
    assert isinstance(found, Inconclusive)
    assert "does not return for any arguments" in found.reason and found.code == "TP404"


def test_unbounded_is_not_claimed_where_blocks_are_fixed(learnt: dict[str, Contract | Inconclusive]) -> None:
    assert not any(isinstance(item, Contract) and isinstance(item.law, Unbounded) for item in learnt.values())


def test_a_header_above_the_source_is_asked_for(workshop: Workshop, tmp_path: Path) -> None:
    path = tmp_path / "alone.cu"
    path.write_text('#include "../shared/check.h"\n__global__ void one(int *a) { a[0] = 1; }\n')
    source = parsers.read(path)
    found = infer(workshop, source, source.units)[source.units[0].id]
    assert isinstance(found, Inconclusive) and found.code == "TP403"
    assert found.reason.endswith("port the folder that holds `shared/check.h` as well")


EDGES = """
__global__ void edges(double *p, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < height) p[width * i + width - 1] = p[width * i + width - 2];
    if (i > 0 && i < width) p[i] = p[width + i];
}
"""


def test_ties_of_ascending_data_hide_no_race(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "edges.cu").write_text(EDGES)
    source = parsers.read(tmp_path)
    launch = Launch(grid=(1, 1, 1), block=(1024, 1, 1))
    recorded = RecordedLaunch(kernel="edges", launch=launch, scalars=(("width", 87), ("height", 20)))
    [found] = infer(workshop, source, source.units, observed=[recorded]).values()
    assert isinstance(found, Inconclusive) and "race on `p[" in found.reason, found
