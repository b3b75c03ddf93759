"""Options that say which language models are asked, and what they may use up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Annotated

import typer

from transpile.core import Dialect, Transformation
from transpile.errors import UsageError
from transpile.options import ModelOptions
from transpile.stages.asked import limits_of
from transpile.translators.llm.transformations import ALL
from transpile.translators.llm.transformations import chosen as chosen_transformations
from transpile.translators.models import check


class Translator(StrEnum):
    """Who translates."""

    AUTO = "auto"
    """Rules, and models where rules stop."""
    RULES = "rules"
    LLM = "llm"
    """Models, and rules where they fail."""
    LLM_ONLY = "llm-only"
    """Models, and nobody where they fail."""


Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="Ask a language model, such as openai:NAME@URL, vllm:PATH, hf:PATH or small (repeatable).",
    ),
]
Testers = Annotated[
    list[str] | None,
    typer.Option(
        "--tester-model",
        metavar="MODEL",
        help="Ask a language model for tests of what generated trials leave open (repeatable).",
    ),
]
Translates = Annotated[
    Translator | None,
    typer.Option(
        "--translator",
        help="Who translates; auto: rules, then models; llm: models, then rules; llm-only: models alone.",
    ),
]
Samples = Annotated[int | None, typer.Option(min=1, help="Answers to ask for each time.")]
Repairs = Annotated[int | None, typer.Option(min=0, help="Times that a model is told what was wrong.")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Tokens that models may read and write in all.")]
MaxCost = Annotated[
    float | None, typer.Option(min=0, help="What they may cost, by the prices in your configuration.")
]
AnswerTokens = Annotated[
    int | None, typer.Option(min=1, help="The longest that one answer may be, its reasoning included.")
]
RequestTimeout = Annotated[
    float | None, typer.Option(min=0.1, metavar="SECONDS", help="How long an endpoint may be silent.")
]
Concurrency = Annotated[
    int | None, typer.Option(min=1, help="Requests to each endpoint that are under way at once.")
]
Optimizes = Annotated[
    bool | None,
    typer.Option(
        "--optimize/--no-optimize",
        help="Let the model make kept translations faster, by the same trials.",
    ),
]
Transforms = Annotated[
    list[str] | None,
    typer.Option(
        "--transform",
        metavar="NAME",
        help="Optimize by this only, such as tile, or tile,vectorize (repeatable); otherwise by all in turn.",
    ),
]


def transformations(
    settings: ModelOptions,
    target: Dialect,
    *,
    wanted: bool | None,
    names: Sequence[str] | None,
) -> tuple[Transformation, ...]:
    """Return what models are to do with translations that are kept, in order.

    Args:
        settings: Of the file, command line merged.
        target: What is translated to.
        wanted: Whether the command line asks for it; None where it says nothing.
        names: What it names.
    """
    given = tuple(part.strip() for name in names or () for part in name.split(","))
    asked = given or settings.optimize or ((ALL,) if wanted else ())
    if wanted is False or not asked:
        return ()
    if not settings.use:
        raise UsageError(
            "transformations are carried out by a model, and none is asked",
            hint="Add --model MODEL; `small` needs no server.",
        )
    return chosen_transformations(asked, settings.transformations, target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Options of the command line for asking models; None where it says nothing."""

    samples: int | None = None
    repairs: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    answer_tokens: int | None = None
    request_timeout: float | None = None
    concurrency: int | None = None


def model_options(
    settings: ModelOptions,
    *,
    use: Sequence[str] | None,
    testers: Sequence[str] | None,
    translator: Translator | None,
    asking: Asking,
) -> ModelOptions:
    """Return what the file says, as far as the command line says nothing else."""
    given = {name: value for name, value in asdict(asking).items() if value is not None}
    chosen = replace(
        settings,
        use=tuple(use) if use else settings.use,
        testers=tuple(testers) if testers else settings.testers,
        **given,
    )
    if translator is not None:
        models = translator in (Translator.LLM, Translator.LLM_ONLY)
        chosen = replace(chosen, first=models, only=translator is Translator.LLM_ONLY)
    if translator is Translator.RULES:
        chosen = replace(chosen, use=())
    check(*chosen.use, *chosen.testers, limits=limits_of(chosen))
    if not chosen.use and (chosen.only or translator is Translator.LLM):
        raise UsageError(
            "models are to translate, and no model is named",
            hint="Add --model MODEL; `small` needs no server.",
        )
    return chosen
