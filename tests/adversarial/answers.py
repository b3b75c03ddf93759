"""Answers to one question, judged as they are for whoever trains a model."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import OPENMP, Dialect
from transpile.rewards import Judge, JudgeOptions, Question, Reward, Stage
from transpile.toolchains.workshop import Workshop


def rewards(
    workshop: Workshop,
    source: str,
    texts: Mapping[str, str],
    *,
    suffix: str = ".cu",
    target: Dialect = OPENMP,
) -> dict[str, Reward]:
    """Return what each text is worth as a translation of the only unit of a file."""
    question = Question(source=source, suffix=suffix, target=target)
    with Judge(JudgeOptions(cache=workshop.cache.parent)) as judge:
        found = judge.judge(question, list(texts.values()))
    return dict(zip(texts, found, strict=True))


def kept(found: Mapping[str, Reward]) -> set[str]:
    """Return the names of the texts that are kept."""
    return {name for name, item in found.items() if item.stage is Stage.PASSED}
