"""Names of a Fortran program and what they stand for, scope by scope."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.errors import Refused


@dataclass(frozen=True, slots=True)
class Type:
    """A type of values. Lengths of characters are expressions, `Star` (assumed) or a `Range` (deferred)."""

    base: str
    """``integer``, ``real``, ``complex``, ``logical``, ``character``, ``derived``, ``procedure``, ``bits`` or
    ``none``."""
    kind: int = 0
    length: tree.Expression | None = None
    derived: Derived | None = None
    polymorphic: bool = False

    def same(self, other: Type) -> bool:
        """Tell whether values of both are of one type and kind, whatever their lengths."""
        derived = self.derived.name if self.derived else ""
        return (self.base, self.kind, derived) == (
            other.base,
            other.kind,
            other.derived.name if other.derived else "",
        )

    @property
    def numeric(self) -> bool:
        """Tell whether it has arithmetic."""
        return self.base in ("integer", "real", "complex", "bits")


INTEGER = Type("integer", 4)
REAL = Type("real", 4)
DOUBLE = Type("real", 8)
LOGICAL = Type("logical", 4)
CHARACTER = Type("character", 1)
NONE = Type("none")


@dataclass(eq=False, slots=True)
class Derived:
    """A derived type: its components and bound procedures, with those of its parents."""

    name: str
    spelling: str
    scope: Scope
    declaration: tree.DerivedType
    parent: Derived | None = None
    components: dict[str, Symbol] = field(default_factory=dict)

    def component(self, name: str) -> Symbol | None:
        """Return a component, own or inherited."""
        found = self.components.get(name)
        return found if found or not self.parent else self.parent.component(name)

    def all_components(self) -> list[Symbol]:
        """Return the components in order, inherited ones first."""
        inherited = self.parent.all_components() if self.parent else []
        return inherited + list(self.components.values())

    def binding(self, name: str) -> tuple[Derived, tree.Binding] | None:
        """Return a bound procedure and the type that binds it."""
        for binding in self.declaration.bindings:
            if binding.name == name:
                return self, binding
        return self.parent.binding(name) if self.parent else None

    def extends(self, other: Derived) -> bool:
        """Tell whether it is the other or comes from it."""
        return self is other or (self.parent is not None and self.parent.extends(other))


@dataclass(eq=False, slots=True)
class Symbol:
    """A name and what it stands for."""

    name: str
    spelling: str
    role: str
    """``variable``, ``constant``, ``procedure``, ``generic``, ``type``, ``intrinsic`` or ``label``."""
    scope: Scope
    line: int = 0
    type: Type = NONE
    typed: bool = False
    dimensions: tuple[tree.Expression, ...] | None = None
    attributes: set[str] = field(default_factory=set)
    initial: tree.Expression | None = None
    dummy: bool = False
    procedure: Procedure | None = None
    derived: Derived | None = None
    specifics: tuple[str, ...] = ()
    common: str = ""
    statement_function: tuple[tuple[str, ...], tree.Expression] | None = None

    @property
    def rank(self) -> int:
        """Return the number of dimensions."""
        return len(self.dimensions) if self.dimensions is not None else 0

    @property
    def allocatable(self) -> bool:
        """Tell whether it is allocated by statements."""
        return "allocatable" in self.attributes

    @property
    def pointer(self) -> bool:
        """Tell whether it is a pointer."""
        return "pointer" in self.attributes

    @property
    def shape(self) -> str:
        """Return ``scalar``, ``explicit``, ``assumed`` (shape), ``size`` (assumed size) or ``deferred``."""
        if self.dimensions is None:
            return "scalar"
        last = self.dimensions[-1]
        if isinstance(last, tree.Star) or (isinstance(last, tree.Range) and isinstance(last.last, tree.Star)):
            return "size"
        if any(isinstance(item, tree.Range) and item.last is None for item in self.dimensions):
            return "deferred" if self.allocatable or self.pointer else "assumed"
        return "explicit"


@dataclass(eq=False, slots=True)
class Procedure:
    """A function or subroutine with its interface."""

    unit: tree.Unit
    scope: Scope
    internal: bool = False
    interface_only: bool = False

    @property
    def name(self) -> str:
        """Return its name."""
        return self.unit.name

    @property
    def dummies(self) -> list[Symbol]:
        """Return its dummy arguments in order."""
        return [self.scope.own(name, self.unit.line) for name in self.unit.dummies]

    @property
    def result(self) -> Symbol | None:
        """Return the variable that holds its result."""
        return self.scope.own(self.unit.result, self.unit.line) if self.unit.kind == "function" else None

    @property
    def elemental(self) -> bool:
        """Tell whether it may be called on arrays, element by element."""
        return "elemental" in self.unit.prefixes

    @property
    def pure(self) -> bool:
        """Tell whether it has no side effects."""
        return "pure" in self.unit.prefixes or (self.elemental and "impure" not in self.unit.prefixes)


class Scope:
    """The names of a program unit, and of what surrounds it."""

    def __init__(self, unit: tree.Unit | None, parent: Scope | None, file: str) -> None:
        self.unit = unit
        self.parent = parent
        self.file = file
        self.symbols: dict[str, Symbol] = {}
        self.used: dict[str, Symbol] = {}
        self.rules: dict[str, Type] | None = dict(_DEFAULT_RULES)
        self.procedures: list[Procedure] = []
        self.derived: list[Derived] = []
        self.data: list[tree.Data] = []
        self.statement_functions: list[Symbol] = []
        self.commons: dict[str, list[Symbol]] = {}
        self.saved = False
        self.program: dict[str, Symbol] = parent.program if parent else {}
        """Procedures that stand on their own, of all files."""

    def refused(self, detail: str, line: int) -> Refused:
        """Return a refusal at a line of this scope's file."""
        return Refused(detail, line, self.file)

    def find(self, name: str) -> Symbol | None:
        """Return what a name stands for, here or in what surrounds; None where nothing is declared."""
        found = self.symbols.get(name) or self.used.get(name)
        if found is None and self.parent is not None:
            return self.parent.find(name)
        return found

    def own(self, name: str, line: int) -> Symbol:
        """Return a name of this very scope, which implicit typing may bring about."""
        if name not in self.symbols:
            fresh = Symbol(name, name, "variable", self, line)
            self.type_implicitly(fresh, line)
            self.symbols[name] = fresh
        symbol = self.symbols[name]
        if not symbol.typed and symbol.role == "variable":
            self.type_implicitly(symbol, line)
        return symbol

    def variable(self, name: str, line: int) -> Symbol:
        """Return what a name stands for; implicit typing may bring about a variable.

        Raises:
            Refused: Where it is not declared and nothing is implicit.
        """
        found = self.find(name)
        if found is None:
            return self.own(name, line)
        if not found.typed and found.role == "variable":
            found.scope.type_implicitly(found, line)
        return found

    def type_implicitly(self, symbol: Symbol, line: int) -> None:
        """Give a name the type of its first letter."""
        rules = self.implicit_rules()
        if rules is None or symbol.name[0] not in rules:
            raise self.refused(f"`{symbol.name}` has no type", line)
        symbol.type, symbol.typed = rules[symbol.name[0]], True

    def implicit_rules(self) -> dict[str, Type] | None:
        """Return the types of first letters; None where nothing is implicit."""
        return self.rules

    def hosts(self) -> Iterator[Scope]:
        """Yield the scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


_DEFAULT_RULES = {
    **{letter: REAL for letter in "abcdefghopqrstuvwxyz"},
    **{letter: INTEGER for letter in "ijklmn"},
}
