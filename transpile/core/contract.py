"""CONTRACT: what a call of a unit must respect, learnt before anything is translated."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from transpile.core.signature import Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A launch configuration; shared is the dynamic shared memory in bytes."""

    grid: tuple[int, int, int] = (1, 1, 1)
    block: tuple[int, int, int] = (1, 1, 1)
    shared: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedLaunch:
    """A launch seen while the repository's own program ran on the emulator."""

    kernel: str
    launch: Launch
    scalars: tuple[tuple[str, float], ...]
    units: tuple[str, ...] = ()
    """Ids of the kernels of that name that take such arguments; none where that is not known."""


class Role(StrEnum):
    IN = "in"
    OUT = "out"
    INOUT = "inout"
    UNUSED = "unused"


class Origin(StrEnum):
    """Where a fact of a contract comes from."""

    TRACE = "trace"
    BOUND = "bound"
    """No expression gives it exactly; in all that was traced the source stays within this one."""
    RECORDED = "recorded"
    SYNTAX = "syntax"
    CALLERS = "callers"
    """More than the source touches: what every call in the source provides."""
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Closed interval of values; each end an expression of the scalars (see ``expressions``)."""

    low: str
    high: str


def greatest_of(array: str) -> str:
    """Return what expressions call the greatest element of an array of integers."""
    return f"max({array})"


def array_of(name: str) -> str:
    """Return the array whose greatest element a name stands for; empty for other names."""
    return name[4:-1] if name.startswith("max(") and name.endswith(")") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayFact:
    """What a call must provide behind a pointer. Expressions count elements, over scalars and launch."""

    name: str
    role: Role
    extent: str
    """Elements from the pointer upward."""
    before: str = "0"
    """Elements below the pointer (negative lower bounds)."""
    values: Range | None = None
    """Range that integer elements must keep to, since they serve as indices or sizes."""
    distinct: bool = False
    """Elements must be pairwise different, or the source races."""
    ascending: bool = False
    """Elements must not decrease: offsets such as the row pointers of a sparse matrix."""
    last: str = ""
    """What the last element is, where the source finds the end by it: a sentinel, or a total."""
    atomic: bool = False
    origin: Origin = Origin.TRACE
    stated: bool = False
    """The user says how long it is, so that its length does not depend on where the source stopped."""
    where: tuple[str, ...] = ()
    """Comparisons without which the extent does not hold, as a translator read them from the text."""

    @property
    def free(self) -> bool:
        """Tell whether elements steer others and have no bound: extents follow from the greatest of them."""
        return self.values is not None and self.values.high == greatest_of(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarFact:
    """What a call must respect in a scalar argument."""

    name: str
    values: Range
    multiple_of: str = "1"
    size: bool = False
    """An extent, the launch law or the control flow depends on it."""
    origin: Origin = Origin.TRACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant:
    """Any launch gives the result (grid-stride loops)."""

    kind: Literal["invariant"] = "invariant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Covers:
    """Right for every launch whose thread count reaches the expression, per axis or as a joint product."""

    kind: Literal["covers"] = "covers"
    x: str = "1"
    y: str = "1"
    z: str = "1"
    joint: bool = False
    """The product of all axes must reach ``x``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unbounded:
    """No guard: what is touched depends on the launch."""

    kind: Literal["unbounded"] = "unbounded"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeDependent:
    """The launch is part of the meaning, under relations such as ``blockDim.x == 256``."""

    kind: Literal["shape-dependent"] = "shape-dependent"
    relations: tuple[str, ...] = ()
    launches: tuple[tuple[str, ...], ...] = ()
    """Families of launches to try: expressions of (grid x, y, z, block x, y, z, shared bytes)."""


LaunchLaw = Invariant | Covers | Unbounded | ShapeDependent


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """How far a result may be from the source's: ``absolute + relative * |source|``."""

    relative: float = 0.0
    absolute: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what allows nothing, or anything."""
        if not (0 <= self.relative < 1 and 0 <= self.absolute < float("inf")):
            raise ValueError("a tolerance is relative (below 1), absolute, or both")
        if self.relative == self.absolute == 0:
            raise ValueError("a tolerance of nothing: leave it out, and it is measured")


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRules:
    """When two floating numbers are the same, where the user has a say."""

    nan: Literal["class", "bits", "never"] = "class"
    """Any NaN stands for any other, or only one of the same sign and payload; or all inputs are finite."""
    signed_zero: Literal["equal", "distinct"] = "equal"
    tolerance: Tolerance | None = None
    """The user's, instead of the measured one."""

    def __str__(self) -> str:
        """Return the rules in words."""
        nan = {"class": "any NaN is NaN", "bits": "NaN by its bits", "never": "inputs are finite"}[self.nan]
        return f"{nan}, -0 {'is' if self.signed_zero == 'equal' else 'is not'} +0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What a call of one signature must respect, learnt before anything is translated."""

    signature: Signature
    arrays: tuple[ArrayFact, ...]
    scalars: tuple[ScalarFact, ...]
    law: LaunchLaw | None
    """None for host functions."""
    used_axes: str = "x"
    """Axes of the launch that the text mentions, such as ``xy``."""
    relations: tuple[str, ...] = ()
    """Preconditions between scalars, such as ``stride >= width``."""
    relations_from: Origin = Origin.TRACE
    """Those that were found hold wherever the source behaves as traced; callers may keep to others."""
    launches: tuple[tuple[str, ...], ...] = ()
    """Preferred launches, as in ``ShapeDependent.launches``: what the source's own sites use."""
    samples: int = 0
    held_out: int = 0
    """Traced samples that the fit used, and others that it then predicted."""
    numbers: NumberRules = field(default_factory=NumberRules)

    def array(self, name: str) -> ArrayFact | None:
        """Return the fact of that array."""
        return next((fact for fact in self.arrays if fact.name == name), None)

    def scalar(self, name: str) -> ScalarFact | None:
        """Return the fact of that scalar."""
        return next((fact for fact in self.scalars if fact.name == name), None)
