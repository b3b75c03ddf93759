"""Kernels over every ``step``-th element that do not ask whether there is a step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.adversarial.candidates import reason
from transpile import parsers, translators
from transpile.core import (
    CUDA,
    ArrayFact,
    Candidate,
    Contract,
    Passed,
    Range,
    Replacement,
    Role,
    ScalarFact,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

SOURCE = """
void spread(int n, int step, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i * step] = x[i];
}
"""
ASKED = "step >= 1"
MISTAKES = ("step >= 0", "n >= 1")


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root: Path = tmp_path_factory.mktemp("steps")
    (root / "spread.c").write_text(SOURCE)
    source = parsers.read(root)
    [unit] = source.units
    sizes = tuple(ScalarFact(name=name, values=Range(low="0", high="9"), size=True) for name in ("n", "step"))
    facts = (
        ArrayFact(name="x", role=Role.IN, extent="n"),
        ArrayFact(name="y", role=Role.OUT, extent="(n - 1) * step + 1"),
    )
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=sizes, law=None)
    made = translators.propose(source, unit, (contract,), CUDA)
    assert isinstance(made, Candidate)
    text = made.replacements[0].text
    assert text.count(ASKED.encode()) == 1
    candidates = {
        said: replace(
            made,
            replacements=(Replacement(unit=unit.id, text=text.replace(ASKED.encode(), said.encode())),),
        )
        for said in (ASKED, *MISTAKES)
    }
    proposals = [
        Proposal(unit=unit, contracts=(contract,), candidate=candidate) for candidate in candidates.values()
    ]
    found = judge(workshop, source, proposals)
    return dict(zip(candidates, (item.verdict for item in found), strict=True))


def test_the_honest_question_passes(verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts[ASKED], Passed), reason(verdicts[ASKED])


@pytest.mark.parametrize("said", MISTAKES)
def test_others_are_refused(said: str, verdicts: dict[str, Verdict]) -> None:
    assert not isinstance(verdicts[said], Passed)
