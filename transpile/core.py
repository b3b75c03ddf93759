"""The data of a port, in the order it flows.

SOURCE -> UNIT -> CONTRACT -> CANDIDATE -> VERDICT -> EVIDENCE -> PORT. Everything here is frozen, knows
nothing of how it was made, and imports nothing of this package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of the parts, each prefixed by its length so that boundaries count."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()


# ---------------------------------------------------------------------------------------------- SOURCE


class Language(StrEnum):
    C = "c"
    CPP = "cpp"
    FORTRAN = "fortran"


class ProgrammingModel(StrEnum):
    NONE = "none"
    OPENMP = "openmp"
    OPENMP_TARGET = "openmp-target"
    CUDA = "cuda"
    HIP = "hip"
    STDPAR = "stdpar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A language together with the programming model written in it."""

    language: Language
    model: ProgrammingModel


CUDA = Dialect(language=Language.CPP, model=ProgrammingModel.CUDA)
HIP = Dialect(language=Language.CPP, model=ProgrammingModel.HIP)
OPENMP = Dialect(language=Language.CPP, model=ProgrammingModel.OPENMP)


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Something a user should know, with a stable code that ``transpile explain`` describes."""

    code: str
    severity: Severity
    path: str
    line: int
    column: int = 1
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Half-open range of bytes in a file."""

    start: int
    end: int

    def of(self, data: bytes) -> bytes:
        """Return the bytes of the range."""
        return data[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationUnit:
    """A file the build compiles, with the flags that change its meaning (-I, -D, -std, -include).

    Include directories are relative to the source root where they lie inside it.
    """

    path: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTarget:
    """An executable of the repository: what is linked into it and how a small run of it looks."""

    name: str
    translation_units: tuple[str, ...]
    link_flags: tuple[str, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchSite:
    """A place where a kernel is launched: ``kernel<<<configuration>>>(arguments)``."""

    path: str
    span: Span
    line: int
    kernel: str
    """Text of the kernel expression, template arguments included."""
    configuration: tuple[str, ...]
    """Two to four texts: grid, block, shared bytes, stream."""
    arguments: tuple[str, ...]
    unit: str | None = None
    """Id of the unit that is launched, where it could be resolved."""
    caller: str = ""


# ------------------------------------------------------------------------------------------------ UNIT


class UnitKind(StrEnum):
    KERNEL = "kernel"
    FUNCTION = "function"
    DEVICE = "device"
    """A ``__device__`` function: translated with the kernels that call it, never judged alone."""
    GLUE = "glue"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A piece of source that is translated and judged."""

    id: str
    """``path::qualified_name(types)``; stays when the text changes."""
    kind: UnitKind
    path: str
    name: str
    """Qualified name, without template arguments."""
    span: Span
    """From the first byte of the template header, attributes or qualifiers to the closing brace."""
    line: int
    text: bytes
    callees: tuple[str, ...] = ()
    """Ids of units of this source that the text calls."""
    translation_unit: str = ""
    """Path of a translation unit that contains it (its own path, or that of an includer)."""
    active: bool = True
    """False where ``#if`` removes it in this build."""
    member: bool = False
    """Of a class: its text stands nowhere but in that class."""

    @property
    def digest(self) -> str:
        """Return the digest of the text alone."""
        return digest(self.text)


class Scalar(StrEnum):
    """Arithmetic types by name and width; the value is the numpy name where numpy has one."""

    BOOL = "bool"
    INT8 = "int8"
    UINT8 = "uint8"
    INT16 = "int16"
    UINT16 = "uint16"
    INT32 = "int32"
    UINT32 = "uint32"
    INT64 = "int64"
    UINT64 = "uint64"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    LONG_DOUBLE = "longdouble"
    """As wide as the machine makes it: 80 bits and padding on x86."""

    @property
    def floating(self) -> bool:
        """Tell whether the type is a floating type."""
        return "float" in self.value or self is Scalar.LONG_DOUBLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A scalar inside an element, at a byte offset."""

    offset: int
    scalar: Scalar
    name: str = ""
    """Member path, such as ``x`` or ``position.x``; empty where the element is the scalar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementType:
    """A type of known layout: a scalar, a vector type or a plain struct of scalars."""

    spelling: str
    size: int
    leaves: tuple[Leaf, ...]

    @property
    def scalar(self) -> Scalar | None:
        """Return the scalar where the element is just that."""
        return self.leaves[0].scalar if len(self.leaves) == 1 and not self.leaves[0].name else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter as syntax and types tell it."""

    name: str
    spelling: str
    """The declared type, such as ``const float *__restrict__``."""
    element: ElementType | None
    """Of the pointee for pointers, of the value otherwise; None where the layout is out of reach."""
    pointer: bool
    const: bool = False
    """The pointee is const."""
    least: int = 0
    """Elements that are there in every call: one where the source refers to an object."""

    def part(self, leaf: Leaf) -> str:
        """Return what a number of an argument by value is called: ``n``, or ``grid.width`` for a member."""
        return f"{self.name}.{leaf.name}" if leaf.name else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """How the source's own parameters are made of flat ones: of pointers and numbers.

    Texts are C and C++. A flat parameter ``p.n`` goes by the name ``p__n`` in them.
    """

    arguments: tuple[tuple[str, str], ...]
    """For each of the source's parameters its name, and the expression that is passed."""
    before: tuple[str, ...] = ()
    """Statements ahead of the call."""
    after: tuple[str, ...] = ()
    """Statements behind it. They end the process where something changed that is not compared."""
    sizes: tuple[tuple[str, str], ...] = ()
    """Flat scalars that are how many elements a flat array has, with that array."""
    strides: tuple[tuple[str, str], ...] = ()
    """Flat scalars that are how many elements lie between rows of a flat array, with that array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalVariable:
    """A variable at file scope that a unit's closure touches (``__device__``, ``__constant__``, static)."""

    name: str
    element: ElementType | None
    count: int
    constant: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One callable form of a unit; a template has one for each instantiation that the source uses."""

    name: str
    """Qualified name, callable from the end of the translation unit."""
    template_arguments: str | None = None
    """Such as ``float, 256``; None for what is not a template."""
    parameters: tuple[Parameter, ...] = ()
    returns: ElementType | None = None
    globals: tuple[GlobalVariable, ...] = ()
    static_shared: int = 0
    uses_dynamic_shared: bool = False
    assembly: Assembly | None = None
    """None where the parameters are the source's own."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the source's own parameters."""
        if self.assembly is not None:
            return tuple(name for name, _ in self.assembly.arguments)
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def callable(self) -> str:
        """Return the expression that names this form in C++."""
        return self.name if self.template_arguments is None else f"{self.name}<{self.template_arguments}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A repository as the parsers see it. Never written to."""

    root: Path
    files: Mapping[str, bytes]
    """Text files by path relative to the root, as bytes."""
    dialect: Dialect
    translation_units: tuple[TranslationUnit, ...]
    units: tuple[Unit, ...]
    """Callees first."""
    signatures: Mapping[str, tuple[Signature, ...]]
    """By unit id."""
    launches: tuple[LaunchSite, ...]
    programs: tuple[ProgramTarget, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def unit(self, identifier: str) -> Unit:
        """Return the unit of that id; KeyError where there is none."""
        for unit in self.units:
            if unit.id == identifier:
                return unit
        raise KeyError(identifier)

    def closure(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the units that a unit calls, at any depth, callees first and without itself."""
        callees = {item.id: item.callees for item in self.units}
        reached: set[str] = set()
        waiting = list(unit.callees)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += callees.get(name, ())
        return tuple(item for item in self.units if item.id in reached - {unit.id})


# -------------------------------------------------------------------------------------------- CONTRACT


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
    atomic: bool = False
    origin: Origin = Origin.TRACE


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


# ------------------------------------------------------------------------------------------- CANDIDATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """How a launch of the source becomes a call of the candidate.

    Each argument is a C++ expression over the source's parameter names and the launch quantities
    ``gridDim``, ``blockDim`` (of type dim3) and ``dynamicShared`` (bytes). A parameter name alone
    stands for itself.
    """

    name: str
    """Function to call, without template arguments."""
    arguments: tuple[str, ...]
    template_arguments: str | None = None
    kernel: bool = False
    """Launched as the trial says, with the trial's arguments, instead of called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """New text for a unit's span. A unit whose signature changes may have to stand beside its source."""

    unit: str
    text: bytes
    same_signature: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ByRules:
    """Made by the rule translator; names the passes that fired."""

    kind: Literal["rules"] = "rules"
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByModel:
    """Made by a language model."""

    kind: Literal["model"] = "model"
    model: str = ""
    prompt: str = ""
    """Digest of the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A proposed translation of one unit together with the device functions it calls."""

    unit: str
    replacements: tuple[Replacement, ...]
    """The unit's own first."""
    binding: Binding
    headers: tuple[str, ...] = ()
    """Standard headers that the text needs, such as ``<cmath>``."""
    dialect: Dialect = OPENMP
    origin: ByRules | ByModel = field(default_factory=ByRules)
    parallel: bool = True
    """Contains parallel constructs, so that a race check is owed."""


# --------------------------------------------------------------------------------------------- VERDICT


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One input, replayable: arrays are made again from the contract, the seed and the fill."""

    seed: int
    fill: Literal["exact", "real", "edge", "cancel", "first", "last", "special"]
    scalars: tuple[tuple[str, int | float], ...]
    launch: Launch = field(default_factory=Launch)
    template_arguments: str | None = None
    """Which of the unit's signatures it is for."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Pairs of pointers of which the first points to what the second does."""
    carved: str = ""
    """Digest of data that was recorded while the source's own program ran; empty where the seed makes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """A trial on which source and candidate part, as small as shrinking made it."""

    trial: Trial
    where: str
    """Such as ``out[17]``."""
    expected: str
    got: str
    check: str
    """The check that found it: exact, tolerance, address, race, timeout …"""


class Level(StrEnum):
    BUILT = "built"
    TESTED = "tested"
    HARDENED = "hardened"

    @property
    def rank(self) -> int:
        """Return the order of strength."""
        return (Level.BUILT, Level.TESTED, Level.HARDENED).index(self)


class Claim(StrEnum):
    PARALLEL = "parallel"
    """No two iterations of parallel loops touch what one of them changes, whatever the sizes."""
    AGREES = "agrees"
    """Every call leaves behind what the launch of the source does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was proved of a translation beside its trials, and under which assumptions."""

    claims: tuple[Claim, ...]
    of: Literal["text", "step"] = "text"
    """The text that was emitted, or the step of the translator that made it."""
    assumptions: tuple[str, ...] = ()
    unproved: tuple[tuple[Claim, str], ...] = ()
    """The other claims, each with the reason why it was not proved."""
    method: str = "z3"
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How many faults, planted in the source one at a time, the trials notice."""

    mutants: int
    """Those that compile."""
    killed: int
    equivalent: int
    """Shown to be no fault at all."""
    survivors: tuple[str, ...] = ()
    """Those that no trial noticed and that nothing shows to be equivalent."""
    possible: int = 0
    """All that could be planted, where a sample was taken of them."""

    @property
    def score(self) -> float | None:
        """Return the share of the faults that is noticed; None where there is none to notice."""
        real = self.mutants - self.equivalent
        return self.killed / real if real else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What was shown, and by what."""

    level: Level
    trials: int
    checks: tuple[str, ...]
    coverage: float | None = None
    """Share of the source's branches that valid trials took; None where it has none to take."""
    unreachable: int = 0
    strength: Strength | None = None
    """Of the trials; None where it was not measured."""
    shortfall: str = ""
    """Why the next level was not reached, where it was asked for."""
    tolerance: str = ""
    requires: tuple[str, ...] = ()
    """What callers provide beyond what the source touches: all do that the source shows."""
    judged_on: Literal["emulator", "device"] = "emulator"
    built_by: str = ""
    proof: Proof | None = None

    @property
    def mutation_score(self) -> float | None:
        """Return the share of planted faults that the trials notice."""
        return self.strength.score if self.strength is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Agreed with its source on every valid trial."""

    guarantee: Guarantee
    kind: Literal["passed"] = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsified:
    """Behaves unlike its source on a valid trial."""

    counterexample: Counterexample
    trials: int = 0
    kind: Literal["falsified"] = "falsified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Refused before any trial: by a translator, or by the target compiler."""

    stage: str
    diagnostics: tuple[Diagnostic, ...]
    kind: Literal["rejected"] = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inconclusive:
    """Not shown either way; the reason says what is missing."""

    reason: str
    code: str = "TP401"
    kind: Literal["inconclusive"] = "inconclusive"


Verdict = Passed | Falsified | Rejected | Inconclusive


# -------------------------------------------------------------------------------------- EVIDENCE, PORT


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A candidate and what became of it. No candidate where the translator refused."""

    candidate: Candidate | None
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything known of one unit."""

    unit: Unit
    contracts: tuple[Contract, ...]
    attempts: tuple[Attempt, ...]
    pool: tuple[Trial, ...] = ()
    """The valid trials that the last attempt was judged on."""
    seconds: float = 0.0
    provenance: tuple[tuple[str, str], ...] = ()
    """Seed, tool and compiler versions, flags."""
    closure: tuple[Unit, ...] = ()
    """Units that the text calls, at any depth, callees first."""
    id: str = ""
    """Name in the store, which gives it; empty until saved."""

    @property
    def verdict(self) -> Verdict:
        """Return the verdict of the last attempt."""
        if not self.attempts:
            return Inconclusive(reason="no attempt was made")
        return self.attempts[-1].verdict

    @property
    def candidate(self) -> Candidate | None:
        """Return the candidate of the last attempt."""
        return self.attempts[-1].candidate if self.attempts else None

    def kept(self, required: Level) -> bool:
        """Tell whether the last attempt passed at the required level."""
        verdict = self.verdict
        return isinstance(verdict, Passed) and verdict.guarantee.level.rank >= required.rank


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramVerdict:
    """What a run of a whole program, source against port, showed."""

    command: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A repository's result."""

    source: Path
    out: Path
    dialect: Dialect
    required: Level
    evidence: tuple[Evidence, ...]
    programs: tuple[ProgramVerdict, ...] = ()
    build_command: str = ""
    built: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    """Path in the port of the file that holds each unit, by unit id."""
    store: Path | None = None
    """Where the evidence lies."""

    @property
    def exit_status(self) -> int:
        """Return 0 where every judged unit is kept, every program agrees and the port builds; else 1."""
        judged = [item for item in self.evidence if item.unit.kind in (UnitKind.KERNEL, UnitKind.FUNCTION)]
        kept = all(item.kept(self.required) for item in judged)
        agree = all(isinstance(program.verdict, Passed | Inconclusive) for program in self.programs)
        return 0 if kept and agree and self.built else 1
