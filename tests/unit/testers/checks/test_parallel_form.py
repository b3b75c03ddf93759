"""Parallel forms that trials ran, told from the kernels and regions that their calls ran."""

from __future__ import annotations

from tests.unit.testers.run.test_bench import proposal
from transpile.core import CUDA, Candidate, Inconclusive, Trial
from transpile.testers.checks.parallel_form import ParallelForm, parallel_form, untested
from transpile.toolchains.calls import Site

KERNELS = b"""
__global__ void first(int n, float *x) { x[threadIdx.x] = n; }
template <class T> __global__ void __launch_bounds__(64) second(T *x) { x[0] = 1; }
void f(int n, float *x) { first<<<n, 64>>>(n, x); second<float><<<1, n>>>(x); }
"""
REGION = b"void f(int n, float *x) {\n  #pragma omp target \\\n    parallel for\n  for (;;) x[0] = 1; }"


def candidate(text: bytes, *, cuda: bool = True) -> Candidate:
    made = proposal("f", text).candidate
    return Candidate(
        unit="f", replacements=made.replacements, binding=made.binding, **({"dialect": CUDA} if cuda else {})
    )


def trials(*sites: tuple[Site, ...]) -> dict[Trial, tuple[Site, ...]]:
    return {Trial(seed=n, fill="exact", scalars=(("n", n),)): found for n, found in enumerate(sites)}


def kernel(name: str, threads: int) -> Site:
    return Site(kernel=True, name=name, threads=threads)


def region(threads: int, name: str = "+64") -> Site:
    return Site(kernel=False, name=name, threads=threads)


def code(found: ParallelForm | None, ran: dict[Trial, tuple[Site, ...]]) -> str:
    assert found is not None
    refused = untested(found, ran)
    return refused.code if isinstance(refused, Inconclusive) else ""


def test_kernels_are_told_by_name_and_by_threads() -> None:
    both = (kernel("first", 128), kernel("second<float>", 1))
    ran = trials((), *[both] * 7)
    found = parallel_form(candidate(KERNELS), ran)
    assert found == ParallelForm(trials=7, tried=8, sizes=7, single=("second",), never=(), held_back=0)
    assert code(found, ran) == ""


def test_too_few_trials_or_sizes_say_too_little() -> None:
    both = (kernel("first", 128), kernel("second", 1))
    few = trials(*[()] * 20, *[both] * 5)
    assert code(parallel_form(candidate(KERNELS), few), few) == "TP431"
    one_size = {
        Trial(seed=n, fill="exact", scalars=(("n", int(n < 10)),)): both if n < 10 else () for n in range(20)
    }
    assert code(parallel_form(candidate(KERNELS), one_size), one_size) == "TP431"
    fixed = {Trial(seed=n, fill="exact", scalars=()): both for n in range(20)}
    assert code(parallel_form(candidate(KERNELS), fixed), fixed) == ""


def test_a_kernel_that_is_launched_nowhere_is_named() -> None:
    ran = trials(*[(kernel("first", 64),)] * 9)
    found = parallel_form(candidate(KERNELS), ran)
    assert found is not None and found.never == ("second",)
    assert code(found, ran) == "TP431"


def test_a_sequential_form_that_is_a_kernel_need_not_run() -> None:
    text = KERNELS + b"__global__ void apart(int *x) { }\nvoid g(int *x) { apart<<<1, 1>>>(x); }\n"
    ran = trials(*[(kernel("first", 64), kernel("second", 1))] * 9)
    assert code(parallel_form(candidate(text), ran), ran) == ""


def test_one_thread_of_the_device_is_no_parallel_form() -> None:
    ran = trials(*[(kernel("first", 1), kernel("second", 1))] * 9)
    found = parallel_form(candidate(KERNELS), ran)
    assert found is not None and found.sequential and found.single == ("first", "second")
    nothing = trials(*[()] * 9)
    found = parallel_form(candidate(KERNELS), nothing)
    assert found is not None and not found.sequential and code(found, nothing) == "TP431"


def test_regions_that_a_clause_holds_back_are_counted() -> None:
    text = candidate(REGION, cuda=False)
    wide, narrow = trials(*[(region(2),)] * 9), trials(*[(region(2), region(1, "+96"))] * 9)
    assert code(parallel_form(text, wide), wide) == ""
    assert code(parallel_form(text, narrow), narrow) == "TP431"


def test_nothing_is_owed_where_there_is_no_parallel_form() -> None:
    assert parallel_form(candidate(b"void f(int n, float *x) { }"), {}) is None
    assert parallel_form(candidate(b"#pragma omp simd\nfor (;;) ;", cuda=False), {}) is None
