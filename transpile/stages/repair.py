"""The loop between a model and the testers: it proposes, they decide, it is told why, up to a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from transpile.core import Attempt, Candidate, Contract, Passed, Trial, Unit, reaches
from transpile.options import PortOptions
from transpile.stages.dialogues import Dialogues
from transpile.stages.rules import judged_each
from transpile.stages.streams import side_by_side
from transpile.stages.work import Work
from transpile.testers import Judged, Proposal
from transpile.translators.llm import Dialogue, Question
from transpile.translators.llm.answer import refused
from transpile.translators.llm.change import Change
from transpile.translators.llm.dialogue import Answer, closeness
from transpile.translators.llm.earlier import earlier_of
from transpile.translators.models import Completion, Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A unit that a model is asked about."""

    unit: Unit
    contracts: tuple[Contract, ...]
    given: tuple[Trial, ...] = ()
    """Trials beside those that are generated."""
    change: Change | None = None
    """What to make of a translation that there is; None where there is none yet."""
    before: tuple[Attempt, ...] = ()
    """Results of others on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a unit: every attempt, the nearest to a pass last."""

    attempts: tuple[Attempt, ...]
    pool: tuple[Trial, ...] = ()
    contracts: tuple[Contract, ...] = ()
    passed: tuple[tuple[Attempt, Judged], ...] = ()
    """All that would do, of one round."""


@dataclass(slots=True)
class _State:
    """One unit on its way through the rounds."""

    open: Open
    dialogue: Dialogue
    done: bool = False
    attempts: list[Attempt] = field(default_factory=list)
    kept: list[tuple[Attempt, Judged]] = field(default_factory=list)

    def result(self) -> Result:
        """Return all attempts, the one that counts last."""
        if not self.kept:
            return Result(attempts=tuple(sorted(self.attempts, key=lambda item: closeness(item.verdict))))
        chosen, judged = elected(self.kept)
        others = (item for item in self.attempts if item is not chosen)
        return Result(
            attempts=(*others, chosen),
            pool=judged.pool,
            contracts=judged.contracts,
            passed=tuple(self.kept),
        )


def repaired(work: Work, units: Sequence[Open], model: Model) -> Iterator[tuple[str, Result]]:
    """Yield the id of each unit and what came of asking a model for it, as soon as that is known.

    All units are asked at once, and what is answered about one file is judged together.
    """
    states = [_State(open=item, dialogue=_begun(work, item)) for item in units]
    for state in states:
        if state.dialogue.form is None:
            why = refused(
                state.open.unit, "answer", "TP520", "its declaration cannot be read, so no model is asked"
            )
            state.attempts.append(Attempt(candidate=None, verdict=why))
            state.done = True
            yield state.open.unit.id, state.result()
    waiting = [state for state in states if not state.done]
    for _ in range(1 + work.options.models.repairs):
        for state in _round(work, waiting, model) if waiting else ():
            if state.done:
                yield state.open.unit.id, state.result()
        waiting = [state for state in waiting if not state.done]
    for state in waiting:
        yield state.open.unit.id, state.result()


def _begun(work: Work, item: Open) -> Dialogue:
    return Dialogue.begin(
        Question(
            source=work.source,
            unit=item.unit,
            contracts=item.contracts,
            target=work.options.target,
            change=item.change,
            earlier=earlier_of(item.before),
        )
    )


def asked(options: PortOptions, model: Model, dialogues: Sequence[Dialogue]) -> list[tuple[Completion, ...]]:
    """Return what a model says next in each dialogue, asked for at once; what was said is kept on disk."""
    wanted = options.models
    requests = [
        dialogue.request(
            count=wanted.samples,
            temperature=wanted.temperature,
            max_tokens=wanted.answer_tokens,
            seed=options.seed,
        )
        for dialogue in dialogues
    ]
    answers = model.complete(requests)
    kept = Dialogues(options.cache / "dialogues")
    for request, completions in zip(requests, answers, strict=True):
        kept.save(request.messages, completions)
    return answers


