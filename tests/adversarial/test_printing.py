"""Candidates that do not print what their kernel prints."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts import infer
from transpile.core import Binding, Candidate, Contract, Falsified, Inconclusive, Passed, Replacement, Source
from transpile.testers import judge
from transpile.testers.programs.carve import carve
from transpile.testers.proposal import Proposal
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

KERNELS = r"""
#include <cstdio>

__global__ void greet() { printf("hello\n"); }

__global__ void doubled(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
    if (x[i] > 2) printf("%d: %d\n", i, x[i]);
}

__global__ void reals(const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) printf("%f\n", x[i]);
}

__global__ void lost(int *counter)
{
    int old = *counter;
    *counter = old + 1;
}

void host(int *x, int *y, float *z, int n, int blocks)
{
    greet<<<blocks, 4>>>();
    doubled<<<(n + 31) / 32, 32>>>(x, y, n);
    reals<<<(n + 31) / 32, 32>>>(z, n);
    lost<<<1000, 1000>>>(x);
}
"""

RIGHT = {
    "greet": r"""void greet(int blocks, int threads) {
    for (int i = 0; i < blocks * threads; i++) printf("hello\n");
}""",
    "doubled": r"""void doubled(const int *x, int *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 2 * x[i];
        if (x[i] > 2) printf("%d: %d\n", i, x[i]);
    }
}""",
}
WRONG = {
    "once": ("greet", r'void greet(int blocks, int threads) { printf("hello\n"); }'),
    "another text": ("greet", RIGHT["greet"].replace("hello", "Hello")),
    "once too often": ("greet", RIGHT["greet"].replace("i = 0", "i = -1")),
    "another number": ("doubled", RIGHT["doubled"].replace("i, x[i]);", "i, y[i]);")),
    "from another number on": ("doubled", RIGHT["doubled"].replace("x[i] > 2", "x[i] > 3")),
    "to another stream": ("doubled", RIGHT["doubled"].replace("printf(", "fprintf(stderr, ")),
}


def _proposal(found: Source, contracts: dict[str, tuple[Contract, ...]], name: str, text: str) -> Proposal:
    [unit] = [item for item in found.units if item.name == name]
    given = ("gridDim.x", "blockDim.x") if name == "greet" else ("x", "y", "n")
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(name=name, arguments=given),
        headers=("<stdio.h>",),
    )
    return Proposal(unit=unit, contracts=contracts[name], candidate=candidate)


def test_what_is_printed_is_compared(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNELS)
    source = parsers.read(tmp_path)
    kernels = [unit for unit in source.units if unit.name in ("greet", "doubled", "reals", "lost")]
    learnt = {
        unit.name: found
        for unit, found in zip(kernels, infer(workshop, source, kernels).values(), strict=True)
    }
    assert isinstance(learnt["reals"], Inconclusive) and "print" in learnt["reals"].reason
    assert isinstance(learnt["lost"], Inconclusive)  # A translation that runs once would be one thread's.
    contracts = {name: item for name, item in learnt.items() if isinstance(item, tuple)}
    texts = [*RIGHT.items(), *WRONG.values()]
    proposals = [_proposal(source, contracts, name, text) for name, text in texts]
    verdicts = [item.verdict for item in judge(workshop, source, proposals)]
    assert all(isinstance(item, Passed) for item in verdicts[: len(RIGHT)]), verdicts
    assert all(not isinstance(item, Passed) for item in verdicts[len(RIGHT) :]), verdicts
    assert sum(isinstance(item, Falsified) for item in verdicts) >= len(WRONG) - 1


MAIN = """
int main()
{
    int x[4] = {1, 2, 3, 4}, *d;
    cudaMalloc(&d, 2 * sizeof x);
    cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
    doubled<<<1, 32>>>(d, d + 4, 4);
    return cudaDeviceSynchronize();
}
"""


@pytest.mark.thorough
def test_calls_of_the_program_count_though_it_counts_no_text(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNELS.partition("void host")[0] + MAIN)
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "doubled"]
    made = carve(workshop, source, [("./main",)])
    assert [len(item) for item in made.trials.values()] == [1], made
    learnt = infer(workshop, source, [unit])[unit.id]
    assert isinstance(learnt, tuple)
    proposals = [
        replace(_proposal(source, {"doubled": learnt}, "doubled", text), given=made.trials[unit.id])
        for text in (RIGHT["doubled"], WRONG["another number"][1])
    ]
    right, wrong = (item.verdict for item in judge(workshop, source, proposals))
    assert isinstance(right, Passed) and "carved (1)" in right.guarantee.checks
    assert isinstance(wrong, Falsified)
