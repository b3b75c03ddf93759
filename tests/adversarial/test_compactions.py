"""Compactions that keep what the source keeps, but not its order, or not where it stands there."""

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
int positive(int n, const int *a, int *at)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0) at[c++] = i;
    return c;
}
"""
CAPTURED = """
int positive(int n, const int *a, int *at)
{
    int c = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (a[i] > 0) {
            int place;
            #pragma omp atomic capture
            place = c++;
            at[place] = i;
        }
    return c;
}
"""
MISTAKES = {
    "other iterations": ("schedule(static)\n            for", "schedule(static, 1)\n            for"),
    "begun with one's own": ("c = c_before;", "c = c_overall;"),
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("compactions")
    (root / "positive.c").write_text(SOURCE)
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    sizes = (ScalarFact(name="n", values=Range(low="0", high="300"), size=True),)
    facts = (
        ArrayFact(name="a", role=Role.IN, extent="n"),
        ArrayFact(name="at", role=Role.INOUT, extent="n"),
    )
    contract = Contract(signature=signature, arrays=facts, scalars=sizes, law=None)
    made = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(made, Candidate), made
    honest = made.replacements[0].shown
    assert all(right in honest for right, _ in MISTAKES.values())
    texts = {"honest": honest, "captured": CAPTURED}
    texts |= {name: honest.replace(*both) for name, both in MISTAKES.items()}

    def proposal(text: str) -> Proposal:
        candidate = replace(made, replacements=(Replacement(unit=unit.id, text=text.encode()),))
        return Proposal(unit=unit, contracts=(contract,), candidate=candidate)

    found = judge(workshop, source, [proposal(text) for text in texts.values()], seed=3, trials=8)
    return {name: item.verdict for name, item in zip(texts, found, strict=True)}


def test_threads_that_count_first_are_kept(verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts["honest"], Passed), verdicts["honest"]


@pytest.mark.parametrize("mistake", ["captured", *MISTAKES])
def test_another_order_is_refused(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts[mistake]) in ("race", "exact", "bounds"), verdicts[mistake]
