"""Kernels with votes, swaps and fences: what rules make of them is kept, and slips are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.adversarial.candidates import reason
from transpile import parsers, translators
from transpile.core import (
    OPENMP,
    ArrayFact,
    Candidate,
    Contract,
    Covers,
    Inconclusive,
    LaunchLaw,
    Passed,
    Range,
    Replacement,
    Role,
    ScalarFact,
    ShapeDependent,
    Source,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
SOURCE = """#include <cuda_runtime.h>

__global__ void seats(unsigned *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicInc(place, 9);
}

__global__ void rounds(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i < n ? x[i] & 15 : 0, turns = 0;
    while (__any_sync(0xffffffffu, left > 0)) {
        left -= 3;
        turns++;
    }
    if (i < n) y[i] = turns;
}

__global__ void neighbours(const int *x, int *y, int n)
{
    __shared__ int held[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    held[threadIdx.x] = i < n ? x[i] : 0;
    __threadfence_block();
    if (i < n) y[i] = held[threadIdx.x ^ 1];
}
"""
MAP = (ArrayFact(name="x", role=Role.IN, extent="n"), ArrayFact(name="y", role=Role.OUT, extent="n"))
TILES: LaunchLaw = ShapeDependent(
    relations=("gridDim.x == (n + 63) / 64", "blockDim.x == 64"),
    launches=(("(n + 63) / 64", "1", "1", "64", "1", "1", "0"),),
)
FACTS: dict[str, tuple[tuple[ArrayFact, ...], LaunchLaw]] = {
    "seats": ((ArrayFact(name="place", role=Role.INOUT, extent="1"),), Covers(x="n")),
    "rounds": (MAP, TILES),
    "neighbours": (MAP, TILES),
}
ORDER = "__ATOMIC_RELAXED, __ATOMIC_RELAXED"
SWAP = f"}} while (!__atomic_compare_exchange(place, &old, &wanted, true, {ORDER}));"
SLIPS = {
    "seats": (
        ("wanted = old >= 9 ?", "wanted = old > 9 ?"),
        ("__atomic_load(place, &old, __ATOMIC_RELAXED);", "old = *place;"),
        (SWAP, "} while (false);\n        *place = wanted;"),
    ),
    "rounds": (
        ("if (left[lane] > 0) vote = 1;", "if (lane == 0) vote = left[lane] > 0;"),
        ("if (!vote) break;", "if (!vote || turns > 3) break;"),
    ),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root: Path = tmp_path_factory.mktemp("kernel_rules")
    (root / "a.cu").write_text(SOURCE)
    return parsers.read(root)


def judged(workshop: Workshop, source: Source, name: str) -> dict[str, Verdict]:
    """Return what becomes of the rules' translation, and of it with each slip."""
    unit = next(item for item in source.units if item.name == name)
    arrays, law = FACTS[name]
    sizes = (ScalarFact(name="n", values=Range(low="0", high="100000"), size=True),)
    contract = Contract(signature=source.signatures[unit.id][0], arrays=arrays, scalars=sizes, law=law)
    made = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(made, Candidate), made
    text = made.replacements[0].text.decode()
    texts = {"": text}
    for right, wrong in SLIPS.get(name, ()):
        assert text.count(right) == 1, text
        texts[wrong] = text.replace(right, wrong)
    proposals = [
        Proposal(
            unit=unit,
            contracts=(contract,),
            candidate=replace(made, replacements=(Replacement(unit=unit.id, text=item.encode()),)),
        )
        for item in texts.values()
    ]
    found = judge(workshop, source, proposals, seed=3)
    return {slip: item.verdict for slip, item in zip(texts, found, strict=True)}


@pytest.mark.parametrize("name", SLIPS)
def test_the_rules_translation_is_kept_and_slips_are_not(
    name: str, workshop: Workshop, source: Source
) -> None:
    verdicts = judged(workshop, source, name)
    assert isinstance(verdicts.pop(""), Passed), verdicts
    reasons = {slip: reason(verdict) for slip, verdict in verdicts.items()}
    assert set(reasons.values()) <= {"exact", "race", "timeout"}, reasons


def test_a_fence_that_is_taken_for_a_barrier_keeps_nothing(workshop: Workshop, source: Source) -> None:
    [verdict] = judged(workshop, source, "neighbours").values()
    assert isinstance(verdict, Inconclusive) and "race" in verdict.reason, verdict
