"""The judge as a reward function: completions of several questions in one step, each judged with its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from transpile.errors import UsageError
from transpile.rewards.client import Group
from transpile.rewards.grpo import columns, named, reward_function, text
from transpile.rewards.judging import Question
from transpile.rewards.reward import Reward, Stage


class Fake:
    """Says how often a text of the source stands in the candidate, and nothing of what is empty."""

    def __init__(self) -> None:
        self.groups: list[Group] = []

    def judge_all(self, groups: Sequence[Group]) -> list[list[Reward]]:
        self.groups += groups
        return [[self._one(question, item) for item in items] for question, items in groups]

    def _one(self, question: Question, item: str) -> Reward:
        assert isinstance(question.source, str)
        value = float(item.count(question.source)) if item else None
        return Reward(value=value, stage=Stage.TRIALS, reason=item)


def test_completions_of_one_question_are_a_group_and_keep_their_places() -> None:
    judge, heard = Fake(), list[Reward]()
    function = reward_function(judge, lambda found: heard.extend(found))
    found = function(
        prompts=["p"] * 4,
        completions=["aab", [{"role": "assistant", "content": "ba"}], "a", ""],
        completion_ids=[],
        source=["a", "b", "a", "b"],
        unit=["f"] * 4,
        target=["openmp"] * 4,
        suffix=[".cu"] * 4,
    )
    assert found == [2.0, 1.0, 1.0, None]
    assert [list(items) for _, items in judge.groups] == [["aab", "a"], ["ba", ""]]
    assert [item.reason for item in heard] == ["aab", "ba", "a", ""]


def test_a_data_set_without_its_columns_is_refused() -> None:
    with pytest.raises(UsageError, match="lacks the columns unit, target, suffix"):
        reward_function(Fake())(completions=["a"], source=["a"])


def test_columns_make_the_question_again() -> None:
    question = Question(source="void f() {}", unit="f", suffix=".c")
    row = columns(question)
    assert Question(**{**row, "target": named(row["target"])}) == question
    with pytest.raises(UsageError, match="text of a source"):
        columns(Question(source=Path("a.cu")))
    with pytest.raises(UsageError, match="unknown target"):
        named("basic")


def test_texts_in_parts_are_read() -> None:
    assert text([{"role": "user", "content": "x"}, {"role": "assistant", "content": [{"text": "y"}]}]) == "y"
    assert text([]) == ""
