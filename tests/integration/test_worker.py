"""Calls of small libraries in the worker: what comes back, and how calls that die are reported."""

from __future__ import annotations

import platform
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.integration.toolbox import call, data, library, number, signature
from transpile.core import Binding, GlobalVariable, TranslationUnit
from transpile.errors import InternalError
from transpile.toolchains import build, compilers, sandbox, speed
from transpile.toolchains.build import BuildFailed, Built, Flavour, build_library, build_program
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.entry import Passage, candidate_entries, source_entries
from transpile.toolchains.worker import Completed, Crashed, Placement, RestartPolicy, run
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]
needs_clang = pytest.mark.skipif(
    compilers.find().get("libarcher").path is None, reason="clang with archer is not installed"
)

TEXT = r"""
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <ctime>
#include <unistd.h>
struct Pair { double a; int b; };
namespace deep {
static __global__ void add(Pair p, long long *out) { out[0] = (long long)p.a + p.b; }
template <class T, int N> __global__ void scale(T *x) { x[threadIdx.x] *= N; }
}
__device__ int table[3];
__global__ void with_table(int *x) { x[0] = table[1]; table[2] = x[1]; }
__global__ void reach(float *x, int at) { x[at] += 1.0f; }
__global__ void third(float *x) { x[0] = x[1] / 3.0f; }
typedef float Quad __attribute__((vector_size(16), may_alias));
__global__ void quads(float *x, int n) { for (int i = 0; i < n; i++) ((Quad *)x)[i] += 1.0f; }
__global__ void misbehave(int *x, int how)
{
    if (how == 1) abort();
    if (how == 2) _exit(7);
    if (how == 98) _exit(98);
    if (how == 3) for (volatile int i = 0;; i = i + 1) {}
    if (how == 4) { signal(SIGPROF, SIG_IGN); for (volatile int i = 0;; i = i + 1) {} }
    if (how == 5) raise(SIGKILL);
    if (how == 6) x[0] = x[1] / x[2];
    if (how == 7) for (int i = 0; i < 1 << 17; i++) fprintf(stderr, "noise %d\n", i);
    if (how == 8)
        for (long k = 1;; k++) {
            auto *p = static_cast<volatile char *>(malloc(1 << 24));
            for (long i = 0; i < 1 << 24; i += 512) p[i] = char(k);
        }
    if (how == 9) for (volatile int i = 0; i < 1 << 17; i = i + 1) {}
    if (how == 10) for (;;) pause();
    if (how == 11)
        for (const clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 2;) {}
    static int calls = 0;
    if (how == 12 && calls > 0) abort();
    calls++;
    x[0] += 1;
}
"""
KERNELS = (
    signature("deep::add", "Pair p", "long long *out"),
    signature("deep::scale", "T *x", template_arguments="float, 3"),
    signature("deep::scale", "T *x", template_arguments="int, 5"),
    replace(
        signature("with_table", "int *x"), globals=(GlobalVariable(name="table", element=None, count=3),)
    ),
    signature("reach", "float *x", "int at"),
    signature("third", "float *x"),
    signature("misbehave", "int *x", "int how"),
    signature("quads", "float *x", "int n"),
)
ADD, SCALE_FLOAT, SCALE_INT, TABLE, REACH, THIRD, MISBEHAVE, QUADS = range(8)


@pytest.fixture(scope="module")
def workshop(builds: Path) -> Workshop:
    return Workshop(cache=builds, timeout=1.0, memory=1 << 30)


@pytest.fixture(scope="module")
def plain(workshop: Workshop) -> Built:
    return library(workshop, TEXT, KERNELS, Flavour.PLAIN)


def completed(result: Completed | Crashed) -> Completed:
    assert isinstance(result, Completed), result
    return result


