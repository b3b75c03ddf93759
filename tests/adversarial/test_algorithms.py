"""Parallel algorithms in place of a function: what shares elements between iterations is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.adversarial.candidates import Text, read, reason
from tests.sampling import sampled
from transpile import parsers
from transpile.contracts import infer
from transpile.core import STDPAR, Binding, Candidate, Passed, Replacement, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains import compilers
from transpile.toolchains.workshop import Workshop

pytestmark = [
    *needs.JUDGING,
    pytest.mark.skipif(compilers.find().get("tbb").path is None, reason="needs TBB"),
]
TEXTS = sampled(read("algorithms.cpp"), 20)


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop) -> dict[str, Verdict]:
    source = parsers.read(Path(__file__).parent / "functions.c")
    units = {item.name: item for item in source.units if item.name in {text.kernel for text in TEXTS}}
    contracts = infer(workshop, source, list(units.values()))
    proposals = []
    for text in TEXTS:
        unit = units[text.kernel]
        known = contracts[unit.id]
        assert isinstance(known, tuple), known
        candidate = Candidate(
            unit=unit.id,
            dialect=STDPAR,
            replacements=(Replacement(unit=unit.id, text=text.text.encode()),),
            binding=Binding(name=unit.name, arguments=known[0].signature.names),
            headers=text.headers,
        )
        proposals.append(Proposal(unit=unit, contracts=known, candidate=candidate))
    found = judge(workshop, source, proposals, seed=5)
    return {text.id: item.verdict for text, item in zip(TEXTS, found, strict=True)}


@pytest.mark.parametrize("text", TEXTS, ids=lambda item: item.id)
def test_calls_are_judged_by_what_their_iterations_share(verdicts: dict[str, Verdict], text: Text) -> None:
    verdict = verdicts[text.id]
    assert isinstance(verdict, Passed) if not text.refused else reason(verdict) in text.refused, verdict
