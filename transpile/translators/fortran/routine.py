"""The state in which the statements of one program unit are written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.typing import Typed, called, meaning, typed
from transpile.parsers.fortran.walking import walk
from transpile.translators.fortran.code import Code, Writer
from transpile.translators.fortran.names import at_file_scope, plain
from transpile.translators.fortran.usage import Usage

_INDICES = ("i", "j", "k", "l", "m", "n", "ii", "jj", "kk", "ll", "p", "q", "r", "s", "t")


@dataclass(eq=False, slots=True)
class Target:
    """A jump label of C++ and whether anything jumps to it."""

    name: str
    used: bool = False


@dataclass(eq=False, slots=True)
class Loop:
    """A construct of Fortran that `exit` or `cycle` may leave."""

    name: str
    is_loop: bool
    leave: Target
    next: Target
    switch: bool = False


@dataclass(eq=False)
class Routine:
    """One program unit on its way to C++."""

    program: Program
    usage: Usage
    scope: Scope
    out: Writer
    procedure: Procedure | None = None
    pre: list[str] = field(default_factory=list)
    """Lines that must stand before the statement that is being written."""
    post: list[str] = field(default_factory=list)
    """Lines that must stand behind it."""
    evaluated: dict[int, tuple[tree.Expression, Code]] = field(default_factory=dict)
    """Expressions that were evaluated before the statement, by their identity, with their names."""
    names: dict[int, Code] = field(default_factory=dict)
    """Names of symbols here, by their identity, where these are not their own."""
    taken: set[str] = field(default_factory=set)
    active: list[str] = field(default_factory=list)
    """Names of indices of the loops around."""
    loops: list[Loop] = field(default_factory=list)
    formats: dict[str, str] = field(default_factory=dict)
    in_main: bool = False
    shared: bool = False
    """Tells whether Fortran calls what is written, and gives it arrays."""
    parallel: int = 0

    def refused(self, detail: str, line: int) -> Refused:
        """Return a refusal at a line."""
        return self.scope.refused(detail, line)

    def typed(self, expression: tree.Expression) -> Typed:
        """Return the type and rank of an expression."""
        return typed(expression, self.scope)

    def variable(self, name: str, line: int) -> Symbol:
        """Return what a name stands for."""
        return self.scope.variable(name, line)

    def name(self, symbol: Symbol) -> Code:
        """Return what a variable is called here."""
        given = self.names.get(id(symbol))
        if given is not None:
            return given
        if "intrinsic module" in symbol.attributes and isinstance(symbol.initial, tree.Integer):
            return Code(str(symbol.initial.value))
        unit = symbol.scope.unit
        text = plain(symbol.spelling)
        if unit is not None and unit.kind == "module" and not self.within(symbol.scope):
            return Code(f"{plain(unit.spelling)}::{text}")
        return Code(text)

    def within(self, scope: Scope) -> bool:
        """Tell whether this unit lies in a scope."""
        return any(host is scope for host in self.scope.hosts())

    def callee(self, procedure: Procedure) -> str:
        """Return what a procedure is called here."""
        return procedure_name(procedure, self)

    def modified(self, symbol: Symbol) -> bool:
        """Tell whether a dummy argument may be changed."""
        names = self.usage.modified.get(id(symbol.scope))
        if names is None:
            return "intentin" not in symbol.attributes and "value" not in symbol.attributes
        return symbol.name in names

    def fresh(self, stem: str) -> str:
        """Return a name that nothing here has."""
        number = 1
        while (name := f"{stem}_{number}") in self.taken:
            number += 1
        self.taken.add(name)
        return name

    def hoist(
        self, code: Code, stem: str, *, declared: str = "const auto", of: tree.Expression | None = None
    ) -> Code:
        """Evaluate something before the statement and return its name.

        Args:
            code: What is evaluated.
            stem: What its name begins with.
            declared: What stands before the name.
            of: The expression that it is the value of, which is evaluated once however often it is asked for.
        """
        name = self.fresh(stem)
        self.pre.append(f"{declared} {name} = {code.text};")
        if of is not None:
            self.evaluated[id(of)] = (of, Code(name))
        return Code(name)

    def known(self, expression: tree.Expression) -> Code | None:
        """Return the name of an expression that was evaluated before this statement."""
        found = self.evaluated.get(id(expression))
        return found[1] if found is not None else None

    def has_effects(self, expression: tree.Expression) -> bool:
        """Tell whether an expression calls a function of the program that is not pure."""
        for item in walk(expression):
            if not isinstance(item, tree.Apply) or not isinstance(item.base, (tree.Name, tree.Member)):
                continue
            if meaning(item, self.scope) in ("call", "method"):
                procedure = called(item, self.scope)
                if isinstance(procedure, Symbol) or not procedure.pure:
                    return True
        return False

    def indices(self, count: int, *nodes: tree.Expression | None) -> list[str]:
        """Return names for the indices of a loop nest that stand for nothing else in the expressions."""
        avoid = set(self.active)
        for node in nodes:
            if node is not None:
                avoid.update(self.mentioned(node))
        free = [name for name in _INDICES if name not in avoid]
        return free[:count]

    def mentioned(self, node: tree.Expression) -> Iterator[str]:
        """Yield the names of C++ that an expression will mention."""
        for item in walk(node):
            if isinstance(item, tree.Name):
                found = self.scope.find(item.name)
                yield self.name(found).text if found is not None else item.name
                yield item.name
            elif isinstance(item, tree.Loop):
                yield item.variable

    @contextmanager
    def separate(self) -> Iterator[list[str]]:
        """Collect what must stand before an inner piece of code apart from the outer one's."""
        outer, self.pre = self.pre, []
        evaluated, self.evaluated = self.evaluated, dict(self.evaluated)
        try:
            yield self.pre
        finally:
            self.pre, self.evaluated = outer, evaluated


def procedure_name(procedure: Procedure, routine: Routine) -> str:
    """Return what a procedure is called in a routine."""
    if procedure.interface_only:
        raise routine.refused(f"the procedure `{procedure.name}` is not among the files", procedure.unit.line)
    parent = procedure.scope.parent
    unit = parent.unit if parent is not None else None
    if unit is None:
        name = at_file_scope(procedure.unit.spelling)
        return f"::{name}" if _hidden(name, routine.scope) else name
    name = internal_name(procedure)
    if unit.kind == "module" and parent is not None and not routine.within(parent):
        return f"{plain(unit.spelling)}::{name}"
    return name


def _hidden(name: str, scope: Scope) -> bool:
    """Tell whether a variable has the name of a procedure that stands on its own."""
    return any(
        symbol.role == "variable" and plain(symbol.spelling) == name
        for host in scope.hosts()
        for symbol in host.symbols.values()
    )


def internal_name(procedure: Procedure) -> str:
    """Return the name of a procedure in the namespace in which it stands."""
    parent = procedure.scope.parent
    if parent is None or parent.unit is None:
        return at_file_scope(procedure.unit.spelling)
    if parent.unit.kind == "module":
        return plain(procedure.unit.spelling)
    if parent.unit.kind == "program":
        return at_file_scope(procedure.unit.spelling)
    return f"{plain(parent.unit.spelling)}_{plain(procedure.unit.spelling)}"
