"""Loops that hand out another value than that of their last iteration."""

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
double f(int n, double last, const double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        last = 2 * a[i];
        b[i] = last * last;
    }
    return last;
}

double recent(int n, double last, const double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 0.5)
            last = a[i];
        b[i] = 2 * a[i];
    }
    return last;
}
"""
HONEST = "lastprivate(last)"
MISTAKES = ("private(last)", "firstprivate(last)", "shared(last)")
"""Clauses that a mistake has in place of the right one."""
CONDITIONAL = ("lastprivate(last)", "firstprivate(last) lastprivate(last)")
"""Clauses for a scalar that some iterations do not set, where the rules give none."""


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("lasts")
    (root / "f.c").write_text(SOURCE)
    source = parsers.read(root)
    whole, conditional = source.units
    sizes = (ScalarFact(name="n", values=Range(low="0", high="50"), size=True),)
    facts = (
        ArrayFact(name="a", role=Role.IN, extent="n"),
        ArrayFact(name="b", role=Role.OUT, extent="n"),
    )
    contracts = {
        unit.id: Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=sizes, law=None)
        for unit in source.units
    }
    made = translators.propose(source, whole, (contracts[whole.id],), OPENMP)
    assert isinstance(made, Candidate), made
    text = made.replacements[0].shown
    assert HONEST in text
    assert not isinstance(
        translators.propose(source, conditional, (contracts[conditional.id],), OPENMP), Candidate
    )
    proposals = {"honest": (whole, text)}
    proposals |= {clause: (whole, text.replace(HONEST, clause)) for clause in MISTAKES}
    for clauses in CONDITIONAL:
        marked = f"#pragma omp parallel for {clauses}\n    for"
        proposals[f"conditional {clauses}"] = conditional, conditional.text.decode().replace("for", marked, 1)
    judged = [
        Proposal(
            unit=unit,
            contracts=(contracts[unit.id],),
            candidate=replace(
                made,
                unit=unit.id,
                binding=replace(made.binding, name=unit.name),
                replacements=(Replacement(unit=unit.id, text=text.encode()),),
            ),
        )
        for unit, text in proposals.values()
    ]
    found = judge(workshop, source, judged, seed=3, trials=16)
    return {name: item.verdict for name, item in zip(proposals, found, strict=True)}


def test_the_value_of_the_last_iteration_is_kept(verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts["honest"], Passed), verdicts["honest"]


@pytest.mark.parametrize("mistake", [*MISTAKES, *(f"conditional {clauses}" for clauses in CONDITIONAL)])
def test_other_values_are_refused(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts[mistake]) in ("race", "exact", "tolerance"), verdicts[mistake]
