"""The dialogue with a model about one unit: what is asked, what is answered, what is said of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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
from transpile.translators.llm.answer import candidate_of, fingerprint, refused
from transpile.translators.llm.change import Change
from transpile.translators.llm.feedback import feedback
from transpile.translators.llm.form import Form, form_of, form_of_candidate
from transpile.translators.models import Completion, Message, Request

_REMEMBERED = 2
"""Attempts that are shown again: older ones cost more than they tell."""
_STAGES = ("model", "translate", "answer", "policy", "build", "assemble")
"""Of refusals, those last that came closest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A unit to translate."""

    source: Source
    unit: Unit
    contracts: tuple[Contract, ...]
    target: Dialect
    change: Change | None = None
    """What to make of a translation that there is; None where there is none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer with the candidate in it, or why there is none."""

    text: str
    origin: ByModel
    found: Candidate | Rejected


@dataclass(slots=True)
class Dialogue:
    """Grows by a turn a round; a unit whose head cannot be read has no form, and nothing to ask."""

    question: Question
    form: Form | None
    round: int = 0
    _opening: tuple[Message, ...] = ()
    _turns: list[tuple[Message, Message]] = field(default_factory=list)
    _seen: set[tuple[str, ...]] = field(default_factory=set)

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
            asked = prompts.task(source, unit, question.contracts, form, target)
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
        return Request(
            messages=self.messages,
            count=count,
            temperature=temperature,
            max_tokens=max_tokens,
            seed=seed + self.round,
        )

    def answers(self, completions: Sequence[Completion], name: str) -> list[Answer]:
        """Return what is in the answers of a round; of those that differ in layout alone the first."""
        return [item for item in self.read(completions, name) if self._fresh(item)]

    def _fresh(self, answer: Answer) -> bool:
        if not isinstance(answer.found, Candidate):
            return True
        mark = fingerprint(answer.found)
        known = mark in self._seen
        self._seen.add(mark)
        return not known

    def read(self, completions: Sequence[Completion], name: str) -> Iterator[Answer]:
        """Yield what is in each answer of a round."""
        assert self.form is not None
        question, change = self.question, self.question.change
        prompt = prompt_digest(self.messages)
        for sample, completion in enumerate(completions):
            origin = ByModel(
                model=completion.model or name,
                prompt=prompt,
                round=self.round,
                sample=sample,
                transformation=change.transformation.name if change is not None else "",
            )
            found: Candidate | Rejected
            if completion.finish == "error":
                found = refused(
                    question.unit, "model", "TP521", f"the model gave no answer: {completion.message}"
                )
            else:
                found = candidate_of(
                    question.source,
                    question.unit,
                    self.form,
                    question.target,
                    completion.text,
                    origin,
                    change.base if change is not None else None,
                )
                if isinstance(found, Rejected) and completion.finish == "length":
                    tokens = completion.completion_tokens
                    cut = f"it was cut off after {tokens} tokens, before its code was complete"
                    message = f"the model's answer cannot be used: {cut}"
                    found = refused(question.unit, "answer", "TP520", message)
            yield Answer(text=completion.text, origin=origin, found=found)

    def reply(self, answers: Sequence[tuple[Answer, Verdict]]) -> bool:
        """Tell the model what became of its best answer; False where there is nothing to tell."""
        assert self.form is not None
        told = [(item, verdict) for item, verdict in answers if item.text and feedback(verdict) is not None]
        if not told:
            return False
        best, verdict = max(told, key=lambda pair: closeness(pair[1]))
        said = feedback(verdict)
        assert said is not None
        what, lines = said
        text = prompts.repair(what, lines, self.form.name, self.form.prototype)
        self._turns.append((Message(role="assistant", content=best.text), Message(role="user", content=text)))
        self.round += 1
        return True


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
