"""``transpile evolve``: Translator and Tester over a corpus, round by round, with what trains them."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from transpile.cli import arguments, places, render, trust
from transpile.cli.arguments import AllowRead, Format, OutputFormat, Seed, Unsafe
from transpile.cli.models import (
    AnswerTokens,
    Asking,
    Concurrency,
    MaxCost,
    MaxTokens,
    RequestTimeout,
    Samples,
    model_options,
)
from transpile.cli.progress import TerminalObserver
from transpile.cli.trust import TrustConfig
from transpile.core import Level
from transpile.errors import UsageError
from transpile.evolution.corpus import Member, Unasked
from transpile.evolution.evolve import Evolution, EvolveOptions
from transpile.evolution.evolve import evolve as run
from transpile.evolution.metrics import Metrics
from transpile.evolution.records import UnitRound
from transpile.evolution.training import Models
from transpile.options import PortOptions
from transpile.report.findings import reason_of
from transpile.toolchains.workshop import cache_directory

_COLUMNS = (
    "Round", "Units", "Answers", "Pass@1", "Pass@k", "Kept", "Candidates", "Fallen",
    "Tests", "Valid", "Admitted", "Discriminating", "Mutants", "Seconds",
)  # fmt: skip


def evolve(
    corpus: Annotated[
        Path,
        typer.Argument(metavar="CORPUS", help="A repository, a file, or a directory that holds only these."),
    ],
    to: Annotated[str, typer.Option("--to", metavar="DIALECT", help="Translate to openmp, cpp or cuda.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Write the rounds there.")],
    translator: Annotated[
        list[str],
        typer.Option("--translator-model", metavar="MODEL", help="Who translates (repeatable)."),
    ],
    tester: Annotated[
        list[str], typer.Option("--tester-model", metavar="MODEL", help="Who writes tests (repeatable).")
    ],
    rounds: Annotated[int, typer.Option(min=1, help="Number of rounds.")] = 3,
    samples: Samples = None,
    train: Annotated[
        str, typer.Option("--train", metavar="CMD", help="Run between rounds, such as a training script.")
    ] = "",
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    answer_tokens: AnswerTokens = None,
    request_timeout: RequestTimeout = None,
    concurrency: Concurrency = None,
    require: Annotated[Level, typer.Option(help="What a translation must reach to be kept.")] = Level.TESTED,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Files judged at a time.")] = None,
    seed: Seed = None,
    allow_read: AllowRead = None,
    trust_config: TrustConfig = False,
    output_format: Format = OutputFormat.FULL,
    unsafe: Unsafe = False,
) -> None:
    """Let models translate a corpus and write tests against each other, round by round."""
    if output_format in (OutputFormat.SARIF, OutputFormat.GITHUB):
        raise arguments.no_sarif()
    root = places.existing_source(corpus)
    settings = trust.settings(root, trusted=trust_config, asked=("models", "jobs"))
    asked = model_options(
        settings.models,
        use=translator,
        testers=tester,
        translator=None,
        asking=Asking(
            samples=samples,
            max_tokens=max_tokens,
            max_cost=max_cost,
            answer_tokens=answer_tokens,
            request_timeout=request_timeout,
            concurrency=concurrency,
        ),
    )
    options = EvolveOptions(
        corpus=root,
        out=_out(out, root),
        rounds=rounds,
        models=Models(translator=asked.use, tester=asked.testers),
        train=train,
        port=PortOptions(
            cache=cache_directory(),
            target=arguments.target(to),
            required=require,
            jobs=jobs or settings.jobs or os.cpu_count() or 1,
            seed=seed if seed is not None else settings.seed or 0,
            models=asked,
            opened=arguments.opened((), allow_read),
            prove=0,
            unsafe=unsafe,
        ),
    )
    with _Listener(output_format) as listener:
        result = run(options, listener)
    _show(result, output_format)
    raise typer.Exit(0 if result.complete else 1)


class _Listener(TerminalObserver):
    """Says on standard error how it goes on, and writes each round as it is closed."""

    def __init__(self, output_format: OutputFormat) -> None:
        super().__init__()
        self._format = output_format

    def unasked(self, unit: Unasked) -> None:
        """Say that nobody is asked of a unit, and why."""
        self.step(
            Text.assemble(("- not asked", "yellow"), f" {unit.entry}: {unit.unit}: {reason_of(unit.why)}")
        )

    def played(self, member: Member, record: UnitRound) -> None:
        """Say what a round gave for a unit."""
        kept = bool(record.standing)
        mark = Text("✓ kept" if kept else "- not kept", style="green" if kept else "yellow")
        said = f"{sum(item.kept for item in record.samples)} of {len(record.samples)} answers right"
        said += f", {len(record.tests.admitted)} of {len(record.tests.written)} tests admitted"
        silent = [*record.unanswered, *record.tests.unanswered][:1]
        said += "".join(f"; not all answered: {why}" for why in silent)
        self.step(Text.assemble(mark, f" {member.entry}: {member.unit.id} ({said})"))

    def closed(self, found: Metrics) -> None:
        """Write the figures of a round."""
        match self._format:
            case OutputFormat.FULL:
                render.heading(f"Round {found.round}")
                render.table(_COLUMNS, [_row(found)], right=frozenset(_COLUMNS))
            case OutputFormat.CONCISE:
                render.data_line(", ".join(f"{a} {b}" for a, b in zip(_COLUMNS, _row(found), strict=True)))
            case OutputFormat.JSONL:
                render.data(asdict(found), indent=None)
            case _:
                pass


def _row(found: Metrics) -> tuple[str, ...]:
    return (
        str(found.round),
        str(found.units),
        f"{found.answered}/{found.asked}",
        share(found.pass_at_1),
        share(found.pass_at_k),
        f"{found.kept}/{found.units}",
        str(found.candidates),
        str(found.fallen),
        str(found.written),
        share(found.validity),
        str(found.admitted),
        share(found.discriminating),
        share(found.mutation_score),
        f"{found.seconds:.0f}",
    )


def share(value: float | None) -> str:
    """Return a share in per cent; a dash where there is none."""
    return "-" if value is None else f"{value:.1%}"


def _show(result: Evolution, output_format: OutputFormat) -> None:
    if output_format is OutputFormat.JSON:
        rounds = [asdict(item) for item in result.rounds]
        render.data({"schema": 1, "command": "evolve", "out": str(result.out), "rounds": rounds})
    if not result.complete:
        render.warning(
            "not every question was answered; where nobody answered at all, the same command asks again"
        )
    if result.rounds:
        render.hint(f"{result.out / 'index.html'} shows the rounds.")


def _out(out: Path, corpus: Path) -> Path:
    """Return where the rounds go; what is there already is an evolution's own matter."""
    if out.resolve() == corpus:
        raise UsageError(f"{out}: the output directory is the corpus", hint="Choose a directory beside it.")
    return places.writable_out(out, corpus, force=True)
