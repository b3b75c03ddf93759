"""What a round gives to whoever trains, and to whoever looks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from transpile.core import Falsified, Rejected
from transpile.datasets.turns import About, Told, lesson, lines, preference
from transpile.evolution.corpus import Member
from transpile.evolution.records import Chronicle, Sample, UnitRound
from transpile.report.findings import describe_trial, reason_of
from transpile.translators.llm import fingerprint
from transpile.translators.models import Message

MATRIX = "matrix.json"

Past = Sequence[UnitRound]
"""What the rounds up to this one gave for a unit, in order."""


def write(
    chronicle: Chronicle, number: int, histories: Mapping[str, Past], members: Sequence[Member]
) -> None:
    """Write the files of a round."""
    pasts = [(member, _up_to(number, histories[member.key])) for member in members]
    ended = {
        (record.key, sample.text)
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
    }
    for name, found in rows.items():
        chronicle.put(directory / name, lines(found))
    chronicle.put(directory / MATRIX, json.dumps(matrices(pasts), indent=1).encode() + b"\n")


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


Ended = set[tuple[str, str]]
"""Units and texts of answers that were kept for a while: nobody is to learn them."""


def _up_to(number: int, past: Past) -> Past:
    return [record for record in past if record.round <= number]


def _lessons(member: Member, past: Past, ended: Ended) -> Iterator[dict[str, object]]:
    """Yield what the last round added to the kept answers, each as an answer to the question itself.

    What was said of earlier answers is left out: those are wrong, and would be learnt with it.
    """
    last = past[-1]
    known = {_mark(item) for record in past[:-1] for item in record.samples if _right(record, item, ended)}
    for sample in last.samples:
        if _right(last, sample, ended) and _mark(sample) not in known:
            known.add(_mark(sample))
            yield lesson(_about(member, last), _turns(last.opening), _told(sample))


def _preferences(member: Member, past: Past, ended: Ended) -> Iterator[dict[str, object]]:
    """Yield pairs of a kept and a refuted answer that the last round made possible, each refuted one once."""
    last = past[-1]
    best = next((item for record in past for item in record.samples if _right(record, item, ended)), None)
    if best is None:
        return
    paired = any(_right(record, item, ended) for record in past[:-1] for item in record.samples)
    known = {_mark(item) for record in past[:-1] for item in record.samples} if paired else set()
    for record in (last,) if paired else past:
        for sample in record.samples:
            if isinstance(sample.verdict, Falsified | Rejected) and _mark(sample) not in known:
                known.add(_mark(sample))
                yield preference(_about(member, last), _turns(last.opening), _told(best), _told(sample))


def _mark(sample: Sample) -> tuple[str, ...]:
    """Return what answers share that differ in layout alone."""
    return (sample.text,) if sample.candidate is None else fingerprint(sample.candidate)


def _right(record: UnitRound, sample: Sample, ended: Ended) -> bool:
    return sample.kept and (record.key, sample.text) not in ended


def _about(member: Member, record: UnitRound) -> About:
    return About(entry=member.entry, unit=member.unit.id, round=record.round, evidence=record.evidence)


def _turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [asdict(item) for item in messages]


def _told(sample: Sample) -> Told:
    return Told(text=sample.text, model=sample.origin.model, reason=reason_of(sample.verdict))
