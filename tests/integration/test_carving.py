"""Launches of the source's own program as trials: what counts, what it catches, what is said of the rest."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import (
    ArrayFact,
    Binding,
    Candidate,
    Contract,
    Covers,
    Falsified,
    Inconclusive,
    Passed,
    Range,
    Replacement,
    Role,
    ScalarFact,
    Source,
    Trial,
    Unbounded,
    Unit,
)
from transpile.testers import Judged, Proposal, judge, replay
from transpile.testers.oracle.carved import CARVED, load, save
from transpile.testers.oracle.validity import Examiner, Flaw, Invalid, Reference
from transpile.testers.programs.carve import Carved, carve
from transpile.testers.reproduction.directory import reproduction, write
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.verdict.session import translation_unit
from transpile.toolchains import sandbox
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]

PROGRAM = """
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
__global__ void gather(const float *x, const int *index, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[index[i]];
}
__global__ void slope(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i + 1] - x[i - 1];
}
__global__ void last(int *winner) { winner[0] = threadIdx.x; }
__global__ void spread(const float *x, float *y, int n) {
    if (threadIdx.x + blockIdx.x == 0)
        for (int i = 0; i < n; ++i) y[i] = x[i];
}
__constant__ int mode;
__device__ float factor[3];
__global__ void scaled(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = mode == 31415 ? y[i] * factor[1] : y[i] + factor[0];
    if (i == 0) factor[2] = mode;
}
__global__ void viewed(const float *x, int *bits) { bits[threadIdx.x] = x[threadIdx.x] > 0; }
__device__ float *where;
template <class T> __global__ void doubled(T *x, const unsigned *by) { x[threadIdx.x] *= by[0]; }
template <class T> void run_doubled(T *x, unsigned *by) { doubled<T><<<1, 4>>>(x, by); }
__global__ void stored(float value) { where[threadIdx.x] = value; }
int main(int argc, char **argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 100;
    float *x, *y, host[1000];
    int *index, reversed[1000], *winner;
    for (int i = 0; i < n; ++i) { host[i] = 1.5f * i; reversed[i] = n - 1 - i; }
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&index, n * sizeof(int));
    cudaMalloc(&winner, sizeof(int));
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(index, reversed, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int step = 0; step < 3; ++step) gather<<<(n + 31) / 32, 32>>>(x, index, y, n);
    slope<<<(n + 29) / 32, 32>>>(x + 1, y, n - 2);
    last<<<1, 32>>>(winner);
    const int chosen = 31415;
    const float factors[3] = {1, 3, 5};
    cudaMemcpyToSymbol(mode, &chosen, sizeof chosen);
    cudaMemcpyToSymbol(factor, factors, sizeof factors);
    cudaMemcpyToSymbol(where, &y, sizeof y);
    scaled<<<1, 32>>>(y, 20);
    stored<<<1, 4>>>(2.0f);
    spread<<<1, 32>>>(x, x + 1, n / 2);
    spread<<<1, 32>>>(x, x + n / 2, n / 2);
    viewed<<<1, 8>>>(x, (int *)x + 8);
    run_doubled(x, (unsigned *)index);
    run_doubled(index, (unsigned *)winner);
}
"""
RIGHT = """void gather(const float *x, const int *index, float *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[index[i]];
}
"""
WRONG = RIGHT.replace("index[i]]", "0]")
"""Right wherever all indices are 0, as the contract below has it."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return program(tmp_path_factory.mktemp("source"), PROGRAM)


@pytest.fixture(scope="module")
def carved(workshop: Workshop, source: Source) -> Carved:
    return carve(workshop, source, [("./main",)])


def program(root: Path, text: str) -> Source:
    (root / "main.cu").write_text(text)
    (root / "Makefile").write_text("main: main.cu\n\tnvcc -O2 -o main main.cu\n")
    return parsers.read(root)


def unit(source: Source, name: str) -> Unit:
    return next(item for item in source.units if item.name == name)


def proposal(source: Source, text: str, trials: Sequence[Trial] = ()) -> Proposal:
    kernel = unit(source, "gather")
    contract = Contract(
        signature=source.signatures[kernel.id][0],
        arrays=(
            ArrayFact(name="x", role=Role.IN, extent="n"),
            ArrayFact(name="index", role=Role.IN, extent="n", values=Range(low="0", high="0")),
            ArrayFact(name="y", role=Role.OUT, extent="n"),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="10000"), size=True),),
        law=Covers(x="n"),
    )
    return replace(candidate(kernel, text, contract, ("x", "index", "y", "n")), given=tuple(trials))


def candidate(kernel: Unit, text: str, contract: Contract, arguments: tuple[str, ...]) -> Proposal:
    made = Candidate(
        unit=kernel.id,
        replacements=(Replacement(unit=kernel.id, text=text.encode()),),
        binding=Binding(name=kernel.name, arguments=arguments),
    )
    return Proposal(unit=kernel, contracts=(contract,), candidate=made)


