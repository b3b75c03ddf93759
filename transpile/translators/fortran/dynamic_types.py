"""Choices by dynamic type: `select type`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Derived, Scope, Symbol, Type
from transpile.translators.fortran.code import Binding, Code
from transpile.translators.fortran.families import in_hierarchy
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class DynamicTypes:
    """Writes `select type`."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.out = emitter.routine.out

    def select(self, statement: tree.SelectType) -> None:
        """Write a choice by dynamic type."""
        what = self.routine.typed(statement.selector)
        derived = what.type.derived
        if derived is None:
            raise self.routine.refused("`select type` of what is of no derived type", statement.line)
        virtual = in_hierarchy(derived, self.routine.program)
        if what.rank and virtual:
            raise self.routine.refused("`select type` of an array", statement.line)
        code = (
            self.emitter.elements.object(statement.selector)
            if what.rank
            else self.emitter.expressions.scalar(statement.selector)
        )
        ordered = sorted(statement.guards, key=lambda guard: ("type", "class", "default").index(guard[0]))
        with self.emitter.statements.preceded():
            first = True
            for kind, name, body in ordered:
                condition, target = self._guard(kind, name, derived, code, virtual, statement.line)
                if first:
                    self.out.open(f"if ({condition})" if condition else "")
                else:
                    self.out.lines[-1] += f" else if ({condition}) {{" if condition else " else {"
                    self.out.depth += 1
                first = False
                self._guarded(statement, target, code, body, what.rank)
                self.out.close()
                if not condition:
                    break

    def _guard(
        self, kind: str, name: str, derived: Derived, code: Code, virtual: bool, line: int
    ) -> tuple[str, Derived]:
        """Return the condition of a guard (nothing where it always holds) and the type within it."""
        if kind == "default":
            return "", derived
        found = self.routine.scope.find(name)
        if found is None or found.derived is None:
            raise self.routine.refused(f"`select type` by `{name}`", line)
        if not virtual:
            return "", found.derived
        of = plain_type(Type("derived", 0, None, found.derived), self.routine.scope, line)
        if kind == "type":
            return f"typeid({code.text}) == typeid({of})", found.derived
        return f"dynamic_cast<const {of} *>(&{code.within(Binding.UNARY)}) != nullptr", found.derived

    def _guarded(
        self,
        statement: tree.SelectType,
        target: Derived,
        code: Code,
        body: tuple[tree.Statement, ...],
        rank: int,
    ) -> None:
        """Write what is done under a guard, where the object has its dynamic type."""
        scope = Scope(self.routine.scope.unit, self.routine.scope, self.routine.scope.file)
        scope.rules = self.routine.scope.rules
        of = Type("derived", 0, None, target, True)
        symbol = Symbol(statement.name, statement.name, "variable", scope, statement.line, of, True)
        symbol.attributes.add("associated")
        scope.symbols[statement.name] = symbol
        name = self.routine.fresh(plain(statement.name))
        self.routine.names[id(symbol)] = Code(name)
        if rank:
            symbol.dimensions = tuple(tree.Range(statement.line, None, None) for _ in range(rank))
            self.out.line(f"[[maybe_unused]] auto {name} = fortran::whole({code.text});")
        else:
            spelled = plain_type(of, self.routine.scope, statement.line)
            self.out.line(f"[[maybe_unused]] auto &{name} = fortran::as<{spelled}>({code.text});")
        outer, self.routine.scope = self.routine.scope, scope
        self.emitter.statements.body(body)
        self.routine.scope = outer
