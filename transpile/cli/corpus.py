"""``transpile corpus``: texts of our own, made by a seed and judged, for ``transpile pairs``."""

from __future__ import annotations

import os
import time
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from transpile.cli import arguments, render
from transpile.cli.arguments import Unsafe
from transpile.cli.progress import TerminalObserver
from transpile.core import Level
from transpile.corpus.judging import Judged, judge, written
from transpile.errors import UsageError
from transpile.options import PortOptions
from transpile.toolchains.workshop import cache_directory


class Written(StrEnum):
    """Languages of a corpus."""

    C = "c"
    CUDA = "cuda"


_TARGETS = {Written.C: "cuda", Written.CUDA: "openmp"}


def corpus(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Write the texts there.")],
    dialect: Annotated[Written, typer.Option("--from", help="What the texts are written in.")] = Written.CUDA,
    to: Annotated[
        str | None, typer.Option("--to", metavar="DIALECT", help="Judge translations to it.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="Number of texts.")] = 100,
    first: Annotated[int, typer.Option(min=0, help="Number of the first text.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the texts.")] = 0,
    texts_alone: Annotated[
        bool, typer.Option("--texts-alone", help="Write the texts; judge nothing.")
    ] = False,
    require: Annotated[Level, typer.Option(help="What a translation must reach.")] = Level.TESTED,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Texts judged at a time.")] = None,
    unsafe: Unsafe = False,
) -> None:
    """Make kernels or functions by a seed, and judge what rules make of them, for `transpile pairs`.

    The same command goes on where it was stopped.
    """
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is no directory")
    texts = list(written(out, seed=seed, first=first, count=count, dialect=dialect.value))
    if texts_alone:
        render.data_line(f"{out}: {len(texts)} texts")
        return
    workers = jobs or os.cpu_count() or 1
    options = PortOptions(
        cache=cache_directory(),
        target=arguments.target(to or _TARGETS[dialect]),
        required=require,
        jobs=workers,
        clocks=False,
        prove=0,
        unsafe=unsafe,
    )
    begun = time.monotonic()
    with _Listener(len(texts)) as listener:
        found = judge(texts, options, listener.heard)
    _show(found, time.monotonic() - begun, min(workers, os.cpu_count() or 1))


class _Listener(TerminalObserver):
    """Says on standard error what becomes of texts."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self.stage("judge", total)

    def heard(self, item: Judged) -> None:
        """Say what became of a text."""
        mark = Text("✓ kept" if item.kept else "- not kept", style="green" if item.kept else "yellow")
        self.step(Text.assemble(mark, f" {item.path}{': ' + item.why if item.why else ''}"))


def _show(found: list[Judged], seconds: float, cores: int) -> None:
    """Write how many pairs there are of each class, and how fast new ones came."""
    total, kept = Counter(item.kind for item in found), Counter(item.kind for item in found if item.kept)
    rows = [(kind, str(kept[kind]), str(count)) for kind, count in sorted(total.items())]
    render.table(("Class", "Pairs", "Texts"), [*rows, ("all", str(kept.total()), str(total.total()))])
    fresh = sum(item.kept and not item.known for item in found)
    if fresh:
        render.data_line(f"{fresh} new pairs, {3600 * fresh / seconds / cores:.0f} an hour and core")
