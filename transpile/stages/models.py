"""Translation by language models: all units that are left are asked for at once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from transpile.core import (
    Attempt,
    Contract,
    Evidence,
    Inconclusive,
    Passed,
    Rejected,
    Unit,
    UnitKind,
)
from transpile.faults import streamed
from transpile.stages.once import numbered, once
from transpile.stages.repair import Open, Result, repaired
from transpile.stages.work import Decided, Work, refusal_of
from transpile.translators.llm.answer import refused
from transpile.translators.llm.dialogue import closeness
from transpile.translators.models import Model


def by_models(work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]) -> Iterator[Decided]:
    """Yield the evidence of every unit, what the store knows first."""
    keys = work.keys(units, ("rules", "models") if earlier else ("models",))
    known, fresh = work.recalled(units, keys, stale=unanswered)
    yield from known
    if not fresh:
        return
    model = model_of(work)

    def decided(some: Sequence[Unit]) -> Iterator[Evidence]:
        # What a model has said is known where units are decided again, each alone.
        def together(units: Sequence[Unit]) -> Iterator[tuple[int, Evidence]]:
            return numbered(units, decide(work, units, earlier, model))

        return (item for _, item in streamed(some, together, partial(work.failed, earlier), "asking a model"))

    yield from once(work, [fresh], keys, decided, stale=unanswered)


def model_of(work: Work) -> Model:
    """Return the model that the options name; UsageError where it cannot be had."""
    return work.asked.model(work.options.models.use, work.options)


def decide(
    work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence], model: Model
) -> Iterator[Evidence]:
    """Yield what became of units that a model was asked for, as soon as it is known."""
    begun = time.monotonic()
    unasked, contracts = contracts_of(work, units, earlier)
    asked = [
        Open(
            unit=unit,
            contracts=contracts[unit.id],
            given=work.given.get(unit.id, ()),
            before=earlier[unit.id].attempts if unit.id in earlier else (),
        )
        for unit in units
        if unit.id in contracts
    ]
    refused = (
        (name, Result(attempts=(Attempt(candidate=None, verdict=why),))) for name, why in unasked.items()
    )
    known = {unit.id: unit for unit in units}
    for name, result in chain(refused, repaired(work, asked, model)):
        before = earlier[name].attempts if name in earlier else ()
        yield work.evidence(
            known[name],
            result.contracts or contracts.get(name, ()),
            nearest_last((*before, *result.attempts)),
            result.pool,
            # All were asked at once: what that took is shared.
            (time.monotonic() - begun) / len(units),
        )


def unanswered(evidence: Evidence) -> bool:
    """Tell whether a unit is not kept, and a model failed to answer: another day it may."""
    return not isinstance(evidence.verdict, Passed) and any(
        isinstance(item.verdict, Rejected) and item.verdict.stage == "model" for item in evidence.attempts
    )


def unmovable(work: Work, unit: Unit) -> Rejected | None:
    """Return why a function cannot go into a file of CUDA: the host's code shares more with it than calls."""
    if not work.options.target.traits.emulated or unit.kind is not UnitKind.FUNCTION:
        return None
    variables = [
        variable.name
        for signature in work.source.signatures.get(unit.id, ())
        for variable in signature.globals
        if not variable.constant
    ]
    if variables:
        what = f"it shares the variable `{variables[0]}` with code that stays on the host"
    elif unit.path != unit.translation_unit:
        what = "it is defined in a header that host code includes too"
    else:
        return None
    return refused(
        unit,
        "translate",
        "TP522",
        f"`{unit.name}` cannot be moved into a {work.options.target.traits.title} file: {what}",
    )


def nearest_last(attempts: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
    """Return attempts in the order they were made, but for the nearest to a pass: it counts, as the last."""
    nearest = max(reversed(attempts), key=lambda item: closeness(item.verdict))
    return (*(item for item in attempts if item is not nearest), nearest)


def contracts_of(
    work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]
) -> tuple[dict[str, Inconclusive | Rejected], dict[str, tuple[Contract, ...]]]:
    """Return, by unit id, why units cannot be judged, and the contracts of the others."""
    unasked: dict[str, Inconclusive | Rejected] = {}
    contracts: dict[str, tuple[Contract, ...]] = {}
    wanted: list[Unit] = []
    for unit in units:
        why = refusal_of(work.source, unit) or unmovable(work, unit)
        if why is not None:
            unasked[unit.id] = why
        elif unit.id in earlier and earlier[unit.id].contracts:
            contracts[unit.id] = earlier[unit.id].contracts
        else:
            wanted.append(unit)
    for name, known in work.learnt(wanted).items():
        if isinstance(known, Inconclusive):
            unasked[name] = known
        else:
            contracts[name] = known
    return unasked, contracts
