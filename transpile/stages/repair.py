"""The loop between a model and the testers: it proposes, they decide, it is told why, up to a budget."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from transpile.core import Attempt, Candidate, Contract, Passed, Trial, Unit, reaches
from transpile.options import PortOptions
from transpile.stages.dialogues import Dialogues
from transpile.stages.rules import judged
from transpile.stages.work import Work
from transpile.testers import Judged, Proposal
from transpile.translators.llm import Dialogue, Question
from transpile.translators.llm.answer import refused
from transpile.translators.llm.change import Change
from transpile.translators.llm.dialogue import Answer, closeness
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


def repaired(
    work: Work,
    units: Sequence[Open],
    model: Model,
) -> dict[str, Result]:
    """Return what came of asking a model for each unit, by unit id.

    All units are asked at once, and all answers of a round are judged together.
    """
    states = [_State(open=item, dialogue=_begun(work, item)) for item in units]
    for state in states:
        if state.dialogue.form is None:
            state.done = True
            why = refused(state.open.unit, "answer", "TP520", "its head cannot be read, so no model is asked")
            state.attempts.append(Attempt(candidate=None, verdict=why))
    for _ in range(1 + work.options.models.repairs):
        waiting = [state for state in states if not state.done]
        if not waiting:
            break
        _round(work, waiting, model)
    return {state.open.unit.id: state.result() for state in states}


def _begun(work: Work, item: Open) -> Dialogue:
    return Dialogue.begin(
        Question(
            source=work.source,
            unit=item.unit,
            contracts=item.contracts,
            target=work.options.target,
            change=item.change,
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


def _round(work: Work, states: Sequence[_State], model: Model) -> None:
    """Ask once for every unit, judge, and tell."""
    answered: list[tuple[_State, Answer]] = []
    answers = asked(work.options, model, [state.dialogue for state in states])
    for state, completions in zip(states, answers, strict=True):
        answered += [(state, answer) for answer in state.dialogue.answers(completions, model.name)]
    verdicts = judged_answers(work, [(state.open, answer) for state, answer in answered])
    for state in states:
        own = [(answer, verdicts[id(answer)]) for item, answer in answered if item is state]
        _conclude(state, own, work.options)


def judged_answers(work: Work, answered: Sequence[tuple[Open, Answer]]) -> dict[int, Judged]:
    """Return, by identity of an answer, the verdict on it; files are judged side by side."""
    found: dict[int, Judged] = {}
    groups: dict[str, list[tuple[Answer, Proposal]]] = {}
    for item, answer in answered:
        if isinstance(answer.found, Candidate):
            proposal = Proposal(
                unit=item.unit,
                contracts=item.contracts,
                candidate=answer.found,
                given=item.given,
                sequential=work.options.sequential,
            )
            groups.setdefault(item.unit.translation_unit, []).append((answer, proposal))
        else:
            found[id(answer)] = Judged(verdict=answer.found)
    shared = work.sharing(len(groups))

    def judge(group: list[tuple[Answer, Proposal]]) -> list[Judged]:
        return judged(shared, [proposal for _, proposal in group])

    with ThreadPoolExecutor(max_workers=work.options.jobs) as pool:
        for group, results in zip(groups.values(), pool.map(judge, groups.values()), strict=True):
            found |= {id(answer): result for (answer, _), result in zip(group, results, strict=True)}
    return found


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