@pytest.mark.parametrize(
    "placement", [Placement.GUARD_HIGH, Placement.GUARD_LOW, Placement.ARENA, Placement.HEAP]
)
def test_values_come_back(workshop: Workshop, plain: Built, placement: Placement) -> None:
    pair = np.array([40.0]).tobytes() + np.array([2, 0], dtype=np.int32).tobytes()
    x = np.arange(4, dtype=np.float32)
    k = np.arange(4, dtype=np.int32)
    table = np.array([5, 6, 7], dtype=np.int32)
    results = run(
        workshop,
        plain,
        [
            call(pair, np.zeros(1, dtype=np.int64), entry=ADD),
            call(x, entry=SCALE_FLOAT, block=4),
            call(k, entry=SCALE_INT, block=4),
            call(k[2:], entry=TABLE, globals=(("table", table.tobytes()),)),
            call(k[2:], entry=TABLE, globals=(("table", table.tobytes()),)),
            call(x, number(-1), entry=REACH, before=(8, 0)),
        ],
        placement=placement,
    )
    add, scaled, by_five, first, again, reached = map(completed, results)
    assert add.arguments[1].view(np.int64).tolist() == [42]
    assert scaled.arguments[0].view(np.float32).tolist() == [0, 3, 6, 9]
    assert by_five.arguments[0].view(np.int32).tolist() == [0, 5, 10, 15]
    for result in (first, again):
        assert result.arguments[0].view(np.int32).tolist() == [6, 3]
        assert dict(result.globals)["table"] == np.array([5, 6, 3], dtype=np.int32).tobytes()
    assert reached.arguments[0].view(np.float32).tolist() == [0, 2, 2, 3]


def test_rounding_is_noticed(workshop: Workshop, plain: Built) -> None:
    x = [np.array([0, value], dtype=np.float32) for value in (6, 7, 6)]
    results = run(workshop, plain, [call(item, entry=THIRD) for item in x], placement=Placement.GUARD_HIGH)
    assert [completed(result).inexact for result in results] == [False, True, False]


@pytest.mark.parametrize(
    ("placement", "at"), [(Placement.GUARD_HIGH, 10), (Placement.GUARD_LOW, -1), (Placement.GUARD_HIGH, 1000)]
)
def test_a_bad_access_is_located(workshop: Workshop, plain: Built, placement: Placement, at: int) -> None:
    x = np.zeros(10, dtype=np.float32)
    good = call(x, number(3), entry=REACH)
    results = run(workshop, plain, [good, call(x, number(at), entry=REACH), good], placement=placement)
    crash = results[1]
    assert isinstance(crash, Crashed)
    assert (crash.reason, crash.argument, crash.offset) == ("segmentation fault", 0, 4 * at)
    assert isinstance(results[0], Completed)
    assert isinstance(results[2], Completed)


@pytest.mark.parametrize(("placement", "at"), [(Placement.GUARD_HIGH, -1), (Placement.GUARD_LOW, 10)])
def test_a_write_between_array_and_page_is_located(
    workshop: Workshop, plain: Built, placement: Placement, at: int
) -> None:
    x = np.zeros(10, dtype=np.float32)
    good = call(x, number(3), entry=REACH)
    results = run(workshop, plain, [good, call(x, number(at), entry=REACH), good], placement=placement)
    crash = results[1]
    assert isinstance(crash, Crashed)
    assert (crash.reason, crash.argument) == ("write beside an array", 0)
    assert crash.offset is not None and 4 * at <= crash.offset < 4 * at + 4
    assert isinstance(results[2], Completed)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors load what is not aligned")
def test_arrays_are_aligned_where_a_function_cannot_do_without(workshop: Workshop, plain: Built) -> None:
    x = np.zeros(5, dtype=np.float32)
    calls = [
        call(x, number(4), entry=REACH),
        call(x, number(1), entry=QUADS),
        call(x, number(1), entry=QUADS, before=(4, 0)),
        call(x, number(5), entry=REACH),
        call(x, number(2), entry=QUADS),
    ]
    exact, aligned, within, beyond, written = run(workshop, plain, calls, placement=Placement.GUARD_HIGH)
    assert completed(exact).alignment == 1
    assert completed(aligned).alignment == 16
    assert completed(aligned).arguments[0].view(np.float32).tolist() == [1, 1, 1, 1, 0]
    assert completed(within).arguments[0].view(np.float32).tolist() == [0, 1, 1, 1, 1]
    assert isinstance(beyond, Crashed) and (beyond.reason, beyond.offset) == ("segmentation fault", 20)
    assert isinstance(written, Crashed) and (written.reason, written.argument) == ("write beside an array", 0)


