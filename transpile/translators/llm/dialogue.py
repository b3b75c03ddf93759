"""The dialogue with a model about one unit: what is asked, what is answered, what is said of the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from transpile.core import (
    ByModel,
    Candidate,
    Contract,
    Dialect,
    Inconclusive,
    Passed,
    Rejected,
    Source,
    Unit,
    Verdict,
    digest,
)
from transpile.translators.llm import prompts
from transpile.translators.llm.answer import candidates_of, fingerprint, refused
from transpile.translators.llm.change import Change
from transpile.translators.llm.earlier import NOTHING, Earlier
from transpile.translators.llm.feedback import feedback
from transpile.translators.llm.form import Form, form_of, form_of_candidate
from transpile.translators.models import Completion, Message, Request

_REMEMBERED = 2
"""Attempts that are shown again: older ones cost more than they tell."""
_STAGES = ("model", "translate", "answer", "policy", "build", "assemble")
"""Of refusals, those last that came closest."""
_WARMER = 0.2
_HOTTEST = 1.4
"""Temperatures beyond which models seldom write code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A unit to translate."""

    source: Source
    unit: Unit
    contracts: tuple[Contract, ...]
    target: Dialect
    change: Change | None = None
    """What to make of a translation that there is; None where there is none yet."""
    earlier: Earlier = NOTHING
    """The result of rules on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer with a candidate in it, or why there is none."""

    text: str
    origin: ByModel
    found: Candidate | Rejected
    repeated: bool = False
    """An earlier round has judged the same code."""


@dataclass(slots=True)
class Dialogue:
    """Grows by a turn a round; a unit whose head cannot be read has no form, and nothing to ask."""

    question: Question
    form: Form | None
    round: int = 0
    repeats: int = 0
    """Rounds in which nothing new was answered: each raises the temperature of the next."""
    _opening: tuple[Message, ...] = ()
    _turns: list[tuple[Message, Message]] = field(default_factory=list)
    _seen: set[tuple[str, ...]] = field(default_factory=set)
    _all_known: bool = False

    @classmethod
    def begin(cls, question: Question) -> Dialogue:
        """Return a dialogue that has asked its question."""
        source, unit, target, change = question.source, question.unit, question.target, question.change
        if change is not None:
            form = form_of_candidate(change.base)
        else:
            form = form_of(unit, question.contracts, target)
        if form is None:
            return cls(question=question, form=None)
        if change is not None:
            asked = prompts.optimize(source, unit, question.contracts, form, change)
        else:
            asked = prompts.task(source, unit, question.contracts, form, target, question.earlier)
        opening = (
            Message(role="system", content=prompts.system(source, target, change)),
            Message(role="user", content=asked),
        )
        # Who gives a translation back unchanged has not answered.
        known = {fingerprint(change.base)} if change is not None else set()
        return cls(question=question, form=form, _opening=opening, _seen=known)

    @property
    def opening(self) -> tuple[Message, ...]:
        """Return the question, without anything said of answers."""
        return self._opening

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return what the model is shown next."""
        return (*self._opening, *(item for turn in self._turns[-_REMEMBERED:] for item in turn))

    def request(self, *, count: int, temperature: float, max_tokens: int, seed: int) -> Request:
        """Return the request for the next answers."""
        warmer = min(temperature + _WARMER * self.repeats, max(_HOTTEST, temperature))
        return Request(
            messages=self.messages,
            count=count,
            temperature=round(warmer, 2),
            max_tokens=max_tokens,
            seed=seed + self.round,
        )

    def answers(self, completions: Sequence[Completion], name: str) -> list[Answer]:
        """Return what is in the answers of a round, what they mean first, then their drafts.

        Of those that differ in layout alone it is the first, which says how many there are.
        """
        heard = [list(self._heard(*item, name)) for item in enumerate(completions)]
        meant = Counter(mark for found in heard if (mark := _mark(found[0])) is not None)
        ordered = [found[0] for found in heard] + [draft for found in heard for draft in found[1:]]
        before = frozenset(self._seen)
        fresh = [_counted(item, meant) for item in ordered if self._fresh(item)]
        self._all_known = bool(meant) and not fresh
        if self._all_known or (len(completions) > 1 and len(meant) == 1 and sum(meant.values()) > 1):
            self.repeats += 1
        return fresh + self._known([found[0] for found in heard], before, meant)

    def _known(
        self, answers: Sequence[Answer], before: frozenset[tuple[str, ...]], meant: Counter[tuple[str, ...]]
    ) -> list[Answer]:
        """Return what was answered again, once each: it was drawn, and whoever counts answers counts it."""
        found = {
            mark: item for item in reversed(answers) if (mark := _mark(item)) in before and mark is not None
        }
        if not self.round:  # What was known before anything was asked is the translation to be changed.
            return []
        why = refused(self.question.unit, "answer", "TP520", "the model's answer is code that it gave before")
        return [
            replace(item, origin=replace(item.origin, alike=meant[mark]), found=why, repeated=True)
            for mark, item in found.items()
        ]

    def _fresh(self, answer: Answer) -> bool:
        mark = _mark(answer)
        known = mark in self._seen
        if mark is not None:
            self._seen.add(mark)
        return not known

    def read(self, completions: Sequence[Completion], name: str) -> Iterator[Answer]:
        """Yield what each answer of a round means."""
        return (next(self._heard(sample, completion, name)) for sample, completion in enumerate(completions))

    def _heard(self, sample: int, completion: Completion, name: str) -> Iterator[Answer]:
        """Yield what an answer means, and then its drafts."""
        change = self.question.change
        origin = ByModel(
            model=completion.model or name,
            prompt=prompt_digest(self.messages),
            round=self.round,
            sample=sample,
            transformation=change.transformation.name if change is not None else "",
        )
        for found in self._found(completion, origin):
            own = found.origin if isinstance(found, Candidate) else origin
            assert isinstance(own, ByModel)
            yield Answer(text=completion.text, origin=own, found=found)

    def _found(self, completion: Completion, origin: ByModel) -> tuple[Candidate | Rejected, ...]:
        assert self.form is not None
        question, change = self.question, self.question.change
        if completion.finish == "error":
            message = f"the model gave no answer: {completion.message}"
            return (refused(question.unit, "model", "TP521", message),)
        found = candidates_of(
            question.source,
            question.unit,
            self.form,
            question.target,
            completion.text,
            origin,
            change.base if change is not None else None,
        )
        if isinstance(found[0], Rejected) and completion.finish == "length":
            tokens = completion.completion_tokens
            cut = f"it was cut off after {tokens} tokens, before its code was complete"
            return (refused(question.unit, "answer", "TP520", f"the model's answer cannot be used: {cut}"),)
        return found

    def reply(self, answers: Sequence[tuple[Answer, Verdict]]) -> bool:
        """Tell the model what became of its best answer; False where there is nothing to tell."""
        assert self.form is not None
        told = [
            (item, verdict)
            for item, verdict in answers
            if item.text and not item.repeated and feedback(verdict) is not None
        ]
        if not told:
            return self._repeated()
        best, verdict = max(told, key=lambda pair: closeness(pair[1]))
        said = feedback(verdict)
        assert said is not None
        what, lines = said
        text = prompts.repair(what, lines, self.form.name, self.form.prototype)
        self._turns.append(
            (Message(role="assistant", content=_told(best)), Message(role="user", content=text))
        )
        self.round += 1
        return True

    def _repeated(self) -> bool:
        """Tell the model that it repeats itself; False where it does not, or was told nothing yet."""
        if not self._all_known or not self._turns:
            return False
        answer, said = self._turns[-1]
        more = prompts.repeated()
        if not said.content.endswith(more):
            self._turns[-1] = (answer, replace(said, content=f"{said.content}\n\n{more}"))
        self.round += 1
        return True


