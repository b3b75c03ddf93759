"""A trial becomes bytes: the arguments of a call, made again from the contract, the seed and the fill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from transpile.core import (
    ArrayFact,
    Contract,
    ElementType,
    Fill,
    GlobalVariable,
    Launch,
    Leaf,
    Parameter,
    Role,
    Scalar,
    Trial,
    Unbounded,
    array_of,
)
from transpile.expressions import evaluate, names
from transpile.testers.trials.fills import values
from transpile.testers.trials.given import Barred, elements
from transpile.testers.trials.layout import COMPLEX, Bytes, Numbers, encode, leaves, padding, stored, view
from transpile.testers.trials.recipe import Recipe

POISONS = (0xA5, 0x5A)
"""Bytes that outputs hold before a call; every bit differs between the two."""

_GLOBALS = 1000
"""Stream numbers of globals begin here, those of parameters at 0."""
_COUNTS, _OFFSETS = (1, 8), (-3, 3)
"""Integers of variables at file scope that no contract bounds."""
_SIGNED = 0.25
"""Share of the trials in which those of tables have either sign."""
_COUNTED = 6
"""In one of so many trials a single whole number is any one, though it may say how many threads count."""
TURNS = 16
"""Ways of a fill that its trials go through, each in its turn."""
_PAIRED: Mapping[Fill, int] = {"level": 8, "ramp": 4}
"""Ways of fills that come in pairs: every other time round, neighbouring arrays have one of a pair each."""

_APART = 5
"""Turns between wide numbers of neighbouring arrays: products of the largest would all be infinite."""
_ROUNDS: Mapping[Fill, int] = {"special": 4, "wide": 1, "real": 1, "few": 1}
"""Ways of fills whose whole numbers lead nowhere: every other time round they are places of arrays."""


class Unmakeable(Exception):
    """A trial whose arguments cannot be made: a layout out of reach, an expression without value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One thing that goes into a call and is looked at after it: a parameter or a global."""

    name: str
    element: ElementType
    data: Bytes
    """All bytes, those below the pointer first. Written by nobody."""
    before: int = 0
    """Bytes below the pointer, of its own data or of those that it shares."""
    pointer: bool = True
    output: bool = False
    """Filled with poison instead of data."""
    constant: bool = False
    fixed: bool = False
    """The source only reads it."""
    alias: int | None = None
    """Number of the argument whose data it leads into, where it has none of its own."""
    null: bool = False
    """The pointer leads nowhere."""
    row: int = 1
    """Bytes of a row, of an array of rows."""

    def part(self, leaf: Leaf) -> str:
        """Return the name of all numbers of one member of its elements: ``x``, or ``particles[].mass``."""
        return f"{self.name}[].{leaf.name}" if leaf.name else self.name

    def poisoned(self, poison: int) -> Bytes:
        """Return a fresh copy of what the call finds there."""
        return np.full(len(self.data), poison, dtype=np.uint8) if self.output else self.data.copy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A trial with its data made."""

    trial: Trial
    contract: Contract
    arguments: tuple[Slot, ...]
    """In the order of the signature."""
    globals: tuple[Slot, ...] = ()
    returned: tuple[Slot, ...] = ()
    """What the call returns: one or none."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return everything that a call may change."""
        return (*(slot for slot in self.arguments if slot.pointer), *self.globals, *self.returned)

    @property
    def size(self) -> int:
        """Return the bytes behind all pointers."""
        return sum(len(slot.data) for slot in self.slots)


def environment(
    contract: Contract, scalars: Iterable[tuple[str, int | float]], launch: Launch
) -> dict[str, int]:
    """Return what the contract's expressions may mention: whole scalars and launch quantities."""
    known = {name: int(value) for name, value in scalars if float(value).is_integer()}
    known |= {array_of(name): value for name, value in known.items() if array_of(name)}
    for quantity, numbers in (("gridDim", launch.grid), ("blockDim", launch.block)):
        known.update({f"{quantity}.{axis}": number for axis, number in zip("xyz", numbers, strict=True)})
    known["dynamicShared"] = launch.shared
    return known


def extent_of(fact: ArrayFact, known: Mapping[str, int]) -> tuple[int, int]:
    """Return the elements below and above the pointer; Unmakeable where an expression has no value."""
    return max(value_of(fact.before, known), 0), max(value_of(fact.extent, known), 0)


