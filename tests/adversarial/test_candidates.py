"""Every cheat and every honest mistake is refused, for its own reason; every honest variant is kept."""

from __future__ import annotations

import shutil

import pytest

from tests.adversarial import court
from tests.adversarial.candidates import Text, read, reason
from transpile.core import Falsified, Level, Passed, Verdict
from transpile.testers import judge
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]


def judged(workshop: Workshop, texts: list[Text]) -> dict[str, Verdict]:
    """Judge all at once, as a port does: candidates of different kernels share a library."""
    proposals = [court.proposal(item.kernel, item.text, headers=item.headers) for item in texts]
    found = judge(workshop, court.source(), proposals, seed=3)
    return {text.id: item.verdict for text, item in zip(texts, found, strict=True)}


@pytest.fixture(scope="module")
def honest(workshop: Workshop) -> dict[str, Verdict]:
    return judged(workshop, read("honest.cpp"))


@pytest.fixture(scope="module")
def dishonest(workshop: Workshop) -> dict[str, Verdict]:
    return judged(workshop, read("refused.cpp"))


@pytest.mark.parametrize("text", read("honest.cpp"), ids=lambda item: item.id)
def test_honest_variants_are_kept(honest: dict[str, Verdict], text: Text) -> None:
    verdict = honest[text.id]
    assert isinstance(verdict, Passed), verdict
    assert verdict.guarantee.level is Level.TESTED
    assert verdict.guarantee.trials >= 30
    assert verdict.guarantee.coverage in (None, 1.0)


@pytest.mark.parametrize("text", read("refused.cpp"), ids=lambda item: item.id)
def test_cheats_and_mistakes_are_refused_for_their_reason(dishonest: dict[str, Verdict], text: Text) -> None:
    verdict = dishonest[text.id]
    assert reason(verdict) in text.refused, verdict


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("axpy-racy-flag", "data race: write and previous write in `for (int i = 0; i < n; i++) { last = i;"),
        ("axpy-one-past-memory-of-its-own", "heap-buffer-overflow: read in `if (n > 0 && own[n] == y[0])"),
        ("axpy-signed-overflow", "cannot be represented in type 'int' in `int c = 2147483647;"),
    ],
)
def test_the_line_that_is_wrong_is_named(dishonest: dict[str, Verdict], name: str, said: str) -> None:
    verdict = dishonest[name]
    assert isinstance(verdict, Falsified) and said in verdict.counterexample.got, verdict
