"""Records of an evolution on disk: one file for each unit and round, written aside and renamed.

So a run that is killed at any moment loses what was under way, and nothing else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from transpile.core import ByModel, Candidate, Contract, Inconclusive, Rejected, Strength, Trial, Verdict
from transpile.files import write_whole
from transpile.testers.verdict.matrix import Cell
from transpile.translators.models import Message

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A unit as it is before anybody is asked: what calls must respect, or why nothing can be judged."""

    __pydantic_config__ = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    entry: str
    unit: str
    contracts: tuple[Contract, ...] = ()
    refusal: Inconclusive | Rejected | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer, and what became of the candidate in it."""

    text: str
    origin: ByModel
    candidate: Candidate | None
    verdict: Verdict
    kept: bool = False

    @property
    def name(self) -> str:
        """Return which answer it is, in words."""
        return f"answer {self.origin.sample + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A candidate that later rounds see again, with the round and the answer that it came from."""

    round: int
    sample: Sample
    pool: tuple[Trial, ...] = ()
    contracts: tuple[Contract, ...] = ()

    @property
    def candidate(self) -> Candidate:
        """Return the candidate."""
        assert self.sample.candidate is not None
        return self.sample.candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row of a unit's matrix."""

    name: str
    verdict: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Candidates by trials."""

    trials: tuple[Trial, ...] = ()
    written: int = 0
    """How many of them, the last ones, a model wrote."""
    rows: tuple[Line, ...] = ()

    @property
    def telling(self) -> tuple[Trial, ...]:
        """Return the trials that tell some candidate from the source."""
        falls = [any(row.cells[index].falls for row in self.rows) for index in range(len(self.trials))]
        return tuple(trial for trial, fall in zip(self.trials, falls, strict=True) if fall)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test that a model wrote, as it wrote it."""

    text: str
    trial: Trial | None
    """None where it was not admitted."""
    valid: bool
    """The source takes it."""
    reason: str
    """What it is good for, or why it is not admitted."""

    __test__ = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """What the Tester said of a unit, and what that was worth."""

    __test__ = False

    prompt: tuple[Message, ...] = ()
    model: str = ""
    written: tuple[Test, ...] = ()
    unanswered: tuple[str, ...] = ()
    """Why there is no answer."""
    strength: Strength | None = None
    """Of all trials with the tests that were admitted."""

    @property
    def admitted(self) -> tuple[Trial, ...]:
        """Return the tests that count."""
        return tuple(item.trial for item in self.written if item.trial is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRound:
    """What a round gave for one unit."""

    __pydantic_config__ = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    key: str
    round: int
    opening: tuple[Message, ...]
    """The question, without what was said of earlier answers."""
    prompt: tuple[Message, ...]
    """What the Translator was shown."""
    samples: tuple[Sample, ...]
    unanswered: tuple[str, ...] = ()
    """Why samples are missing."""
    standing: tuple[Contestant, ...] = ()
    """All that is kept after this round, of earlier rounds too."""
    open: tuple[Contestant, ...] = ()
    """What is neither kept nor refuted: a test may decide it yet."""
    fallen: tuple[Sample, ...] = ()
    """What was kept before, with the verdict that ended it."""
    settled: tuple[Sample, ...] = ()
    """What was open before, with the verdict that it got now."""
    matrix: Matrix = Matrix()
    tests: Tests = Tests()
    known: tuple[Trial, ...] = ()
    """All tests that were admitted, of earlier rounds too."""
    evidence: str = ""
    seconds: float = 0.0
    """Of the matrix and the judgement."""


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The files of one evolution."""

    root: Path

    def directory(self, number: int) -> Path:
        """Return the directory of a round."""
        return self.root / f"round-{number}"

    def subject(self, key: str) -> Subject | None:
        """Return what was learnt of a unit; None where that is still to be done."""
        return _read(self.root / "units" / f"{key}.json", _subjects())

    def learn(self, key: str, subject: Subject) -> None:
        """Keep what was learnt of a unit."""
        _write(self.root / "units" / f"{key}.json", subject, _subjects())

    def find(self, number: int, key: str) -> UnitRound | None:
        """Return what a round gave for a unit; None where that is still to be done."""
        return _read(self.directory(number) / "units" / f"{key}.json", _rounds())

    def save(self, record: UnitRound) -> None:
        """Keep what a round gave for a unit."""
        _write(self.directory(record.round) / "units" / f"{record.key}.json", record, _rounds())


@cache
def _subjects() -> TypeAdapter[Subject]:
    """Return what reads and writes such a record; made on first use, since that takes a while."""
    return TypeAdapter(Subject)


@cache
def _rounds() -> TypeAdapter[UnitRound]:
    return TypeAdapter(UnitRound)


def _read(path: Path, adapter: TypeAdapter[T]) -> T | None:
    try:
        return adapter.validate_json(path.read_bytes(), strict=True)
    except (OSError, ValidationError):
        return None


def _write(path: Path, record: T, adapter: TypeAdapter[T]) -> None:
    # By way of Python objects: pydantic's own JSON writer turns infinities into null.
    plain = adapter.dump_python(record, mode="json")
    write_whole(path, json.dumps(plain).encode() + b"\n")
