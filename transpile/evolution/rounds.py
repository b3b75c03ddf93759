"""One round: everybody is asked at once, then each unit's candidates meet its tests, and are judged."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from transpile.core import (
    Attempt,
    Candidate,
    Falsified,
    Inconclusive,
    Rejected,
    Trial,
    Verdict,
    digest,
    reaches,
)
from transpile.evolution.corpus import Member
from transpile.evolution.records import Chronicle, Contestant, Line, Matrix, Sample, Tests, UnitRound
from transpile.evolution.testing import wanted_tests, weighed, written_tests
from transpile.options import PortOptions
from transpile.stages import Work
from transpile.stages.models import nearest_last
from transpile.stages.repair import asked
from transpile.stages.rules import batched
from transpile.testers import Judged, Proposal
from transpile.testers.verdict.matrix import Cell, Contender, Row, confront, unrefuted
from transpile.translators.llm import Dialogue, Question, fingerprint
from transpile.translators.llm.dialogue import Answer
from transpile.translators.models import Model
from transpile.translators.models.together import together

WIDE = 32
"""Groups of units that are on their way at a time: what each knows of its source takes memory."""

Mark = tuple[str, ...]
"""Text that candidates share that differ in layout alone."""

_UNJUDGED = Inconclusive(reason="it is not judged yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What a round works on."""

    number: int
    chronicle: Chronicle
    options: PortOptions
    translator: Model
    tester: Model
    history: Mapping[str, Sequence[UnitRound]]
    """By unit, what earlier rounds gave."""
    mark: str
    """Of the evolution: evidence of two that ask differently is kept apart."""

    def keeps(self, verdict: Verdict) -> bool:
        """Tell whether a candidate with that verdict is kept."""
        return reaches(verdict, self.options.required)

    def before(self, member: Member) -> Sequence[UnitRound]:
        """Return what earlier rounds gave for a unit."""
        return self.history.get(member.key, ())


@dataclass(slots=True, kw_only=True)
class _Asked:
    """A unit with the answers of the Translator."""

    member: Member
    dialogue: Dialogue
    known: Mapping[Mark, Verdict]
    """What earlier rounds said of candidates."""
    standing: tuple[Contestant, ...] = ()
    open: tuple[Contestant, ...] = ()
    tests: tuple[Trial, ...] = ()
    """Those that earlier rounds admitted."""
    answers: list[Answer] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    fresh: dict[Mark, Contestant] = field(default_factory=dict)
    """What nobody has judged yet."""

    @property
    def file(self) -> Hashable:
        """Return what units share that are built in one file."""
        return id(self.member.work), self.member.unit.translation_unit

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        """Return the candidates of the matrix, those of earlier rounds first."""
        return (*self.standing, *self.open, *self.fresh.values())

    def proposal(self, candidate: Candidate, tests: Sequence[Trial]) -> Proposal:
        """Return what is judged of a candidate."""
        member = self.member
        given = (*member.work.given.get(member.unit.id, ()), *tests)
        return Proposal(unit=member.unit, contracts=member.contracts, candidate=candidate, given=given)

    def hear(self, number: int, answers: Sequence[Answer], unanswered: Sequence[str]) -> None:
        """Take what the Translator said."""
        self.answers, self.unanswered = list(answers), list(unanswered)
        for answer in answers:
            if isinstance(answer.found, Candidate) and (mark := fingerprint(answer.found)) not in self.known:
                sample = Sample(
                    text=answer.text, origin=answer.origin, candidate=answer.found, verdict=_UNJUDGED
                )
                self.fresh.setdefault(mark, Contestant(round=number, sample=sample))


def play(work: Round, members: Sequence[Member], told: Callable[[Member, UnitRound], None]) -> None:
    """Do what is left of a round; each unit is on disk before anybody hears of it."""
    waiting = [item for item in members if work.chronicle.find(work.number, item.key) is None]
    groups = batched(_ask(work, waiting), lambda item: item.file)
    tasks = [partial(_decide, work, group, told) for group in groups]
    for start in range(0, len(tasks), WIDE):
        together(work.tester, tasks[start : start + WIDE], work.options.jobs)


