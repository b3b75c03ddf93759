"""SIGNATURE: parameters and result of a unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_LENGTH = re.compile(r"\[([^\]]*)\]")


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

    @property
    def unsigned(self) -> bool:
        """Tell whether it holds whole numbers, none of which is below 0."""
        return self.value.startswith("uint") or self is Scalar.BOOL


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

    @property
    def has_fractions(self) -> bool:
        """Tell whether a part of it is a floating number."""
        return any(leaf.scalar.floating for leaf in self.leaves)


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
    outside: bool = False
    """A variable at file scope of that name, which an entry sets."""

    @property
    def identifier(self) -> str:
        """Return its name as one of C; variables at file scope keep their own."""
        return re.sub(r"[.\[]", "__", self.name).replace("]", "") + "__outside" * self.outside

    @property
    def row(self) -> tuple[str, ...]:
        """Return the lengths of the rows that it leads to, as written; none where it leads to elements."""
        lengths = tuple(_LENGTH.findall(self.spelling))
        return lengths if "(*" in self.spelling.replace(" ", "") else lengths[1:]

    def part(self, leaf: Leaf) -> str:
        """Return what a number of an argument by value is called: ``n``, or ``grid.width`` for a member."""
        return f"{self.name}.{leaf.name}" if leaf.name else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A flat array that holds the rows of a vector of vectors, and the flat scalars that say how."""

    data: str
    rows: str
    columns: str
    stride: str
    """Elements from the beginning of a row to that of the next one."""
    ragged: str
    """How many columns rows may lack, by a pattern; 0 where all are of one length."""
    gap: int
    """Elements between two full rows, which belong to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """How the source's own parameters are made of flat ones: of pointers and numbers.

    Texts are C and C++. A flat parameter ``p.n`` goes by the name ``p__n`` in them.
    """

    arguments: tuple[tuple[str, str], ...]
    """For each of the source's parameters its name, and the expression that is passed."""
    taken: tuple[str, ...] = ()
    """For each flat parameter the expression that reads it from the source's own; empty where none does."""
    before: tuple[str, ...] = ()
    """Statements ahead of the call."""
    after: tuple[str, ...] = ()
    """Statements behind it. They end the process where something changed that is not compared."""
    sizes: tuple[tuple[str, str], ...] = ()
    """Flat scalars that are how many elements a flat array has, with that array."""
    strides: tuple[tuple[str, str], ...] = ()
    """Flat scalars that are how many elements lie between rows of a flat array, with that array."""
    terminated: tuple[str, ...] = ()
    """Flat arrays behind whose last element there is a zero."""
    rows: tuple[Rows, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalVariable:
    """A variable at file scope that a unit's closure touches (``__device__``, ``__constant__``, static)."""

    name: str
    element: ElementType | None
    count: int
    constant: bool = False
    lengths: tuple[int, ...] = ()
    """Of an array, outermost first."""

    def part(self, leaf: Leaf) -> str:
        """Return what its numbers are called: ``taps``, or ``grid.width`` for a member."""
        return f"{self.name}.{leaf.name}" if leaf.name else self.name

    def number(self, leaf: Leaf, index: int) -> str:
        """Return what one of its numbers is called: ``taps[2]``, or the part of what is no array."""
        return f"{self.name}[{index}].{leaf.name}".rstrip(".") if self.lengths else self.part(leaf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A function of another translation unit that is told numbers and leaves this one alone: a timer."""

    name: str
    types: tuple[str, ...]
    """Of its parameters, which are whole numbers."""


SIGNALS = GlobalVariable(
    name="transpile_signals",
    element=ElementType(
        spelling="unsigned long long", size=8, leaves=(Leaf(offset=0, scalar=Scalar.UINT64),)
    ),
    count=1,
)
"""Name of one call that stands for all calls of signals, in their order, in a library that is tried."""


PRINTED = GlobalVariable(name="transpile_printed", element=SIGNALS.element, count=1)
"""The texts that calls of ``printf`` in a library under trial have printed, in any order, as one number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One callable form of a unit; a template has one for each instantiation that the source uses."""

    name: str
    """Qualified name, callable from the end of the translation unit."""
    template_arguments: str | None = None
    """Such as ``float, 256``; None for what is not a template."""
    functions: tuple[tuple[str, str], ...] = ()
    """Parameters that are functions, with what a call passes: a name, or the text of a lambda."""
    parameters: tuple[Parameter, ...] = ()
    returns: ElementType | None = None
    globals: tuple[GlobalVariable, ...] = ()
    constants: tuple[GlobalVariable, ...] = ()
    """Arrays at file scope that nothing may write."""
    static_shared: int = 0
    uses_dynamic_shared: bool = False
    assembly: Assembly | None = None
    """None where the parameters are the source's own."""
    signals: tuple[Signal, ...] = ()
    """What its closure calls that only its program defines; then ``SIGNALS`` is among the globals."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the source's own parameters."""
        if self.assembly is not None:
            return tuple(name for name, _ in self.assembly.arguments)
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def passed(self) -> tuple[Parameter, ...]:
        """Return the parameters that a launch of a kernel passes; what else it finds is behind them."""
        return self.parameters[: len(self.names)]

    @property
    def held(self) -> tuple[Parameter, ...]:
        """Return the parameters that a launch of a kernel does not pass: numbers that variables hold."""
        behind = self.parameters[len(self.passed) :]
        return tuple(item for item in behind if item.outside and not item.pointer)

    @property
    def variables(self) -> tuple[GlobalVariable, ...]:
        """Return the variables at file scope that the program has too, and no library of ours alone."""
        return tuple(item for item in self.globals if item not in (PRINTED, SIGNALS))

    @property
    def form(self) -> str | None:
        """Return what tells this form from others of the unit; None where there is one alone."""
        parts = [] if self.template_arguments is None else [self.template_arguments]
        return ", ".join([*parts, *(f"{name} = {text}" for name, text in self.functions)]) or None

    @property
    def callable(self) -> str:
        """Return the expression that names this form in C++."""
        return self.name if self.template_arguments is None else f"{self.name}<{self.template_arguments}>"