def value_of(text: str, known: Mapping[str, int]) -> int:
    """Return the value of an expression; Unmakeable where it has none."""
    try:
        return evaluate(text, known)
    except (ArithmeticError, KeyError, ValueError) as error:
        raise Unmakeable(f"`{text}` has no value: {error}") from error


def materialise(
    contract: Contract,
    trial: Trial,
    literals: tuple[float, ...] = (),
    initialised: frozenset[str] = frozenset(),
) -> Prepared:
    """Make the data of a trial.

    Args:
        contract: What the call must respect.
        trial: Which call.
        literals: Numbers of the source text, for the edges.
        initialised: Outputs that get data all the same, since the source was seen to read them first.
    """
    chosen = dict(trial.scalars)
    sizes = {name for fact in contract.arrays for name in names(fact.extent) | names(fact.before)}
    marks = tuple(float(value) for name, value in trial.scalars if name not in sizes)
    request = _Request(
        contract=contract,
        trial=trial,
        known=environment(contract, trial.scalars, trial.launch),
        literals=literals,
        initialised=initialised,
        marks=trial.marks or marks,
        passed=marks,
    )
    arguments = [
        _array(request, index, parameter)
        if parameter.pointer
        else _value(_stream(trial, index), parameter, chosen, trial)
        for index, parameter in enumerate(contract.signature.parameters)
    ]
    arguments = _aliased(arguments, trial.aliases)
    arguments = [_nowhere(slot) if slot.name in trial.null else slot for slot in arguments]
    held = tuple(
        _global(_stream(trial, _GLOBALS + index), item, contract, trial)
        for index, item in enumerate(contract.signature.globals)
    )
    return Prepared(
        trial=trial,
        contract=contract,
        arguments=tuple(arguments),
        globals=held,
        returned=returned_slots(contract.signature.returns),
    )


def returned_slots(element: ElementType | None) -> tuple[Slot, ...]:
    """Return the place for what is returned: every call leaves something there."""
    if element is None:
        return ()
    if not element.leaves:
        raise Unmakeable(f"the layout of what is returned (`{element.spelling}`) is out of reach")
    data = np.full(element.size, POISONS[0], dtype=np.uint8)
    return (Slot(name="(returned)", element=element, data=data),)


def _aliased(arguments: list[Slot], aliases: Iterable[tuple[str, str]]) -> list[Slot]:
    """Return the arguments with some pointers pointing to what others do."""
    numbers = {slot.name: number for number, slot in enumerate(arguments)}
    for name, other in aliases:
        try:
            first, second = numbers[name], numbers[other]
        except KeyError as error:
            raise Unmakeable(f"there is no parameter {error}") from error
        arguments[first] = replace(
            arguments[first],
            data=np.zeros(0, dtype=np.uint8),
            before=arguments[second].before,
            output=False,
            alias=second,
        )
        arguments[second] = replace(arguments[second], constant=False, fixed=False)
    return arguments


def _nowhere(slot: Slot) -> Slot:
    """Return an argument as a null pointer."""
    return replace(slot, data=np.zeros(0, dtype=np.uint8), before=0, output=False, null=True)


def in_turn(trial: Trial, turn: int) -> Trial:
    """Return a trial with a seed that says which of its fill it is, modulo :data:`TURNS`."""
    return replace(trial, seed=trial.seed - trial.seed % TURNS + turn % TURNS)


def _stream(trial: Trial, index: int) -> np.random.Generator:
    return np.random.default_rng([trial.seed & 0xFFFFFFFF, trial.seed >> 32, index])


def _turn(trial: Trial, index: int) -> int:
    """Return the turn of an array in a trial."""
    turn, ways = trial.seed % TURNS, _PAIRED.get(trial.fill, TURNS)
    if trial.fill == "wide":
        return (turn + _APART * index) % TURNS
    return turn ^ (index % 2) if turn // ways % 2 else turn


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """A trial whose data are to be made."""

    contract: Contract
    trial: Trial
    known: Mapping[str, int]
    """Values of what the contract's expressions may mention."""
    literals: tuple[float, ...]
    """Numbers of the source text."""
    initialised: frozenset[str]
    """Outputs that get data all the same."""
    marks: tuple[float, ...]
    """Scalars of the call that are no sizes, unless the trial names others: fills put them into data."""
    passed: tuple[float, ...]
    """Scalars of the call that are no sizes."""


