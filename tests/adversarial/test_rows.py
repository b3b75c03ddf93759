"""Functions of C whose parameters are rows as long as another parameter says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.adversarial import needs
from transpile import parsers, translators
from transpile.core import (
    OPENMP,
    ArrayFact,
    Candidate,
    Contract,
    Falsified,
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
HEADER = "void smooth(int n, int m, double a[n][m], const double b[static n][m]);\n"
SOURCE = """
#include "rows.h"
void smooth(int n, int m, double a[n][m], const double b[static n][m])
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] = b[i][j] + b[i - 1][j - 1];
}
"""
LAST = "a[i][j] = b[i][j] + b[i - 1][j - 1];"
MISTAKES = {
    "columns for rows": (LAST, "a[i][j] = b[i][j] + b[0][(i - 1) * n + j - 1];"),
    "a row too far": ("i < n", "i <= n"),
    "in place": (LAST, "a[i][j] = b[i][j] + (i > 1 ? a[i - 1][j - 1] : b[i - 1][j - 1]);"),
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("rows")
    (root / "rows.h").write_text(HEADER)
    (root / "rows.c").write_text(SOURCE)
    source = parsers.read(root)
    [unit] = source.units
    lengths = Range(low="1", high="60")
    contract = Contract(
        signature=source.signatures[unit.id][0],
        arrays=(
            ArrayFact(name="a", role=Role.INOUT, extent="n * m"),
            ArrayFact(name="b", role=Role.IN, extent="n * m"),
        ),
        scalars=tuple(ScalarFact(name=name, values=lengths, size=True) for name in ("n", "m")),
        law=None,
    )
    made = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(made, Candidate), made
    honest = made.replacements[0].shown
    texts = {"honest": honest}
    for name, (right, wrong) in MISTAKES.items():
        assert right in honest, honest
        texts[name] = honest.replace(right, wrong)
    proposals = [
        Proposal(
            unit=unit,
            contracts=(contract,),
            candidate=replace(made, replacements=(Replacement(unit=unit.id, text=text.encode()),)),
        )
        for text in texts.values()
    ]
    judged = judge(workshop, source, proposals, seed=3, trials=16)
    return {name: item.verdict for name, item in zip(texts, judged, strict=True)}


def test_rows_are_judged(verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts["honest"], Passed), verdicts["honest"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused(verdicts: dict[str, Verdict], mistake: str) -> None:
    assert isinstance(verdicts[mistake], Falsified), verdicts[mistake]
