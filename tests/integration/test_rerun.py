"""A verdict can be had again: from one trial, and on the files of an assembled port."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble.excerpts import Excerpt
from transpile.core import (
    ArrayFact,
    Binding,
    Candidate,
    Contract,
    Covers,
    Falsified,
    Inconclusive,
    Launch,
    Passed,
    Range,
    Rejected,
    Replacement,
    Role,
    ScalarFact,
    Source,
    TranslationUnit,
    Trial,
)
from transpile.testers import Judged, Proposal, confirm, judge, replay
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]

SOURCE = """
__global__ void scale(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] / 3.0f;
}
"""
GOOD = """void scale(const float *x, float *y, float a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] * a / 3.0f;
}
"""
BAD = GOOD.replace("i < n", "i < n - 1")


@dataclass
class Port:
    files: dict[str, bytes]
    translation_units: tuple[TranslationUnit, ...] = (TranslationUnit(path="scale.cpp"),)
    paths: dict[str, str] = field(default_factory=lambda: {"scale.cu": "scale.cpp"})
    emulators: tuple[tuple[str, ...], ...] = ((),)
    excerpts: dict[str, Excerpt] = field(default_factory=dict)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    path: Path = tmp_path_factory.mktemp("source") / "scale.cu"
    path.write_text(SOURCE)
    return parsers.read(path)


def proposal(source: Source, text: str) -> Proposal:
    unit = source.units[0]
    contract = Contract(
        signature=source.signatures[unit.id][0],
        arrays=(
            ArrayFact(name="x", role=Role.IN, extent="n"),
            ArrayFact(name="y", role=Role.OUT, extent="n"),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="10000"), size=True),),
        law=Covers(x="n"),
    )
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(name="scale", arguments=("x", "y", "a", "n")),
    )
    return Proposal(unit=unit, contracts=(contract,), candidate=candidate)


@pytest.fixture(scope="module")
def good(workshop: Workshop, source: Source) -> Judged:
    return judge(workshop, source, [proposal(source, GOOD)])[0]


def test_what_passed_agrees_again(workshop: Workshop, source: Source, good: Judged) -> None:
    assert isinstance(good.verdict, Passed), good.verdict
    for trial in (good.pool[0], good.pool[-1]):
        assert isinstance(replay(workshop, source, proposal(source, GOOD), trial).verdict, Passed)


def test_a_counterexample_fails_again(workshop: Workshop, source: Source) -> None:
    [judged] = judge(workshop, source, [proposal(source, BAD)])
    assert isinstance(judged.verdict, Falsified)
    found = judged.verdict.counterexample
    again = replay(workshop, source, proposal(source, BAD), found.trial).verdict
    assert isinstance(again, Falsified) and again.counterexample == found
    assert dict(found.trial.scalars)["n"] == 1


def test_a_trial_outside_of_the_contract_decides_nothing(workshop: Workshop, source: Source) -> None:
    beyond = Trial(seed=1, fill="exact", scalars=(("a", 1.0), ("n", 64)), launch=Launch(block=(0, 1, 1)))
    assert isinstance(replay(workshop, source, proposal(source, GOOD), beyond).verdict, Inconclusive)


def test_the_port_is_held_to_the_same_trials(workshop: Workshop, source: Source, good: Judged) -> None:
    def confirmed(text: str) -> object:
        port = Port(files={"scale.cpp": text.encode()})
        return confirm(workshop, source, port, [proposal(source, GOOD)], [good.pool])[0]

    assert isinstance(confirmed(GOOD), Passed)
    assert isinstance(confirmed(BAD), Falsified)
    assert isinstance(confirmed("#define n 1\n" + GOOD), Rejected | Falsified)


SHIFTED = """
__global__ void scale(const unsigned *x, unsigned *y, unsigned a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] >> a;
}
"""
SHIFTING = """void scale(const unsigned *x, unsigned *y, unsigned a, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = x[i] >> a;
}
"""
OTHERWISE = SHIFTING.replace("x[i] >> a", "a < 32 ? x[i] >> a : 0")


def test_shifts_that_the_language_leaves_open_are_no_fault_of_the_port(
    workshop: Workshop, tmp_path: Path
) -> None:
    (tmp_path / "scale.cu").write_text(SHIFTED)
    source = parsers.read(tmp_path / "scale.cu")
    kept = proposal(source, SHIFTING)
    launch = Launch(grid=(1, 1, 1), block=(64, 1, 1))
    near, far = (
        Trial(seed=1, fill="exact", scalars=(("a", number), ("n", 64)), launch=launch) for number in (1, 33)
    )

    def confirmed(text: str, *pool: Trial) -> object:
        port = Port(files={"scale.cpp": text.encode()})
        return confirm(workshop, source, port, [kept], [pool])[0]

    assert isinstance(confirmed(OTHERWISE, near, far), Passed)
    assert isinstance(confirmed(OTHERWISE, far), Inconclusive)
    assert isinstance(confirmed(OTHERWISE.replace("a < 32", "a < 1"), near, far), Falsified)
