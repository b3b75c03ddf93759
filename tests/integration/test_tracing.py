"""The trace of kernels on the emulator: what they touch, and which of their accesses race."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.integration.toolbox import call, library, number, signature
from transpile.core import GlobalVariable
from transpile.parsers.lowering.emulation import lowered
from transpile.testers.run import sites
from transpile.toolchains import sandbox
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import Call, Completed, Crashed, Placement, Trace, run
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

# Each kernel takes (int *x, int n); what is expected of its races stands beside it.
KERNELS = {
    "own_element": ("x[blockIdx.x * blockDim.x + threadIdx.x] += 1;", "none"),
    "own_byte": ("((char *)x)[blockIdx.x * blockDim.x + threadIdx.x] = 1;", "none"),
    "all_read": ("x[1 + blockIdx.x * blockDim.x + threadIdx.x] = x[0];", "none"),
    "atomics": ("atomicAdd(x, 1);", "none"),
    "neighbour": ("x[threadIdx.x] = x[threadIdx.x + 1];", "read-write"),
    "neighbour_synced": ("int v = x[threadIdx.x + 1]; __syncthreads(); x[threadIdx.x] = v;", "none"),
    "between_blocks": (
        "if (threadIdx.x == 0) { if (blockIdx.x == 0) x[0] = 7; else x[blockIdx.x] = x[0]; }",
        "read-write",
    ),
    "barrier_orders_no_blocks": (
        "if (blockIdx.x == 0 && threadIdx.x == 0) x[0] = 7; __syncthreads();"
        "if (blockIdx.x == 1 && threadIdx.x == 0) x[1] = x[0];",
        "read-write",
    ),
    "sum_without_atomic": ("x[0] += 1;", "write-write"),
    "last_writer_wins": ("x[0] = threadIdx.x + 1;", "write-write"),
    "same_value": ("x[0] = 7;", "harmless"),
    "same_value_read_back": ("x[0] = 7; x[threadIdx.x + 1] = x[0];", "harmless"),
    "same_value_with_another_before": ("x[0] = 6; x[0] = 7; x[threadIdx.x + 1] = x[0];", "read-write"),
    "same_value_with_the_old_one_before": ("x[0] = 100; x[0] = 7; x[threadIdx.x + 1] = x[0];", "read-write"),
    "same_value_in_two_epochs": (
        "x[0] = 6; __syncthreads(); x[0] = 7; x[threadIdx.x + 1] = x[0];",
        "harmless",
    ),
    "same_value_after_another_lane": (
        "if (threadIdx.x == 0) x[0] = 6; __syncwarp(); if (threadIdx.x == 1) x[0] = 7;"
        "if (threadIdx.x == 40) { x[0] = 7; x[1] = x[0]; }",
        "read-write",
    ),
    "same_value_written_by_an_atomic": (
        "if (threadIdx.x == 0) atomicExch(x, 7); if (threadIdx.x == 40) { x[0] = 7; x[1] = x[0]; }",
        "read-write",
    ),
    "same_value_of_another_block": (
        "if (threadIdx.x == 0) { x[0] = 7; x[blockIdx.x + 1] = x[0]; }",
        "read-write",
    ),
    "flag_set_by_some": (
        "if (threadIdx.x % 32 < 2) x[0] = 7; else if (threadIdx.x == 40) x[1] = x[0];",
        "read-write",
    ),
    "atomic_then_plain": ("atomicAdd(x, 1); if (threadIdx.x == blockDim.x - 1) x[1] = x[0];", "read-write"),
    "atomic_and_plain_write": ("if (threadIdx.x == 3) x[0] = 5; else atomicAdd(x, 1);", "write-write"),
    "warp_synced": (
        "int w = threadIdx.x / 32 * 32; x[threadIdx.x] = threadIdx.x; __syncwarp();"
        "int v = x[w + (threadIdx.x + 1) % 32]; __syncwarp(); x[threadIdx.x] = v;",
        "none",
    ),
    "warp_sync_orders_no_warps": (
        "x[threadIdx.x] = threadIdx.x; __syncwarp(); x[128 + threadIdx.x] = x[(threadIdx.x + 32) % 64];",
        "read-write",
    ),
    "reader_of_another_warp": (
        "x[threadIdx.x + 1] = x[0]; __syncwarp(); if (threadIdx.x == 63) x[0] = 9;",
        "read-write",
    ),
    "bytes_of_one_word": ("((char *)x)[threadIdx.x % 4] = threadIdx.x;", "write-write"),
    "word_and_its_byte": (
        "if (threadIdx.x == 0) x[0] = 70000; else if (threadIdx.x == 1) x[1] = ((char *)x)[2];",
        "read-write",
    ),
    "shared_missing_barrier": (
        "auto &s = simt::shared<int[64]>([]{}); s[threadIdx.x] = x[threadIdx.x];"
        "x[threadIdx.x] = s[(threadIdx.x + 1) % 64];",
        "read-write",
    ),
    "shared_with_barrier": (
        "auto &s = simt::shared<int[64]>([]{}); s[threadIdx.x] = x[threadIdx.x]; __syncthreads();"
        "if (blockIdx.x == 0) x[threadIdx.x] = s[(threadIdx.x + 1) % 64];",
        "none at blocks",
    ),
    "large_struct": (
        "struct Big { int v[10]; }; auto *b = (Big *)x; Big c = b[0]; if (threadIdx.x == 1) b[0] = c;",
        "read-write",
    ),
}
MORE = """
__global__ void touch(float *x, const float *y, int n)
{
    for (int i = 0; i < n; ++i) x[2 * i - 1] = y[i + 3];
    x[n * 2] = x[0];
    atomicAdd(&x[-5], 1.0f);
}
__global__ void overwrite(int *x) { x[0] = 1; x[1] = x[0] + x[2]; }
__global__ void far_away(int *x, long long at) { x[0] = 1; x[at] = 1; }
__global__ void unwritten(int *x)
{
    auto &s = simt::shared<int[64]>([]{});
    if (threadIdx.x != 5) s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x];
}
__global__ void spin(int *x) { for (volatile int i = 0; i < x[0]; i = i + 1) {} }
__global__ void wild(int *x) { *(int *)8 = x[0]; }
__device__ int counter[4];
__global__ void on_global(int *x) { counter[1] += 1; x[0] = counter[1]; }
"""


@pytest.fixture(scope="module")
def workshop(builds: Path) -> Workshop:
    return Workshop(cache=builds, timeout=20)


@pytest.fixture(scope="module")
def built(workshop: Workshop) -> Built:
    texts = [f"__global__ void {name}(int *x, int n) {{ {body} }}\n" for name, (body, _) in KERNELS.items()]
    signatures = [signature(name, "int *x", "int n") for name in KERNELS]
    signatures += [
        signature("touch", "float *x", "const float *y", "int n"),
        signature("overwrite", "int *x"),
        signature("far_away", "int *x", "long long at"),
        signature("unwritten", "int *x"),
        signature("wild", "int *x"),
        signature("on_global", "int *x"),
        signature("spin", "int *x"),
    ]
    return library(workshop, "".join(texts) + MORE, signatures, Flavour.TRACE)


def traced(workshop: Workshop, built: Built, *calls: Call) -> list[Completed | Crashed]:
    return run(workshop, built, calls, placement=Placement.ARENA)


def trace(result: Completed | Crashed) -> Trace:
    assert isinstance(result, Completed), result
    assert result.trace is not None
    return result.trace


def entry(name: str) -> int:
    return (*KERNELS, "touch", "overwrite", "far_away", "unwritten", "wild", "on_global", "spin").index(name)


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("name", KERNELS)
def test_races(workshop: Workshop, built: Built, name: str, seed: int) -> None:
    expected = KERNELS[name][1]
    several = "block" in name or (expected in ("none", "write-write") and "synced" not in name)
    blocks = 2 if several else 1
    data = np.arange(100, 612, dtype=np.int32)
    found = trace(
        traced(workshop, built, call(data, number(512), entry=entry(name), grid=blocks, block=64, seed=seed))[
            0
        ]
    )
    harmful = {race.kind for race in found.races if not race.same_value}
    if expected.startswith("none"):
        assert not found.races
    elif expected == "harmless":
        assert found.races
        assert not harmful
    else:
        assert expected in harmful


def test_work_is_counted_and_ends_a_call(workshop: Workshop, built: Built) -> None:
    """However long it takes: a limit of work is met at the same place by every machine."""
    calls = [
        call(np.array([turns], dtype=np.int32), entry=entry("spin")) for turns in (10, 1000, 1000, 1 << 30)
    ]
    hasty = replace(workshop, timeout=0.001)
    first, second, third, last = traced(hasty, built, *calls)
    assert isinstance(first, Completed) and isinstance(second, Completed) and isinstance(third, Completed)
    assert 10 < first.work < second.work == third.work < 0.001 * WORK_A_SECOND
    assert isinstance(last, Crashed) and last.reason == "timeout"


def test_a_race_says_where_and_who(workshop: Workshop, built: Built) -> None:
    zeros = np.zeros(64, dtype=np.int32)
    found = trace(
        traced(workshop, built, call(zeros, number(0), entry=entry("last_writer_wins"), block=3))[0]
    )
    race = found.races[0]
    assert (race.argument, race.offset, race.kind) == (0, 0, "write-write")
    assert race.first[0] == race.second[0] == 0
    assert race.first[1] != race.second[1]
    shared = trace(
        traced(workshop, built, call(zeros, number(0), entry=entry("shared_missing_barrier"), block=64))[0]
    )
    assert shared.races[0].argument is None


LINES = """
__global__ void unsynchronised(int *x)
{
    auto &s = simt::shared<int[64]>([]{});
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void accumulated(int *x)
{
    const int own = x[1 + threadIdx.x];
    x[0] += own;
}
__global__ void read_then_overwritten(int *x)
{
    auto &s = simt::shared<int[64]>([]{});
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    const int other = s[63 - threadIdx.x];
    s[threadIdx.x] = other + 1;
    x[threadIdx.x] = other;
}
"""


@pytest.mark.parametrize(
    ("kernel", "lines"),
    [
        ("unsynchronised", {"s[threadIdx.x] = x[threadIdx.x];", "x[threadIdx.x] = s[threadIdx.x ^ 1];"}),
        ("accumulated", {"x[0] += own;"}),
        ("read_then_overwritten", {"const int other = s[63 - threadIdx.x];", "s[threadIdx.x] = other + 1;"}),
    ],
)
def test_a_race_tells_both_lines(workshop: Workshop, kernel: str, lines: set[str]) -> None:
    made = library(workshop, LINES, [signature(kernel, "int *x")], Flavour.TRACE)
    data = np.arange(128, dtype=np.int32)
    found = trace(traced(workshop, made, call(data, block=64))[0])
    race = next(race for race in found.races if not race.same_value)
    assert set(sites.lines(workshop, made, race.sites, {"kernels.cu": LINES.encode()})) == lines


def test_what_is_touched(workshop: Workshop, built: Built) -> None:
    x, y = np.zeros(16, dtype=np.float32), np.zeros(16, dtype=np.float32)
    found = trace(traced(workshop, built, call(x, y, number(3), entry=entry("touch"), before=(8, 0, 0)))[0])
    first, second, third = found.arrays
    assert third is None
    assert second is not None and (second.low, second.high) == (12, 24)
    assert second.read.all() and not second.written.any()
    assert first is not None and (first.low, first.high) == (-20, 28)

    def words(mask: np.ndarray) -> list[int]:
        return sorted({(int(place) + first.low) // 4 for place in np.flatnonzero(mask)})

    assert words(first.written) == [-5, -1, 1, 3, 6]
    assert words(first.read) == [-5, 0]
    assert words(first.read_first) == [-5, 0]
    assert words(first.atomic) == [-5]
    assert sorted(high for _, high in first.reach) == [-16, 4, 16, 28]
    assert len({site for site, _ in first.reach}) == 4


def test_read_first_is_by_byte_and_call(workshop: Workshop, built: Built) -> None:
    x = np.zeros(4, dtype=np.int32)
    one = call(x, entry=entry("overwrite"))
    for result in traced(workshop, built, one, one):
        found = trace(result).arrays[0]
        assert found is not None
        assert found.read_first.tolist() == [False] * 8 + [True] * 4
        assert found.written.tolist() == [True] * 8 + [False] * 4


def test_accesses_too_far_apart_are_reported_and_the_batch_goes_on(workshop: Workshop, built: Built) -> None:
    x = np.zeros(4, dtype=np.int32)
    far = call(x, (1 << 28).to_bytes(8, "little"), entry=entry("far_away"))
    near = call(x, (3).to_bytes(8, "little"), entry=entry("far_away"))
    results = traced(workshop, built, far, near, call(x, entry=entry("wild")), near)
    assert isinstance(results[0], Crashed)
    assert (results[0].reason, results[0].argument, results[0].offset) == ("wild access", 0, 1 << 30)
    assert isinstance(results[1], Completed)
    assert isinstance(results[2], Crashed) and results[2].reason == "segmentation fault"
    assert isinstance(results[3], Completed)


def test_reads_of_unwritten_shared_memory(workshop: Workshop, built: Built) -> None:
    x = np.zeros(64, dtype=np.int32)
    found = trace(traced(workshop, built, call(x, entry=entry("unwritten"), block=64, grid=1))[0])
    assert len(found.poisoned) == 1
    clean = trace(
        traced(workshop, built, call(x, number(0), entry=entry("shared_with_barrier"), block=64))[0]
    )
    assert not clean.poisoned


def test_variables_at_file_scope_are_watched(workshop: Workshop) -> None:
    text = (
        "__device__ int counter[4];\n__global__ void count(int *x) { counter[1] += 1; x[threadIdx.x] = 1; }\n"
    )
    form = replace(
        signature("count", "int *x"), globals=(GlobalVariable(name="counter", element=None, count=4),)
    )
    built = library(workshop, text, [form], Flavour.TRACE)
    before = np.arange(4, dtype=np.int32).tobytes()
    one = call(np.zeros(8, dtype=np.int32), block=2, globals=(("counter", before),))
    (result,) = traced(workshop, built, one)
    assert isinstance(result, Completed)
    assert result.globals == (("counter", np.array([0, 3, 2, 3], dtype=np.int32).tobytes()),)
    assert [(race.argument, race.offset, race.same_value) for race in trace(result).races] != []
    assert {(race.argument, race.offset) for race in trace(result).races} == {(None, 4)}


SWAPPED = """
__device__ void largest(float *address, float value)
{
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
}
__device__ int next(int *counter)
{
    int old = *counter, assumed;
    do {
        assumed = old;
        old = atomicCAS(counter, assumed, assumed + 1);
    } while (assumed != old);
    return old;
}
"""
SWAPS = {
    "swapped": ("largest((float *)x, threadIdx.x);", "none"),
    "swapped_by_some": ("if (threadIdx.x % 2) next(x); else atomicAdd(x, 2);", "none"),
    "swapped_in_shared_memory": (
        "auto &s = simt::shared<int[1]>([]{}); if (threadIdx.x == 0) s[0] = 0; __syncthreads();"
        "next(s); __syncthreads(); x[blockIdx.x * 64 + threadIdx.x] = s[0];",
        "none",
    ),
    "beside_a_plain_write": ("if (threadIdx.x == 3) x[0] = 5; else next(x);", "write-write"),
    "beside_a_plain_read": ("next(x); if (threadIdx.x == 63) x[1] = x[0];", "read-write"),
    "first_value_kept": (
        "int old = x[0]; while (true) { int was = atomicCAS(x, old, old + 1); if (was == old) break;"
        "old = was; } int first = x[0]; x[1 + threadIdx.x] = first;",
        "read-write",
    ),
    "value_stored": (
        "int old = x[0], assumed; do { assumed = old; x[1 + threadIdx.x] = assumed;"
        "old = atomicCAS(x, assumed, assumed + 1); } while (assumed != old);",
        "read-write",
    ),
    "value_decides": (
        "int old = x[0], assumed; do { assumed = old; if (assumed % 2) x[1 + threadIdx.x] = 7;"
        "old = atomicCAS(x, assumed, assumed + 1); } while (assumed != old);",
        "read-write",
    ),
    "value_decides_to_leave": (
        "int old = x[0], assumed; do { assumed = old; if (assumed > 120) break;"
        "old = atomicCAS(x, assumed, assumed + 1); } while (assumed != old); x[1 + threadIdx.x] = old;",
        "read-write",
    ),
    "of_a_neighbour": (
        "int old = x[1], assumed; do { assumed = old;"
        "old = atomicCAS(x + threadIdx.x % 2, assumed, assumed + 1); } while (assumed != old && old < 110);",
        "read-write",
    ),
    "another_value_expected": ("int old = x[0]; atomicCAS(x, 100, old + 1);", "read-write"),
    "never_swapped": ("if (threadIdx.x < 4) next(x); else x[1 + threadIdx.x] = x[0];", "read-write"),
}


@pytest.mark.parametrize("seed", [0, 7])
def test_races_beside_hand_made_atomic_operations(workshop: Workshop, seed: int) -> None:
    kernels = (f"__global__ void {name}(int *x, int n) {{ {body} }}\n" for name, (body, _) in SWAPS.items())
    signatures = [signature(name, "int *x", "int n") for name in SWAPS]
    text = lowered({"kernels.cu": (SWAPPED + "".join(kernels)).encode()})["kernels.cu"].decode()
    made = library(workshop, text, signatures, Flavour.TRACE)
    calls = [
        call(np.arange(100, 612, dtype=np.int32), number(512), entry=entry, grid=2, block=64, seed=seed)
        for entry in range(len(SWAPS))
    ]
    found = {
        name: trace(result).races for name, result in zip(SWAPS, traced(workshop, made, *calls), strict=True)
    }
    for name, (_, expected) in SWAPS.items():
        harmful = {race.kind for race in found[name] if not race.same_value}
        assert (not found[name]) if expected == "none" else expected in harmful, (name, found[name])


CONTENDED = """
__global__ void counted(int *x)
{
    int old = x[0], assumed;
    do { assumed = old; old = atomicCAS(x, assumed, assumed + 1); } while (assumed != old);
}
__global__ void lost(int *x) { int old = x[0]; atomicCAS(x, old, old + 1); }
__global__ void exchanged(int *x) { int old = atomicAdd(x, 0); atomicExch(x, old + 1); }
"""


@pytest.mark.parametrize("flavour", [Flavour.TRACE, Flavour.PLAIN])
@pytest.mark.parametrize(("grid", "block"), [(1, 64), (64, 1)])
def test_threads_meet_where_updates_are_lost(
    workshop: Workshop, flavour: Flavour, grid: int, block: int
) -> None:
    names = ("counted", "lost", "exchanged")
    made = library(workshop, CONTENDED, [signature(name, "int *x") for name in names], flavour)
    zeros = np.zeros(4, dtype=np.int32)
    calls = [call(zeros, entry=i, grid=grid, block=block, seed=5) for i in range(3)]
    results = run(workshop, made, calls, placement=Placement.ARENA)
    counts = []
    for result in results:
        assert isinstance(result, Completed), result
        counts.append(int(np.frombuffer(result.arguments[0], dtype=np.int32)[0]))
    assert counts[0] == 64
    if flavour is Flavour.PLAIN or block > 1:  # a trace keeps to one block at a time
        assert max(counts[1:]) < 64
