"""Dialogues: what an answer means before its drafts, as often as it came, and warmer where nothing is new."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import OPENMP, Counterexample, Falsified, Inconclusive, Rejected, Trial, Verdict
from transpile.translators.llm import Dialogue, Question
from transpile.translators.llm.dialogue import Answer
from transpile.translators.models import Completion, Request

KERNEL = """__global__ void scale(float *a, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) a[i] *= 2;
}
"""
WRONG = Falsified(
    counterexample=Counterexample(
        trial=Trial(seed=0, fill="exact", scalars=()), where="a[0]", expected="2", got="3", check="exact"
    )
)


def code(factor: int) -> str:
    loop = f"for (int i = 0; i < n; ++i) a[i] *= {factor};"
    return f"```cpp\nvoid scale(float *a, int n)\n{{\n    {loop}\n}}\n```\n"


def completions(*texts: str) -> list[Completion]:
    return [Completion(text=text, finish="stop") for text in texts]


@pytest.fixture
def dialogue(tmp_path: Path) -> Dialogue:
    (tmp_path / "a.cu").write_text(KERNEL)
    source = parsers.read(tmp_path)
    return Dialogue.begin(Question(source=source, unit=source.units[0], contracts=(), target=OPENMP))


def told(dialogue: Dialogue, verdict: Verdict, *texts: str) -> tuple[list[Answer], bool]:
    found = dialogue.answers(completions(*texts), "model")
    return found, dialogue.reply([(item, verdict) for item in found])


def request(dialogue: Dialogue) -> Request:
    return dialogue.request(count=1, temperature=0.8, max_tokens=9, seed=0)


def test_what_is_meant_comes_before_drafts_and_counts_as_often_as_it_came(dialogue: Dialogue) -> None:
    found = dialogue.answers(completions(code(1) + code(2), code(2), code(3), code(3) + code(1)), "model")
    assert [(item.origin.sample, item.origin.draft, item.origin.alike) for item in found] == [
        (0, 0, 2),
        (2, 0, 1),
        (3, 0, 1),
    ]
    # The draft of the first means what the last one means, and the last one's draft what the third one does.
    assert len(found) == 3


def test_a_new_draft_is_judged_behind_all_answers(dialogue: Dialogue) -> None:
    found = dialogue.answers(completions(code(1) + code(2), code(3)), "model")
    assert [(item.origin.sample, item.origin.draft) for item in found] == [(0, 0), (1, 0), (0, 1)]


def test_the_draft_that_was_judged_goes_back_alone(dialogue: Dialogue) -> None:
    found = dialogue.answers(completions("Hm.\n" + code(1) + code(2)), "model")
    assert dialogue.reply([(found[1], WRONG)])
    assert "*= 1" in dialogue.messages[-2].content and "*= 2" not in dialogue.messages[-2].content


def test_repeating_raises_the_temperature_and_is_said_once(dialogue: Dialogue) -> None:
    assert told(dialogue, WRONG, code(1))[1]
    assert request(dialogue).temperature == 0.8
    for temperature in (1.0, 1.2, 1.4, 1.4):
        found, again = told(dialogue, WRONG, code(1), code(1))
        # It was drawn twice, and counts; it is not judged again.
        assert [(item.repeated, item.origin.alike) for item in found] == [(True, 2)] and again
        assert isinstance(found[0].found, Rejected)
        assert request(dialogue).temperature == temperature
    assert dialogue.messages[-1].content.count("Do not write it again") == 1
    assert len({request(dialogue).seed, dialogue.round}) == 1


def test_answers_that_are_all_the_same_raise_it_too(dialogue: Dialogue) -> None:
    assert told(dialogue, WRONG, code(1), code(1), code(1))[1]
    assert request(dialogue).temperature == 1.0


def test_where_nothing_is_known_to_be_wrong_nothing_is_said(dialogue: Dialogue) -> None:
    assert not told(dialogue, Inconclusive(reason="the source races"), code(1))[1]
    assert not told(dialogue, WRONG, code(1))[1]
