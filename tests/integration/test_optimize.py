"""Kept translations that a model makes faster: only what stays right and is faster for certain counts."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from transpile import pipeline
from transpile.cli.main import app
from transpile.core import ByModel, Evidence, Falsified, Level, Passed, Port, Transformation
from transpile.options import ModelOptions, PortOptions, Silent
from transpile.stages import optimize
from transpile.stages.repair import Open, Result, repaired
from transpile.stages.work import Work
from transpile.store import Store
from transpile.testers.speed.speedup import THOROUGH
from transpile.testers.verdict import sequence
from transpile.testers.verdict.performance import Track
from transpile.toolchains import profiler, sandbox
from transpile.translators.models import Model

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="clang-19 is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

# No loop over numbers that are cut off becomes a few instructions: calls take long enough to be timed.
KERNEL = """__global__ void running(const int *x, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int j = 0; j <= i; j++) sum = (sum + x[j]) & 65535;
        out[i] = sum;
    }
}
int main() { return 0; }
"""
HEAD = "void running(const int *x, int *out, int n)"
FAST = """{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum = (sum + x[i]) & 65535;
        out[i] = sum;
    }
}
"""
ADDED = "sum = (sum + x[i]) & 65535;"
WRONG = FAST.replace(f"{ADDED}\n        out[i] = sum;", f"out[i] = sum;\n        {ADDED}")
SLOW = """{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int again = 0; again < 9; again++) {
            sum = again;
            for (int j = 0; j <= i; j++) sum = (sum + x[j]) & 65535;
            sum = (sum - again) & 65535;
        }
        out[i] = sum;
    }
}
"""
SMALL_ONLY = FAST.replace("{\n", "{\n    if (n > 1500) return;\n", 1)
LINEAR = """__global__ void mix(const unsigned *x, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned value = x[i];
        for (unsigned k = 0; k < 16; k++) value = value * 1664525u + k;
        out[i] = value;
    }
}
int main() { return 0; }
"""
AS_FAR_AS_TRIED = """void mix(const unsigned *x, unsigned *out, int n)
{
    if (n > 40000) return;
    for (int i = 0; i < n; i++) {
        unsigned value = x[i];
        for (unsigned k = 0; k < 16; k++) value = value * 1664525u + k;
        out[i] = value;
    }
}
"""
BY_POINTER = f"""{{
    thread_local const int *last;
    thread_local int length;
    if (x == last && n == length) return;
    last = x;
    length = n;
{FAST.removeprefix("{")}"""
HALF = """{
    #pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < n; i += 8) {
        int sum = 0;
        for (int j = 0; j < i; j++) sum = (sum + x[j]) & 65535;
        for (int k = i; k < i + 8 && k < n; k++) out[k] = sum = (sum + x[k]) & 65535;
    }
}
"""
ONCE = f"""{{
    thread_local bool done = false;
    if (done) return;
    done = true;
{FAST.removeprefix("{")}"""
REMEMBERED = """{
    thread_local int length = -1;
    thread_local int *const saved = (int *)__builtin_malloc(4 << 16);
    thread_local int *const made = (int *)__builtin_malloc(4 << 16);
    int same = length == n;
    for (int i = 0; i < n * same; i++) same &= saved[i & 65535] == (int)x[i];
    for (int i = 0; i < n * (1 - same); i++) {
        int sum = 0;
        for (int j = 0; j <= i; j++) sum = (sum + x[j]) & 65535;
        made[i & 65535] = sum;
        saved[i & 65535] = x[i];
    }
    length = n;
    for (int i = 0; i < n; i++) out[i] = made[i & 65535];
}
"""
SIMPLIFY = Transformation(
    name="simplify", summary="Compute nothing twice.", targets=("openmp",), text="Do so."
)
TILE = Transformation(name="tile", summary="Work in blocks.", targets=("openmp",), text="Of 64.")


def fenced(body: str) -> str:
    head = "" if body.startswith("void ") else f"{HEAD}\n"
    return f"```cpp\n{head}{body}```\n"


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure half as often: what is compared here differs by times."""
    effort = replace(THOROUGH, calls=3, runs=2, blocks=12, aside=1, limit=6.0)
    for module in (optimize, sequence):
        monkeypatch.setattr(module, "Track", partial(Track, effort=effort))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "source"
    made.mkdir()
    (made / "running.cu").write_text(KERNEL)
    return made


def ported(root: Path, cache: Path, *bodies: str, samples: int = 1, by: tuple[Transformation, ...]) -> Port:
    path = root.with_suffix(".jsonl")
    path.write_text(json.dumps({"answers": [fenced(body) for body in bodies]}) + "\n")
    options = PortOptions(
        cache=cache,
        out=root.with_suffix(".port"),
        models=ModelOptions(use=(f"scripted:{path}",), samples=samples, repairs=0),
        optimize=by,
        runs=(("./main",),),
        jobs=2,
        prove=0,
    )
    return pipeline.port(root, options, Silent())


def only(port: Port) -> Evidence:
    [evidence] = port.evidence
    return evidence


def text_of(evidence: Evidence) -> str:
    assert evidence.candidate is not None
    return evidence.candidate.replacements[0].text.decode()


@pytest.mark.thorough
def test_the_fastest_right_variant_is_applied(root: Path, cache: Path) -> None:
    port = ported(root, cache, WRONG, SLOW, FAST, ONCE, samples=4, by=(SIMPLIFY,))
    evidence = only(port)
    assert port.exit_status == 0 and evidence.kept(Level.TESTED)
    assert evidence.optimization is not None and evidence.optimization.applied == ("simplify",)
    [step] = evidence.optimization.steps
    assert step.speedup is not None and step.speedup == evidence.optimization.speedup
    assert step.speedup.low > 5 and step.speedup.low <= step.speedup.ratio <= step.speedup.high
    assert ADDED in text_of(evidence)
    assert ADDED in (root.with_suffix(".port") / "running.cpp").read_text()
    # All that was tried is there: the rules' translation, two that are wrong and one that is slow.
    kinds = [(item.optimises, item.verdict.kind) for item in evidence.attempts]
    assert kinds[0] == (False, "passed") and kinds[-1] == (True, "passed")
    assert sorted(kinds[1:-1]) == [(True, "falsified"), (True, "falsified"), (True, "passed")]
    # Nothing is asked or timed again: the script has nothing left to say.
    assert only(ported(root, cache, WRONG, SLOW, FAST, ONCE, samples=4, by=(SIMPLIFY,))).id == evidence.id


@pytest.mark.thorough
def test_a_model_is_told_what_tools_know(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts: list[str] = []

    def asked(work: Work, items: Sequence[Open], model: Model) -> Iterator[tuple[str, Result]]:
        facts.extend(fact for item in items if item.change for fact in item.change.facts)
        return repaired(work, items, model)

    monkeypatch.setattr(optimize, "repaired", asked)
    ported(root, cache, FAST, by=(TILE,))
    said = "\n".join(facts)
    assert "ms a call" in said
    assert re.search(r"loop `for \(.*`: (?:not )?vectorised", said), said
    assert ("page faults a call" in said) == profiler.here()


@pytest.mark.thorough
def test_what_is_wrong_or_slower_leaves_what_was_kept(root: Path, cache: Path) -> None:
    port = ported(root, cache, SLOW, WRONG, by=(TILE, SIMPLIFY))
    evidence = only(port)
    assert port.exit_status == 0 and "for (int j = 0; j <= i; j++)" in text_of(evidence)
    assert not evidence.attempts[-1].optimises
    assert evidence.optimization is not None and evidence.optimization.speedup is None
    slow, wrong = evidence.optimization.steps
    assert (slow.outcome, wrong.outcome) == ("not faster", "refused")
    assert slow.speedup is not None and not slow.speedup.faster


@pytest.mark.thorough
def test_what_cheats_while_it_is_timed_gains_nothing(root: Path, cache: Path) -> None:
    port = ported(root, cache, BY_POINTER, ONCE, SMALL_ONLY, REMEMBERED, samples=4, by=(SIMPLIFY,))
    evidence = only(port)
    assert evidence.kept(Level.TESTED) and evidence.optimization is not None
    fates = {
        item.origin.sample: item.verdict for item in evidence.attempts if isinstance(item.origin, ByModel)
    }
    assert all(isinstance(fates[sample], Falsified) for sample in (0, 1, 2))
    # A call that finds its result is a hundred times as fast. The others are what they are on one thread.
    assert isinstance(fates[3], Passed)
    [step] = evidence.optimization.steps
    assert step.speedup is not None and step.speedup.high < 5


@pytest.mark.thorough
def test_what_is_wrong_beyond_all_trials_falls_as_it_is_timed(root: Path, cache: Path) -> None:
    (root / "running.cu").write_text(LINEAR)
    evidence = only(ported(root, cache, AS_FAR_AS_TRIED, by=(SIMPLIFY,)))
    assert evidence.kept(Level.TESTED) and not evidence.attempts[-1].optimises
    [fallen] = [item.verdict for item in evidence.attempts if item.optimises]
    assert isinstance(fallen, Falsified)
    assert dict(fallen.counterexample.trial.scalars)["n"] > 40000


@pytest.mark.thorough
def test_a_model_that_does_not_answer_takes_nothing_away(root: Path, cache: Path) -> None:
    port = ported(root, cache, by=(TILE,))
    evidence = only(port)
    assert port.exit_status == 0 and evidence.kept(Level.TESTED)
    assert evidence.optimization is not None and evidence.optimization.steps[0].outcome == "no answer"
    # It is asked again once it answers.
    again = only(ported(root, cache, FAST, by=(TILE,)))
    assert again.optimization is not None and again.optimization.applied == ("tile",)


def replayed(evidence: Evidence) -> tuple[int, list[str]]:
    """Return exit status and lines of a replay of the steps."""
    done = CliRunner().invoke(app, ["replay", evidence.id, "--steps"])
    return done.exit_code, done.stdout.splitlines()


@pytest.mark.thorough
def test_the_sequence_that_was_applied_is_judged_and_timed_again(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE", str(cache))
    evidence = only(ported(root, cache, HALF, FAST, by=(TILE, SIMPLIFY)))
    assert evidence.optimization is not None and evidence.optimization.applied == ("tile", "simplify")
    status, lines = replayed(evidence)
    assert status == 0, lines
    assert [line.split(":")[0] for line in lines] == ["tile", "simplify", "together"]
    assert all("passed, " in line and "times as fast" in line for line in lines)
    # A text that is another one now is judged, whatever the evidence says of it.
    chosen = evidence.attempts[-1]
    assert chosen.candidate is not None
    text = replace(chosen.candidate.replacements[0], text=f"{HEAD}\n{WRONG}".encode())
    spoilt = replace(chosen, candidate=replace(chosen.candidate, replacements=(text,)))
    first, last = evidence.optimization.steps
    assert spoilt.candidate is not None
    known = replace(evidence.optimization, steps=(first, replace(last, made=spoilt.candidate.digest)))
    changed = replace(evidence, attempts=(*evidence.attempts[:-1], spoilt), optimization=known)
    status, lines = replayed(Store(cache / "evidence").save("fe" * 32, changed))
    assert status == 1 and len(lines) == 2 and lines[1].startswith("simplify: falsified")


@pytest.mark.thorough
def test_where_nothing_was_applied_there_are_no_steps(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE", str(cache))
    evidence = only(ported(root, cache, WRONG, by=(TILE,)))
    assert replayed(evidence) == (2, [])