def _ask(work: Round, members: Sequence[Member]) -> list[_Asked]:
    """Ask the Translator of all units at once."""
    found = [_begun(member, work.before(member)) for member in members]
    options = replace(work.options, seed=work.options.seed + work.number)
    answers = asked(options, work.translator, [item.dialogue for item in found])
    for item, completions in zip(found, answers, strict=True):
        read = item.dialogue.read(completions, work.translator.name)
        item.hear(
            work.number,
            [answer for answer, one in zip(read, completions, strict=True) if one.finish != "error"],
            [one.message for one in completions if one.finish == "error"],
        )
    return found


def _begun(member: Member, history: Sequence[UnitRound]) -> _Asked:
    """Return a unit with its dialogue as it stands: what is kept needs no repair, and is asked anew."""
    question = Question(
        source=member.work.source,
        unit=member.unit,
        contracts=member.contracts,
        target=member.work.options.target,
    )
    dialogue = Dialogue.begin(question)
    latest = _latest(history)
    last = history[-1] if history else None
    if last is not None and not last.standing:
        for past in history:
            dialogue.reply([(_answer(item), _verdict(item, latest)) for item in past.samples])
    return _Asked(
        member=member,
        dialogue=dialogue,
        known=latest,
        standing=last.standing if last else (),
        open=last.open if last else (),
        tests=last.known if last else (),
    )


def _latest(history: Sequence[UnitRound]) -> dict[Mark, Verdict]:
    """Return the last word on every candidate."""
    return {
        fingerprint(item.candidate): item.verdict
        for past in history
        for item in (*past.samples, *past.fallen, *past.settled)
        if item.candidate is not None
    }


def _verdict(sample: Sample, latest: Mapping[Mark, Verdict]) -> Verdict:
    return sample.verdict if sample.candidate is None else latest[fingerprint(sample.candidate)]


def _answer(sample: Sample) -> Answer:
    found: Candidate | Verdict = sample.candidate or sample.verdict
    assert isinstance(found, Candidate | Rejected)
    return Answer(text=sample.text, origin=sample.origin, found=found)


def _decide(
    work: Round, group: Sequence[_Asked], told: Callable[[Member, UnitRound], None], tester: Model
) -> None:
    """Take units of one file from answers to verdicts: first what refutes them, then what is kept."""
    shared = group[0].member.work.sharing(work.options.jobs)
    tests = _tested(work, group, shared, tester)
    begun = time.monotonic()
    contenders = [
        (item, contender)
        for item, own in zip(group, tests, strict=True)
        for contender in _contenders(item, own.admitted)
    ]
    rows = confront(
        shared.workshop,
        shared.source,
        [contender for _, contender in contenders],
        seed=work.options.seed,
        level=work.options.required,
        prove=work.options.prove,
    )
    share = (time.monotonic() - begun) / len(group)
    for item, own in zip(group, tests, strict=True):
        mine = [row for (other, _), row in zip(contenders, rows, strict=True) if other is item]
        record = replace(_concluded(work, item, mine, own), seconds=share)
        work.chronicle.save(record)
        told(item.member, record)


def _tested(work: Round, group: Sequence[_Asked], shared: Work, tester: Model) -> list[Tests]:
    """Ask for tests that tell the candidates that no trial refutes from their source."""
    fresh = [(item, one.candidate) for item in group for one in item.fresh.values()]
    stands = unrefuted(
        shared.workshop,
        shared.source,
        [item.proposal(candidate, item.tests) for item, candidate in fresh],
        seed=work.options.seed,
    )
    left = [pair for pair, fit in zip(fresh, stands, strict=True) if fit]
    wanted = [
        wanted_tests(
            item.member,
            (
                *(one.candidate for one in (*item.standing, *item.open)),
                *(candidate for other, candidate in left if other is item),
            ),
            work.before(item.member),
        )
        for item in group
    ]
    return written_tests(shared, wanted, tester, work.number)


def _contenders(item: _Asked, admitted: Sequence[Trial]) -> Iterator[Contender]:
    """Yield all candidates of a unit; what was judged before is judged again where there are new tests."""
    tests = (*item.tests, *admitted)
    for one in item.contestants:
        judged = Judged(verdict=one.sample.verdict, pool=one.pool, contracts=one.contracts)
        known = None if admitted or one.sample.verdict is _UNJUDGED else judged
        yield Contender(proposal=item.proposal(one.candidate, tests), known=known)