def test_an_empty_buffer_may_not_be_touched(workshop: Workshop, plain: Built) -> None:
    empty = np.zeros(0, dtype=np.float32)
    (result,) = run(workshop, plain, [call(empty, number(0), entry=REACH)], placement=Placement.GUARD_HIGH)
    assert isinstance(result, Crashed)
    assert result.argument == 0


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (1, "abort"),
        (2, "exit 7"),
        (98, "exit 98"),
        (3, "timeout"),
        (5, "signal 9"),
        (6, "arithmetic fault"),
    ],
)
def test_a_death_costs_only_its_own_call(workshop: Workshop, plain: Built, how: int, reason: str) -> None:
    x = np.zeros(3, dtype=np.int32)
    calls = [call(x, number(value), entry=MISBEHAVE) for value in (0, how, 0)]
    results = run(workshop, plain, calls, placement=Placement.GUARD_HIGH)
    crash = results[1]
    assert isinstance(crash, Crashed)
    assert crash.reason == reason
    assert completed(results[2]).arguments[0].view(np.int32)[0] == 1


def test_what_dies_behind_other_calls_is_made_again_alone(workshop: Workshop, plain: Built) -> None:
    asked = [call(np.zeros(3, dtype=np.int32), number(how), entry=MISBEHAVE) for how in (0, 12, 12, 1)]
    kept = [isinstance(item, Completed) for item in run(workshop, plain, asked, placement=Placement.HEAP)]
    assert kept == [True, False, True, False]
    again = run(workshop, plain, asked, placement=Placement.HEAP, restarts=RestartPolicy(afresh=True))
    assert [isinstance(item, Completed) for item in again] == [True, True, True, False]


@pytest.mark.parametrize("how", [4, 10], ids=["holds the alarm back", "sleeps"])
def test_a_call_that_the_alarm_does_not_end_times_out(workshop: Workshop, plain: Built, how: int) -> None:
    x = np.zeros(3, dtype=np.int32)
    (result,) = run(
        replace_timeout(workshop, 0.2),
        plain,
        [call(x, number(how), entry=MISBEHAVE)],
        placement=Placement.HEAP,
    )
    assert isinstance(result, Crashed)
    assert result.reason == "timeout"


def test_kernels_that_ran_are_told_with_their_threads(workshop: Workshop, plain: Built) -> None:
    x = np.zeros(4, dtype=np.float32)
    first, second = run(
        workshop,
        plain,
        [call(x, entry=SCALE_FLOAT, block=4), call(x, number(1), entry=REACH)],
        placement=Placement.GUARD_HIGH,
    )
    assert [(site.kernel, site.threads) for site in completed(first).sites] == [(True, 4)]
    [site] = completed(second).sites
    assert (site.name, site.threads) == ("reach", 1)


def test_short_calls_take_processor_time(workshop: Workshop, plain: Built) -> None:
    x = np.zeros(3, dtype=np.int32)
    calls = [call(x, number(9), entry=MISBEHAVE) for _ in range(8)]
    results = run(workshop, plain, calls, placement=Placement.HEAP)
    assert all(completed(item).seconds > 1e-5 for item in results)


def test_a_slow_machine_has_more_time(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, plain: Built
) -> None:
    """A call that exceeds its limit on a machine at rest does not on one that is so much slower."""
    assert 1 <= speed.slowdown(workshop.cache) <= 32
    x = np.zeros(3, dtype=np.int32)
    long, hasty = call(x, number(11), entry=MISBEHAVE), replace_timeout(workshop, 0.05)
    monkeypatch.setattr(speed, "slowdown", lambda directory: 1.0)
    [late] = run(hasty, plain, [long], placement=Placement.HEAP)
    monkeypatch.setattr(speed, "slowdown", lambda directory: 1000.0)
    [done] = run(hasty, plain, [long], placement=Placement.HEAP)
    assert isinstance(late, Crashed) and late.reason == "timeout"
    completed(done)


