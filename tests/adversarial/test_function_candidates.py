"""CUDA in place of a function: mistakes of host code and of kernels are refused, honest versions are kept."""

from __future__ import annotations

from functools import partial

import pytest

from tests.adversarial import mistakes, needs
from tests.adversarial.candidates import Text, read, reason
from tests.adversarial.function_session import Known, judged, learnt, read_source
from tests.conftest import Once
from tests.sampling import sampled
from transpile.core import CUDA, Passed, Source, Verdict
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

HONEST = sampled(read("functions_honest.cu"), 20)
MISTAKES = sampled(mistakes.texts(), 20)


@pytest.fixture(scope="module")
def source() -> Source:
    return read_source("functions.c")


@pytest.fixture(scope="module")
def contracts(once: Once, workshop: Workshop, source: Source) -> Known:
    return once("functions", partial(learnt, workshop, source, HONEST + MISTAKES))


@pytest.fixture(scope="module")
def honest(once: Once, workshop: Workshop, source: Source, contracts: Known) -> dict[str, Verdict]:
    return once("honest functions", partial(judged, workshop, source, contracts, HONEST, CUDA))


@pytest.fixture(scope="module")
def faulty(once: Once, workshop: Workshop, source: Source, contracts: Known) -> dict[str, Verdict]:
    return once("mistakes", partial(judged, workshop, source, contracts, MISTAKES, CUDA))


@pytest.mark.parametrize("text", HONEST, ids=lambda item: item.id)
def test_honest_versions_are_kept(honest: dict[str, Verdict], text: Text) -> None:
    assert isinstance(honest[text.id], Passed), honest[text.id]


@pytest.mark.parametrize("text", MISTAKES, ids=lambda item: item.id)
def test_mistakes_are_refused_for_their_reason(faulty: dict[str, Verdict], text: Text) -> None:
    assert reason(faulty[text.id]) in text.refused, faulty[text.id]
