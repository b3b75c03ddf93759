"""Runs of a program as knowledge: launches that contracts keep to, and calls that take what trials do not."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import Once
from transpile import parsers, pipeline
from transpile.core import ByRules, Candidate, Evidence, Inconclusive, Passed, Port, Verdict
from transpile.options import PortOptions, Silent
from transpile.report.assumptions import assumptions
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.thorough,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]

PROGRAM = """
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Groups of channels change places: as many blocks on z as there are channels, on y as many as images.
__global__ void shuffled(int groups, int per_group, int pixels, const float *x, float *y)
{
    int channels = groups * per_group;
    int group = blockIdx.z % groups, within = blockIdx.z / groups;
    int pixel = blockIdx.x * 64 + threadIdx.x;
    if (pixel < pixels)
        y[(blockIdx.y * channels + blockIdx.z) * pixels + pixel] =
            x[(blockIdx.y * channels + group * per_group + within) * pixels + pixel];
}

// Groups of channels change places in shared memory, which is for so many channels and no more.
__global__ void regrouped(int groups, int per_group, const float *x, float *y)
{
    __shared__ float row[32];
    int channels = groups * per_group;
    for (int i = threadIdx.x; i < channels; i += blockDim.x) row[i] = x[blockIdx.x * channels + i];
    __syncthreads();
    for (int i = threadIdx.x; i < channels; i += blockDim.x)
        y[blockIdx.x * channels + i] = row[i % groups * per_group + i / groups];
}

// Sums within a narrow band are rare, but for the program's own numbers.
__global__ void banded(int n, const float *x, const float *y, const float *z, float *w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = x[i] * y[i] - z[i];
    float scaled = sum * sum * sum;
    if (scaled > 389.01f && scaled < 389.03f)
        scaled = 2.0f * sum;
    w[i] = scaled;
}

// Rounding alone could lead out of the range of a cosine.
__global__ void turned(int n, const float *angle, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float c = cosf(angle[i]);
    if (c > 1.0f)
        c = 1.0f;
    out[i] = acosf(c);
}

int main(int argc, char **argv)
{
    const int pixels = argc > 1 ? atoi(argv[1]) : 100;
    const int groups = atoi(argc > 2 ? argv[2] : "4"), per_group = atoi(argc > 3 ? argv[3] : "8");
    float *x, *y, *z, *w;
    cudaMallocManaged(&x, 1 << 16), cudaMallocManaged(&y, 1 << 16);
    cudaMallocManaged(&z, 1 << 16), cudaMallocManaged(&w, 1 << 16);
    for (int i = 0; i < 1000; i++) x[i] = i % 50 * 0.25f, y[i] = 2.0f, z[i] = i % 50 * 0.5f - 7.3f;
    double total = 0;
    for (int images = 1; images <= 3; images++) {
        shuffled<<<dim3((pixels + 63) / 64, images, 3 * 2 * images), 64>>>(3, 2 * images, pixels, x, w);
        cudaDeviceSynchronize();
        for (int i = 0; i < 100; i++) total += w[i];
    }
    for (int images = 5; images <= 20; images += 5) regrouped<<<images, 16>>>(groups, per_group, x, w);
    cudaDeviceSynchronize();
    for (int i = 0; i < 100; i++) total += w[i];
    banded<<<4, 256>>>(1000, x, y, z, w);
    turned<<<4, 256>>>(1000, x, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1000; i++) total += w[i] + y[i];
    printf("%.3f\\n", total);
    return 0;
}
"""
MAKEFILE = "main: main.cu\n\tnvcc -O2 -o main main.cu\nrun: main\n\t./main 100\n"


@pytest.fixture(scope="module")
def port(once: Once, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Port:
    folder: Path = tmp_path_factory.mktemp("runs")
    source = folder / "source"
    source.mkdir()
    (source / "main.cu").write_text(PROGRAM)
    (source / "Makefile").write_text(MAKEFILE)
    options = PortOptions(cache=cache, out=folder / "port", jobs=1)
    return once("own runs", lambda: pipeline.port(source, options, Silent()))


def evidence_of(port: Port, name: str) -> Evidence:
    return next(item for item in port.evidence if item.unit.name == name)


@pytest.mark.thorough
def test_launches_that_were_recorded_are_kept_to_where_no_others_are_borne(port: Port) -> None:
    found = evidence_of(port, "regrouped")
    assert isinstance(found.verdict, Passed), found.verdict
    assert found.candidate is not None
    text = found.candidate.replacements[0].text
    assert b"assert(groups == 4);" in text and b"assert(per_group == 8);" in text
    assert b"blocks ==" not in text, "any number of images"


@pytest.mark.thorough
def test_launches_differ_on_every_axis_that_a_kernel_mentions(port: Port) -> None:
    found = evidence_of(port, "shuffled")
    assert isinstance(found.verdict, Passed), found.verdict
    grids = {trial.launch.grid for trial in found.pool}
    assert all(len({grid[axis] for grid in grids}) > 1 for axis in range(3))


def test_calls_of_the_program_take_a_branch_that_no_other_trial_takes(port: Port) -> None:
    found = evidence_of(port, "banded")
    assert isinstance(found.verdict, Passed), found.verdict
    assert any(trial.carved for trial in found.pool)
    assert ("carve", "./main 100") in found.provenance


def test_what_nothing_takes_is_an_assumption_that_is_told(port: Port) -> None:
    found = evidence_of(port, "turned")
    assert isinstance(found.verdict, Passed), found.verdict
    line = PROGRAM[: PROGRAM.index("c = 1.0f;")].count("\n") + 1
    assert f"main.cu:{line}: nothing runs it, as in all trials" in assumptions(found)


def test_the_port_behaves_like_its_source(port: Port) -> None:
    [program] = port.programs
    assert isinstance(program.verdict, Passed), program.verdict


def judged(workshop: Workshop, found: Evidence, candidate: Candidate) -> Verdict:
    source = parsers.read(Path(dict(found.provenance)["source"]))
    proposal = Proposal(unit=found.unit, contracts=found.contracts, candidate=candidate)
    [result] = judge(workshop, source, [proposal])
    return result.verdict


def test_who_knows_no_rule_has_to_show_what_nothing_takes(port: Port, workshop: Workshop) -> None:
    """A branch that no trial takes may hold anything where a model, or a person, wrote it."""
    found = evidence_of(port, "turned")
    assert found.candidate is not None
    text = found.candidate.replacements[0].text
    wrong = replace(found.candidate.replacements[0], text=text.replace(b"c = 1.0f;", b"c = 0.5f;"))
    kept = judged(workshop, found, replace(found.candidate, replacements=(wrong,)))
    assert isinstance(kept, Inconclusive) and kept.code == "TP411", "a line that rules have not kept"
    unknown = judged(workshop, found, replace(found.candidate, origin=ByRules()))
    assert isinstance(unknown, Inconclusive) and unknown.code == "TP411"
