"""Find one input on which a kernel runs, and which integer arrays are indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import prod

from transpile.code.trees import descendants, text
from transpile.contracts.launches.floors import floors_of
from transpile.contracts.launches.launch_families import stated_launches
from transpile.contracts.launches.launch_ladder import MAXIMUM_BLOCK, Split, launch_of
from transpile.contracts.probing.probe import (
    Asking,
    Failed,
    Filling,
    Floats,
    Observed,
    Outcome,
    Probe,
    Style,
    Values,
    unknown,
    writes,
)
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, different, first_guesses, lone_guesses
from transpile.contracts.probing.subject import ArrayInput, Subject
from transpile.core import GlobalVariable, Inconclusive, Launch
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import LACKS

Block = tuple[int, int, int]

_THREADS = {0: 1, 1: 64, 2: 16, 3: 12}
"""Threads on each axis, by number of axes: more than the sizes of the first guesses."""
_WIDEST = 64
"""Threads on each of several axes of a launch whose blocks a launch site names; no first guess is larger."""
_PLANE = 2
_SHARED = 16384
"""Bytes of dynamic shared memory that a first launch has: two doubles for each thread of a block."""
_SLOW = WORK_A_SECOND // 5
"""Work of a call at the first sizes from which on no larger ones are tried."""
_LEVELS = (
    Values(Style.CONSTANT, 0, 0),
    Values(Style.CONSTANT, 7, 7),
    Values(Style.CONSTANT, 14, 14),
    Values(Style.COUNTING, 0, 1 << 20),
    Values(Style.COUNTING, 7, 1 << 20),
)
"""Fills of an integer array, in turn; the second and third, and the last two, are compared."""
_COARSE = {1 << 7: (1000, 4000), 1 << 14: (100_000, 400_000)}
"""Elements that lead elsewhere where smaller ones are divided or shifted away, by how coarse they are."""
_SWEEP = (*range(300), *((1 << power) - step for power in range(9, 16) for step in (1, 0)))
_WILD = (
    Values(Style.RANDOM, 0, 1 << 30),
    Values(Style.RANDOM, -(1 << 30), 1 << 30),
    Values(Style.COUNTING, 1 << 20, 1 << 30),
)
"""Any integers, and neighbours that follow each other: a guard may ask for that."""
_STEERED = Values(Style.RANDOM, 0, 6)
_CHOICES = ("if_statement", "conditional_expression")
_SOUGHT = 8
"""Fills in which all elements of one array are a number that the text asks something to equal."""
_REPEATS = 2
_MIXED = 70
"""Fills in which integers are any such numbers, and the seed of the first."""
_OTHERS = (1, 2)
"""Integers that are mixed with one that the text asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """Where learning starts from."""

    scalars: Scalars
    filling: Filling
    shared: int = 0
    work: int = 0
    """Accesses and branches of a call at these sizes."""
    steering: tuple[str, ...] = ()
    """Integer arrays whose values decide which elements are touched: indices, offsets, counts."""
    folded: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Integer arrays that steer, but stay within bounds whatever they hold: elements that reach both ends."""
    offsets: tuple[str, ...] = ()
    """Of the steering arrays those of which two neighbours delimit what is touched."""
    coarse: Mapping[str, int] = field(default_factory=dict)
    """By how much elements of steering arrays have to differ to lead elsewhere, where it is more than 1."""
    relations: tuple[str, ...] = ()
    """Relations that scalars keep."""
    lowest: Mapping[str, int] = field(default_factory=dict)
    """Least element that an integer array may hold, where 0 makes the source fail."""
    floors: Mapping[str, int] = field(default_factory=dict)
    """Numbers that integers exceed wherever the source does anything: the halo of a wide stencil, say."""

    @property
    def slow(self) -> bool:
        """Tell whether a call at these sizes does so much that no larger ones should be tried."""
        return self.work > _SLOW


def pilot(
    subject: Subject, pinned: Scalars, blocks: Sequence[tuple[int, int, int]] = ()
) -> Asking[Pilot | Inconclusive]:
    """Find arguments under which the kernel returns and touches as much as it ever does.

    Args:
        subject: The kernel.
        pinned: Scalars that the user or a recorded run has fixed.
        blocks: Shapes of blocks that launch sites use.
    """
    best, outcome, lacking = yield from _liveliest(subject, first_guesses(subject, pinned), blocks)
    if best is None:
        return unknown("no stated launch can be made from the scalars, or all are too large to try")
    if isinstance(outcome, Failed):
        return _never_returns(subject, outcome.reason)
    best, outcome = yield from _livelier(subject, best, outcome)
    if _is_silent(subject, outcome):
        best, outcome = yield from _at_a_level(subject, best, outcome)
    if _is_silent(subject, outcome) and not (yield from _ever_writes(subject, best)):
        best, outcome, more = yield from _liveliest(subject, lone_guesses(subject, pinned), blocks)
        if best is None or isinstance(outcome, Failed) or _is_silent(subject, outcome):
            if lacking or more:
                return _never_returns(subject, lacking or more)
            return Inconclusive(reason=_silence(subject), code="TP401")
    found = Pilot(
        scalars=best.scalars,
        filling=best.filling,
        shared=best.launch.shared,
        work=outcome.work,
        floors=(yield from floors_of(subject, best, pinned)),
    )
    return (yield from _steering(subject, found, best.launch))


def _silence(subject: Subject) -> str:
    """Return in words that a source has no results."""
    functions = subject.text.functions.values()
    calls = (node for function in functions for node in descendants(function, "call_expression"))
    if any(text(node.child_by_field_name("function")) == "printf" for node in calls):
        return "the source does nothing but print, and what threads print is not compared"
    return "the source writes nothing that could be compared"


def _liveliest(
    subject: Subject, guesses: Sequence[Scalars], blocks: Sequence[Block]
) -> Asking[tuple[Probe | None, Outcome, str]]:
    """Return the call that touches most, what became of it, and what calls lacked, if anything.

    No call where no launch can be made.
    """
    kept = [repaired(dict(guess), subject.kept, 0) for guess in guesses]
    usual = () if subject.stated is not None else _usual(subject, blocks)
    probes = [
        Probe(scalars=guess, launch=launch)
        for guess in different(kept)
        for launch in (*stated_launches(subject, guess), *usual)
    ]
    if not probes:
        return None, Failed(reason="no launch"), ""
    outcomes = yield probes
    best = min(range(len(probes)), key=lambda index: (-_worth(outcomes[index]), index))
    failed = (item.reason for item in outcomes if isinstance(item, Failed))
    return probes[best], outcomes[best], next((reason for reason in failed if LACKS in reason), "")


def _is_silent(subject: Subject, outcome: Observed) -> bool:
    """Tell whether a call leaves nothing behind."""
    signature = subject.signature
    return not writes(outcome) and not signature.globals and signature.returns is None


def _usual(subject: Subject, blocks: Sequence[tuple[int, int, int]]) -> tuple[Launch, ...]:
    """Return the launches that a kernel is tried with of which nothing is stated."""
    axes = {axis.letter: _THREADS[len(subject.axes)] for axis in subject.axes}
    shared = _SHARED if subject.signature.uses_dynamic_shared else 0
    return (
        *(Launch(grid=_grid_of(subject, block), block=block, shared=shared) for block in blocks),
        launch_of(subject, axes, Split.ONE, shared),
        launch_of(subject, axes, Split.WHOLE, shared),
        *(Launch(block=block, shared=shared) for block in _fitting(subject)),
    )


def tiled_launches(subject: Subject, shared: int) -> list[Launch]:
    """Return a launch in each block of several axes that sites name, for a kernel whose text has tiles.

    It has more threads than elements, which a kernel that asks for nothing does not bear in any case.
    """
    if len(subject.axes) < _PLANE or not (subject.shared or subject.told.fixed):
        return []
    named = dict.fromkeys(site.fixed_block for site in subject.sites)
    blocks = [block for block in named if block is not None and prod(block) <= MAXIMUM_BLOCK]
    functions = subject.text.functions.values() if blocks else ()
    if not any(True for function in functions for _ in descendants(function, *_CHOICES)):
        return []
    return [Launch(grid=_grid_of(subject, block), block=block, shared=shared) for block in blocks]


def _grid_of(subject: Subject, block: Block) -> Block:
    """Return the blocks of a first launch: more threads than elements, and not the square of that."""
    many = _THREADS[len(subject.axes)]
    if len(subject.axes) < _PLANE:
        return launch_of(subject, {axis.letter: many for axis in subject.axes}, Split.ONE).grid
    used = {axis.letter for axis in subject.axes}
    spans = ((letter, size) for letter, size in zip("xyz", block, strict=True))
    x, y, z = (max(2, -(-_WIDEST // size)) if letter in used else 1 for letter, size in spans)
    return x, y, z


def _fitting(subject: Subject) -> list[Block]:
    """Return blocks with a thread for each element of an array of the text, on the axes that have threads."""
    used = {axis.letter for axis in subject.axes if axis.block}
    shapes = [dict(zip("xyz", block, strict=True)) for block in subject.told.blocks]
    fitting = [shape for shape in shapes if {letter for letter, size in shape.items() if size > 1} <= used]
    return [
        (shape["x"], shape["y"], shape["z"]) for shape in fitting if prod(shape.values()) <= MAXIMUM_BLOCK
    ]


def _never_returns(subject: Subject, reason: str) -> Inconclusive:
    """Return that no arguments were found under which the source returns, and what it does instead."""
    assembly = subject.signature.assembly
    ends = reason == "abort" or reason.startswith("exit ")
    code = {"timeout": "TP425", "stack overflow": "TP426"}.get(reason, "TP424" if ends else "TP404")
    hint = ""
    if assembly is not None and assembly.after and reason in ("abort", "illegal instruction"):
        code = "TP404"
        hint = " (a call that resizes a vector, or moves the pointers of an object, ends like that)"
    elif reason == "timeout" and any(array.integer for array in subject.arrays):
        hint = " (a loop may wait for a value in an array: a sentinel, the end of a list)"
    return Inconclusive(
        reason=f"the source does not return for any arguments that were tried: {reason}{hint}", code=code
    )


def _at_a_level(subject: Subject, silent: Probe, outcome: Observed) -> Asking[tuple[Probe, Observed]]:
    """Return a silent call at floating data that are all one number of the text, if that leaves something."""
    probes = [replace(silent, filling=replace(silent.filling, level=level)) for level in subject.levels]
    outcomes = (yield probes) if probes else []
    for probe, other in zip(probes, outcomes, strict=True):
        if isinstance(other, Observed) and not _is_silent(subject, other):
            return probe, other
    return silent, outcome


def _livelier(subject: Subject, best: Probe, outcome: Observed) -> Asking[tuple[Probe, Observed]]:
    """Return a call that touches all that another one does, and more, at a number that the text asks for.

    A flag that ends the source early, say, has to be 0 for anything to be learnt.
    """
    probes = [replace(best, filling=replace(fill, optional=False)) for fill in _alone(subject, best.filling)]
    outcomes = (yield probes) if probes else []
    for probe, other in zip(probes, outcomes, strict=True):
        if isinstance(other, Failed) or _worth(other) < _worth(outcome):
            continue
        if other.touched.keys() > outcome.touched.keys():
            return probe, other
    return best, outcome


def _ever_writes(subject: Subject, probe: Probe) -> Asking[bool]:
    """Tell whether the kernel writes anything under data and numbers by value that open guards."""
    integers = [Values(Style.COUNTING, 0, 1 << 20), *(Values(Style.CONSTANT, n, n) for n in subject.literals)]
    usual = Filling(free=probe.filling.free)
    fills = [
        *(replace(usual, integers=values) for values in (Values(), *integers)),
        *sought_by(subject, usual),
    ]
    chosen = {**probe.scalars, **dict(subject.asked)}
    outcomes = yield [
        replace(probe, scalars=scalars, filling=replace(fill, seed=fill.seed + seed, floats=floats))
        for scalars in different([probe.scalars, chosen])
        for fill in fills
        for seed, floats in enumerate((Floats.EXACT, Floats.REAL, Floats.HIGH, Floats.LOW))
    ]
    return any(writes(outcome) for outcome in outcomes)


def sought_by(subject: Subject, fill: Filling) -> list[Filling]:
    """Return fills with numbers that the text asks something to equal, in one array, and in all of them."""
    alone = _alone(subject, fill)
    if not alone:
        return []
    others = {number for _, number in subject.asked} if subject.sought[1:] else _OTHERS
    mixed = Values(Style.AMONG, numbers=tuple(dict.fromkeys((*others, *subject.sought))))
    return [
        *alone,
        *_in_one(fill, _free(subject, fill), [mixed]),
        *(replace(fill, optional=True, seed=_MIXED + turn, integers=mixed) for turn in range(_REPEATS)),
    ]


def _alone(subject: Subject, fill: Filling) -> list[Filling]:
    """Return fills in which one array, or variable at file scope, holds such a number and no other."""
    return _in_one(fill, _free(subject, fill), [Values(Style.CONSTANT, n, n) for n in subject.sought])


def _free(subject: Subject, fill: Filling) -> list[str]:
    """Return the arrays, and variables at file scope, whose integers nothing else decides about."""
    free = [item.name for item in subject.arrays if item.integer and item.name not in fill.own]
    return free + [item.name for item in subject.signature.variables if _is_whole(item)]


def _in_one(fill: Filling, names: Sequence[str], integers: Sequence[Values]) -> list[Filling]:
    """Return fills in which one of these holds such integers, and the others what they do otherwise."""
    found = (
        replace(fill, optional=True, free={**fill.free, n: values}) for values in integers for n in names
    )
    return list(islice(found, _SOUGHT))


def _is_whole(item: GlobalVariable) -> bool:
    return item.element is not None and any(not leaf.scalar.floating for leaf in item.element.leaves)


def _worth(outcome: Outcome) -> int:
    """Rank outcomes: valid ones that write and touch many arrays first."""
    if isinstance(outcome, Failed):
        return -1
    written = sum(item.written for item in outcome.touched.values())
    return 1 + 100 * outcome.valid + 10 * written + len(outcome.touched)


def _steering(subject: Subject, found: Pilot, launch: Launch) -> Asking[Pilot | Inconclusive]:
    """Fill one integer array at a time with a constant, and see whether bounds follow it."""
    arrays = [array for array in subject.arrays if array.integer]
    if not arrays:
        return found
    rest = {array.name: _STEERED for array in arrays}
    probes = [
        Probe(
            scalars=found.scalars,
            launch=launch,
            filling=Filling(own={**rest, array.name: level}, free=found.filling.free),
        )
        for array in arrays
        for level in _LEVELS
    ]
    outcomes = yield probes
    steering: list[str] = []
    offsets: list[str] = []
    lowest: dict[str, int] = {}
    for index, array in enumerate(arrays):
        at = outcomes[index * len(_LEVELS) : (index + 1) * len(_LEVELS)]
        if isinstance(at[0], Failed) and isinstance(at[1], Observed):
            lowest[array.name] = 1
        if _follows(at[1], at[2]) or _shifts(at[3], at[4]):
            steering.append(array.name)
            offsets += [array.name] if _delimits(at) else []
    coarse = yield from _coarsely(found, launch, [item for item in arrays if item.name not in steering])
    steering += coarse
    folded = yield from _folded(found, launch, steering)
    steering = [name for name in steering if name not in folded]
    filling = replace(found.filling, own=steered(arrays, steering, lowest, coarse))
    return replace(
        found,
        steering=tuple(steering),
        offsets=tuple(name for name in offsets if name in steering),
        folded=folded,
        coarse={name: scale for name, scale in coarse.items() if name in steering},
        lowest=lowest,
        filling=filling,
    )


def _coarsely(found: Pilot, launch: Launch, arrays: Sequence[ArrayInput]) -> Asking[dict[str, int]]:
    """Return the integer arrays of which only large elements steer, and by how much these have to differ.

    Where large elements keep the source busy for too long, they say how often something is done: small ones
    steer as well.
    """
    asked = [(array, scale, level) for array in arrays for scale, both in _COARSE.items() for level in both]
    outcomes = yield [
        Probe(
            scalars=found.scalars,
            launch=launch,
            filling=Filling(own={array.name: Values(Style.CONSTANT, level, level)}, free=found.filling.free),
        )
        for array, _, level in asked
    ]
    coarse: dict[str, int] = {}
    for index in range(0, len(asked), 2):
        array, scale, _ = asked[index]
        if array.name not in coarse and _follows(outcomes[index], outcomes[index + 1]):
            busy = any(_is_endless(outcome) for outcome in outcomes[index : index + 2])
            coarse[array.name] = 1 if busy else scale
    return coarse


def _is_endless(outcome: Outcome) -> bool:
    """Tell whether a call did not return in time."""
    return isinstance(outcome, Failed) and outcome.reason == "timeout"


def _folded(found: Pilot, launch: Launch, steering: Sequence[str]) -> Asking[dict[str, tuple[int, int]]]:
    """Return the steering arrays whose elements are reduced to a fixed range before they are used."""
    folded: dict[str, tuple[int, int]] = {}
    for name in steering:
        own = dict.fromkeys(steering, _STEERED)
        # Most arrays that steer lead away where they hold anything: that tells more than all of the sweep.
        wild = yield from _reached(found, launch, [{**own, name: level} for level in _WILD])
        if any(reach is None for reach in wild):
            continue
        levels = [Values(Style.CONSTANT, number, number) for number in _SWEEP]
        reached = yield from _reached(found, launch, [{**own, name: level} for level in levels])
        known = [(number, reach) for number, reach in zip(_SWEEP, reached, strict=True) if reach is not None]
        if not known:
            continue
        top = max(known, key=lambda item: item[1][1])
        bottom = min(known, key=lambda item: item[1][0])
        ends = (bottom[1][0], top[1][1])
        if all(reach is not None and ends[0] <= reach[0] and reach[1] <= ends[1] for reach in wild):
            folded[name] = (bottom[0], top[0])
    return folded


def _reached(
    found: Pilot, launch: Launch, fills: Sequence[Mapping[str, Values]]
) -> Asking[list[tuple[int, int] | None]]:
    """Return what calls reach whose arrays hold certain values."""
    free = found.filling.free
    outcomes = yield [
        Probe(scalars=found.scalars, launch=launch, filling=Filling(own=own, free=free)) for own in fills
    ]
    return [_reach(outcome) for outcome in outcomes]


def _reach(outcome: Outcome) -> tuple[int, int] | None:
    """Return the sums of lower and of upper bounds over all arrays, None after a failure."""
    if isinstance(outcome, Failed):
        return None
    touched = outcome.touched.values()
    return sum(item.low for item in touched), sum(item.high for item in touched)


def steered(
    arrays: Sequence[ArrayInput],
    steering: Sequence[str],
    lowest: Mapping[str, int],
    coarse: Mapping[str, int],
) -> dict[str, Values]:
    """Return the intervals of the integer arrays that steer, and of those that must not be 0."""
    own: dict[str, Values] = {}
    for array in arrays:
        if array.name in steering:
            high = _STEERED.high * coarse.get(array.name, 1)
            own[array.name] = Values(Style.RANDOM, lowest.get(array.name, 0), high)
    return own


def _shifts(first: Outcome, second: Outcome) -> bool:
    """Tell whether both bounds of some array move upward; a mere guard on values moves one of them."""
    if isinstance(first, Failed) or isinstance(second, Failed):
        return isinstance(first, Failed) != isinstance(second, Failed)
    return any(
        first.touched[name].low < second.touched[name].low
        and first.touched[name].high < second.touched[name].high
        for name in set(first.touched) & set(second.touched)
    )


def _delimits(at: Sequence[Outcome]) -> bool:
    """Tell whether equal elements lead nowhere, and rising ones to as many elements from the first on."""
    constant, (first, second) = at[:3], at[3:]
    if isinstance(first, Failed) or isinstance(second, Failed):
        return False
    step = _LEVELS[4].low - _LEVELS[3].low
    return any(
        all(isinstance(item, Observed) and name not in item.touched for item in constant)
        and second.touched[name].low - first.touched[name].low == step
        and second.touched[name].high - first.touched[name].high == step
        for name in set(first.touched) & set(second.touched)
    )


def _follows(first: Outcome, second: Outcome) -> bool:
    """Tell whether the bounds of some array differ."""
    if isinstance(first, Failed) or isinstance(second, Failed):
        return isinstance(first, Failed) != isinstance(second, Failed)
    names = set(first.touched) & set(second.touched)
    return any(
        (first.touched[name].low, first.touched[name].high)
        != (second.touched[name].low, second.touched[name].high)
        for name in names
    )
