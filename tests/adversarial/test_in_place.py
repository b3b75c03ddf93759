"""Calls with one array in two places: a translation that breaks them says that it does not bear them."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial import needs
from tests.adversarial.function_session import proposal
from transpile import parsers, translators
from transpile.contracts import infer
from transpile.core import OPENMP, ByRules, Candidate, Passed
from transpile.testers import judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
SOURCE = """
void gathered(int n, const int *at, const float *x, float *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]];
}
"""
MARKED = SOURCE.replace("    for", "    #pragma omp parallel for\n    for")


def test_who_does_not_compare_arrays_supposes_that_they_lie_apart(workshop: Workshop, tmp_path: Path) -> None:
    """In place, later elements read what earlier ones have written: trials leave such calls out."""
    (tmp_path / "gather.c").write_text(SOURCE)
    source = parsers.read(tmp_path)
    [unit] = source.units
    contracts = infer(workshop, source, [unit])[unit.id]
    assert isinstance(contracts, tuple), contracts
    made = translators.propose(source, unit, contracts, OPENMP)
    assert isinstance(made, Candidate)
    compared = made.replacements[0].text.decode()
    proposals = [
        proposal(unit, contracts, MARKED, (), OPENMP),
        proposal(unit, contracts, compared, (), OPENMP, origin=ByRules(rules=("loops", "openmp"))),
    ]
    told = "`y` and `x` do not overlap", "`x` and `y` do not overlap"
    marked, by_rules = (item.verdict for item in judge(workshop, source, proposals, seed=5))
    assert isinstance(marked, Passed) and set(told) & set(marked.guarantee.requires), marked
    assert isinstance(by_rules, Passed) and not set(told) & set(by_rules.guarantee.requires), by_rules