def _array(request: _Request, index: int, parameter: Parameter) -> Slot:
    """Return the array that the parameter of that number leads to."""
    trial, contract, known = request.trial, request.contract, request.known
    rng = _stream(trial, index)
    element, fact = parameter.element, contract.array(parameter.name)
    if fact is None or fact.role is Role.UNUSED:
        element = element or ElementType(spelling="char", size=1, leaves=())
        data = np.zeros(parameter.least * element.size, dtype=np.uint8)
        return Slot(name=parameter.name, element=element, data=data, constant=True)
    if element is None:
        raise Unmakeable(f"the layout of `{parameter.spelling} {parameter.name}` is out of reach")
    before, extent = extent_of(fact, known)
    measured = dict(trial.lengths).get(parameter.name)
    extent = max(extent, measured or 0, parameter.least)
    # What is compared with what an output held before needs a number there.
    output = fact.role is Role.OUT and parameter.name not in request.initialised and trial.fill != "marked"
    bounds = None
    if fact.values is not None:
        bounds = value_of(fact.values.low, known), value_of(fact.values.high, known)
    data = np.zeros((before + extent) * element.size, dtype=np.uint8)
    written = dict(trial.written or ()).get(parameter.name)
    for leaf in leaves(element):
        limits = bounds if not leaf.scalar.floating or element.scalar is not None else None
        if limits is None and not fact.distinct:
            limits = _count(trial, contract, leaf, fact) or _places(trial, contract, leaf, known)
        least, most = limits or (None, None)
        recipe = Recipe(
            scalar=leaf.scalar,
            fill=_fill(trial, contract, leaf, index),
            low=least,
            high=most,
            distinct=fact.distinct,
            ascending=fact.ascending,
            literals=request.literals,
            marks=request.marks,
            passed=request.passed,
            common=trial.seed,
            turn=_turn(trial, index),
        )
        if written:
            drawn = _written(written, fact, element, bounds, before + extent)
        else:
            drawn = values(rng, recipe, before + extent)
            if fact.free and bounds is not None:
                _include(rng, drawn, encode(np.asarray([bounds[1]]), leaf.scalar)[0], fact)
        if fact.last and len(drawn):
            drawn[-1] = encode(np.asarray([value_of(fact.last, known)]), leaf.scalar)[0]
        view(data, element, leaf)[:] = drawn
    for first, end in padding(element):
        rows = data.reshape(-1, element.size)[:, first:end]
        rows[:] = rng.integers(0, 256, rows.shape, dtype=np.uint8)
    if measured is not None:
        data = data[: (before + max(measured, parameter.least)) * element.size]
    return Slot(
        name=parameter.name,
        element=element,
        data=data,
        before=before * element.size,
        output=output,
        constant=parameter.const,
        # Objects may be written whole; and a number that is passed beside its place is put there by the call.
        fixed=fact.role is Role.IN and element.scalar is not None and not parameter.least,
        row=element.size * prod(int(length) for length in parameter.row if length.isdigit()),
    )


def _include(rng: np.random.Generator, drawn: Numbers, greatest: np.generic, fact: ArrayFact) -> None:
    """Put the greatest element somewhere, since extents follow from it; offsets end with it."""
    if len(drawn) and not (drawn == greatest).any():
        drawn[-1 if fact.ascending else int(rng.integers(len(drawn)))] = greatest


def _written(
    given: Sequence[int | float],
    fact: ArrayFact,
    element: ElementType,
    limits: tuple[int, int] | None,
    count: int,
) -> Numbers:
    try:
        return elements(given, fact, element, limits, count)
    except Barred as error:
        raise Unmakeable(str(error)) from error


def _fill(trial: Trial, contract: Contract, leaf: Leaf, index: int | None = None) -> Fill:
    """Return how a leaf is filled, of a parameter where an index is given.

    What a complex product makes of infinite parts depends on the formula. And what is NaN in one array would
    hide what becomes of others that are so in another one: every other time round one alone is special.
    """
    partial = leaf.name.rpartition(".")[2] in COMPLEX
    finite = leaf.scalar.floating and (contract.numbers.nan == "never" or partial)
    if trial.fill in ("special", "level") and finite:
        return "exact"
    if trial.fill == "special" and index is not None and leaf.scalar.floating and _is_other_round(trial):
        arrays = _floating(contract) or [index]
        return "special" if index == arrays[trial.seed % TURNS % len(arrays)] else "exact"
    return "real" if trial.fill == "wide" and partial else trial.fill