def _concluded(work: Round, item: _Asked, rows: Sequence[Row], tests: Tests) -> UnitRound:
    """Return what a round gave for a unit."""
    after = [
        _after(one, weighed(row.judged, tests.strength), work)
        for one, row in zip(item.contestants, rows, strict=True)
    ]
    verdicts = {**item.known, **{fingerprint(one.candidate): one.sample.verdict for one in after}}
    first, second = len(item.standing), len(item.standing) + len(item.open)
    found = UnitRound(
        key=item.member.key,
        round=work.number,
        opening=item.dialogue.opening,
        prompt=item.dialogue.messages,
        samples=tuple(_sample(answer, verdicts, work) for answer in item.answers),
        unanswered=tuple(item.unanswered),
        standing=tuple(one for one in after if one.sample.kept),
        open=tuple(one for one in after if not one.sample.kept and not _refuted(one.sample.verdict)),
        fallen=tuple(one.sample for one in after[:first] if not one.sample.kept),
        settled=tuple(
            one.sample for one in after[first:second] if one.sample.kept or _refuted(one.sample.verdict)
        ),
        matrix=_matrix(after, rows, (*item.tests, *tests.admitted)),
        tests=tests,
        known=(*item.tests, *tests.admitted),
    )
    return replace(found, evidence=_saved(work, item.member, found))


def _after(one: Contestant, judged: Judged, work: Round) -> Contestant:
    """Return a candidate with its verdict."""
    sample = replace(one.sample, verdict=judged.verdict, kept=work.keeps(judged.verdict))
    return replace(one, sample=sample, pool=judged.pool, contracts=judged.contracts)


def _refuted(verdict: Verdict) -> bool:
    return isinstance(verdict, Falsified | Rejected)


def _sample(answer: Answer, verdicts: Mapping[Mark, Verdict], work: Round) -> Sample:
    if isinstance(answer.found, Rejected):
        return Sample(text=answer.text, origin=answer.origin, candidate=None, verdict=answer.found)
    verdict = verdicts[fingerprint(answer.found)]
    return Sample(
        text=answer.text,
        origin=answer.origin,
        candidate=answer.found,
        verdict=verdict,
        kept=work.keeps(verdict),
    )


def _matrix(contestants: Sequence[Contestant], rows: Sequence[Row], written: Sequence[Trial]) -> Matrix:
    """Return the rows over the same columns, what models wrote last."""
    seen = dict.fromkeys(trial for row in rows for trial, _ in row.cells)
    trials = (*(one for one in seen if one not in written), *(one for one in seen if one in written))
    return Matrix(
        trials=trials,
        written=sum(one in written for one in seen),
        rows=tuple(
            Line(
                name=f"round {one.round}, {one.sample.name}",
                verdict=one.sample.verdict.kind,
                cells=tuple(_line(row, trials)),
            )
            for one, row in zip(contestants, rows, strict=True)
        ),
    )


def _line(row: Row, trials: Sequence[Trial]) -> Iterator[Cell]:
    cells = dict(row.cells)
    for trial in trials:
        yield cells.get(trial, Cell.UNDECIDED if cells else Cell.UNBUILT)


def _saved(work: Round, member: Member, found: UnitRound) -> str:
    """Keep the evidence where `pairs`, `dialogue` and `replay` look for it; return its id."""
    history = (*work.before(member), found)
    latest = _latest(history)
    attempts = {
        (item.text if item.candidate is None else fingerprint(item.candidate)): Attempt(
            candidate=item.candidate, verdict=_verdict(item, latest), asked=item.origin
        )
        for past in history
        for item in past.samples
    }
    if not attempts:
        return ""
    best = found.standing[0] if found.standing else None
    evidence = member.work.evidence(
        member.unit,
        best.contracts if best else member.contracts,
        nearest_last(tuple(attempts.values())),
        best.pool if best else (),
        found.seconds,
    )
    own = member.work.keys([member.unit], ("evolve",))[member.unit.id]
    return member.work.store.save(digest(own, work.mark), evidence).id
