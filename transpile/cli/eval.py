"""``transpile eval``: a translator on a suite, with the usual figures and what they leave out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from transpile.cli import arguments, render
from transpile.cli.arguments import Format, OutputFormat, Seed, Unsafe
from transpile.cli.models import (
    AnswerTokens,
    Asking,
    Concurrency,
    MaxCost,
    MaxTokens,
    Models,
    RequestTimeout,
    Translates,
    model_options,
)
from transpile.cli.progress import TerminalObserver
from transpile.core import Level
from transpile.errors import UsageError
from transpile.eval import likeness, metrics, suites
from transpile.eval.evaluate import Evaluation
from transpile.eval.items import Item, Suite
from transpile.eval.metrics import Figure, Outcome
from transpile.options import ModelOptions, PortOptions
from transpile.stages.asked import Asked
from transpile.toolchains.workshop import cache_directory

_TIMES = (1.0, 2.0)
"""Speedups that are counted."""


def eval_(
    suite: Annotated[
        str,
        typer.Argument(
            metavar="SUITE", help=f"A file of JSON Lines, or one of {', '.join(suites.BUILT_IN)}."
        ),
    ],
    to: Annotated[
        str | None, typer.Option("--to", metavar="DIALECT", help="Translate to this dialect.")
    ] = None,
    only: Annotated[str, typer.Option(help="Part of the ids of items.")] = "",
    skip: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Leave out items whose id begins so (repeatable).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Take the first of the items alone.")] = None,
    translator: Translates = None,
    model: Models = None,
    samples: Annotated[int, typer.Option(min=1, help="Answers of models to each item.")] = 10,
    repairs: Annotated[int, typer.Option(min=0, help="Times that a model is told what was wrong.")] = 0,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    answer_tokens: AnswerTokens = None,
    request_timeout: RequestTimeout = None,
    concurrency: Concurrency = None,
    require: Annotated[Level, typer.Option(help="What a translation must reach to be kept.")] = Level.TESTED,
    speed: Annotated[bool, typer.Option("--speed", help="Time kept functions beside their sources.")] = False,
    bleu: Annotated[bool, typer.Option("--bleu", help="Compare what is kept with references.")] = False,
    codebleu: Annotated[
        bool, typer.Option("--codebleu", help="By CodeBLEU too; its package is put below the cache.")
    ] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Items judged at a time.")] = None,
    seed: Seed = None,
    output_format: Format = OutputFormat.FULL,
    unsafe: Unsafe = False,
) -> None:
    """Measure a translator on SUITE; the items' own tests say what is right, and only where they can."""
    if output_format in (OutputFormat.SARIF, OutputFormat.GITHUB):
        raise arguments.no_sarif()
    found = suites.load(suite)
    items = tuple(_chosen(found.items, only, tuple(skip or ()), limit))
    if not items:
        raise UsageError(f"{suite}: no item is left", hint="Look at --only, --skip and --limit.")
    asked = model_options(
        ModelOptions(),
        use=model,
        testers=None,
        translator=translator,
        asking=Asking(
            samples=samples,
            repairs=repairs,
            max_tokens=max_tokens,
            max_cost=max_cost,
            answer_tokens=answer_tokens,
            request_timeout=request_timeout,
            concurrency=concurrency,
        ),
    )
    options = PortOptions(
        cache=cache_directory(),
        target=arguments.target(to) if to else found.target,
        required=require,
        jobs=jobs or os.cpu_count() or 1,
        seed=seed or 0,
        models=asked,
        prove=0,
        clocks=False,
        unsafe=unsafe,
    )
    evaluation = Evaluation(options=options, asked=Asked(), speed=speed)
    with _Listener(output_format, len(items)) as listener:
        outcomes = evaluation.outcomes(items, listener.decided_item)
    figures = dict(_figures(outcomes, samples if asked.only else 1, speed=speed))
    alike = _likeness(items, outcomes, bleu=bleu or codebleu, codebleu=codebleu)
    _show(found, items, outcomes, figures, alike, evaluation, output_format)


