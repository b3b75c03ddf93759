"""Trials of a contract: sizes from 0 and 1 across warp and block boundaries, with launches and fills."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TypeVar

import numpy as np

from transpile.contracts.probing.relations import repaired
from transpile.core import (
    ArrayFact,
    Contract,
    Fill,
    Launch,
    Scalar,
    ScalarFact,
    ShapeDependent,
    Trial,
    array_of,
)
from transpile.core import Range as Interval
from transpile.expressions import names
from transpile.testers.trials.launches import THREADS, admissible, choose, of_family
from transpile.testers.trials.materialise import Unmakeable, environment, extent_of, in_turn, value_of

Item = TypeVar("Item")

SIZES = (
    (0, 1, 2, 3),
    (5, 7, 8, 16, 17, 31, 32, 33),
    (63, 64, 65, 100, 127, 128, 129),
    (255, 256, 257, 300, 384),
    (511, 512, 513, 777, 1000, 1024, 1025),
    (2049, 4099, 10007),
    (32771,),
    (65_536, 65_537, 70_001, 100_003, 131_072),
    (262_147, 524_288, 1_000_003),
    (1_200_007,),
    (2_000_003,),
    (4_200_013,),
)
"""Sizes by level: beside and on warp, block and chunk boundaries, odd tails, beyond 16 bits and a stack."""

LEVELS = (3, 1, 4, 2, 0, 3, 1, 4)
"""Of sizes, in turn."""
FILLS: tuple[Fill, ...] = (
    "exact", "real", "cancel", "special", "exact", "edge", "wide", "part", "first", "real",
    "exact", "real", "cancel", "special", "wide", "part", "last", "real", "edge"
)  # fmt: skip
"""In turn with the levels, which are eight: sums that cancel need many terms to show anything."""
FEW: tuple[Fill, ...] = tuple(fill for other in FILLS for fill in ("few", other))
"""In turn where others left branches open."""
_OF_MARKS = ("marked", "level", "linear")
"""Fills by the numbers that a plan names."""
_ATTEMPTS = 56
_STEPS = (0.1, 0.3, 0.7, 3.0, 10.0, 49.0)
"""Floating numbers by which quotients are rounded."""
_EXACT_STEPS = (1.0, 0.5, 2.0)
"""And those by which none are: what is halfway between whole numbers is so exactly."""
_NARROW = 1000
"""Ranges that are no longer are drawn from anywhere."""
_FAR = 10_000
"""Ends of ranges from here on stand for none."""
_MODERATE = 20
"""Exponent of two, up to which and down to which floating numbers go that are passed by value."""
_BACKWARDS = 0.5
"""Share of the sizes below zero, of those that may lie there."""
_LARGE_ELEMENT = 64
"""Bytes."""
_SAMPLES = 8
"""Launches that are looked at to see how small a call can be."""
_MOST = 5 << 20
"""Elements, or threads, beyond which a call is too large to be tried often, even where it is the only one."""
_TOGETHER = 1 << 23
"""Elements of all trials that are held at once where a kernel has one size."""
_SHARE = 4
"""Part of the room for all arrays that those of a fixed length may take."""
_FEW_LARGE = 24
"""Trials of such a kernel that are made however large it is: as many as there are fills, and some again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What trials are wanted."""

    seed: int
    count: int
    nonce: int = 0
    """Mixed into every second trial, so that no candidate can know its inputs; a trial keeps its own seed."""
    levels: tuple[int, ...] = LEVELS
    """Of the greatest size of each trial, in turn; the ends of ranges are tried where they begin at 0."""
    elements: int = 1 << 15
    """Elements behind all pointers together; large ones count for several."""
    threads: int = THREADS
    literals: tuple[float, ...] = ()
    fills: tuple[Fill, ...] = FILLS
    given: tuple[Trial, ...] = ()
    """Trials to be tried beside those that are generated."""
    marks: tuple[float, ...] = ()
    """Numbers that data lie beside where the fill is ``marked``, and are where it is ``level``."""


def unforeseen(seed: int, count: int) -> Plan:
    """Return a plan with a nonce that nobody knows."""
    return Plan(seed=seed, count=count, nonce=_nonce())


def _nonce() -> int:
    return secrets.randbits(32)


def generate(contract: Contract, plan: Plan) -> tuple[Trial, ...]:
    """Return different trials that respect the contract, small ones first; fewer where it allows no more."""
    made: dict[Trial, int] = {}
    plan = _roomy(contract, plan)
    ends = (*_smallest(contract), *_corners(contract)) if 0 in plan.levels else ()
    for index, pins in enumerate(ends):
        rng = np.random.default_rng([plan.seed, index])
        trial = _trial(rng, contract, plan, 1, "exact", pins)
        if trial is not None:
            made.setdefault(trial, elements_of(contract, trial))
    turns: Counter[Fill] = Counter()
    for index in range(3 * plan.count):
        if len(made) >= plan.count:
            break
        hidden = plan.nonce if index % 2 else 0
        rng = np.random.default_rng([plan.seed, hidden & 0xFFFFFFFF, index])
        level = plan.levels[index % len(plan.levels)]
        fill = plan.fills[index % len(plan.fills)]
        trial = _trial(rng, contract, plan, level, fill, {})
        if trial is None:
            continue
        trial = in_turn(trial, turns[fill])
        turns[fill] += 1
        made.setdefault(trial, elements_of(contract, trial))
        if index % 4 == 3:  # The same call with other data: results kept from the last call show.
            twin = in_turn(replace(trial, seed=_seed(rng)), turns[fill])
            made.setdefault(twin, made[trial])
    chosen = list(made)[: plan.count]  # Ends come first; the largest trials are as welcome as the others.
    return tuple(sorted(chosen, key=lambda trial: (made[trial], trial.scalars, trial.seed)))


def as_launched(contract: Contract, plan: Plan) -> tuple[Trial, ...]:
    """Return trials of the launches that the source's own sites make, and with one more block on each axis.

    There are none where a size is left to choose: trials are launched as such sites do anyway.
    """
    if contract.law is None or any(fact.size for fact in contract.scalars):
        return ()
    found: dict[Trial, None] = {}
    for index, family in enumerate(contract.launches):
        for fill in ("exact", "real"):
            rng = np.random.default_rng([plan.seed, index])
            try:
                scalars = _related(rng, contract, _scalars(rng, contract, plan, 0, fill, {}))
            except Unmakeable:
                continue
            launch = of_family(family, contract, scalars)
            if launch is None:
                continue
            for grid in _and_spare(launch.grid, contract.used_axes):
                trial = _of_launch(contract, plan, scalars, replace(launch, grid=grid), fill)
                if trial is not None:
                    found[replace(trial, seed=_seed(rng))] = None
    return tuple(found)


def _and_spare(grid: tuple[int, int, int], axes: str) -> list[tuple[int, int, int]]:
    """Return a grid, and one with a block more on each axis that the kernel uses."""
    x, y, z = (count + (axis in axes) for axis, count in zip("xyz", grid, strict=True))
    return [grid, (x, y, z)]


def _of_launch(
    contract: Contract, plan: Plan, scalars: tuple[tuple[str, int | float], ...], launch: Launch, fill: Fill
) -> Trial | None:
    """Return a trial with this launch; None where the contract does not admit it, or it is too large."""
    trial = Trial(
        seed=plan.seed,
        fill=fill,
        scalars=scalars,
        launch=launch,
        template_arguments=contract.signature.form,
    )
    try:
        fits = admissible(contract, scalars, launch, _MOST) and elements_of(contract, trial) <= _MOST
    except Unmakeable:
        return None
    return trial if fits else None


def _roomy(contract: Contract, plan: Plan) -> Plan:
    """Return the plan with room for the smallest calls there are, where a contract leaves no choice of sizes.

    A law of shapes has room for all its launches. Arrays of a fixed length leave the others their room.
    """
    if any(fact.size for fact in contract.scalars):
        constant = (fact for fact in contract.arrays if not names(fact.extent) | names(fact.before))
        fixed = sum(_weighed(contract, fact, {}) for fact in constant)
        return _of(plan, min(plan.elements + fixed, _MOST)) if fixed > plan.elements // _SHARE else plan
    law, scalars = contract.law, tuple((name, 0) for name, _ in _numbers(contract))
    launches = [*_launches(contract, scalars)]
    needs = [
        (elements_of(contract, trial), prod(trial.launch.grid) * prod(trial.launch.block))
        for launch in launches
        if (trial := _of_launch(contract, plan, scalars, launch, "exact")) is not None
    ]
    chosen = needs if isinstance(law, ShapeDependent) else [min(needs)] if needs else []
    for elements, threads in chosen:
        plan = replace(plan, elements=max(plan.elements, elements), threads=max(plan.threads, threads))
    return _of(plan, plan.elements) if chosen else plan


def _of(plan: Plan, elements: int) -> Plan:
    """Return the plan of calls of that size, all of which are held in memory together."""
    return replace(plan, elements=elements, count=min(plan.count, max(_FEW_LARGE, _TOGETHER // elements)))


def _launches(contract: Contract, scalars: tuple[tuple[str, int], ...]) -> Iterator[Launch]:
    """Yield launches of a contract without sizes: those of its law, or some that its law admits."""
    law = contract.law
    if isinstance(law, ShapeDependent):
        yield from filter(None, (of_family(family, contract, scalars) for family in law.launches))
        return
    samples = (choose(np.random.default_rng(seed), contract, scalars, _MOST) for seed in range(_SAMPLES))
    yield from filter(None, dict.fromkeys(samples))


def pinned(contract: Contract, plan: Plan, pins: Mapping[str, int | float]) -> Trial | None:
    """Return a trial with these scalars, as far as ranges allow; None where the contract admits none."""
    return _trial(np.random.default_rng(plan.seed), contract, plan, max(plan.levels), plan.fills[0], pins)


def thinned(items: Sequence[Item], most: int) -> Sequence[Item]:
    """Return every second, third … item where there are twice, three times … as many as asked for."""
    return items[:: max(len(items) // most, 1)]


def _smallest(contract: Contract) -> Iterator[dict[str, int]]:
    """Yield the sizes 0 and 1 of every size in turn."""
    for fact in contract.scalars:
        if fact.size:
            yield from ({fact.name: 0}, {fact.name: 1})


def _corners(contract: Contract) -> Iterator[dict[str, int]]:
    """Yield the upper ends of ranges that have one, all at once and each alone, and the lower ends."""
    kinds = dict(_numbers(contract))
    whole = [fact for fact in contract.scalars if fact.name in kinds and not kinds[fact.name].floating]
    lows = {fact.name: end for fact in whole if (end := _end(fact.values.low)) is not None}
    highs = {fact.name: end for fact in whole if (end := _end(fact.values.high)) is not None}
    if highs:
        yield from (highs, {**highs, **lows}, *({name: end} for name, end in highs.items()))


def _end(text: str) -> int | None:
    """Return an end that was found, None for one that only says how far trials go."""
    bare = text.removeprefix("-")
    return int(text) if bare.isdigit() and int(bare) < _FAR else None


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(0, 2**62))


def _trial(
    rng: np.random.Generator,
    contract: Contract,
    plan: Plan,
    level: int,
    fill: Fill,
    pins: Mapping[str, int | float],
) -> Trial | None:
    """Return one trial, with smaller sizes after each failure; None where the contract admits none."""
    for attempt in range(_ATTEMPTS):
        try:
            scalars = _scalars(rng, contract, plan, max(level - attempt // 8, 0), fill, pins)
            scalars = _related(rng, contract, scalars)
        except Unmakeable:
            continue
        launch = choose(rng, contract, scalars, plan.threads)
        if launch is None:
            continue
        trial = Trial(
            seed=_seed(rng),
            fill=fill,
            scalars=scalars,
            launch=launch,
            template_arguments=contract.signature.form,
            marks=plan.marks if fill in _OF_MARKS else (),
        )
        try:
            if elements_of(contract, trial) <= plan.elements:
                return trial
        except Unmakeable:
            continue
    return None


def elements_of(contract: Contract, trial: Trial) -> int:
    """Return how many elements lie behind all pointers of a trial; large ones count for several."""
    known = environment(contract, trial.scalars, trial.launch)
    return sum(_weighed(contract, fact, known) for fact in contract.arrays)


def _weighed(contract: Contract, fact: ArrayFact, known: Mapping[str, int]) -> int:
    """Return how many elements an array has; large ones count for several."""
    elements = (item.element for item in contract.signature.parameters if item.name == fact.name)
    element = next(elements, None)
    weight = 1 if element is None else max(element.size // _LARGE_ELEMENT, 1)
    return weight * sum(extent_of(fact, known))


def facts_of(contract: Contract) -> tuple[tuple[ScalarFact, Scalar], ...]:
    """Return every by-value number with what is known of it, those that others depend on first."""
    kinds = dict(_numbers(contract))
    known = {fact.name: fact for fact in contract.scalars if fact.name in kinds}
    free = Interval(low="-9", high="9")
    facts = [
        known.get(name)
        or ScalarFact(name=name, values=free if kind.floating else Interval(low="1", high="9"))
        for name, kind in kinds.items()
    ]
    ordered: list[ScalarFact] = []
    while facts:
        waiting = {fact.name for fact in facts}
        ready = [fact for fact in facts if not (_mentioned(fact) - {fact.name}) & waiting] or facts[:1]
        ordered += ready
        facts = [fact for fact in facts if fact not in ready]
    return tuple((fact, kinds[fact.name]) for fact in ordered)


def _mentioned(fact: ScalarFact) -> frozenset[str]:
    return names(fact.values.low) | names(fact.values.high) | names(fact.multiple_of)


def _numbers(contract: Contract) -> Iterator[tuple[str, Scalar]]:
    """Yield names and types of scalar parameters, members of structs by value, and greatest elements."""
    elements = {item.name: item.element for item in contract.signature.parameters if item.pointer}
    for parameter in contract.signature.parameters:
        if parameter.pointer or parameter.element is None:
            continue
        for leaf in parameter.element.leaves:
            yield parameter.part(leaf), leaf.scalar
    for fact in contract.scalars:
        holder = elements.get(array_of(fact.name))
        if holder is not None and holder.scalar is not None:
            yield fact.name, holder.scalar


def _scalars(
    rng: np.random.Generator,
    contract: Contract,
    plan: Plan,
    level: int,
    fill: Fill,
    pins: Mapping[str, int | float],
) -> tuple[tuple[str, int | float], ...]:
    known: dict[str, int] = {}
    chosen: dict[str, int | float] = {}
    facts = facts_of(contract)
    sizes = [fact.name for fact, _ in facts if fact.size]
    lead = sizes[int(rng.integers(len(sizes)))] if sizes else ""
    for fact, kind in facts:
        low, high = value_of(fact.values.low, known), value_of(fact.values.high, known)
        if fact.name in pins:
            value: int | float = pins[fact.name]
        elif fact.size:
            reach = level if fact.name == lead else int(rng.integers(0, level + 1))
            value = _size(rng, low, high, reach)
            # Steps that may lead backwards are as long either way.
            value = -value if low <= -value < 0 and rng.random() < _BACKWARDS else value
        elif kind.floating:
            value = _float(rng, low, high, fill, plan.literals)
        else:
            value = _integer(rng, low, high, fill, plan.literals)
        if not kind.floating:
            value = _fitted(int(value), low, high, value_of(fact.multiple_of, known), kind)
            known[fact.name] = known[array_of(fact.name) or fact.name] = value
        elif float(value).is_integer():
            known[fact.name] = int(value)
        chosen[fact.name] = value
    return tuple((name, chosen[name]) for name, _ in _numbers(contract))


def _related(
    rng: np.random.Generator, contract: Contract, scalars: tuple[tuple[str, int | float], ...]
) -> tuple[tuple[str, int | float], ...]:
    """Return the scalars with left sides of relations changed until they hold; Unmakeable beyond a range."""
    given = dict(scalars)
    fixed = repaired(given, contract.relations, int(rng.integers(3)))
    known = {name: int(value) for name, value in fixed.items() if float(value).is_integer()}
    for fact, kind in facts_of(contract):
        if fact.values.low == fact.values.high and not kind.floating:
            known[fact.name] = fixed[fact.name] = value_of(fact.values.low, known)
        value = fixed[fact.name]
        if value != given[fact.name]:
            low, high = value_of(fact.values.low, known), value_of(fact.values.high, known)
            if not low <= value <= high or int(value) % max(value_of(fact.multiple_of, known), 1):
                raise Unmakeable(f"a relation asks for {fact.name} = {value}")
    return tuple(fixed.items())


def _size(rng: np.random.Generator, low: int, high: int, level: int) -> int:
    """Return a size of the level that lies in the interval, else of a lower level, else any."""
    for reach in range(level, -1, -1):
        fitting = [size for size in SIZES[reach] if low <= size <= high]
        if fitting:
            return int(rng.choice(fitting))
    return int(rng.integers(low, min(max(high, low), low + 64), endpoint=True))


def _integer(rng: np.random.Generator, low: int, high: int, fill: Fill, literals: Sequence[float]) -> int:
    """Return an integer of the interval: an end, near a number of the text, small, or anywhere near."""
    style = rng.random()
    if fill == "special" and style < 0.5:
        return low + int(rng.integers(0, max(high - low, 0), dtype=np.uint64, endpoint=True))
    near = [int(value) + step for value in literals for step in (-1, 0, 1) if low <= value + step <= high]
    if near and style < 0.3:
        return int(rng.choice(near))
    if 0 <= high - low <= _NARROW:
        # Many loops have no iteration below 0, and so nothing to show.
        least = 0 if low < 0 < high and style < 0.6 else low
        return int(rng.integers(least, high, endpoint=True))
    nearest = min(max(0, low), high)
    least, most = max(low, nearest - 9), min(high, nearest + 9)
    if style < 0.8:
        return int(rng.integers(least, most, endpoint=True))
    return int(rng.integers(max(low, nearest - 1000), min(high, nearest + 1000), endpoint=True))


def _float(rng: np.random.Generator, low: int, high: int, fill: Fill, literals: Sequence[float]) -> float:
    if fill == "level" and low <= 0 <= high:
        return 0.0  # So that what is compared with it may be equal.
    if fill == "grid":
        known = _EXACT_STEPS if rng.random() < 0.5 else _STEPS
        steps = [value for value in known if low <= value <= high]
        return float(rng.choice(steps)) if steps else float(low)
    if fill == "special" and low <= 0 <= high and rng.random() < 0.5:
        return 0.0  # What is multiplied by it may be NaN.
    if fill in ("edge", "special"):
        near = [value for value in (0.0, 1.0, -1.0, *literals) if low <= value <= high]
        if near:
            return float(rng.choice(near))
    if fill == "wide" and rng.random() < 0.5:
        size = float(np.exp2(rng.uniform(-_MODERATE, _MODERATE)))
        signed = size if high > 0 and (low >= 0 or rng.random() < 0.5) else -size
        return min(max(signed, float(low)), float(high))
    if fill in ("exact", "cancel"):
        whole = [value for value in range(max(low, -9), min(high, 9) + 1) if value]
        return float(rng.choice(whole)) if whole else float(low)
    reach = 1 if low <= -1 and high >= 1 and rng.random() < 0.5 else 9  # Thresholds are often small.
    return float(rng.uniform(max(low, -reach), max(min(high, reach), max(low, -reach))))


def _fitted(value: int, low: int, high: int, multiple: int, kind: Scalar) -> int:
    """Return the nearest value that is a multiple and keeps to the interval; Unmakeable where none is."""
    multiple = max(multiple, 1)
    value = min(max(value, low), max(high, low))
    value -= value % multiple
    if value < low:
        value += multiple
    limits = np.iinfo(np.uint8 if kind is Scalar.BOOL else kind.value)
    if value > high or not limits.min <= value <= limits.max:
        raise Unmakeable(f"no multiple of {multiple} between {low} and {high}")
    return min(value, 1) if kind is Scalar.BOOL else value
