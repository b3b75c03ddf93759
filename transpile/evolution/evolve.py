"""The loop: rounds over a corpus, resumed where an earlier run stopped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import TypeAdapter

from transpile import __version__
from transpile.core import digest
from transpile.errors import UsageError
from transpile.evolution import exports, metrics, training
from transpile.evolution.corpus import Member, Unasked, entries, learnt, mark
from transpile.evolution.metrics import Metrics
from transpile.evolution.records import Chronicle, UnitRound
from transpile.evolution.rounds import Round, play
from transpile.evolution.training import Models
from transpile.files import write_whole
from transpile.options import PortOptions
from transpile.report import evolution as report
from transpile.report import wording
from transpile.stages.asked import Asked

_SETTINGS = "evolve.json"
_CLOSED = "metrics.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolveOptions:
    """What the user asked for."""

    corpus: Path
    out: Path
    rounds: int
    models: Models
    port: PortOptions
    """How units are asked of and judged."""
    train: str = ""


class Listener(Protocol):
    """Who is told how it goes on."""

    def stage(self, name: str, total: int) -> None:
        """Begin a stage of that many steps."""

    def unasked(self, unit: Unasked) -> None:
        """Learn that nobody is asked of a unit."""

    def played(self, member: Member, record: UnitRound) -> None:
        """Learn what a round gave for a unit."""

    def closed(self, found: Metrics) -> None:
        """Learn the figures of a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """What came of it."""

    rounds: tuple[Metrics, ...]
    complete: bool
    """Every round ran to its end, and every question was answered."""
    out: Path


def evolve(options: EvolveOptions, listener: Listener) -> Evolution:
    """Run the rounds that are left, and write what each gives.

    Raises:
        UsageError: The output is of another evolution, or nothing in the corpus can be asked of.
    """
    chronicle = Chronicle(options.out)
    found = list(entries(options.corpus, options.port))
    if not any(entry.units for entry in found):
        raise UsageError(f"{options.corpus}: nothing in it leads to {options.port.target.name}")
    settings = _settings(options, mark(found))
    _claim(chronicle, settings)
    listener.stage("contract", len(found))
    every = learnt(found, chronicle, options.port.jobs)
    for item in every:
        if isinstance(item, Unasked):
            listener.unasked(item)
    members = [item for item in every if isinstance(item, Member)]
    if not members:
        raise UsageError(f"{options.corpus}: nothing in it can be judged", hint="See the reasons above.")
    asked = Asked()
    closed: list[Metrics] = []
    for number in range(1, options.rounds + 1):
        figures = _figures(chronicle, number)
        if figures is None:
            figures = _play(
                options, chronicle, members, asked, number, digest(json.dumps(settings)), listener
            )
        if figures is None:
            return Evolution(rounds=tuple(closed), complete=False, out=options.out)
        closed.append(figures)
        _show(options, chronicle, closed)
        listener.closed(figures)
        if number < options.rounds:
            training.train(options.train, chronicle, number)
    complete = all(item.answered == item.asked and not item.silent for item in closed)
    return Evolution(rounds=tuple(closed), complete=complete, out=options.out)


def _play(
    options: EvolveOptions,
    chronicle: Chronicle,
    members: Sequence[Member],
    asked: Asked,
    number: int,
    own: str,
    listener: Listener,
) -> Metrics | None:
    """Do what is left of a round; None where no model said anything."""
    models = training.models_for(chronicle, number, options.models)
    asked.keep((models.translator, models.tester))
    history = {member.key: _history(chronicle, member, number - 1) for member in members}
    work = Round(
        number=number,
        chronicle=chronicle,
        options=options.port,
        translator=asked.model(models.translator, options.port),
        tester=asked.model(models.tester, options.port),
        history=history,
        mark=own,
    )
    listener.stage(f"Round {number}", len(members))
    play(work, members, listener.played)
    history = {member.key: _history(chronicle, member, number) for member in members}
    records = [past[-1] for past in history.values()]
    if not any(record.samples or record.tests.written for record in records):
        # Nothing was learnt: the next run asks again.
        shutil.rmtree(chronicle.directory(number), ignore_errors=True)
        return None
    figures = metrics.measure(number, records, options.port.models.samples)
    again = range(1, number + 1) if any(record.fallen for record in records) else (number,)
    for one in again:
        exports.write(chronicle, one, history, members)
    write_whole(chronicle.directory(number) / _CLOSED, json.dumps(asdict(figures), indent=1).encode() + b"\n")
    return figures


def _show(options: EvolveOptions, chronicle: Chronicle, closed: Sequence[Metrics]) -> None:
    """Write the page of the rounds so far."""
    matrices = json.loads(
        (chronicle.directory(closed[-1].round) / exports.MATRIX).read_text(encoding="utf-8")
    )
    shown = report.page(
        options.corpus.name,
        wording.dialect(options.port.target),
        [asdict(item) for item in closed],
        matrices,
    )
    write_whole(chronicle.root / "index.html", shown)


def _history(chronicle: Chronicle, member: Member, last: int) -> list[UnitRound]:
    found = (chronicle.find(number, member.key) for number in range(1, last + 1))
    return [record for record in found if record is not None]


def _figures(chronicle: Chronicle, number: int) -> Metrics | None:
    path = chronicle.directory(number) / _CLOSED
    return TypeAdapter(Metrics).validate_json(path.read_bytes()) if path.exists() else None


def _settings(options: EvolveOptions, corpus: str) -> dict[str, Any]:
    """Return what must be the same for a run to go on; rounds, budget and training may change."""
    asked = options.port.models
    return {
        "schema": 1,
        "version": __version__,
        "corpus": corpus,
        "target": options.port.target.name,
        "require": str(options.port.required),
        "translator": list(options.models.translator),
        "tester": list(options.models.tester),
        "samples": asked.samples,
        "temperature": asked.temperature,
        "answer_tokens": asked.answer_tokens,
        "seed": options.port.seed,
    }


def _claim(chronicle: Chronicle, settings: dict[str, Any]) -> None:
    """Take the output for this evolution; UsageError where it is of another."""
    path = chronicle.root / _SETTINGS
    if path.exists():
        known = json.loads(path.read_text(encoding="utf-8"))
        other = [name for name in settings if known.get(name) != settings[name]]
        if other:
            raise UsageError(
                f"{chronicle.root} is of another evolution: {', '.join(other)} differ",
                hint="Choose another --out, or give what it was begun with.",
            )
        return
    if chronicle.root.is_dir() and any(chronicle.root.iterdir()):
        raise UsageError(f"{chronicle.root} is not empty", hint="Choose another --out.")
    write_whole(path, json.dumps(settings, indent=1).encode() + b"\n")
