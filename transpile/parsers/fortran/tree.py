"""The tree of a Fortran file: program units, declarations, statements and expressions.

A reference such as ``a(i)`` is an `Apply` whatever it means: only symbols tell arrays from functions.
Every node knows the line of the source on which it begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Expression:
    """Anything that has a value, or selects part of one."""

    line: int


@dataclass(frozen=True, slots=True)
class Integer(Expression):
    """An integer literal; its kind is empty, a number or a name."""

    value: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Real(Expression):
    """A real literal: its digits with an exponent letter ``e``, and its kind (``d`` for the letter D)."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Logical(Expression):
    """A logical literal."""

    value: bool


@dataclass(frozen=True, slots=True)
class String(Expression):
    """A character literal, without its quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Bits(Expression):
    """A binary, octal or hexadecimal literal."""

    value: int


@dataclass(frozen=True, slots=True)
class Complex(Expression):
    """A complex literal."""

    real: Expression
    imaginary: Expression


@dataclass(frozen=True, slots=True)
class Null(Expression):
    """A pointer to nothing."""


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """A name, in lower case."""

    name: str


@dataclass(frozen=True, slots=True)
class Argument:
    """One item of an argument list."""

    value: Expression
    keyword: str = ""


@dataclass(frozen=True, slots=True)
class Apply(Expression):
    """A base with something in parentheses: a call, an element, a section, a substring or a constructor."""

    base: Expression
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Member(Expression):
    """A component of a derived type."""

    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Range(Expression):
    """A subscript triplet or a range of characters."""

    first: Expression | None
    last: Expression | None
    step: Expression | None = None


@dataclass(frozen=True, slots=True)
class Star(Expression):
    """The ``*`` of an assumed size or length."""


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    """An operator before its operand: ``-``, ``+``, ``.not.`` or a defined one."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """An operator between its operands, spelled the modern way (``==`` for ``.eq.``)."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Parenthesized(Expression):
    """An expression in parentheses, which order evaluation."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Loop:
    """The control of a counted loop."""

    variable: str
    first: Expression
    last: Expression
    step: Expression | None


@dataclass(frozen=True, slots=True)
class ImpliedDo(Expression):
    """Items repeated under a loop control."""

    items: tuple[Expression, ...]
    loop: Loop


@dataclass(frozen=True, slots=True)
class ArrayConstructor(Expression):
    """The values of an array, listed; with a type where one is given."""

    items: tuple[Expression, ...]
    type: TypeSpec | None = None


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """A type as it is written."""

    line: int
    base: str
    """One of ``integer real complex logical character type class procedure``."""
    kind: Expression | None = None
    length: Expression | None = None
    """Of characters: a number, `Star` (assumed) or an empty `Range` (deferred)."""
    name: str = ""
    """Of a derived type or an interface."""
    double: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """A declared name with what stands beside it."""

    line: int
    name: str
    spelling: str
    dimensions: tuple[Expression, ...] | None = None
    length: Expression | None = None
    initial: Expression | None = None
    points: bool = False
    """The initial value is what a pointer points to."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """Anything of a specification part."""

    line: int


@dataclass(frozen=True, slots=True)
class TypeDeclaration(Declaration):
    """A type, attributes and the names that have them."""

    type: TypeSpec
    attributes: tuple[str, ...]
    dimensions: tuple[Expression, ...] | None
    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class AttributeStatement(Declaration):
    """Names that are given an attribute by a statement of its own: ``external f``, ``dimension a(3)``."""

    attribute: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Use(Declaration):
    """A module whose names are used: all of them, or those named; local names map to the module's."""

    module: str
    only: tuple[tuple[str, str], ...] | None
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Implicit(Declaration):
    """Types of names by their first letter; none where the rules are empty."""

    rules: tuple[tuple[TypeSpec, str], ...]


@dataclass(frozen=True, slots=True)
class ParameterStatement(Declaration):
    """Constants: names and values."""

    values: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Common(Declaration):
    """A common block and its members in order."""

    block: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Data(Declaration):
    """Initial values: targets, and values with their repetitions."""

    targets: tuple[Expression, ...]
    values: tuple[tuple[Expression, Expression | None], ...]


