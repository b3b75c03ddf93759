"""Written tests, before anything is translated: what earns its place is a trial of every candidate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from transpile.core import Diagnostic, Severity, Unit
from transpile.files import write_whole
from transpile.stages.tests import Subject, Written, write_tests
from transpile.stages.work import Work, refusal_of

LENGTH = 24
"""Hexadecimal digits of a file's name."""


@dataclass(frozen=True, slots=True)
class WrittenTests:
    """What came of asking for tests, under one directory."""

    root: Path

    def find(self, name: str) -> Written | None:
        """Return what is known under a name; None where that cannot be read."""
        try:
            return _adapter().validate_json((self.root / f"{name}.json").read_bytes())
        except (OSError, ValueError):
            return None

    def save(self, name: str, written: Written) -> None:
        """Keep what came of asking, whole or not at all."""
        text = json.dumps(_adapter().dump_python(written, mode="json"), indent=1)
        write_whole(self.root / f"{name}.json", text.encode())


@cache
def _adapter() -> TypeAdapter[Written]:
    return TypeAdapter(Written)


def with_tests(work: Work, units: Sequence[Unit]) -> tuple[Work, tuple[Diagnostic, ...]]:
    """Return the work with the tests that models write for units, and for which units there is no answer."""
    keys = work.keys(units, ("tests",))
    names = {unit.id: keys[unit.id][:LENGTH] for unit in units}
    store = WrittenTests(work.options.cache / "tests")
    earlier = () if work.options.afresh else units
    found = {unit.id: known for unit in earlier if (known := store.find(names[unit.id])) is not None}
    fresh = [unit for unit in units if unit.id not in found]
    contracts = work.learnt([unit for unit in fresh if refusal_of(work.source, unit) is None])
    subjects = [
        Subject(unit=unit, contracts=learnt, given=work.given.get(unit.id, ()))
        for unit in units
        if isinstance(learnt := contracts.get(unit.id), tuple)
    ]
    if subjects:
        tester = work.asked.model(work.options.models.testers, work.options)
        for name, written in write_tests(work, subjects, tester):
            if not written.unanswered:
                store.save(names[name], written)
            found[name] = written
    given = {
        unit.id: (*work.given.get(unit.id, ()), *(item.trial for item in found[unit.id].admitted))
        for unit in units
        if unit.id in found
    }
    told = {name: names[name] for name, written in found.items() if written.answers}
    silent = tuple(
        _silence(unit, found[unit.id]) for unit in units if unit.id in found and found[unit.id].unanswered
    )
    return replace(work, given={**work.given, **given}, contracts=contracts, tests=told), silent


def _silence(unit: Unit, written: Written) -> Diagnostic:
    return unit.diagnostic(
        "TP523", f"the model wrote no tests for `{unit.name}`: {written.reason}", severity=Severity.WARNING
    )
