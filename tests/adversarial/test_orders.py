"""Loops that are parallel where index arrays are in order, by checks that are wrong or missing."""

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
    Source,
    Unit,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
SOURCE = """
#include <math.h>

void scatter(int n, const int *at, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[at[i]] = exp(x[i]);
    }
}

void halve(int n, const int *start, double *v)
{
    for (int i = 0; i < n; i++) {
        for (int j = start[i]; j < start[i + 1]; j++) {
            v[j] = (v[j] + i) / 2;
        }
    }
}
"""
NEVER = (
    ArrayFact(name="at", role=Role.IN, extent="n", values=Range(low="0", high="1")),
    ArrayFact(name="x", role=Role.IN, extent="n"),
    ArrayFact(name="y", role=Role.INOUT, extent="n + 2"),
)
"""Indices of which there are too few for all to differ."""
CHECK = "scatter_at_distinct(at, n)"
MISTAKES = {
    "no check of indices": (CHECK, "1"),
    "the last index is not looked at": (CHECK, "scatter_at_distinct(at, n - 1)"),
    "half of the indices are marked": ("seen[bit / 8] |=", "seen[bit / 8] |= k % 2 == 0 ? 0 :"),
    "one row is not looked at": ("&= start[i] <=", "&= i == n - 2 || start[i] <="),
}


def contract(source: Source, unit: Unit) -> Contract:
    [signature] = source.signatures[unit.id]
    facts = (
        ArrayFact(name="at", role=Role.IN, extent="n", values=Range(low="0", high="n - 1")),
        ArrayFact(name="start", role=Role.IN, extent="n + 1", values=Range(low="0", high="3 * n")),
        ArrayFact(name="x", role=Role.IN, extent="n"),
        ArrayFact(name="y", role=Role.INOUT, extent="n"),
        ArrayFact(name="v", role=Role.INOUT, extent="3 * n"),
    )
    names = {item.name for item in signature.parameters}
    size = ScalarFact(name="n", values=Range(low="0", high="2000"), size=True)
    arrays = tuple(item for item in facts if item.name in names)
    return Contract(signature=signature, arrays=arrays, scalars=(size,), law=None)


def shown(proposal: Proposal) -> str:
    return proposal.candidate.replacements[0].shown


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("orders")
    (root / "orders.c").write_text(SOURCE)
    source = parsers.read(root)
    units = {unit.name: unit for unit in source.units}
    proposals: dict[str, Proposal] = {}
    for name, unit in units.items():
        made = translators.propose(source, unit, (contract(source, unit),), OPENMP)
        assert isinstance(made, Candidate) and made.asks, made
        proposals[name] = Proposal(unit=unit, contracts=(contract(source, unit),), candidate=made)
    for mistake, (right, wrong) in MISTAKES.items():
        honest = next(proposals[name] for name in units if right in shown(proposals[name]))
        # Under `guided` chance decides whether two threads have rows at all.
        text = shown(honest).replace(right, wrong).replace(" schedule(guided)", "").encode()
        candidate = replace(honest.candidate, replacements=(Replacement(unit=honest.unit.id, text=text),))
        proposals[mistake] = replace(honest, candidate=candidate)
    never = replace(proposals["scatter"].contracts[0], arrays=NEVER)
    proposals["never"] = replace(proposals["scatter"], contracts=(never,))
    found = judge(workshop, source, list(proposals.values()), seed=3, trials=20)
    return {name: item.verdict for name, item in zip(proposals, found, strict=True)}


@pytest.mark.parametrize("name", ["scatter", "halve"])
def test_loops_with_a_check_are_kept(name: str, verdicts: dict[str, Verdict]) -> None:
    assert isinstance(verdicts[name], Passed), verdicts[name]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_wrong_checks_are_refused(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts[mistake]) in ("race", "exact", "tolerance"), verdicts[mistake]


def test_what_never_runs_at_once_is_not_kept(verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts["never"]) == "TP411", verdicts["never"]