def replace_timeout(workshop: Workshop, seconds: float) -> Workshop:
    return replace(workshop, timeout=seconds)


def test_noise_and_greed(workshop: Workshop, plain: Built) -> None:
    x = np.zeros(3, dtype=np.int32)
    noisy, greedy, good = run(
        replace_timeout(workshop, 20),
        plain,
        [call(x, number(how), entry=MISBEHAVE) for how in (7, 8, 0)],
        placement=Placement.GUARD_HIGH,
    )
    completed(noisy)
    completed(good)
    assert isinstance(greedy, Crashed)
    assert greedy.reason in ("segmentation fault", "out of memory")


def test_large_buffers_are_cheap(workshop: Workshop, plain: Built) -> None:
    x = np.zeros(100_000, dtype=np.float32)
    results = run(
        workshop, plain, [call(x, entry=SCALE_FLOAT, block=32)] * 50, placement=Placement.GUARD_HIGH
    )
    assert all(isinstance(result, Completed) for result in results)


def test_a_refused_launch_is_no_result(workshop: Workshop, plain: Built) -> None:
    x = np.zeros(4, dtype=np.float32)
    bad, good = run(
        workshop,
        plain,
        [call(x, entry=SCALE_FLOAT, block=0), call(x, entry=SCALE_FLOAT, block=4)],
        placement=Placement.GUARD_HIGH,
    )
    assert isinstance(bad, Crashed)
    assert "refused" in bad.reason
    completed(good)


CANDIDATE = r"""
__global__ void fill(float *x, int n, int mode) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
namespace transpile_candidate {
int fill(float *x, int n, int mode, int blocks, dim3 threads)
{
    if (mode == 2) x[n] = 1;
    if (mode == 3) { int big = 2147483647; volatile int one = 1; x[0] = big + one; }
    float sum = 0;
    if (mode == 4) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) sum += i;
    } else {
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) sum += i;
    }
    x[0] = sum;
    return blocks * 100 + int(threads.x);
}
}
"""
BINDING = Binding(name="fill", arguments=("x", "n", "mode", "gridDim.x", "blockDim"))
FILL = signature("fill", "float *x", "int n", "int mode")


def candidate(workshop: Workshop, flavour: Flavour) -> Built:
    unit = TranslationUnit(path="fill.cu")
    passage = Passage(signature=FILL, binding=BINDING, namespace="transpile_candidate")
    made = Compilation(files={"fill.cu": CANDIDATE.encode()}, unit=unit, entries=candidate_entries([passage]))
    built = build_library(workshop, made, flavour)
    assert isinstance(built, Built), built
    return built


def fill(workshop: Workshop, flavour: Flavour, mode: int) -> Completed | Crashed:
    one = call(np.zeros(64, dtype=np.float32), number(64), number(mode), grid=3, block=32, returns=4)
    return run(workshop, candidate(workshop, flavour), [one], placement=Placement.HEAP, threads=2)[0]


def test_a_candidate_is_called_as_bound(workshop: Workshop) -> None:
    result = completed(fill(workshop, Flavour.PLAIN, 1))
    assert result.arguments[0].view(np.float32)[0] == 2016
    assert result.returned == number(332)


def test_the_address_sanitizer_locates(workshop: Workshop) -> None:
    slow = replace_timeout(workshop, 20)
    completed(fill(slow, Flavour.ADDRESS, 1))
    result = fill(slow, Flavour.ADDRESS, 2)
    assert isinstance(result, Crashed)
    assert (result.reason, result.argument, result.offset) == ("sanitizer", 0, 256)
    assert "heap-buffer-overflow" in result.detail
    result = fill(slow, Flavour.ADDRESS, 3)
    assert isinstance(result, Crashed)
    assert result.reason == "sanitizer"
    assert "signed integer overflow" in result.detail


