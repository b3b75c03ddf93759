"""Candidates that copy whole arrays where the source stops short: kept where every caller has that much."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.functions import check, unit, verdict
from transpile import parsers
from transpile.contracts import infer
from transpile.core import CUDA, Contract, Inconclusive, Passed, Source, Verdict
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

# x[n - 1] and y[n - 1] are nobody's.
SOURCE = """
#include <stdlib.h>
void slope(const float *x, float *y, int n)
{
    for (int i = 0; i < n - 2; i++) y[i] = x[i + 1] - x[i];
}
"""
EXACT = "void one(int n) { float *x = malloc(n * sizeof(float)), y[64]; slope(x, y, n); free(x); }\n"
SHORT = "void two(void) { float x[63], y[64]; slope(x, y, 64); }\n"
LONG = "void two(void) { float x[64], y[64]; slope(x, y, 64); }\n"

READS = """
__global__ void difference(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 2) y[i] = BODY;
}
void slope(const float *x, float *y, int n)
{
    if (n < 3) return;
    float *device_x, *device_y;
    cudaMalloc(&device_x, COUNT * sizeof(float));
    cudaMalloc(&device_y, COUNT * sizeof(float));
    cudaMemcpy(device_x, x, COUNT * sizeof(float), cudaMemcpyHostToDevice);
    INTO
    difference<<<(n + 255) / 256, 256>>>(device_x, device_y, n);
    cudaMemcpy(y, device_y, BACK * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device_x);
    cudaFree(device_y);
}
"""
RIGHT = "x[i + 1] - x[i]"
INTO = "cudaMemcpy(device_y, y, n * sizeof(float), cudaMemcpyHostToDevice);"


def candidate(body: str = RIGHT, count: str = "n", back: str = "(n - 2)", into: str = "") -> str:
    text = READS.replace("BODY", body).replace("COUNT", count).replace("BACK", back)
    return text.replace("INTO", into)


def judged(workshop: Workshop, root: Path, callers: str, text: str, **extents: str) -> Verdict:
    (root / "a.c").write_text(SOURCE + callers)
    source: Source = parsers.read(root)
    own = unit(source, "slope")
    learnt = infer(workshop, source, [own])[own.id]
    assert not isinstance(learnt, Inconclusive), learnt
    [contract] = learnt
    # One element less, whatever the fit makes of it: the candidate asks for more than the source touches.
    assert [fact.extent for fact in contract.arrays] == ["n - 1", "n - 2"]
    return verdict(workshop, source, stated(contract, extents), text, CUDA)


def stated(contract: Contract, extents: dict[str, str]) -> Contract:
    arrays = (replace(fact, extent=extents.get(fact.name, fact.extent)) for fact in contract.arrays)
    return replace(contract, arrays=tuple(arrays))


@pytest.mark.thorough
def test_without_callers_the_user_is_asked(workshop: Workshop, tmp_path: Path) -> None:
    found = judged(workshop, tmp_path, "", candidate())
    assert isinstance(found, Inconclusive) and found.code == "TP416", found
    assert 'extents = { x = "n" }' in found.reason


def test_what_the_user_states_is_provided(workshop: Workshop, tmp_path: Path) -> None:
    assert check(judged(workshop, tmp_path, "", candidate(), x="n")) == "kept"


@pytest.mark.thorough
def test_callers_that_all_provide_it_are_enough(workshop: Workshop, tmp_path: Path) -> None:
    found = judged(workshop, tmp_path, EXACT + LONG, candidate())
    assert isinstance(found, Passed), found
    longer = "`x` has n elements, of which the source touches n - 1"
    assert set(found.guarantee.requires) == {"`y` and `x` do not overlap", longer}


@pytest.mark.thorough
def test_one_short_caller_is_too_many(workshop: Workshop, tmp_path: Path) -> None:
    found = judged(workshop, tmp_path, EXACT + SHORT, candidate())
    assert isinstance(found, Inconclusive) and found.code == "TP416", found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # More than the callers have.
        (candidate(count="(n + 1)"), "TP416"),
        # Right of what it copies, wrong of what it computes.
        (candidate("x[i + 1] - x[i] + 0.5f * x[n - 1]"), "bounds"),
        # It leaves what was on the device where the source writes nothing.
        (candidate(back="n"), "bounds"),
        # The device array has no room for what is copied into it; what is missing is not used.
        (candidate().replace("&device_x, n * sizeof(float)", "&device_x, (n - 1) * sizeof(float)"), "crash"),
        # Writes beyond the source's, the same value or not, where no caller of `y` says that it is there.
        (candidate(back="n", into=INTO), "bounds"),
    ],
)
def test_longer_arrays_excuse_nothing_else(
    workshop: Workshop, tmp_path: Path, text: str, wanted: str
) -> None:
    found = judged(workshop, tmp_path, EXACT + LONG, text)
    assert found.code == wanted if isinstance(found, Inconclusive) else check(found) == wanted


@pytest.mark.thorough
def test_copies_back_and_forth_are_kept_where_callers_have_them(workshop: Workshop, tmp_path: Path) -> None:
    assert check(judged(workshop, tmp_path, LONG, candidate(back="n", into=INTO))) == "kept"
