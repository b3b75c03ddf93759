"""Exports of a round: data to train on, and data to look at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from transpile.core import Falsified, Rejected, Verdict
from transpile.datasets.turns import About, Told, lesson, lines, preference
from transpile.evolution.corpus import Member
from transpile.evolution.records import Chronicle, Sample, Test, UnitRound
from transpile.evolution.testing import answer_of
from transpile.files import write_whole
from transpile.report.findings import describe_trial, reason_of
from transpile.translators.llm import fingerprint
from transpile.translators.models import Message

MATRIX = "matrix.json"

Past = Sequence[UnitRound]
"""Results of the rounds up to this one for a unit, in order."""


def write(
    chronicle: Chronicle, number: int, histories: Mapping[str, Past], members: Sequence[Member]
) -> None:
    """Write the files of a round."""
    pasts = [(member, _up_to(number, histories[member.key])) for member in members]
    ended = {
        (record.key, sample.text): sample.verdict
        for past in histories.values()
        for record in past
        for sample in record.fallen
    }
    directory = chronicle.directory(number)
    rows = {
        "translator-sft.jsonl": (row for member, past in pasts for row in _lessons(member, past, ended)),
        "translator-preferences.jsonl": (
            row for member, past in pasts for row in _preferences(member, past, ended)
        ),
        "tester-sft.jsonl": (row for member, past in pasts for row in _test_lessons(member, past[-1])),
        "tester-preferences.jsonl": (
            row for member, past in pasts for row in _test_preferences(member, past[-1])
        ),
    }
    for name, found in rows.items():
        write_whole(directory / name, lines(found))
    write_whole(directory / MATRIX, json.dumps(matrices(pasts), indent=1).encode() + b"\n")


def matrices(pasts: Sequence[tuple[Member, Past]]) -> dict[str, object]:
    """Return the matrices of a round as plain data."""
    return {
        "schema": 1,
        "units": [
            {
                "entry": member.entry,
                "unit": member.unit.id,
                "evidence": past[-1].evidence,
                "kept": bool(past[-1].standing),
                "rows": [{"name": row.name, "verdict": row.verdict} for row in past[-1].matrix.rows],
                "columns": [
                    {
                        "trial": describe_trial(trial),
                        "written": index >= len(past[-1].matrix.trials) - past[-1].matrix.written,
                    }
                    for index, trial in enumerate(past[-1].matrix.trials)
                ],
                "cells": [[str(cell) for cell in row.cells] for row in past[-1].matrix.rows],
            }
            for member, past in pasts
        ],
    }


Ended = Mapping[tuple[str, str], Verdict]
"""By unit and text, what ended answers that were kept for a while: nobody is to learn them."""


def _up_to(number: int, past: Past) -> Past:
    return [record for record in past if record.round <= number]


def _lessons(member: Member, past: Past, ended: Ended) -> Iterator[dict[str, object]]:
    """Yield what the last round added to the kept answers, each as an answer to the question itself.

    What was said of earlier answers is left out: those are wrong, and would be learnt with it.
    """
    last = past[-1]
    known = {_mark(item) for record in past[:-1] for item in _right(record, ended)}
    for sample in _right(last, ended):
        if _mark(sample) not in known:
            known.add(_mark(sample))
            yield lesson(_about(member, last), _turns(last.opening), _told(sample))


def _preferences(member: Member, past: Past, ended: Ended) -> Iterator[dict[str, object]]:
    """Yield pairs of a kept and a refuted answer that the last round made possible, each refuted one once."""
    last = past[-1]
    best = next(iter(_right(last, ended)), None)
    if best is None:
        return
    paired = any(_right(record, ended) for record in past[:-1])
    earlier = [item for record in past[:-1] for item in record.samples]
    known = {_mark(item) for item in earlier if paired and _refuted(item.verdict)}
    fresh = last.samples if paired else (*earlier, *last.samples)
    for sample in (*fresh, *last.fallen, *last.settled):
        verdict = ended.get((last.key, sample.text), sample.verdict)
        if _refuted(verdict) and _mark(sample) not in known:
            known.add(_mark(sample))
            worse = _told(replace(sample, verdict=verdict))
            yield preference(_about(member, last), _turns(last.opening), _told(best), worse)


def _refuted(verdict: Verdict) -> bool:
    return isinstance(verdict, Falsified | Rejected)


def _test_lessons(member: Member, record: UnitRound) -> Iterator[dict[str, object]]:
    """Yield the tests that were admitted, as the answer to what was asked."""
    admitted = [test for test in record.tests.written if test.trial is not None]
    if admitted:
        yield lesson(_about(member, record), _turns(record.tests.prompt), _tests_told(record, admitted))


def _test_preferences(member: Member, record: UnitRound) -> Iterator[dict[str, object]]:
    """Yield the tests that were admitted over those that the source refuses, and over those without use."""
    written = record.tests.written
    admitted = [test for test in written if test.trial is not None]
    for valid in (False, True):
        others = [test for test in written if test.trial is None and test.valid is valid]
        if admitted and others:
            yield preference(
                _about(member, record),
                _turns(record.tests.prompt),
                _tests_told(record, admitted),
                _tests_told(record, others),
            )


def _tests_told(record: UnitRound, tests: Sequence[Test]) -> Told:
    return Told(
        text=answer_of(tests), model=record.tests.model, reason="; ".join(test.reason for test in tests)
    )


def _mark(sample: Sample) -> tuple[str, ...]:
    """Return what answers share that differ in layout alone."""
    return (sample.text,) if sample.candidate is None else fingerprint(sample.candidate)


def _right(record: UnitRound, ended: Ended) -> list[Sample]:
    """Return the answers that are kept after a round, and for good as far as is known."""
    return [one.sample for one in record.standing if (record.key, one.sample.text) not in ended]


def _about(member: Member, record: UnitRound) -> About:
    return About(entry=member.entry, unit=member.unit.id, round=record.round, evidence=record.evidence)


def _turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [asdict(item) for item in messages]


def _told(sample: Sample) -> Told:
    return Told(text=sample.text, model=sample.origin.model, reason=reason_of(sample.verdict))
