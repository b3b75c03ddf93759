"""Options that say which language models are asked, and what they may use up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from transpile.errors import UsageError
from transpile.options import ModelOptions
from transpile.stages.models import limits_of
from transpile.translators.models import check


class Translator(StrEnum):
    """Who translates."""

    AUTO = "auto"
    """Rules, and models where rules stop."""
    RULES = "rules"
    LLM = "llm"
    """Models, and rules where they fail."""


Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="Ask a language model, such as openai:NAME@URL, vllm:PATH, hf:PATH or small (repeatable).",
    ),
]
Translates = Annotated[
    Translator | None, typer.Option("--translator", help="Who translates first; auto: rules, then models.")
]
Samples = Annotated[int | None, typer.Option(min=1, help="Answers to ask for each time.")]
Repairs = Annotated[int | None, typer.Option(min=0, help="How often a model is told what was wrong.")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Tokens that models may read and write in all.")]
MaxCost = Annotated[
    float | None, typer.Option(min=0, help="What they may cost, by the prices in transpile.toml.")
]


def model_options(
    settings: ModelOptions,
    *,
    use: Sequence[str] | None,
    translator: Translator | None,
    samples: int | None,
    repairs: int | None,
    max_tokens: int | None,
    max_cost: float | None,
) -> ModelOptions:
    """Return what the file says, as far as the command line says nothing else."""
    chosen = replace(
        settings,
        use=tuple(use) if use else settings.use,
        first=translator is Translator.LLM if translator is not None else settings.first,
        samples=samples if samples is not None else settings.samples,
        repairs=repairs if repairs is not None else settings.repairs,
        max_tokens=max_tokens if max_tokens is not None else settings.max_tokens,
        max_cost=max_cost if max_cost is not None else settings.max_cost,
    )
    if translator is Translator.RULES:
        return replace(chosen, use=())
    check(*chosen.use, limits=limits_of(chosen))
    if translator is Translator.LLM and not chosen.use:
        raise UsageError(
            "--translator llm, and no model is named", hint="Add --model MODEL; `small` needs no server."
        )
    return chosen
