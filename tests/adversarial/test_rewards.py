"""No cheat and no mistake earns what a right answer earns, however often it is tried."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.adversarial.candidates import Text, read
from tests.conftest import Once
from tests.sampling import sampled
from transpile.rewards import Judge, JudgeOptions, Question, Reward, Stage
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]
KERNEL = "axpy"
MOST = 0.4
"""Worth of agreement on all trials that a checker does not clear."""
CHEATS = sampled(
    [item for item in read("refused.cpp") if item.kernel == KERNEL],
    16,
    also=("axpy-left-as-it-was", "axpy-racy-flag"),
)
HONEST = next(item for item in read("honest.cpp") if item.kernel == KERNEL)


def _source() -> str:
    """Return the kernel alone: a file of forty takes long to build under checkers."""
    text = Path(__file__).with_name("kernels.cu").read_text()
    found = re.search(rf"__global__ void {KERNEL}\(.*?\n}}\n", text, re.DOTALL)
    assert found is not None
    return found[0]


def _answer(text: Text) -> str:
    return "".join(f"#include {name}\n" for name in text.headers) + text.text


def _judged(workshop: Workshop) -> dict[str, list[Reward]]:
    """Judge all texts as one group, some twice: what is kept between groups must not help anybody."""
    question = Question(source=_source(), unit=KERNEL)
    texts = [HONEST, *CHEATS]
    with Judge(JudgeOptions(cache=workshop.cache.parent)) as judge:
        first = judge.judge(question, list(map(_answer, texts)))
        again = judge.judge(question, list(map(_answer, texts[:2])))
    found = {text.id: [reward] for text, reward in zip(texts, first, strict=True)}
    for text, reward in zip(texts, again, strict=False):
        found[text.id].append(reward)
    return found


@pytest.fixture(scope="module")
def judged(once: Once, workshop: Workshop) -> dict[str, list[Reward]]:
    return once("rewards", partial(_judged, workshop))


def test_an_honest_answer_earns_all(judged: dict[str, list[Reward]]) -> None:
    for found in judged[HONEST.id]:
        assert (found.value, found.stage) == (1.0, Stage.PASSED), found
        assert found.agreed == found.telling >= 30


@pytest.mark.parametrize("text", CHEATS, ids=lambda item: item.id)
def test_a_cheat_earns_less_than_a_pass(judged: dict[str, list[Reward]], text: Text) -> None:
    for found in judged[text.id]:
        assert found.value is not None and found.value <= MOST, found
        assert found.stage is not Stage.PASSED and found.reason


def test_who_does_nothing_earns_hardly_more_than_who_builds(judged: dict[str, list[Reward]]) -> None:
    [found] = judged["axpy-left-as-it-was"][:1]
    assert found.value is not None and found.value <= 0.12, found
