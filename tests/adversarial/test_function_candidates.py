"""CUDA in place of a function: mistakes of host code and of kernels are refused, honest versions are kept."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.adversarial import mistakes, needs
from tests.adversarial.candidates import Text, read, reason
from tests.conftest import Once
from transpile import parsers
from transpile.contracts import infer
from transpile.core import CUDA, Binding, Candidate, Contract, Passed, Replacement, Source, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

Known = dict[str, tuple[Contract, ...]]


@pytest.fixture(scope="module")
def source() -> Source:
    return parsers.read(Path(__file__).parent / "functions.c")


@pytest.fixture(scope="module")
def contracts(once: Once, workshop: Workshop, source: Source) -> Known:
    found = once("functions", partial(infer, workshop, source, source.units))
    return {item.name: known for item in source.units if isinstance(known := found[item.id], tuple)}


def judged(workshop: Workshop, source: Source, contracts: Known, texts: list[Text]) -> dict[str, Verdict]:
    proposals = [_proposal(source, contracts[text.kernel], text) for text in texts]
    found = judge(workshop, source, proposals, seed=5)
    return {text.id: item.verdict for text, item in zip(texts, found, strict=True)}


def _proposal(source: Source, known: tuple[Contract, ...], text: Text) -> Proposal:
    unit = next(item for item in source.units if item.name == text.kernel)
    candidate = Candidate(
        unit=unit.id,
        dialect=CUDA,
        replacements=(Replacement(unit=unit.id, text=text.text.encode()),),
        binding=Binding(name=unit.name, arguments=known[0].signature.names),
    )
    return Proposal(unit=unit, contracts=known, candidate=candidate)


@pytest.fixture(scope="module")
def honest(once: Once, workshop: Workshop, source: Source, contracts: Known) -> dict[str, Verdict]:
    texts = read("functions_honest.cu")
    return once("honest functions", partial(judged, workshop, source, contracts, texts))


@pytest.fixture(scope="module")
def faulty(once: Once, workshop: Workshop, source: Source, contracts: Known) -> dict[str, Verdict]:
    return once("mistakes", partial(judged, workshop, source, contracts, mistakes.texts()))


@pytest.mark.parametrize("text", read("functions_honest.cu"), ids=lambda item: item.id)
def test_honest_versions_are_kept(honest: dict[str, Verdict], text: Text) -> None:
    assert isinstance(honest[text.id], Passed), honest[text.id]


@pytest.mark.parametrize("text", mistakes.texts(), ids=lambda item: item.id)
def test_mistakes_are_refused_for_their_reason(faulty: dict[str, Verdict], text: Text) -> None:
    assert reason(faulty[text.id]) in text.refused, faulty[text.id]
