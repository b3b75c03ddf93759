"""Tests by language models: they are told what trials leave open, and each test has to earn its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial

from transpile import faults
from transpile.core import Candidate, Contract, Inconclusive, Strength, Trial, Unit
from transpile.stages.dialogues import Dialogues
from transpile.stages.work import Work
from transpile.testers.mutation.mutants import Mutant, as_proposal, control_of
from transpile.testers.oracle.cover import Coverage
from transpile.testers.proposal import Proposal
from transpile.testers.trials.generate import Plan
from transpile.testers.verdict.admission import Admitted, Bar, Declined
from transpile.testers.verdict.session import TRIALS, JudgingSession
from transpile.translators.llm.fragments import changed
from transpile.translators.llm.gaps import Gaps
from transpile.translators.llm.tests import question, schema, written_in
from transpile.translators.models import Completion, Message, Model, Request

COUNT = 6
"""Tests that are asked for at a time."""
_PLAN = Plan(seed=0, count=TRIALS)
_TOKENS = 1024
"""The longest that an answer may be: inputs are short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A unit that tests are wanted for."""

    unit: Unit
    contracts: tuple[Contract, ...]
    candidates: tuple[Candidate, ...] = ()
    """Translations that no trial has refuted so far."""
    given: tuple[Trial, ...] = ()
    """Trials beside those that are generated, such as tests that were admitted before."""
    declined: tuple[str, ...] = ()
    """Why earlier tests were of no use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """What the trials of a unit can tell apart."""

    strength: Strength
    coverage: Coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What came of asking for tests of one unit."""

    prompt: tuple[Message, ...] = ()
    """Empty where nobody was asked: its trials leave nothing open, or say nothing."""
    answers: tuple[Completion, ...] = ()
    admitted: tuple[Admitted, ...] = ()
    declined: tuple[Declined, ...] = ()
    before: Power | None = None
    after: Power | None = None
    reason: str = ""
    """Why there are no tests."""

    @property
    def unanswered(self) -> bool:
        """Tell whether a model failed to answer: another day it may."""
        return any(item.finish == "error" for item in self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A unit that a model is asked about."""

    subject: Subject
    bar: Bar
    request: Request


def write_tests(work: Work, subjects: Sequence[Subject], model: Model) -> Iterator[tuple[str, Written]]:
    """Yield the id of each unit and what came of asking a model for tests of it; all are asked at once."""
    groups: dict[str, list[Subject]] = {}
    for subject in subjects:
        groups.setdefault(subject.unit.translation_unit, []).append(subject)
    shared = work.sharing(len(groups))
    asked: list[_Asked] = []
    with ExitStack() as stack, ThreadPoolExecutor(max_workers=work.options.jobs) as pool:

        def measured(group: Sequence[Subject]) -> list[tuple[Subject, Bar | Inconclusive]]:
            return list(_measured(shared, group, stack))

        for subject, bar in (pair for pairs in pool.map(measured, groups.values()) for pair in pairs):
            if isinstance(bar, Bar) and bar.open:
                asked.append(_Asked(subject=subject, bar=bar, request=_request(work, subject, bar)))
            else:
                yield subject.unit.id, _unasked(bar)
        answers = model.complete([item.request for item in asked])
        yield from pool.map(partial(_admitted, work), asked, answers)


def _measured(
    work: Work, subjects: Sequence[Subject], stack: ExitStack
) -> Iterator[tuple[Subject, Bar | Inconclusive]]:
    """Yield what new tests of the units of one file have to show; the stack ends what that takes."""
    plan = replace(_PLAN, seed=work.options.seed)
    made = [(subject, *_proposals(work, subject)) for subject in subjects]
    proposals = [item for _, own, standing in made for item in (own, *standing)]
    path = subjects[0].unit.translation_unit
    session = stack.enter_context(closing(JudgingSession.of(work.workshop, work.source, path, proposals)))
    for subject, own, standing in made:
        try:
            yield subject, Bar.raised(session, own, plan, standing)
        except Exception as error:  # Our own bug: the other units get their tests all the same.
            yield subject, faults.own(error, f"looking for tests of {subject.unit.id}")


def _proposals(work: Work, subject: Subject) -> tuple[Proposal, list[Proposal]]:
    """Return the unit's own text as a translation, and those that stand."""
    own = as_proposal(subject.unit, subject.contracts, control_of(work.source, subject.unit))
    standing = [
        Proposal(unit=subject.unit, contracts=subject.contracts, candidate=candidate)
        for candidate in subject.candidates
    ]
    return replace(own, given=subject.given), standing


def _request(work: Work, subject: Subject, bar: Bar) -> Request:
    gaps = Gaps(
        branches=bar.coverage.missing,
        faults=tuple(dict.fromkeys(_fault(work, item) for item in bar.survivors)),
        standing=tuple(candidate.replacements[0].shown for candidate in subject.candidates),
        declined=subject.declined,
    )
    asked = work.options.models
    return Request(
        messages=question(work.source, subject.unit, subject.contracts, gaps, COUNT, _PLAN.elements),
        temperature=asked.temperature,
        max_tokens=min(asked.answer_tokens, _TOKENS),
        seed=work.options.seed,
        schema=schema(subject.unit, subject.contracts, COUNT),
    )


def _fault(work: Work, mutant: Mutant) -> str:
    """Return a fault that was planted, by the fragment that it changes."""
    texts = {unit.id: unit.text for unit in work.source.units}
    changes = [changed(texts[name], text) for name, text in mutant.texts if texts.get(name, text) != text]
    return "; ".join(changes) or f"line {mutant.line}: `{mutant.before}` becomes `{mutant.after}`"


def _unasked(bar: Bar | Inconclusive) -> Written:
    if isinstance(bar, Inconclusive):
        return Written(reason=bar.reason)
    power = _power(bar)
    return Written(before=power, after=power, reason="its trials leave nothing open")


def _admitted(work: Work, asked: _Asked, completions: Sequence[Completion]) -> tuple[str, Written]:
    """Return the id of a unit, and what is in the answers about it."""
    Dialogues(work.options.cache / "dialogues").save(asked.request.messages, completions)
    before = _power(asked.bar)
    tests = dict.fromkeys(test for item in completions for test in written_in(item.text))
    outcomes = asked.bar.admit(list(tests))
    written = Written(
        prompt=asked.request.messages,
        answers=tuple(completions),
        admitted=tuple(item for item in outcomes if isinstance(item, Admitted)),
        declined=tuple(item for item in outcomes if isinstance(item, Declined)),
        before=before,
        after=_power(asked.bar),
        reason="" if tests else _silence(completions),
    )
    return asked.subject.unit.id, written


def _silence(completions: Sequence[Completion]) -> str:
    """Return why there are no tests in any answer."""
    failed = next((item.message for item in completions if item.finish == "error"), "")
    return f"no answer: {failed}" if failed else "no answer has a test in it"


def _power(bar: Bar) -> Power:
    return Power(strength=bar.strength, coverage=bar.coverage)