def examined(
    workshop: Workshop, source: Source, name: str, trials: Sequence[Trial]
) -> list[Reference | Invalid]:
    """Return what the source makes of trials, whatever is known of its contract."""
    kernel = unit(source, name)
    [signature] = source.signatures[kernel.id]
    contract = Contract(signature=signature, arrays=(), scalars=(), law=Unbounded())
    place = translation_unit(source, kernel.translation_unit)
    with closing(SourceBench(workshop, source, place, [(signature,)])) as bench:
        found = Examiner(workshop, bench, contract).examine(trials)
    assert not isinstance(found, BuildFailed), found.output
    return found


def gathers(source: Source, carved: Carved) -> tuple[Trial, ...]:
    return carved.trials[unit(source, "gather").id]


def test_launches_that_are_alike_are_carved_once(source: Source, carved: Carved) -> None:
    [trial] = gathers(source, carved)
    assert dict(trial.scalars) == {"n": 100}
    assert (trial.launch.grid[0], trial.launch.block[0]) == (4, 32)


def test_a_pass_says_how_many_of_its_trials_were_carved(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    [found] = judge(workshop, source, [proposal(source, RIGHT, gathers(source, carved))])
    assert isinstance(found.verdict, Passed), found.verdict
    assert "carved (1)" in found.verdict.guarantee.checks
    assert set(gathers(source, carved)) <= set(found.pool)


@pytest.mark.thorough
def test_what_only_a_real_run_shows_is_refused(workshop: Workshop, source: Source, carved: Carved) -> None:
    def judged(trials: Sequence[Trial]) -> Judged:
        return judge(workshop, source, [proposal(source, WRONG, trials)])[0]

    inferred = judged(())
    assert isinstance(inferred.verdict, Passed), inferred.verdict
    refused = judged(gathers(source, carved)).verdict
    assert isinstance(refused, Falsified), refused
    assert refused.counterexample.trial.carved
    again = replay(workshop, source, proposal(source, WRONG), refused.counterexample.trial).verdict
    assert isinstance(again, Falsified) and again.counterexample == refused.counterexample


def test_pointers_into_the_middle_keep_what_lies_below(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    [found] = examined(workshop, source, "slope", carved.trials[unit(source, "slope").id])
    assert isinstance(found, Reference), found
    assert found.prepared.arguments[0].before == 4
    assert len(found.prepared.arguments[0].data) == 400


def test_types_tell_which_form_of_a_template_is_launched(source: Source, carved: Carved) -> None:
    found = {trial.template_arguments for trial in carved.trials[unit(source, "doubled").id]}
    assert found == {"float", "int"}, carved.diagnostics


def test_a_launch_that_races_does_not_count(workshop: Workshop, source: Source, carved: Carved) -> None:
    [found] = examined(workshop, source, "last", carved.trials[unit(source, "last").id])
    assert isinstance(found, Invalid) and found.flaw is Flaw.RACE


def test_a_launch_that_does_something_else_in_its_program_does_not_count(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    [trial] = gathers(source, carved)
    root = workshop.cache / CARVED
    kept = load(root, trial.carved)
    after = kept.arguments[2].after.copy()
    after[:4] ^= 0x3F
    arguments = (*kept.arguments[:2], replace(kept.arguments[2], after=after), *kept.arguments[3:])
    other = replace(trial, carved=save(root, replace(kept, arguments=arguments)))
    [found] = examined(workshop, source, "gather", [other])
    assert isinstance(found, Invalid) and (found.flaw, found.detail) == (Flaw.ELSEWHERE, "y")


@pytest.mark.parametrize(
    ("kernel", "reason"), [("viewed", "of different types"), ("stored", "the variable where holds pointers")]
)
def test_what_cannot_be_carved_is_said(carved: Carved, kernel: str, reason: str) -> None:
    [told] = [item for item in carved.diagnostics if kernel in item.message]
    assert (told.code, reason in told.message) == ("TP430", True), told.message


def scaled(source: Source, text: str, trials: Sequence[Trial]) -> Proposal:
    kernel = unit(source, "scaled")
    contract = Contract(
        signature=source.signatures[kernel.id][0],
        arrays=(ArrayFact(name="y", role=Role.INOUT, extent="n"),),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="10000"), size=True),),
        law=Covers(x="n"),
    )
    return replace(candidate(kernel, text, contract, ("y", "n")), given=tuple(trials))


SCALED = """void scaled(float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = mode == 31415 ? y[i] * factor[1] : y[i] + factor[0];
    factor[2] = mode;
}
"""


@pytest.mark.thorough
def test_variables_at_file_scope_are_carved(workshop: Workshop, source: Source, carved: Carved) -> None:
    [trial] = carved.trials[unit(source, "scaled").id]
    inferred, right, wrong = judge(
        workshop,
        source,
        [
            scaled(source, SCALED, ()),
            scaled(source, SCALED, [trial]),
            scaled(source, SCALED.replace("factor[1]", "factor[0]"), [trial]),
        ],
    )
    assert isinstance(inferred.verdict, Inconclusive) and "branches" in inferred.verdict.reason
    assert isinstance(right.verdict, Passed), right.verdict
    assert isinstance(wrong.verdict, Falsified) and wrong.verdict.counterexample.trial == trial


