"""From what a tester wrote to a trial: held against the contract, and completed where it says nothing."""

from __future__ import annotations

from transpile.core import Contract, Launch, Trial, WrittenTest, digest
from transpile.testers.trials.generate import Plan, facts_of, pinned
from transpile.testers.trials.launches import admissible
from transpile.testers.trials.materialise import Unmakeable, environment, materialise, value_of


def trial_of(contract: Contract, test: WrittenTest) -> Trial:
    """Return the trial that a test describes.

    Raises:
        Unmakeable: No call that respects the contract is like that; the message says why, to its author.
    """
    _known(contract, test)
    seed = int(digest(repr(test))[:15], 16)
    pins = dict(test.scalars)
    made = pinned(contract, Plan(seed=seed, count=1, levels=(1,), fills=("exact",)), pins)
    if made is None:
        raise Unmakeable("the contract allows no call with these numbers, or its arrays would be too long")
    for name, value in made.scalars:
        if name in pins and (value != pins[name] or not _within(contract, made, name)):
            raise Unmakeable(f"`{name}` cannot be {pins[name]}: {_allowed(contract, made, name)}")
    trial = Trial(
        seed=seed,
        fill="exact",
        scalars=made.scalars,
        launch=_launch(contract, made, test),
        template_arguments=made.template_arguments,
        written=tuple((name, numbers) for name, numbers in test.arrays if numbers),
    )
    materialise(contract, trial)
    return trial


def _known(contract: Contract, test: WrittenTest) -> None:
    for kind, given, known in (
        ("scalar", test.scalars, {fact.name for fact, _ in facts_of(contract)}),
        ("array", test.arrays, {fact.name for fact in contract.arrays}),
    ):
        strange = next((name for name, _ in given if name not in known), None)
        if strange is not None:
            raise Unmakeable(f"there is no {kind} `{strange}`, only {', '.join(sorted(known)) or 'none'}")


def _within(contract: Contract, made: Trial, name: str) -> bool:
    low, high, _ = _limits(contract, made, name)
    return low <= dict(made.scalars)[name] <= high


def _limits(contract: Contract, made: Trial, name: str) -> tuple[int, int, int]:
    """Return the ends of a scalar's range, and what it is a multiple of, beside the others of a trial."""
    known = environment(contract, made.scalars, made.launch)
    fact = next(fact for fact, _ in facts_of(contract) if fact.name == name)
    ends = value_of(fact.values.low, known), value_of(fact.values.high, known)
    return *ends, value_of(fact.multiple_of, known)


def _allowed(contract: Contract, made: Trial, name: str) -> str:
    """Return in words which values a scalar may have."""
    low, high, multiple = _limits(contract, made, name)
    among = f"multiples of {multiple} " if multiple > 1 else ""
    relations = "".join(f", {relation}" for relation in contract.relations if name in relation)
    return f"the contract allows {among}from {low} to {high}{relations}"


def _launch(contract: Contract, made: Trial, test: WrittenTest) -> Launch:
    if contract.law is None or (test.grid is None and test.block is None):
        return made.launch
    launch = Launch(
        grid=test.grid or made.launch.grid, block=test.block or made.launch.block, shared=made.launch.shared
    )
    if not admissible(contract, made.scalars, launch):
        raise Unmakeable(f"no launch of the source is <<<{launch.grid}, {launch.block}>>> with these numbers")
    return launch