def _mark(answer: Answer) -> tuple[str, ...] | None:
    return fingerprint(answer.found) if isinstance(answer.found, Candidate) else None


def _counted(answer: Answer, meant: Counter[tuple[str, ...]]) -> Answer:
    """Return an answer that says how many others of its round mean the same."""
    mark = _mark(answer)
    if mark is None or not isinstance(answer.found, Candidate) or answer.origin.draft:
        return answer
    origin = replace(answer.origin, alike=meant[mark])
    return replace(answer, origin=origin, found=replace(answer.found, origin=origin))


def _told(answer: Answer) -> str:
    """Return an answer as the model is shown it again: of a draft only the draft, since that was judged."""
    if not isinstance(answer.found, Candidate) or not answer.origin.draft:
        return answer.text
    code = "\n\n".join(item.shown for item in reversed(answer.found.replacements))
    return f"```cpp\n{code}\n```"


def prompt_digest(messages: Sequence[Message]) -> str:
    """Return the digest by which evidence names what a model was shown."""
    return digest(*(part for item in messages for part in (item.role, item.content)))


def closeness(verdict: Verdict) -> tuple[int, int]:
    """Return how near a verdict is to a pass: what to repair, and what to show, is the nearest."""
    match verdict:
        case Passed(guarantee=guarantee):
            return 4, guarantee.level.rank
        case Inconclusive():
            return 1, 0
        case Rejected(stage=stage):
            return 0, _STAGES.index(stage) if stage in _STAGES else len(_STAGES)
        case _:
            return 2, verdict.trials