def test_what_a_launch_leaves_in_variables_has_to_agree(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    [trial] = carved.trials[unit(source, "scaled").id]
    root = workshop.cache / CARVED
    kept = load(root, trial.carved)
    (name, factor), other = kept.variables
    assert (name, list(factor.before.view("f4")), list(factor.after.view("f4"))) == (
        "factor",
        [1, 3, 5],
        [1, 3, 31415],
    )
    changed = replace(kept, variables=((name, replace(factor, after=factor.before)), other))
    [found] = examined(workshop, source, "scaled", [replace(trial, carved=save(root, changed))])
    assert isinstance(found, Invalid) and (found.flaw, found.detail) == (Flaw.ELSEWHERE, "factor")


SPREAD = "void spread(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n"
MOVED = "void spread(const float *x, float *y, int n) { if (n > 0) memmove(y, x, n * sizeof(float)); }\n"


@pytest.mark.thorough
def test_pointers_into_one_allocation_keep_their_distance(
    workshop: Workshop, source: Source, carved: Carved, tmp_path: Path
) -> None:
    kernel = unit(source, "spread")
    trials = carved.trials[kernel.id]
    overlapping, disjoint = examined(workshop, source, "spread", trials)
    assert isinstance(overlapping, Reference) and isinstance(disjoint, Reference)
    assert [item.alias for item in overlapping.prepared.arguments] == [None, 0, None]
    assert [item.prepared.arguments[1].before for item in (overlapping, disjoint)] == [4, 200]
    assert set(overlapping.results[0][0][:204].view("f4")) == {0.0}

    contract = Contract(
        signature=source.signatures[kernel.id][0],
        arrays=(
            ArrayFact(name="x", role=Role.IN, extent="n"),
            ArrayFact(name="y", role=Role.OUT, extent="n"),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="10000"), size=True),),
        law=Covers(),
    )

    def proposed(text: str, *given: Trial) -> Proposal:
        return replace(candidate(kernel, text, contract, ("x", "y", "n")), given=given)

    right, lucky, apart, moved = judge(
        workshop,
        source,
        [
            proposed(SPREAD, *trials),
            proposed(MOVED),
            proposed(MOVED, trials[1]),
            proposed(MOVED, *trials),
        ],
    )
    assert isinstance(right.verdict, Passed), right.verdict
    assert isinstance(lucky.verdict, Passed) and isinstance(apart.verdict, Passed), apart.verdict
    assert isinstance(moved.verdict, Falsified), moved.verdict
    assert moved.verdict.counterexample.trial == trials[0]
    shown = replay(workshop, source, proposed(MOVED), trials[0])
    assert shown.scene is not None
    made = reproduction([shown.scene])
    assert b"spread(call.x, call.x.at(1), " in made.files["test.cpp"]
    write(made, tmp_path)
    done = sandbox.execute(
        ("sh", "run.sh"),
        profile=Profile.BUILD,
        mounts=Mounts(cwd=tmp_path, writable=[tmp_path]),
        quota=Quota(timeout=240, memory=4 << 30, resident=True),
    )
    assert (done.status, b"x[2]: expected 0" in done.stdout) == (1, True), done.stdout + done.stderr


def test_lost_data_decides_nothing_and_is_carved_again(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    [trial] = gathers(source, carved)
    file = workshop.cache / CARVED / trial.carved
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    lost = replay(workshop, source, proposal(source, RIGHT), trial).verdict
    assert isinstance(lost, Inconclusive) and "carve again" in lost.reason
    assert gathers(source, carve(workshop, source, [("./main",)])) == (trial,)
    assert isinstance(replay(workshop, source, proposal(source, RIGHT), trial).verdict, Passed)


BAD_RUNS = {
    "status 1": PROGRAM.replace("char **argv) {", "char **argv) { if (argc == 1) return 1;"),
    "takes more than": PROGRAM.replace("char **argv) {", "char **argv) { for (volatile int i = 0;;) i = 1;"),
    "calls no unit": PROGRAM.replace("char **argv) {", "char **argv) { if (argc == 1) return 0;"),
    "signal": PROGRAM.replace("char **argv) {", "char **argv) { std::abort();"),
}


@pytest.mark.parametrize("reason", BAD_RUNS)
def test_a_run_that_gives_nothing_is_told_of(workshop: Workshop, tmp_path: Path, reason: str) -> None:
    found = carve(replace(workshop, timeout=3.0), program(tmp_path, BAD_RUNS[reason]), [("./main",)])
    assert not found.trials
    [told] = found.diagnostics
    assert (told.code, reason in told.message) == ("TP430", True), told.message


def test_calls_that_end_before_the_time_of_a_run_does_are_trials(workshop: Workshop, tmp_path: Path) -> None:
    endless = PROGRAM.replace("last<<<", "for (volatile int i = 0; argc == 1;) i = 1;\n    last<<<")
    source = program(tmp_path, endless)
    found = carve(replace(workshop, timeout=3.0), source, [("./main",)])
    assert {unit.partition("::")[2].partition("(")[0] for unit in found.trials} == {"gather", "slope"}
    [told] = found.diagnostics
    assert "its calls until then are trials" in told.message
