"""Ports to CUDA of functions whose host works on arrays between loops, and on variables of its file."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.functions import check, learn, unit
from transpile import parsers, pipeline, translators
from transpile.core import CUDA, Candidate, Level, Passed
from transpile.options import PortOptions, Silent
from transpile.testers import Proposal, judge
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

FORWARD = """\
void forward(int n, const double *low, const double *b, double *x)
{
    for (int i = 0; i < n; i++) x[i] = b[i];
    for (int i = 0; i < n; i++) {
        x[i] = x[i] / low[i * n + i];
        for (int j = i + 1; j < n; j++) x[j] -= low[j * n + i] * x[i];
    }
}
"""
STATE = """\
#include <stdio.h>
static double state[32];
double rate = 0.5;
void step(int n, const double *x)
{
    for (int i = 0; i < 32; i++) state[i] = state[i] * rate + n;
    state[0] = state[31];
    for (int i = 0; i < n; i++) state[i % 32] += x[i];
}
int main(void)
{
    double x[40], sum = 0;
    for (int i = 0; i < 40; i++) x[i] = i;
    for (int t = 0; t < 3; t++, rate /= 2) { state[t] += 1; step(40 - t, x); }
    for (int i = 0; i < 32; i++) sum += state[i] * (i + 1);
    printf("%g\\n", sum);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_the_host_did_is_done_on_the_device(tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "forward.c").write_text(FORWARD)
    source = parsers.read(tmp_path)
    known = learn(workshop, source)["forward"]
    assert isinstance(known, tuple), known
    found = translators.propose(source, unit(source, "forward"), known, CUDA)
    assert isinstance(found, Candidate)
    [own] = found.replacements
    launch = b"forward_kernel2<<<1, 1>>>(x_device, low_device, i, n);"
    assert launch in own.text
    text = own.text.replace(launch, b"x[i] = x[i] / low[i * n + i];")
    on_host = replace(found, replacements=(replace(own, text=text),))
    proposals = [
        Proposal(unit=unit(source, "forward"), contracts=known, candidate=item) for item in (found, on_host)
    ]
    honest, wrong = judge(workshop, source, proposals)
    assert check(honest.verdict) == "kept" and check(wrong.verdict) != "kept"


@pytest.mark.thorough
def test_a_file_and_the_one_beside_it_share_their_variables(tmp_path: Path, builds: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "state.c").write_text(STATE)
    (source / "Makefile").write_text("state: state.c\n\tgcc -o state state.c\nrun: state\n\t./state\n")
    options = PortOptions(cache=builds, out=tmp_path / "out", clocks=False, target=CUDA)
    port = pipeline.port(source, options, Silent())
    assert [item.unit.name for item in port.evidence if item.kept(Level.TESTED)] == ["step"]
    assert port.built and [type(item.verdict) for item in port.programs] == [Passed]
    assert "extern double state[32];" in (tmp_path / "out" / "state.c").read_text()