@needs_clang
def test_the_thread_sanitizer_knows_openmp(workshop: Workshop) -> None:
    slow = replace_timeout(workshop, 20)
    completed(fill(slow, Flavour.THREAD, 1))
    result = fill(slow, Flavour.THREAD, 4)
    assert isinstance(result, Crashed)
    assert result.reason == "sanitizer"
    assert "data race" in result.detail


TASKS = """
#include <atomic>
#include <sched.h>
void fill(int *x, int n)
{
    std::atomic<int> done{0}, over{0};
    #pragma omp parallel
    #pragma omp single
    {
        for (int i = 0; i < n; i++) {
            #pragma omp task shared(done, over)
            {
                x[i % WIDTH] = i;
                done.fetch_add(1, std::memory_order_relaxed);
                while (i == n / 2 && !over.load(std::memory_order_relaxed)) sched_yield();
            }
            // The other thread has run half of them, and does not sleep, which would order what follows.
            while (i == n / 2 && done.load(std::memory_order_relaxed) <= i) sched_yield();
        }
        x[n % WIDTH] = n;
        over.store(1, std::memory_order_relaxed);
    }
}
"""


def with_tasks(workshop: Workshop, width: int) -> Completed | Crashed:
    """Make tasks, half of them in memory that others had before, which write to so many elements."""
    unit = TranslationUnit(path="fill.cpp")
    binding = Binding(name="fill", arguments=("x", "n"))
    passage = Passage(signature=signature("fill", "int *x", "int n"), binding=binding, namespace="")
    files = {"fill.cpp": TASKS.replace("WIDTH", str(width)).encode()}
    made = Compilation(files=files, unit=unit, entries=candidate_entries([passage]), emulated=False)
    built = build_library(workshop, made, Flavour.THREAD)
    assert isinstance(built, Built), built
    one = call(np.zeros(121, dtype=np.int32), number(120))
    slow = replace_timeout(workshop, 20)
    [result] = run(slow, built, [one], placement=Placement.HEAP, threads=2)
    return result


@needs_clang
def test_memory_that_tasks_have_one_after_the_other_is_no_race(workshop: Workshop) -> None:
    result = completed(with_tasks(workshop, 121))
    assert (result.arguments[0].view(np.int32) == np.arange(121)).all()


@needs_clang
def test_tasks_that_write_the_same_race(workshop: Workshop) -> None:
    result = with_tasks(workshop, 1)
    assert isinstance(result, Crashed) and "data race" in result.detail


def test_a_port_without_its_source_is_called_by_spelled_types(workshop: Workshop) -> None:
    text = "struct dim3 { unsigned x, y, z; };\nvoid fill(float *x, int n, dim3 b) { x[0] = n + b.x; }\n"
    unit = TranslationUnit(path="port.cpp")
    binding = Binding(name="fill", arguments=("x", "n", "blockDim"))
    passage = Passage(signature=signature("fill", "float *x", "int n"), binding=binding, namespace="")
    files, entries = {"port.cpp": text.encode()}, candidate_entries([passage])
    made = Compilation(files=files, unit=unit, entries=entries, emulated=False)
    built = build_library(workshop, made, Flavour.PLAIN)
    assert isinstance(built, Built), built
    one = call(np.zeros(1, dtype=np.float32), number(5), block=7)
    (result,) = run(workshop, built, [one], placement=Placement.HEAP)
    assert completed(result).arguments[0].view(np.float32)[0] == 12


def test_overloads_are_told_apart(workshop: Workshop) -> None:
    text = "__global__ void k(float *x) { x[0] = 1; }\n__global__ void k(int *x) { x[0] = 2; }\n"
    built = library(workshop, text, [signature("k", "float *x"), signature("k", "int *x")], Flavour.PLAIN)
    x = np.zeros(1, dtype=np.int32)
    first, second = run(workshop, built, [call(x, entry=0), call(x, entry=1)], placement=Placement.GUARD_HIGH)
    assert completed(first).arguments[0].view(np.float32)[0] == 1
    assert completed(second).arguments[0].view(np.int32)[0] == 2


