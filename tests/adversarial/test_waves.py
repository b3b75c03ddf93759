"""Wavefronts whose blocks do not begin early enough: they meet blocks of their own diagonal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.adversarial import needs
from tests.adversarial.candidates import reason
from transpile import parsers, translators
from transpile.core import (
    OPENMP,
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

pytestmark = needs.RACES
SOURCE = """
void sweep(int steps, int n, double *u)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
}
"""
SKEW = " - (t - t_first)"
MISTAKES = {"not skewed": "", "skewed too little": f"{SKEW} / 2"}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("waves")
    (root / "sweep.c").write_text(SOURCE)
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    sizes = (ScalarFact(name=name, values=Range(low="0", high="50"), size=True) for name in ("steps", "n"))
    facts = (ArrayFact(name="u", role=Role.INOUT, extent="n"),)
    contract = Contract(signature=signature, arrays=facts, scalars=tuple(sizes), law=None)
    made = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(made, Candidate), made

    def proposal(skew: str) -> Proposal:
        before = made.replacements[0].shown
        assert SKEW in before
        text = before.replace(SKEW, skew).encode()
        candidate = replace(made, replacements=(Replacement(unit=unit.id, text=text),))
        return Proposal(unit=unit, contracts=(contract,), candidate=candidate)

    names = {"honest": SKEW, **MISTAKES}
    found = judge(workshop, source, [proposal(skew) for skew in names.values()], seed=3, trials=16)
    return {name: item.verdict for name, item in zip(names, found, strict=True)}


@pytest.mark.thorough
def test_blocks_that_begin_early_enough_are_kept(verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts["honest"], Passed), verdicts["honest"]


@pytest.mark.thorough
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts[mistake]) in ("race", "exact", "tolerance"), verdicts[mistake]
