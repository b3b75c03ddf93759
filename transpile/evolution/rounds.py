"""One round: everybody is asked at once, then each unit's candidates meet its tests, and are judged."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from transpile.core import Attempt, Candidate, Passed, Rejected, Trial, Verdict, digest
from transpile.evolution.corpus import Member
from transpile.evolution.records import Chronicle, Line, Matrix, Sample, Standing, UnitRound
from transpile.options import PortOptions
from transpile.stages.dialogues import Dialogues
from transpile.stages.models import nearest_last
from transpile.stages.rules import BATCH
from transpile.testers import Judged, Proposal
from transpile.testers.matrix import Cell, Contender, Row, confront
from transpile.translators.llm import Dialogue, Question, fingerprint
from transpile.translators.llm.dialogue import Answer
from transpile.translators.models import Model
from transpile.translators.models.together import together

WIDE = 32
"""Groups of units that are on their way at a time: what each knows of its source takes memory."""

Mark = tuple[str, ...]
"""What candidates share that differ in layout alone."""


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

    def before(self, member: Member) -> Sequence[UnitRound]:
        """Return what earlier rounds gave for a unit."""
        return self.history.get(member.key, ())


@dataclass(slots=True, kw_only=True)
class _Asked:
    """A unit with the answers of the Translator."""

    member: Member
    dialogue: Dialogue
    answers: list[Answer] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    known: dict[Mark, Judged] = field(default_factory=dict)
    """What earlier rounds said of candidates."""
    standing: tuple[Standing, ...] = ()
    fresh: dict[Mark, Answer] = field(default_factory=dict)
    """Answers whose candidates nobody has judged yet, one of each kind."""

    def hear(self, answers: Sequence[Answer], unanswered: Sequence[str]) -> None:
        """Take what the Translator said."""
        self.answers, self.unanswered = list(answers), list(unanswered)
        for answer in answers:
            if isinstance(answer.found, Candidate) and (mark := fingerprint(answer.found)) not in self.known:
                self.fresh.setdefault(mark, answer)


def play(work: Round, members: Sequence[Member], told: Callable[[Member, UnitRound], None]) -> None:
    """Do what is left of a round; each unit is on disk before anybody hears of it."""
    waiting = [item for item in members if work.chronicle.find(work.number, item.key) is None]
    asked = _ask(work, waiting)
    groups = _groups(asked)
    tasks = [partial(_decide, work, group, told) for group in groups]
    for start in range(0, len(tasks), WIDE):
        together(work.tester, tasks[start : start + WIDE], work.options.jobs)


def _ask(work: Round, members: Sequence[Member]) -> list[_Asked]:
    """Ask the Translator of all units at once."""
    found = [_begun(member, work.before(member)) for member in members]
    wanted = work.options.models
    requests = [
        item.dialogue.request(
            count=wanted.samples,
            temperature=wanted.temperature,
            max_tokens=wanted.answer_tokens,
            seed=work.options.seed + work.number,
        )
        for item in found
    ]
    kept = Dialogues(work.options.cache / "dialogues")
    for item, request, completions in zip(found, requests, work.translator.complete(requests), strict=True):
        kept.save(request.messages, completions)
        read = item.dialogue.read(completions, work.translator.name)
        item.hear(
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
    ended: dict[str, Verdict] = {item.text: item.verdict for past in history for item in past.fallen}
    known: dict[Mark, Judged] = {}
    standing = history[-1].standing if history else ()
    for past in history:
        told = []
        for sample in past.samples:
            verdict = ended.get(sample.text, sample.verdict)
            if sample.candidate is not None:
                known[fingerprint(sample.candidate)] = Judged(verdict=verdict)
            told.append((_answer(sample), verdict))
        if not standing:
            dialogue.reply(told)
    for item in standing:
        judged = Judged(verdict=item.sample.verdict, pool=item.pool, contracts=item.contracts)
        known[fingerprint(item.candidate)] = judged
    return _Asked(member=member, dialogue=dialogue, known=known, standing=standing)


def _answer(sample: Sample) -> Answer:
    found: Candidate | Verdict = sample.candidate or sample.verdict
    assert isinstance(found, Candidate | Rejected)
    return Answer(text=sample.text, origin=sample.origin, found=found)


def _groups(asked: Sequence[_Asked]) -> list[list[_Asked]]:
    """Group units by the file that they are built in, a bounded number at a time."""
    files: dict[tuple[int, str], list[_Asked]] = {}
    for item in asked:
        files.setdefault((id(item.member.work), item.member.unit.translation_unit), []).append(item)
    return [file[start : start + BATCH] for file in files.values() for start in range(0, len(file), BATCH)]


def _decide(
    work: Round, group: Sequence[_Asked], told: Callable[[Member, UnitRound], None], tester: Model
) -> None:
    """Take units of one file from answers to verdicts."""
    begun = time.monotonic()
    shared = group[0].member.work.sharing(work.options.jobs)
    contenders = [(item, contender) for item in group for contender in _contenders(item)]
    rows = confront(
        shared.workshop,
        shared.source,
        [contender for _, contender in contenders],
        seed=work.options.seed,
        level=work.options.required,
        prove=work.options.prove,
    )
    share = (time.monotonic() - begun) / len(group)
    for item in group:
        own = [row for (other, _), row in zip(contenders, rows, strict=True) if other is item]
        record = replace(_concluded(work, item, own), seconds=share)
        work.chronicle.save(record)
        told(item.member, record)


def _contenders(item: _Asked) -> Iterator[Contender]:
    """Yield what is kept of earlier rounds, then what is new."""
    member = item.member

    def proposal(candidate: Candidate) -> Proposal:
        given = member.work.given.get(member.unit.id, ())
        return Proposal(unit=member.unit, contracts=member.contracts, candidate=candidate, given=given)

    for kept in item.standing:
        yield Contender(proposal=proposal(kept.candidate), known=item.known[fingerprint(kept.candidate)])
    for answer in item.fresh.values():
        assert isinstance(answer.found, Candidate)
        yield Contender(proposal=proposal(answer.found))


def _concluded(work: Round, item: _Asked, rows: Sequence[Row]) -> UnitRound:
    """Return what a round gave for a unit."""
    required = work.options.required

    def passed(judged: Judged) -> bool:
        verdict = judged.verdict
        return isinstance(verdict, Passed) and verdict.guarantee.level.rank >= required.rank

    old, new = rows[: len(item.standing)], rows[len(item.standing) :]
    fresh = item.fresh
    judged = item.known | {mark: row.judged for mark, row in zip(fresh, new, strict=True)}
    judged |= {fingerprint(kept.candidate): row.judged for kept, row in zip(item.standing, old, strict=True)}
    samples = tuple(_sample(answer, judged, passed) for answer in item.answers)
    standing = [
        replace(kept, pool=row.judged.pool, sample=replace(kept.sample, verdict=row.judged.verdict))
        for kept, row in zip(item.standing, old, strict=True)
    ]
    by_text = {sample.text: sample for sample in samples}
    arrived = [
        Standing(
            round=work.number,
            sample=by_text[answer.text],
            pool=row.judged.pool,
            contracts=row.judged.contracts,
        )
        for answer, row in zip(fresh.values(), new, strict=True)
        if passed(row.judged)
    ]
    stays = [passed(row.judged) for row in old]
    found = UnitRound(
        key=item.member.key,
        round=work.number,
        opening=item.dialogue.opening,
        prompt=item.dialogue.messages,
        samples=samples,
        unanswered=tuple(item.unanswered),
        standing=(*(kept for kept, stay in zip(standing, stays, strict=True) if stay), *arrived),
        fallen=tuple(kept.sample for kept, stay in zip(standing, stays, strict=True) if not stay),
        matrix=_matrix(item, rows, ()),
    )
    return replace(found, evidence=_saved(work, item.member, found))


def _sample(answer: Answer, judged: Mapping[Mark, Judged], passed: Callable[[Judged], bool]) -> Sample:
    if isinstance(answer.found, Rejected):
        return Sample(text=answer.text, origin=answer.origin, candidate=None, verdict=answer.found)
    found = judged[fingerprint(answer.found)]
    return Sample(
        text=answer.text,
        origin=answer.origin,
        candidate=answer.found,
        verdict=found.verdict,
        kept=passed(found),
    )


def _matrix(item: _Asked, rows: Sequence[Row], written: Sequence[Trial]) -> Matrix:
    """Return the rows over the same columns, what models wrote last."""
    seen = dict.fromkeys(trial for row in rows for trial, _ in row.cells)
    trials = (*(one for one in seen if one not in written), *(one for one in seen if one in written))
    names = [f"round {kept.round}, {kept.sample.name}" for kept in item.standing]
    names += [f"answer {answer.origin.sample + 1}" for answer in item.fresh.values()]
    return Matrix(
        trials=trials,
        written=sum(one in written for one in seen),
        rows=tuple(
            Line(name=name, verdict=row.judged.verdict.kind, cells=tuple(_line(row, trials)))
            for name, row in zip(names, rows, strict=True)
        ),
    )


def _line(row: Row, trials: Sequence[Trial]) -> Iterator[Cell]:
    cells = dict(row.cells)
    for trial in trials:
        yield cells.get(trial, Cell.UNDECIDED if cells else Cell.UNBUILT)


def _saved(work: Round, member: Member, found: UnitRound) -> str:
    """Keep the evidence where `pairs`, `dialogue` and `replay` look for it; return its id."""
    attempts: dict[Mark, Attempt] = {}
    failed: list[Attempt] = []
    for past in (*work.before(member), found):
        for sample in past.samples:
            attempt = Attempt(candidate=sample.candidate, verdict=sample.verdict, asked=sample.origin)
            if sample.candidate is None:
                failed.append(attempt)
            else:
                attempts[fingerprint(sample.candidate)] = attempt
    for kept in found.fallen:
        assert kept.candidate is not None
        attempts[fingerprint(kept.candidate)] = Attempt(
            candidate=kept.candidate, verdict=kept.verdict, asked=kept.origin
        )
    if not attempts:
        return ""
    best = found.standing[0] if found.standing else None
    evidence = member.work.evidence(
        member.unit,
        best.contracts if best else member.contracts,
        nearest_last((*failed, *attempts.values())),
        best.pool if best else (),
        found.seconds,
    )
    own = member.work.keys([member.unit], ("evolve",))[member.unit.id]
    return member.work.store.save(digest(own, work.mark), evidence).id