@dataclass(frozen=True, slots=True)
class Interface(Declaration):
    """An interface block: its generic name (or operator), procedures that it names, bodies that it holds."""

    name: str
    abstract: bool
    procedures: tuple[str, ...]
    bodies: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A procedure bound to a type; a generic binding has several targets."""

    name: str
    targets: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    passed: str | None = None
    generic: bool = False


@dataclass(frozen=True, slots=True)
class DerivedType(Declaration):
    """A derived type."""

    name: str
    spelling: str
    base: str
    components: tuple[TypeDeclaration, ...]
    bindings: tuple[Binding, ...]
    abstract: bool = False
    comments: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """Anything that is executed. The label is empty where there is none."""

    line: int
    label: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Comment(Statement):
    """A comment without its mark; trailing ones belong to the statement before."""

    text: str
    trailing: bool = False


@dataclass(frozen=True, slots=True)
class Directive(Statement):
    """An OpenMP directive, in lower case, without its sentinel."""

    text: str


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """An assignment."""

    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class PointerAssign(Statement):
    """A pointer is made to point to something."""

    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Call(Statement):
    """A call of a subroutine."""

    routine: Expression
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class If(Statement):
    """Conditions with what is done under each; the last condition may be None."""

    arms: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]


@dataclass(frozen=True, slots=True)
class ArithmeticIf(Statement):
    """A jump by the sign of a number."""

    value: Expression
    labels: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """A loop: counted, while a condition holds, or endless."""

    body: tuple[Statement, ...]
    loop: Loop | None = None
    condition: Expression | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class DoConcurrent(Statement):
    """A loop nest whose iterations may run in any order; also `forall`, where nothing depends on order."""

    loops: tuple[Loop, ...]
    mask: Expression | None
    body: tuple[Statement, ...]
    forall: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Jump(Statement):
    """``exit`` or ``cycle``, with the name of a construct or none."""

    kind: str
    target: str


@dataclass(frozen=True, slots=True)
class Goto(Statement):
    """A jump to a label, to the n-th of several, or to the one that a variable holds."""

    labels: tuple[str, ...]
    selector: Expression | None = None
    assigned: bool = False


@dataclass(frozen=True, slots=True)
class Select(Statement):
    """A choice by value: cases with their values and ranges (None: default)."""

    selector: Expression
    cases: tuple[tuple[tuple[Expression, ...] | None, tuple[Statement, ...]], ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class SelectType(Statement):
    """A choice by dynamic type: guards (``type``, ``class`` or ``default``, a name) and their bodies."""

    name: str
    selector: Expression
    guards: tuple[tuple[str, str, tuple[Statement, ...]], ...]


@dataclass(frozen=True, slots=True)
class Where(Statement):
    """Masked assignments: masks (None: the rest) with what is assigned under each."""

    arms: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]


@dataclass(frozen=True, slots=True)
class Allocation:
    """An object that is allocated, with its bounds."""

    target: Expression
    dimensions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Allocate(Statement):
    """An allocation; options by name: ``stat``, ``source``, ``mold``, ``errmsg``."""

    allocations: tuple[Allocation, ...]
    options: tuple[Argument, ...]
    type: TypeSpec | None = None


@dataclass(frozen=True, slots=True)
class Deallocate(Statement):
    """The end of allocated objects."""

    targets: tuple[Expression, ...]
    options: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Nullify(Statement):
    """Pointers that point to nothing from now on."""

    targets: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Transfer(Statement):
    """``write``, ``print`` or ``read``: unit (None: standard), format (None: list-directed), items."""

    kind: str
    unit: Expression | None
    format: Expression | None
    options: tuple[Argument, ...]
    items: tuple[Expression, ...]
    formatted: bool = True


@dataclass(frozen=True, slots=True)
class FileStatement(Statement):
    """``open``, ``close``, ``inquire``, ``rewind``, ``backspace``, ``endfile`` or ``flush``."""

    kind: str
    options: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Stop(Statement):
    """The end of the program, with a code or a message."""

    error: bool
    code: Expression | None


@dataclass(frozen=True, slots=True)
class Return(Statement):
    """The end of a procedure."""


@dataclass(frozen=True, slots=True)
class Continue(Statement):
    """Nothing; often a label stands before it."""


@dataclass(frozen=True, slots=True)
class Format(Statement):
    """A format specification, to which its label refers."""

    text: str


@dataclass(frozen=True, slots=True)
class Associate(Statement):
    """Names for expressions within a body."""

    names: tuple[tuple[str, Expression], ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Block(Statement):
    """Declarations of its own and a body."""

    declarations: tuple[Declaration, ...]
    body: tuple[Statement, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A program unit or procedure."""

    line: int
    kind: str
    """``program``, ``module``, ``subroutine``, ``function`` or ``block data``."""
    name: str
    spelling: str
    dummies: tuple[str, ...] = ()
    result: str = ""
    type: TypeSpec | None = None
    prefixes: tuple[str, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    body: tuple[Statement, ...] = ()
    procedures: tuple[Unit, ...] = ()
    comments: tuple[str, ...] = ()
    """Comments ahead of it."""
    private: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """A source file as it was read."""

    name: str
    units: tuple[Unit, ...]
