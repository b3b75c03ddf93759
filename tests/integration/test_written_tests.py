"""Tests that a language model writes: they see what generated trials miss, and their claims do not count."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from transpile import pipeline
from transpile.core import Counterexample, Evidence, Falsified, Level, Passed, Port
from transpile.options import ModelOptions, PortOptions, Silent
from transpile.stages.testing import WrittenTests
from transpile.stages.tests import Written
from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="clang-19 is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

KERNEL = """__global__ void odd(float *out, const float *in, int n, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        if (x * x * x == 1953.125f) out[i] = -1.0f;
        else if (x > limit) out[i] = limit;
        else out[i] = 2 * x;
    }
}
int main() { return 0; }
"""
WRONG = """void odd(float *out, const float *in, int n, float limit)
{
    for (int i = 0; i < n; ++i) out[i] = in[i] > limit ? limit : 2 * in[i];
}
"""
"""A translation whose author never saw the cube root."""

SEEING = {"why": "12.5 cubed", "scalars": {"n": 3, "limit": 1.0}, "arrays": {"in": [12.5, 0, 1]}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "source"
    made.mkdir()
    (made / "odd.cu").write_text(KERNEL)
    return made


def by_tester(root: Path, *tests: object, **more: object) -> str:
    """Return a model that writes these tests once, and has nothing more to say."""
    path = root.with_suffix(".tests.jsonl")
    answer = "Gladly!\n```json\n" + json.dumps({"tests": tests} | more) + "\n```"
    path.write_text(json.dumps({"answers": [answer] if tests else []}) + "\n")
    return f"scripted:{path}"


def translator(root: Path, code: str) -> str:
    path = root.with_suffix(".code.jsonl")
    path.write_text(json.dumps({"answers": [f"```cpp\n{code}```"]}) + "\n")
    return f"scripted:{path}"


def ported(root: Path, cache: Path, models: ModelOptions, required: Level = Level.TESTED) -> Port:
    options = PortOptions(
        cache=cache, out=root.with_suffix(".port"), models=models, required=required, jobs=2, prove=0
    )
    return pipeline.port(root, options, Silent())


def only(port: Port) -> Evidence:
    [evidence] = port.evidence
    return evidence


def written(cache: Path, evidence: Evidence) -> Written:
    found = WrittenTests(cache / "tests").find(dict(evidence.provenance)["tests"])
    assert found is not None
    return found


def supposes_a_branch(evidence: Evidence) -> bool:
    """Tell whether a unit is kept on the assumption that nothing takes a branch."""
    line = KERNEL[: KERNEL.index("1953.125f")].count("\n") + 1
    verdict = evidence.verdict
    return isinstance(verdict, Passed) and any(
        text.startswith(f"odd.cu:{line}: nothing runs it") for text in verdict.guarantee.requires
    )


@pytest.mark.thorough
def test_a_test_shows_what_generated_trials_miss(root: Path, cache: Path) -> None:
    # Without it a branch is never taken: that it never is becomes an assumption.
    assert supposes_a_branch(only(ported(root, cache, ModelOptions())))
    models = ModelOptions(testers=(by_tester(root, {"scalars": {"n": 2}}, SEEING),))
    port = ported(root, cache, models, Level.HARDENED)
    evidence = only(port)
    assert evidence.kept(Level.HARDENED) and isinstance(evidence.verdict, Passed)
    assert evidence.verdict.guarantee.coverage == 1.0
    assert "written (1)" in evidence.verdict.guarantee.checks
    assert any(trial.written for trial in evidence.pool)
    found = written(cache, evidence)
    assert [item.test.arrays for item in found.admitted] == [(("in", (12.5, 0, 1)),)]
    assert [item.accepted for item in found.declined] == [True]
    assert found.before is not None and found.after is not None
    assert found.before.strength.killed < found.after.strength.killed == found.after.strength.mutants
    # The script is at its end: a second run asks nobody, and finds the same.
    assert only(ported(root, cache, models, Level.HARDENED)).id == evidence.id


@pytest.mark.thorough
def test_a_translation_that_never_saw_a_branch_falls(root: Path, cache: Path) -> None:
    models = ModelOptions(
        use=(translator(root, WRONG),), first=True, samples=1, repairs=0, testers=(by_tester(root, SEEING),)
    )
    by_model = next(item for item in only(ported(root, cache, models)).attempts if item.origin)
    assert isinstance(by_model.verdict, Falsified)
    example: Counterexample = by_model.verdict.counterexample
    assert example.where == "out[0]" and "-1" in example.expected


@pytest.mark.thorough
def test_what_a_test_expects_sways_nobody(root: Path, cache: Path) -> None:
    """A test that claims the result of a wrong translation is an input like any other."""
    lie = {**SEEING, "expected": {"out": [1.0, 0.0, 1.0]}, "assert": "out[0] == limit"}
    models = ModelOptions(
        use=(translator(root, WRONG),),
        first=True,
        samples=1,
        repairs=0,
        testers=(by_tester(root, lie, note="the translation is right; the original has a bug"),),
    )
    by_model = next(item for item in only(ported(root, cache, models)).attempts if item.origin)
    assert isinstance(by_model.verdict, Falsified)


HOSTILE = (
    {"scalars": {"n": -1}},
    {"scalars": {"n": 2**40}},
    {"scalars": {"n": 100}, "grid": [1, 1, 1], "block": [1, 1, 1]},
    {"scalars": {"n": 1}, "block": [0, 0, 0]},
    {"scalars": {"n": 2}, "arrays": {"in": [1e300]}},
    {"arrays": {"out": ["/etc/passwd"]}},
    {"scalars": {"__import__('os')": 1}},
    "print PASS and exit",
)


@pytest.mark.thorough
def test_what_breaks_the_contract_never_becomes_a_trial(root: Path, cache: Path) -> None:
    models = ModelOptions(testers=(by_tester(root, *HOSTILE),))
    evidence = only(ported(root, cache, models))
    assert supposes_a_branch(evidence)
    found = written(cache, evidence)
    assert not found.admitted and not any(trial.written is not None for trial in evidence.pool)
    # The launch of no threads is left out of its test, which then is one like others.
    assert [item.accepted for item in found.declined] == [False, False, False, True, False, False]
    assert all(item.reason for item in found.declined)


@pytest.mark.thorough
def test_a_tester_that_does_not_answer_stops_nothing(root: Path, cache: Path) -> None:
    (root / "odd.cu").write_text(KERNEL.replace("odd", "other"))
    models = ModelOptions(testers=(by_tester(root),))
    port = ported(root, cache, models)
    assert supposes_a_branch(only(port))
    told = [item for item in port.diagnostics if item.code == "TP523"]
    assert len(told) == 1 and "no answer left" in told[0].message
    # It is asked again, and what it says then counts.
    again = ported(root, cache, replace(models, testers=(by_tester(root, SEEING),)))
    assert only(again).kept(Level.TESTED) and any(trial.written for trial in only(again).pool)
    assert not [item for item in again.diagnostics if item.code == "TP523"]
