"""The Tester's turn: what it is told of a unit, and what its tests turn out to be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from transpile.core import Candidate, Strength, WrittenTest
from transpile.evolution.corpus import Member
from transpile.evolution.records import Test, Tests, UnitRound
from transpile.stages import Work
from transpile.stages.tests import Subject, Written, write_tests
from transpile.testers import Judged
from transpile.testers.verdict import guarantee
from transpile.testers.verdict.admission import Admitted, Declined
from transpile.translators.models import Model


def wanted_tests(member: Member, candidates: Sequence[Candidate], history: Sequence[UnitRound]) -> Subject:
    """Return what tests are wanted of.

    Args:
        member: The unit.
        candidates: Its translations that no trial refutes.
        history: What earlier rounds gave.
    """
    known = history[-1].known if history else ()
    return Subject(
        unit=member.unit,
        contracts=member.contracts,
        candidates=tuple(candidates),
        given=(*member.work.given.get(member.unit.id, ()), *known),
        declined=tuple(test.reason for past in history for test in past.tests.written if test.trial is None),
    )


def written_tests(work: Work, subjects: Sequence[Subject], tester: Model, number: int) -> list[Tests]:
    """Return what the Tester wrote for each unit of one file, and what that is worth."""
    # A round of its own draws answers of its own.
    options = replace(work.options, jobs=1, seed=work.options.seed + number)
    found = dict(write_tests(replace(work, options=options), subjects, tester))
    return [_tests(found[subject.unit.id]) for subject in subjects]


def weighed(judged: Judged, strength: Strength | None) -> Judged:
    """Return a judgement, a pass only if the trials behind it would have noticed most faults."""
    return replace(judged, verdict=guarantee.weighed(judged.verdict, strength))


def answer_of(tests: Sequence[Test]) -> str:
    """Return tests as the Tester is asked to write them."""
    return json.dumps({"tests": [json.loads(test.text) for test in tests]})


def _tests(written: Written) -> Tests:
    outcomes: tuple[Admitted | Declined, ...] = (*written.admitted, *written.declined)
    return Tests(
        prompt=written.prompt,
        model=written.answers[0].model if written.answers else "",
        written=tuple(_test(item) for item in outcomes),
        unanswered=tuple(item.message for item in written.answers if item.finish == "error"),
        strength=written.after.strength if written.after is not None else None,
    )


def _test(outcome: Admitted | Declined) -> Test:
    text = _text(outcome.test)
    match outcome:
        case Admitted(trial=trial, merits=merits):
            return Test(text=text, trial=trial, valid=True, reason="; ".join(merits))
        case Declined(reason=reason, accepted=accepted):
            return Test(text=text, trial=None, valid=accepted, reason=reason)


def _text(test: WrittenTest) -> str:
    data: dict[str, object] = {"scalars": dict(test.scalars), "arrays": dict(test.arrays)}
    axes = {"grid": test.grid, "block": test.block}
    return json.dumps(data | {name: value for name, value in axes.items() if value is not None})
