"""Clauses that copy too little to a device, or nothing back: right on the host, and refused all the same."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.candidates import reason
from transpile import parsers
from transpile.core import (
    OPENMP,
    OPENMP_TARGET,
    ArrayFact,
    Binding,
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
from transpile.toolchains import compilers
from transpile.toolchains.workshop import Workshop

pytestmark = [
    *needs.JUDGING,
    pytest.mark.skipif(
        compilers.find().get("libomptarget").path is None, reason="clang's offloading is not installed"
    ),
]

SOURCE = """
void blend(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        if (i % 3) y[i] += x[i];
}
"""
LINE = "#pragma omp target teams distribute parallel for"
BOTH = "map(to: x[0:n]) map(tofrom: y[0:n])"
MISTAKES = {
    "an input is too short": "map(to: x[0:n - 1]) map(tofrom: y[0:n])",
    "an input is too long": "map(to: x[0:n + 8]) map(tofrom: y[0:n])",
    "nothing comes back": "map(to: x[0:n], y[0:n])",
    "what is left alone does not go there": "map(to: x[0:n]) map(from: y[0:n])",
    "nothing is said of an input": "map(tofrom: y[0:n])",
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("blend")
    (root / "blend.c").write_text(SOURCE)
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    contract = Contract(
        signature=signature,
        arrays=(
            ArrayFact(name="x", role=Role.IN, extent="n"),
            ArrayFact(name="y", role=Role.INOUT, extent="n"),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="300"), size=True),),
        law=None,
    )

    def proposal(maps: str) -> Proposal:
        text = SOURCE.replace("    for", f"    {LINE} {maps}\n    for")
        candidate = Candidate(
            unit=unit.id,
            # The check is owed to what the text says, whatever the candidate says of itself.
            dialect=OPENMP_TARGET if maps == BOTH else OPENMP,
            replacements=(Replacement(unit=unit.id, text=text.encode()),),
            binding=Binding(name=unit.name, arguments=signature.names),
        )
        return Proposal(unit=unit, contracts=(contract,), candidate=candidate)

    names = {"honest": BOTH, **MISTAKES}
    found = judge(workshop, source, [proposal(maps) for maps in names.values()], seed=3, trials=24)
    return {name: item.verdict for name, item in zip(names, found, strict=True)}


def test_the_right_clauses_are_kept(verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts["honest"]
    assert isinstance(verdict, Passed), verdict
    assert "memory of a device" in verdict.guarantee.checks


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused(mistake: str, verdicts: dict[str, Verdict]) -> None:
    assert reason(verdicts[mistake]) == "offload", verdicts[mistake]
