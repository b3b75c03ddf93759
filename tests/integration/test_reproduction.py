"""A counterexample as a program of its own: built and run by its own commands, it shows the same failure."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.adversarial import session
from tests.adversarial.candidates import HONEST, REFUSED, Text
from tests.conftest import Once
from tests.integration import functions
from tests.sampling import sampled
from transpile import parsers
from transpile.cli.main import app
from transpile.contracts import infer
from transpile.core import (
    OPENMP,
    Attempt,
    Binding,
    Candidate,
    Evidence,
    Falsified,
    Inconclusive,
    Passed,
    Replacement,
    Trial,
)
from transpile.store import Store
from transpile.testers import Judged, Proposal, judge, replay
from transpile.testers.reproduction.directory import is_reproduction, reproduction, write
from transpile.toolchains import sandbox
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.toolchains.workshop import Workshop, cache_directory

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]

SHOWN = {
    "axpy-tail-dropped": "(never written)",
    "axpy-one-too-many": "AddressSanitizer: heap-buffer-overflow",
    "axpy-racy-flag": "ThreadSanitizer: data race",
    "axpy-signed-overflow": "runtime error: signed integer overflow",
    "row_sums-rounded-inputs": "FAIL",
    "roots-early-exit-dropped": "FAIL",
    "weigh-global-changed": "weights[",
    "strided-one-instantiation": "FAIL",
}
"""Text that the test must print, by candidate."""
KERNELS = ("axpy", "row_sums", "histogram", "strided")


def chosen() -> list[Text]:
    wrong = [item for item in REFUSED if item.id in {*SHOWN, "axpy-never-ends"}]
    right = {item.kernel: item for item in HONEST if item.kernel in KERNELS}
    return [*wrong, *right.values()]


@pytest.fixture(scope="module")
def judged(once: Once, workshop: Workshop) -> dict[str, tuple[Text, Judged]]:
    found = {
        **once("refused", partial(session.judged, workshop, REFUSED)),
        **once("honest", partial(session.judged, workshop, HONEST)),
    }
    return {text.id: (text, found[text.id]) for text in chosen()}


def shown(workshop: Workshop, text: Text, trial: Trial, place: Path) -> tuple[str, Finished]:
    """Write the test of one trial, and run what it says is to be typed."""
    proposal = session.proposal(text.kernel, text.text, headers=text.headers)
    scene = replay(workshop, session.source(), proposal, trial).scene
    assert scene is not None
    made = reproduction([scene])
    write(made, place)
    assert is_reproduction(place)
    script = (place / "run.sh").read_text()
    assert all(command in script for command in made.commands)
    return (place / "test.cpp").read_text(), run(place)


def run(place: Path, *command: str) -> Finished:
    return sandbox.execute(
        command or ("sh", "run.sh"),
        profile=Profile.BUILD,
        mounts=Mounts(cwd=place, writable=[place]),
        quota=Quota(timeout=240, memory=4 << 30, resident=True),
    )


def output(finished: Finished) -> str:
    return (finished.stdout + finished.stderr).decode(errors="replace")


@pytest.mark.parametrize("name", sampled(SHOWN, 3))
def test_a_counterexample_fails_outside_as_well(
    workshop: Workshop, judged: dict[str, tuple[Text, Judged]], name: str, tmp_path: Path
) -> None:
    text, item = judged[name]
    assert isinstance(item.verdict, Falsified)
    source, finished = shown(workshop, text, item.verdict.counterexample.trial, tmp_path)
    assert finished.status == 1, output(finished)
    assert SHOWN[name] in output(finished), output(finished)
    assert f"call       {text.kernel}<" in source
    assert str(tmp_path) not in source


@pytest.mark.thorough
def test_a_call_without_end_is_stopped(
    workshop: Workshop, judged: dict[str, tuple[Text, Judged]], tmp_path: Path
) -> None:
    text, item = judged["axpy-never-ends"]
    assert isinstance(item.verdict, Falsified)
    _, finished = shown(workshop, text, item.verdict.counterexample.trial, tmp_path)
    # Outside of the sandbox it is 124; within, `timeout` ends the shell as well.
    assert finished.status in (124, 143) and "running the translation" in output(finished)


@pytest.mark.parametrize("kernel", sampled(KERNELS, 2))
def test_an_honest_translation_agrees_outside_as_well(
    workshop: Workshop, judged: dict[str, tuple[Text, Judged]], kernel: str, tmp_path: Path
) -> None:
    text, item = next(pair for pair in judged.values() if pair[0].kernel == kernel and not pair[0].refused)
    assert isinstance(item.verdict, Passed)
    trial = next(trial for trial in reversed(item.pool) if trial.fill == "exact")
    _, finished = shown(workshop, text, trial, tmp_path)
    assert finished.status == 0 and "ok: the translation agrees" in output(finished), output(finished)


def test_two_pointers_to_one_array_stay_so(
    workshop: Workshop, judged: dict[str, tuple[Text, Judged]], tmp_path: Path
) -> None:
    text, item = next(pair for pair in judged.values() if pair[0].kernel == "axpy" and not pair[0].refused)
    trial = replace(item.pool[len(item.pool) // 2], aliases=(("x", "y"),))
    source, finished = shown(workshop, text, trial, tmp_path)
    assert "// x points to what y does" in source and "axpy(call.y, call.y, " in source
    assert finished.status == 0, output(finished)


@pytest.mark.thorough
def test_what_a_user_types_shows_it(
    judged: dict[str, tuple[Text, Judged]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text, item = judged["axpy-tail-dropped"]
    proposal = session.proposal(text.kernel, text.text)
    Store(cache_directory() / "evidence").save(
        "0123456789abcdef",
        Evidence(
            unit=proposal.unit,
            contracts=proposal.contracts,
            attempts=(Attempt(candidate=proposal.candidate, verdict=item.verdict),),
            provenance=(("source", str(session.HERE / "kernels.cu")),),
        ),
    )
    done = CliRunner().invoke(app, ["replay", "0123"])
    assert done.exit_code == 1, done.output
    commands = [line.strip() for line in done.stdout.splitlines() if line.startswith("    ")]
    place = cache_directory() / "evidence" / "0123456789ab" / "reproduce"
    assert f"cd {place}" in commands
    typed = commands[commands.index(f"cd {place}") :]
    finished = run(place, "sh", "-c", " && ".join(typed))
    assert finished.status == 1 and "never written" in output(finished), output(finished)


def test_evidence_without_a_trial_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    unit = session.unit("axpy")
    verdict = Inconclusive(reason="the source is racy")
    Store(cache_directory() / "evidence").save(
        "0123456789abcdef",
        Evidence(unit=unit, contracts=(), attempts=(Attempt(candidate=None, verdict=verdict),)),
    )
    done = CliRunner().invoke(app, ["replay", "0123"])
    assert done.exit_code == 2 and "the source is racy" in done.stderr


HELD = """
struct Grid { int columns, rows; };
__constant__ Grid grid;
__global__ void scale(float *x) {
    for (int i = threadIdx.x; i < grid.columns * grid.rows; i += blockDim.x) x[i] *= 2;
}
"""


@pytest.mark.thorough
def test_numbers_in_variables_are_set_and_not_passed(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(HELD)
    source = parsers.read(tmp_path)
    unit = functions.unit(source, "scale")
    learnt = infer(workshop, source, [unit])[unit.id]
    assert isinstance(learnt, tuple), learnt
    text = "void scale(float *x) { for (int i = 0; i < grid.columns * grid.rows - 1; i++) x[i] *= 2; }"
    candidate = Candidate(
        unit=unit.id,
        dialect=OPENMP,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(name="scale", arguments=("x",)),
    )
    proposal = Proposal(unit=unit, contracts=learnt, candidate=candidate)
    [judged_one] = judge(workshop, source, [proposal])
    assert isinstance(judged_one.verdict, Falsified), judged_one.verdict
    scene = replay(workshop, source, proposal, judged_one.verdict.counterexample.trial).scene
    assert scene is not None
    place = tmp_path / "made"
    place.mkdir()
    write(reproduction([scene]), place)
    assert "scale, call.x)" in (place / "test.cpp").read_text()
    finished = run(place)
    assert finished.status == 1 and "FAIL" in output(finished), output(finished)
