"""One unit on which answers are judged: its source, its contract, its prompt, and the panel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Lock

from transpile import faults, pipeline, translators
from transpile.core import (
    ByModel,
    Candidate,
    Contract,
    Dialect,
    Inconclusive,
    Passed,
    Rejected,
    Source,
    Speedup,
    Unit,
)
from transpile.errors import UsageError
from transpile.options import ModelOptions, PortOptions
from transpile.report.findings import reason_of
from transpile.rewards.reward import Reward, Scale, graded, unsaid
from transpile.stages import Work
from transpile.stages.models import unmovable
from transpile.stages.work import refusal_of
from transpile.testers import Proposal
from transpile.testers.speed.speedup import BRIEF
from transpile.testers.trials.generate import Plan, generate
from transpile.testers.verdict.panel import Panel, Tally
from transpile.testers.verdict.performance import Track
from transpile.toolchains.workshop import Workshop
from transpile.translators.llm import Dialogue, Question, candidates_of, fingerprint
from transpile.translators.llm.answer import refused
from transpile.translators.llm.form import form_of
from transpile.translators.models import Message

_ANYBODY = ("",)
"""In place of the name of a model: who answers is not known here."""
_POOL = 16
"""Trials by which sizes are chosen that take long enough to be timed."""


class Bench:
    """Where the candidates of one unit are judged, one group at a time."""

    def __init__(
        self, workshop: Workshop, root: Path, unit: str, target: Dialect, options: PortOptions, scale: Scale
    ) -> None:
        """Keep what is asked for; nothing is read before the first group."""
        self._workshop, self._root, self._unit, self._target = workshop, root, unit, target
        self._options, self._scale = options, scale
        self._lock = Lock()
        self._known: _Known | None = None

    def judge(self, answers: Sequence[str]) -> list[Reward]:
        """Return what each answer is worth, in order; those that mean the same code are judged once."""
        with self._lock:
            known = self._learnt()
            if known.refusal is not None:
                return [unsaid(known.refusal)] * len(answers)
            read = [known.read(answer, number) for number, answer in enumerate(answers)]
            distinct = {fingerprint(item): item for item in read if isinstance(item, Candidate)}
            judged = dict(zip(distinct, known.tallies(tuple(distinct.values())), strict=True))
            worth = {mark: self._graded(known, distinct[mark], tally) for mark, tally in judged.items()}
            return [
                worth[fingerprint(item)]
                if isinstance(item, Candidate)
                else graded(Tally(verdict=item), self._options.required, self._scale)
                for item in read
            ]

    def messages(self) -> tuple[Message, ...]:
        """Return the prompt; UsageError where nothing can be asked."""
        with self._lock:
            known = self._learnt()
            if known.refusal is not None:
                raise UsageError(f"nothing can be asked of {known.unit.name}: {reason_of(known.refusal)}")
            return known.messages()

    def close(self) -> None:
        """Forget what is known of the source."""
        with self._lock:
            if self._known is not None:
                self._known.close()
                self._known = None

    def _graded(self, known: _Known, candidate: Candidate, tally: Tally) -> Reward:
        wanted = self._scale.speed > 0 and isinstance(tally.verdict, Passed)
        speedup = known.speedup(candidate) if wanted else None
        return graded(tally, self._options.required, self._scale, speedup)

    def _learnt(self) -> _Known:
        if self._known is None:
            self._known = _Known(self._workshop, self._root, self._unit, self._target, self._options)
        return self._known


class _Known:
    """What there is to know of a unit before any candidate is judged."""

    def __init__(
        self, workshop: Workshop, root: Path, name: str, target: Dialect, options: PortOptions
    ) -> None:
        """Read the source and learn the contract, unless an earlier run has."""
        self.source = pipeline.read(root, options)
        self.unit = _unit(self.source, name)
        self._workshop, self._target = workshop, target
        options = replace(options, target=target, models=ModelOptions(use=_ANYBODY))
        # Errors name a place, and a text was put there by us.
        pipeline.refuse_without_translator(replace(self.source, root=Path(root.name)), options)
        work = Work(workshop=workshop, source=self.source, options=options)
        self.refusal: Inconclusive | Rejected | None
        self.refusal = refusal_of(self.source, self.unit) or unmovable(work, self.unit)
        self._contracts: tuple[Contract, ...] = ()
        if self.refusal is None:
            learnt = work.learnt([self.unit])[self.unit.id]
            self.refusal = learnt if isinstance(learnt, Inconclusive) else None
            self._contracts = learnt if isinstance(learnt, tuple) else ()
        self._form = form_of(self.unit, self._contracts, target) if self.refusal is None else None
        if self._form is None and self.refusal is None:
            self.refusal = refused(self.unit, "parse", "TP520", "its declaration cannot be read")
        self._panel = Panel(
            workshop, self.source, self.unit, self._contracts, seed=options.seed, level=options.required
        )

    def read(self, answer: str, number: int) -> Candidate | Rejected:
        """Return the candidate that an answer means; drafts count for nothing."""
        assert self._form is not None
        origin = ByModel(sample=number)
        try:
            found, *_ = candidates_of(self.source, self.unit, self._form, self._target, answer, origin)
        except RecursionError:
            return refused(self.unit, "answer", "TP520", "the answer is nested too deeply to be read")
        return found

    def tallies(self, candidates: Sequence[Candidate]) -> list[Tally]:
        """Return what becomes of candidates."""

        def together(some: Sequence[Candidate]) -> list[Tally]:
            return self._panel.judge(some)

        return faults.isolated(candidates, together, lambda _, why: Tally(verdict=why), "judging")

    def messages(self) -> tuple[Message, ...]:
        """Return the prompt that asks for a translation."""
        question = Question(
            source=self.source, unit=self.unit, contracts=self._contracts, target=self._target
        )
        return Dialogue.begin(question).opening

    def speedup(self, candidate: Candidate) -> float | None:
        """Return how many times as fast as the translation by rules one is, where that is certain."""
        usual = translators.propose(self.source, self.unit, self._contracts, self._target)
        if not isinstance(usual, Candidate):
            return None
        first, other = (
            Proposal(unit=self.unit, contracts=self._contracts, candidate=item) for item in (usual, candidate)
        )
        pool = [
            trial for contract in self._contracts for trial in generate(contract, Plan(seed=0, count=_POOL))
        ]
        with closing(Track(self._workshop, self.source, first, BRIEF)) as track:
            courses = track.courses(first, pool)
            found = track.compare(courses, first, other) if isinstance(courses, tuple) else courses
        return found.ratio if isinstance(found, Speedup) and found.faster else None

    def close(self) -> None:
        """Forget what is known of the source."""
        self._panel.close()


def _unit(source: Source, name: str) -> Unit:
    """Return the unit of that id or name, or the only one; UsageError where there is none or several."""
    kinds = pipeline.judged_kinds(source)
    able = [item for item in source.units if item.kind in kinds]
    found = [item for item in able if not name or name in (item.id, item.name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(item.id for item in (found or able)[:8]) or "none"
    what = f"no unit is called '{name}'" if name and not found else "the unit is not clear"
    raise UsageError(f"{source.root.name}: {what}", hint=f"There are: {names}.")
