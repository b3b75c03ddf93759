"""One traced call, described: which scalars, which launch, what the arrays hold; and what came of it."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from transpile.core import Inconclusive, Launch


class Style(StrEnum):
    """How the integers of an array are chosen from their interval."""

    RANDOM = "random"
    CONSTANT = "constant"
    """All at the upper end."""
    COUNTING = "counting"
    """One more than the element before, from the lower end to the upper one, again and again."""
    FALLING = "falling"
    """One less than the element before, from the upper end down."""
    DISTINCT = "distinct"
    """A permutation of the interval, again and again."""
    ASCENDING = "ascending"
    AMONG = "among"
    """Some of certain numbers, the interval aside."""
    LATE = "late"
    """All at the lower end, but for the last one that matters: as offsets, one row has everything."""


class Floats(StrEnum):
    """What floating elements hold."""

    EXACT = "exact"
    """Small integers of both signs, none of them zero: sums stay exact."""
    REAL = "real"
    HIGH = "high"
    """Large positive integers."""
    LOW = "low"
    """Large negative integers."""
    HIGHER = "higher"
    """Larger integers than extents are fitted with."""


@dataclass(frozen=True, slots=True)
class Values:
    """The integers of an array: a style and a closed interval."""

    style: Style = Style.RANDOM
    low: int = 1
    high: int = 4
    count: int = 0
    """Elements that matter, of which ascending ones begin at one end and end at the other; 0: any number."""
    numbers: tuple[int, ...] = ()
    """Of which elements are some, where the style says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What the arrays of a call hold."""

    seed: int = 0
    integers: Values = Values()
    """Of every integer array that has no entry of its own."""
    own: Mapping[str, Values] = field(default_factory=dict)
    free: Mapping[str, Values] = field(default_factory=dict)
    """Of others, and of variables at file scope, where the source does little under usual integers."""
    floats: Floats = Floats.EXACT
    level: float | None = None
    """The value of every floating element, in place of what ``floats`` says."""
    optional: bool = False
    """Data that show more where the source bears them; that it fails or races under them says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A call to be traced."""

    scalars: Mapping[str, int | float]
    launch: Launch
    filling: Filling = field(default_factory=Filling)
    extents: Mapping[str, int] | None = None
    """Elements of every array: where given, the call is not traced but checked for stray accesses."""
    supplied: Mapping[str, int] | None = None
    """Elements that hold data in a checked call, with zeros behind them; all of them where not given."""
    guarded: bool = False
    """Checked by a page that faults behind each array, and not by the sanitizers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """What a call did to an array; bounds count from the pointer, upper ones are exclusive."""

    low: int
    high: int
    bytes_low: int
    bytes_high: int
    read: bool
    written: bool
    read_first: bool
    """Some byte was read before the kernel wrote it."""
    atomic: bool
    reach: Mapping[int, int] = field(default_factory=dict)
    """How far each access in the code reached, as ``high``; accesses go by where they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A call that came back."""

    touched: Mapping[str, Touched]
    """Arrays that were touched at all."""
    outputs: str
    """Digest of which bytes were written, and of what they hold at the end."""
    race: str = ""
    """The first harmful race in words; empty where there is none."""
    racing: frozenset[str] = frozenset()
    """Arrays that harmful races are about; the empty name stands for shared memory."""
    supplied: Mapping[str, int] = field(default_factory=dict)
    """Elements that held data, with zeros behind them."""
    work: int = 0
    """Accesses and branches: the same however busy the machine is."""
    poison: bool = False
    """Shared memory was read before anything was written there."""

    @property
    def state(self) -> str:
        """Return what the call left behind together with how far it reached, reads included."""
        reached = [f"{name}:{item.low}:{item.high}" for name, item in sorted(self.touched.items())]
        return " ".join([self.outputs, *reached])

    def left(self, *, reads: bool) -> str:
        """Return what the call left behind, and how far it reached where that counts."""
        return self.state if reads else self.outputs

    @property
    def valid(self) -> bool:
        """Tell whether the source behaved."""
        return not self.race and not self.poison


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A call that crashed, trapped or did not end."""

    reason: str
    argument: str = ""
    work: int = 0


Outcome = Observed | Failed

Result = TypeVar("Result")
Asking = Generator[list[Probe], list[Outcome], Result]
"""A computation that asks for traced calls, a batch at a time."""


def writes(outcome: Outcome) -> bool:
    """Tell whether a call came back, and wrote to an array."""
    return isinstance(outcome, Observed) and any(item.written for item in outcome.touched.values())


def unknown(reason: str) -> Inconclusive:
    """Return that the contract could not be established, and what is missing."""
    return Inconclusive(reason=reason, code="TP404")
