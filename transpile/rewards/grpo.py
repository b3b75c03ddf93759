"""The judge as a reward function of ``trl``: rows of questions, and what each completion is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpile.core import CPP, Dialect, ProgrammingModel
from transpile.errors import UsageError
from transpile.rewards.client import Judging
from transpile.rewards.judging import Judge, Question
from transpile.rewards.reward import Reward

COLUMNS = ("source", "unit", "target", "suffix")
"""What a row holds beside its prompt: the trainer hands it to the reward function."""
Rewarding = Callable[..., list[float | None]]


def rows(judge: Judge, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Return rows for ``datasets.Dataset.from_list``, each with the prompt by which models are asked.

    Raises:
        UsageError: A source is no text, or nothing can be asked of it.
    """
    return [
        {"prompt": [{"role": item.role, "content": item.content} for item in judge.messages(question)]}
        | columns(question)
        for question in questions
    ]


def columns(question: Question) -> dict[str, str]:
    """Return a question as columns of a row."""
    if not isinstance(question.source, str):
        raise UsageError("a row holds the text of a source", hint="Read the file first.")
    return {
        "source": question.source,
        "unit": question.unit,
        "target": question.target.name,
        "suffix": question.suffix,
    }


def reward_function(judge: Judging, told: Callable[[Sequence[Reward]], None] | None = None) -> Rewarding:
    """Return a function for ``GRPOTrainer(reward_funcs=…)``, whose rows hold ``COLUMNS``.

    A completion of which nothing can be said is worth None, which the trainer leaves out.

    Args:
        judge: Who judges: a ``Judge``, or a ``Client`` of one elsewhere.
        told: Hears all rewards of a step, with their reasons.
    """

    def transpile_reward(completions: Sequence[Any], **given: Any) -> list[float | None]:
        lacking = [name for name in COLUMNS if name not in given]
        if lacking:
            raise UsageError(
                f"the data set lacks the columns {', '.join(lacking)}", hint="`rows` makes them."
            )
        keys = list(zip(*(given[name] for name in COLUMNS), strict=True))
        places: dict[tuple[str, ...], list[int]] = {}
        for place, key in enumerate(keys):
            places.setdefault(key, []).append(place)
        groups = [
            (_question(*key), [text(completions[place]) for place in own]) for key, own in places.items()
        ]
        found = dict(
            pair
            for own, rewards in zip(places.values(), judge.judge_all(groups), strict=True)
            for pair in zip(own, rewards, strict=True)
        )
        ordered = [found[place] for place in range(len(keys))]
        if told is not None:
            told(ordered)
        return [item.value for item in ordered]

    return transpile_reward


def _question(source: str, unit: str, target: str, suffix: str) -> Question:
    return Question(source=source, unit=unit, target=named(target), suffix=suffix)


def named(target: str) -> Dialect:
    """Return the dialect of a short name; UsageError for one that there is not."""
    for model in ProgrammingModel:
        dialect = Dialect(language=CPP.language, model=model)
        if dialect.name == target:
            return dialect
    raise UsageError(f"unknown target '{target}'")


def text(completion: Any) -> str:
    """Return what a completion says: it is a text, or the messages of a conversation."""
    if isinstance(completion, str):
        return completion
    content = completion[-1]["content"] if completion else ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())
