"""Loops whose iterations have an array of their own, or share one, where it has to be the other way."""

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
void own(int n, const double *a, double *b)
{
    double v[2];
    for (int i = 0; i < n; i++) {
        v[0] = a[i];
        v[1] = v[0] * v[0];
        b[i] = v[1] + v[0];
    }
}

void kept(int n, const double *a, double *b)
{
    double v[2];
    v[0] = v[1] = 1;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0.5)
            v[0] = a[i];
        b[i] = 2 * v[0] + v[1];
    }
}
"""
ABOVE = "#pragma omp parallel for{}\n    for"
MISTAKES = {
    "shared": ("own", ""),
    "the one before the loop": ("kept", " firstprivate(v)"),
    "nothing before the loop": ("kept", " private(v)"),
    "shared by what reads it": ("kept", ""),
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("own")
    (root / "f.c").write_text(SOURCE)
    source = parsers.read(root)
    units = {unit.name: unit for unit in source.units}
    sizes = (ScalarFact(name="n", values=Range(low="0", high="50"), size=True),)
    facts = (
        ArrayFact(name="a", role=Role.IN, extent="n"),
        ArrayFact(name="b", role=Role.OUT, extent="n"),
    )
    contracts = {
        name: Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=sizes, law=None)
        for name, unit in units.items()
    }
    made = translators.propose(source, units["own"], (contracts["own"],), OPENMP)
    assert isinstance(made, Candidate), made
    assert not isinstance(translators.propose(source, units["kept"], (contracts["kept"],), OPENMP), Candidate)
    texts = {"honest": ("own", made.replacements[0].shown)}
    for mistake, (name, clause) in MISTAKES.items():
        written = units[name].text.decode()
        texts[mistake] = name, written.replace("for", ABOVE.format(clause), 1)
    judged = [
        Proposal(
            unit=units[name],
            contracts=(contracts[name],),
            candidate=replace(
                made,
                unit=units[name].id,
                binding=replace(made.binding, name=name),
                replacements=(Replacement(unit=units[name].id, text=text.encode()),),
            ),
        )
        for name, text in texts.values()
    ]
    found = judge(workshop, source, judged, seed=3, trials=16)
    return {name: item.verdict for name, item in zip(texts, found, strict=True)}


def test_an_array_of_each_iteration_is_kept(verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts["honest"], Passed), verdicts["honest"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_others_are_refused(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts[mistake]) in ("race", "exact", "tolerance"), verdicts[mistake]