class _Listener(TerminalObserver):
    """Says on standard error what becomes of items, or writes a line for each."""

    def __init__(self, output_format: OutputFormat, total: int) -> None:
        super().__init__()
        self._format = output_format
        self.stage("judge", total)

    def decided_item(self, outcome: Outcome) -> None:
        """Say what became of an item."""
        if self._format is OutputFormat.JSONL:
            render.data({"item": asdict(outcome)}, indent=None)
        mark = Text("✓ kept" if outcome.kept else "- not kept", style="green" if outcome.kept else "yellow")
        own = {True: ", its test passes", False: ", ITS TEST FAILS", None: ""}[outcome.kept_right]
        why = f": {outcome.why}" if outcome.why else ""
        self.step(Text.assemble(mark, f" {outcome.id}{own}{why}"))


def _chosen(items: Sequence[Item], only: str, skip: tuple[str, ...], limit: int | None) -> Iterator[Item]:
    left = [item for item in items if only in item.id and not item.id.startswith(skip or ("\0",))]
    yield from left[:limit]


def _figures(
    outcomes: Sequence[Outcome], samples: int, *, speed: bool
) -> Iterator[tuple[str, Figure | None]]:
    """Yield the figures by name, in the order in which they are told."""
    yield "compile rate", metrics.build_at(1, outcomes)
    if samples > 1:
        yield f"build@{samples}", metrics.build_at(samples, outcomes)
    yield "pass@1", metrics.right_at(1, outcomes)
    if samples > 1:
        yield f"pass@{samples}", metrics.right_at(samples, outcomes)
    yield "kept", metrics.kept(outcomes)
    yield "precision of kept", metrics.precision(outcomes)
    for times in _TIMES if speed else ():
        yield f"speedup_{times:g}@1", metrics.faster_at(1, times, outcomes)


def _likeness(
    items: Sequence[Item], outcomes: Sequence[Outcome], *, bleu: bool, codebleu: bool
) -> dict[str, float]:
    pairs = [
        (one.made, item.reference)
        for item, one in zip(items, outcomes, strict=True)
        if one.made and item.reference
    ]
    if not bleu or not pairs:
        return {}
    found = {f"BLEU of {len(pairs)} kept": likeness.corpus_bleu(pairs)}
    if codebleu:
        found[f"CodeBLEU of {len(pairs)} kept"] = likeness.corpus_codebleu(pairs, cache_directory())
    return found


def _show(
    suite: Suite,
    items: Sequence[Item],
    outcomes: Sequence[Outcome],
    figures: dict[str, Figure | None],
    alike: dict[str, float],
    evaluation: Evaluation,
    output_format: OutputFormat,
) -> None:
    """Write the figures, and what they leave out."""
    spent = evaluation.asked.spent
    untested = [one for one in outcomes if one.untested]
    if output_format in (OutputFormat.JSON, OutputFormat.JSONL):
        summary = {
            "schema": 1,
            "command": "eval",
            "suite": suite.name,
            "target": evaluation.options.target.name,
            "figures": {name: asdict(one) if one else None for name, one in figures.items()},
            "likeness": alike,
            "untested": len(untested),
            "spent": asdict(spent) if spent else None,
        }
        items_too = {"items": [asdict(one) for one in outcomes]} if output_format is OutputFormat.JSON else {}
        render.data(summary | items_too, indent=None if output_format is OutputFormat.JSONL else 1)
        return
    render.heading(f"{suite.name} to {evaluation.options.target.name}: {len(items)} items")
    rows = [
        (name, f"{one.value:.1%}", f"{one.low:.1%} to {one.high:.1%}", str(one.of))
        if one
        else (name, "-", "", "0")
        for name, one in figures.items()
    ]
    render.table(("Figure", "", "95 %", "of items"), rows, right=frozenset(("", "of items")))
    for name, value in alike.items():
        render.data_line(f"{name}: {value:.2f}")
    for why in dict.fromkeys(one.untested for one in untested):
        count = sum(one.untested == why for one in untested)
        render.data_line(f"not in pass@k and precision: {count} items ({why})")
    if spent:
        cost = f", {spent.cost:.2f} spent" if spent.cost is not None else ""
        render.data_line(f"{spent.read} tokens read, {spent.written} written{cost}")
    if suite.note:
        render.hint(suite.note)