def _count(trial: Trial, contract: Contract, leaf: Leaf, fact: ArrayFact) -> tuple[int, int] | None:
    """Return the range of a single whole number that shall tell in most trials how many threads count."""
    single = fact.extent == "1" and not leaf.scalar.floating and leaf.scalar is not Scalar.BOOL
    if (
        not single
        or fact.role is not Role.IN
        or not isinstance(contract.law, Unbounded)
        or trial.seed % _COUNTED == 0
    ):
        return None
    threads = prod(trial.launch.grid) * prod(trial.launch.block)
    return 0, min(threads + 1, int(np.iinfo(stored(leaf.scalar)).max))


def _places(trial: Trial, contract: Contract, leaf: Leaf, known: Mapping[str, int]) -> tuple[int, int] | None:
    """Return the range of whole numbers that shall lead to the floating numbers beside them."""
    if leaf.scalar.floating or leaf.scalar is Scalar.BOOL:
        return None
    if not _is_other_round(trial) or not (_floating(contract) or trial.fill == "real"):
        return None
    limits = np.iinfo(stored(leaf.scalar))
    longest = max((extent_of(fact, known)[1] for fact in contract.arrays), default=0)
    return max(-1, int(limits.min)), min(longest, int(limits.max))


def _is_other_round(trial: Trial) -> bool:
    return trial.seed % TURNS // _ROUNDS.get(trial.fill, TURNS) % 2 == 1


def _floating(contract: Contract) -> list[int]:
    """Return which parameters lead to floating numbers that calls read."""
    read = {fact.name for fact in contract.arrays if fact.role in (Role.IN, Role.INOUT)}
    return [
        index
        for index, item in enumerate(contract.signature.parameters)
        if item.name in read
        and item.element is not None
        and any(leaf.scalar.floating for leaf in item.element.leaves)
    ]


def _value(
    rng: np.random.Generator, parameter: Parameter, chosen: Mapping[str, int | float], trial: Trial
) -> Slot:
    """Return a by-value argument: what the trial names, small numbers for members it does not."""
    element = parameter.element
    if element is None:
        raise Unmakeable(f"the layout of `{parameter.spelling} {parameter.name}` is out of reach")
    data = np.zeros(element.size, dtype=np.uint8)
    for leaf in leaves(element):
        given = chosen.get(parameter.part(leaf))
        if given is None:
            view(data, element, leaf)[:] = values(rng, Recipe(scalar=leaf.scalar, fill="exact"), 1)
        else:
            view(data, element, leaf)[:] = encode(np.asarray([given]), leaf.scalar)
    return Slot(name=parameter.name, element=element, data=data, pointer=False, constant=True)


def _global(rng: np.random.Generator, item: GlobalVariable, contract: Contract, trial: Trial) -> Slot:
    """Return a global's value: integers small and positive, since they often are sizes or counters.

    In some trials those of a table have either sign, as offsets to neighbours have. A trial may say others,
    and names those that are scalars of the unit.
    """
    if item.element is None:
        raise Unmakeable(f"the layout of the global `{item.name}` is out of reach")
    known = environment(contract, trial.scalars, trial.launch)
    fact = contract.array(item.name)
    if fact is not None and fact.values is not None:
        low, high = value_of(fact.values.low, known), value_of(fact.values.high, known)
    elif item.count > 1 and rng.random() < _SIGNED:
        low, high = _OFFSETS
    else:
        low, high = _COUNTS
    data = np.zeros(item.element.size * item.count, dtype=np.uint8)
    asked = {name: ends for name, *ends in trial.variables}
    chosen = dict(trial.scalars)
    for leaf in leaves(item.element):
        whole = not leaf.scalar.floating
        ends = asked.get(item.part(leaf), (low, high))
        recipe = Recipe(
            scalar=leaf.scalar,
            fill=_fill(trial, contract, leaf),
            low=ends[0] if whole else None,
            high=ends[1] if whole else None,
        )
        drawn = values(rng, recipe, item.count)
        for index in range(item.count):
            if (given := chosen.get(item.number(leaf, index))) is not None:
                drawn[index] = encode(np.asarray([given]), leaf.scalar)[0]
        view(data, item.element, leaf)[:] = drawn
    return Slot(name=item.name, element=item.element, data=data, constant=item.constant)
