"""Records of rounds made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from tests.unit.cli import ports
from transpile.core import (
    Binding,
    ByModel,
    Candidate,
    Passed,
    Rejected,
    Replacement,
    Strength,
    Trial,
    Verdict,
)
from transpile.evolution.corpus import Member
from transpile.evolution.records import Contestant, Line, Matrix, Sample, Test, Tests, UnitRound
from transpile.testers.verdict.matrix import Cell
from transpile.translators.models import Message

OPENING = (Message(role="system", content="You translate."), Message(role="user", content="Translate k."))
ASKED = (Message(role="user", content="Write tests."),)
REFUSED = Rejected(stage="answer", diagnostics=())


def member() -> Member:
    unit = ports.evidence("k", ports.PASSED).unit
    return Member(key="0", entry="first", work=cast(Any, None), unit=unit, contracts=())


def sample(text: str, verdict: Verdict, number: int = 0) -> Sample:
    """Return an answer; what is refused has no candidate."""
    candidate = Candidate(
        unit="k",
        replacements=(Replacement(unit="k", text=f"void k() {{ {text}; }}".encode()),),
        binding=Binding(name="k", arguments=()),
    )
    return Sample(
        text=text,
        origin=ByModel(model="m", sample=number),
        candidate=None if verdict is REFUSED else candidate,
        verdict=verdict,
        kept=isinstance(verdict, Passed),
    )


def trial(seed: int) -> Trial:
    return Trial(seed=seed, fill="exact", scalars=(("n", 1),), written=(("x", (1, 2.5)),))


def written(*kinds: str) -> Tests:
    """Return tests that are admitted, useless or invalid."""
    tests = tuple(
        Test(
            text=f'{{"scalars": {{"n": {number}}}}}',
            trial=trial(number) if kind == "admitted" else None,
            valid=kind != "invalid",
            reason=kind,
        )
        for number, kind in enumerate(kinds)
    )
    return Tests(prompt=ASKED, model="t", written=tests, strength=Strength(mutants=4, killed=3, equivalent=0))


def played(
    number: int,
    *samples: Sample,
    tests: Tests | None = None,
    standing: tuple[Sample, ...] = (),
    fallen: tuple[Sample, ...] = (),
    settled: tuple[Sample, ...] = (),
    unanswered: tuple[str, ...] = (),
    cells: tuple[tuple[Cell, ...], ...] = (),
) -> UnitRound:
    tests = tests or Tests()
    return UnitRound(
        key="0",
        round=number,
        opening=OPENING,
        prompt=(*OPENING, Message(role="assistant", content="wrong"), Message(role="user", content="No.")),
        samples=samples,
        unanswered=unanswered,
        standing=tuple(Contestant(round=number, sample=item) for item in standing),
        fallen=fallen,
        settled=settled,
        matrix=Matrix(
            trials=tests.admitted,
            written=len(tests.admitted),
            rows=tuple(Line(name="answer", verdict="falsified", cells=row) for row in cells),
        ),
        tests=tests,
        known=tests.admitted,
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