def _round(work: Work, states: Sequence[_State], model: Model) -> Iterator[_State]:
    """Ask once for every unit and judge; yield each once its answers are judged and it is told."""
    answers = asked(work.options, model, [state.dialogue for state in states])
    groups: dict[str, list[_Turn]] = {}
    for state, completions in zip(states, answers, strict=True):
        before = state.dialogue.repeats
        heard = tuple(state.dialogue.answers(completions, model.name))
        turn = _Turn(state, heard, repeats=state.dialogue.repeats > before)
        groups.setdefault(state.open.unit.translation_unit, []).append(turn)
    shared = work.sharing(len(groups))
    for turn in side_by_side(tuple(groups.values()), partial(_judged, shared), work.options.jobs):
        _conclude(turn.state, turn.judged(), work.options)
        if turn.repeats and not turn.state.done:
            work.asked.note(_repeating(model, turn.state, work.options))
        yield turn.state


def _repeating(model: Model, state: _State, options: PortOptions) -> str:
    wanted = options.models
    request = state.dialogue.request(count=1, temperature=wanted.temperature, max_tokens=1, seed=0)
    name = state.open.unit.name
    return f"{model.name} repeats itself about `{name}`: asked again at temperature {request.temperature:g}"


@dataclass(slots=True)
class _Turn:
    """The answers about one unit in one round, and the verdicts on them as they come."""

    state: _State
    answers: tuple[Answer, ...]
    repeats: bool = False
    """The answers are one and the same, or known already."""
    verdicts: dict[int, Judged] = field(default_factory=dict)
    """By number of the answer."""

    @property
    def complete(self) -> bool:
        """Tell whether all answers are judged."""
        return len(self.verdicts) == len(self.answers)

    def judged(self) -> list[tuple[Answer, Judged]]:
        """Return the answers with their verdicts, in order."""
        return [(answer, self.verdicts[number]) for number, answer in enumerate(self.answers)]

    def begin(self, options: PortOptions) -> Iterator[tuple[int, Proposal]]:
        """Yield what is to be judged, by the number of its answer; other answers have their verdict now."""
        item = self.state.open
        for number, answer in enumerate(self.answers):
            if not isinstance(answer.found, Candidate):
                self.verdicts[number] = Judged(verdict=answer.found)
                continue
            yield (
                number,
                Proposal(
                    unit=item.unit,
                    contracts=item.contracts,
                    candidate=answer.found,
                    given=item.given,
                    sequential=options.sequential,
                ),
            )


def _judged(work: Work, turns: Sequence[_Turn]) -> Iterator[_Turn]:
    """Yield the turns of units of one file, each as soon as all its answers are judged."""
    asked = [(turn, number, item) for turn in turns for number, item in turn.begin(work.options)]
    yield from (turn for turn in turns if turn.complete)
    for place, verdict in judged_each(work, [item for _, _, item in asked]):
        turn, number, _ = asked[place]
        turn.verdicts[number] = verdict
        if turn.complete:
            yield turn


def _conclude(state: _State, own: Sequence[tuple[Answer, Judged]], options: PortOptions) -> None:
    """Note the attempts of a round; stop where one is kept, else tell the model of the nearest."""
    for answer, result in own:
        candidate = answer.found if isinstance(answer.found, Candidate) else None
        attempt = Attempt(candidate=candidate, verdict=result.verdict, asked=answer.origin)
        state.attempts.append(attempt)
        if reaches(result.verdict, options.required):
            state.kept.append((attempt, result))
    told = not state.kept and state.dialogue.reply([(answer, result.verdict) for answer, result in own])
    state.done = not told


def elected(kept: Sequence[tuple[Attempt, Judged]]) -> tuple[Attempt, Judged]:
    """Return the survivor on which the most trials have a say: on others, rounding hides what it does.

    Of equals it is the first. (Votes of tests between survivors: Ehrlich et al., CodeMonkeys, 2025.)
    """

    def votes(pair: tuple[Attempt, Judged]) -> int:
        verdict = pair[1].verdict
        return verdict.guarantee.trials if isinstance(verdict, Passed) else 0

    return max(kept, key=votes)