def test_a_failed_build_says_where(workshop: Workshop) -> None:
    unit = TranslationUnit(path="a/broken.cu")
    files = {"a/broken.cu": b"int x = 1;\nint y = z;\n"}
    made = Compilation(files=files, unit=unit, entries=source_entries([]))
    result = build_library(workshop, made, Flavour.PLAIN)
    assert isinstance(result, BuildFailed)
    assert "a/broken.cu:2" in result.output
    assert str(workshop.cache) not in result.output


def test_equal_builds_are_found_and_others_are_not(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.cu": b'#include "h.h"\n__global__ void k(int *x) { x[0] = H; }\n', "h.h": b"#define H 1\n"}
    unit = TranslationUnit(path="a.cu", flags=("-DUNUSED", "-std=c++11"))
    made = Compilation(files=files, unit=unit, entries=source_entries([signature("k", "int *x")]))
    first = build_library(workshop, made, Flavour.PLAIN)
    with monkeypatch.context() as patch:
        patch.setattr(build, "_run", lambda *_: pytest.fail("built again"))
        assert first == build_library(workshop, made, Flavour.PLAIN)
    changed = replace(made, files={**files, "h.h": b"#define H 2\n"})
    other = build_library(workshop, changed, Flavour.PLAIN)
    assert isinstance(first, Built)
    assert isinstance(other, Built)
    assert other.path != first.path
    results = [
        run(workshop, built, [call(np.zeros(1, dtype=np.int32))], placement=Placement.HEAP)[0]
        for built in (first, other)
    ]
    assert [int(completed(result).arguments[0].view(np.int32)[0]) for result in results] == [1, 2]


def test_a_program_of_two_units(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> None:
    files = {
        "main.cpp": b"int answer();\nint main() { return answer() - NUMBER; }\n",
        "sub/answer.cpp": b"int answer() { return 42; }\n",
    }
    units = [TranslationUnit(path="main.cpp", flags=("-DNUMBER=40",)), TranslationUnit(path="sub/answer.cpp")]
    built = build_program(workshop, files, units, emulated=False)
    assert isinstance(built, Built), built
    place = tmp_path_factory.mktemp("run")
    finished = sandbox.execute(
        [str(built.path)],
        profile=Profile.RUN,
        mounts=Mounts(cwd=place, writable=[place]),
        quota=Quota(timeout=5, memory=1 << 30),
    )
    assert finished.status == 2


@pytest.mark.parametrize("needed", [False, True])
def test_a_library_that_is_not_here_is_left_out_where_nothing_of_it_is_used(
    workshop: Workshop, needed: bool
) -> None:
    text = b"int of_library(); int main() { return %s; }\n" % (b"of_library()" if needed else b"0")
    built = build_program(
        workshop,
        {"main.cpp": text},
        [TranslationUnit(path="main.cpp")],
        link_flags=("-lm", "-lnobody_has_this"),
        emulated=False,
    )
    assert isinstance(built, BuildFailed) == needed
    if isinstance(built, BuildFailed):
        assert build.absent_libraries(built.output) == ["nobody_has_this"]


def test_paths_that_leave_the_tree_are_refused(workshop: Workshop) -> None:
    from transpile.errors import UsageError

    texts = {"a.cu": b'#include "../planted"\n', "../planted": b""}
    made = Compilation(files=texts, unit=TranslationUnit(path="a.cu"))
    with pytest.raises(UsageError, match="outside"):
        build_library(workshop, made, Flavour.PLAIN)
    assert data(np.zeros(2, dtype=np.int8)).tolist() == [0, 0]


def test_what_the_worker_cannot_do_is_a_failure_of_ours(workshop: Workshop, plain: Built) -> None:
    many = [np.zeros(1, dtype=np.int32)] * 200
    with pytest.raises(InternalError, match="gave up: too many buffers"):
        run(workshop, plain, [call(*many, entry=MISBEHAVE)], placement=Placement.ARENA)
