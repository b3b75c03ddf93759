"""Every cheat and every honest mistake is refused, for its own reason; every honest variant is kept."""

from __future__ import annotations

import shutil
from functools import partial

import pytest

from tests.adversarial import session
from tests.adversarial.candidates import HONEST, REFUSED, Text, reason
from tests.conftest import Once
from transpile.core import Falsified, Level, Passed
from transpile.testers import Judged
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]


@pytest.fixture(scope="module")
def honest(once: Once, workshop: Workshop) -> dict[str, Judged]:
    return once("honest", partial(session.judged, workshop, HONEST))


@pytest.fixture(scope="module")
def dishonest(once: Once, workshop: Workshop) -> dict[str, Judged]:
    return once("refused", partial(session.judged, workshop, REFUSED))


@pytest.mark.parametrize("text", HONEST, ids=lambda item: item.id)
def test_honest_variants_are_kept(honest: dict[str, Judged], text: Text) -> None:
    verdict = honest[text.id].verdict
    assert isinstance(verdict, Passed), verdict
    assert verdict.guarantee.level is Level.TESTED
    assert verdict.guarantee.trials >= 30
    assert verdict.guarantee.coverage in (None, 1.0)


@pytest.mark.parametrize("text", REFUSED, ids=lambda item: item.id)
def test_cheats_and_mistakes_are_refused_for_their_reason(dishonest: dict[str, Judged], text: Text) -> None:
    verdict = dishonest[text.id].verdict
    assert reason(verdict) in text.refused, verdict


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("axpy-racy-flag", "data race: write and previous write in `for (int i = 0; i < n; i++) { last = i;"),
        ("axpy-one-past-memory-of-its-own", "heap-buffer-overflow: read in `if (n > 0 && own[n] == y[0])"),
        ("axpy-signed-overflow", "cannot be represented in type 'int' in `int c = 2147483647;"),
    ],
)
def test_the_line_that_is_wrong_is_named(dishonest: dict[str, Judged], name: str, said: str) -> None:
    verdict = dishonest[name].verdict
    assert isinstance(verdict, Falsified) and said in verdict.counterexample.got, verdict
