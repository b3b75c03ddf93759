"""Calls of procedures of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.symbols import Derived, Procedure, Symbol
from transpile.parsers.fortran.typing import called, meaning
from transpile.translators.fortran.arguments import Arguments
from transpile.translators.fortran.axes import Index
from transpile.translators.fortran.code import Binding, Code, call
from transpile.translators.fortran.families import all_types
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.signatures import length_parameters
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Calls:
    """Writes calls of functions and subroutines."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.arguments = Arguments(emitter)

    def function(self, expression: tree.Apply) -> Code:
        """Return a call of a function.

        Raises:
            Refused: Where its arguments cannot be passed.
        """
        if meaning(expression, self.routine.scope) == "statement":
            return self._statement_function(expression)
        procedure = called(expression, self.routine.scope)
        return self._reference(expression.base, procedure, expression.arguments, expression.line)

    def subroutine(self, statement: tree.Call, at: list[Index] | None = None) -> Code:
        """Return a call of a subroutine."""
        procedure = called(
            tree.Apply(statement.line, statement.routine, statement.arguments), self.routine.scope
        )
        return self._reference(statement.routine, procedure, statement.arguments, statement.line, at)

    def elemental(self, expression: tree.Apply, at: list[Index]) -> Code:
        """Return a call of an elemental function on elements."""
        procedure = called(expression, self.routine.scope)
        return self._reference(expression.base, procedure, expression.arguments, expression.line, at)

    def _reference(
        self,
        base: tree.Expression,
        procedure: Procedure | Symbol,
        arguments: tuple[tree.Argument, ...],
        line: int,
        at: list[Index] | None = None,
    ) -> Code:
        if isinstance(base, tree.Member):
            owner = self.routine.typed(base.base).type.derived
            component = owner.component(base.name) if owner is not None else None
            if component is not None:
                return self._component_call(base, component, arguments, line)
            assert isinstance(procedure, Procedure)
            return self._method(base, procedure, arguments, line, at)
        assert isinstance(base, tree.Name)
        symbol = self.routine.scope.find(base.name)
        if isinstance(procedure, Symbol):
            if not procedure.dummy:
                raise self.routine.refused(f"the procedure `{procedure.name}` is not among the files", line)
            return call(self.routine.name(procedure).text, *self.arguments.unknown(arguments))
        if symbol is not None and (symbol.dummy or symbol.pointer):
            parts = self.arguments.of(procedure, arguments, line, at)
            return call(self.routine.name(symbol).text, *parts)
        return self.of(procedure, arguments, line, at)

    def of(
        self,
        procedure: Procedure,
        arguments: tuple[tree.Argument, ...],
        line: int,
        at: list[Index] | None = None,
    ) -> Code:
        """Return a call of a procedure that is known."""
        self.emitter.notice_call(procedure, line)
        parts = self.arguments.of(procedure, arguments, line, at)
        lengths = self.arguments.lengths(procedure, arguments, line) if length_parameters(procedure) else ""
        return call(self.routine.callee(procedure) + lengths, *parts)

    def _method(
        self,
        base: tree.Member,
        procedure: Procedure,
        arguments: tuple[tree.Argument, ...],
        line: int,
        at: list[Index] | None,
    ) -> Code:
        """Return a call of a procedure that is bound to a type."""
        what = self.routine.typed(base.base).type
        assert what.derived is not None
        found = what.derived.binding(base.name)
        assert found is not None
        binding = found[1]
        if what.polymorphic and self._overridden(what.derived, base.name):
            return self._virtual(base, procedure, arguments, line)
        if "nopass" in binding.attributes:
            return self.of(procedure, arguments, line, at)
        position = 0
        if binding.passed is not None:
            position = procedure.unit.dummies.index(binding.passed)
        passed = tree.Argument(base.base, procedure.unit.dummies[position])
        rest = tuple(
            tree.Argument(item.value, item.keyword or self._dummy(procedure, index, position))
            for index, item in enumerate(arguments)
        )
        return self.of(procedure, (passed, *rest), line, at)

    def _virtual(
        self, base: tree.Member, procedure: Procedure, arguments: tuple[tree.Argument, ...], line: int
    ) -> Code:
        """Return a call that depends on the dynamic type of its object."""
        this = procedure.unit.dummies[0]
        rest = tuple(
            tree.Argument(item.value, item.keyword or self._dummy(procedure, index, 0))
            for index, item in enumerate(arguments)
        )
        parts = self.arguments.of(procedure, rest, line, without=this)
        owner = self.emitter.expressions.scalar(base.base)
        if owner.text.startswith("*") and owner.binding == Binding.UNARY:
            return call(f"{owner.text[1:]}->{plain(base.name)}", *parts)
        return call(f"{owner.within(Binding.PRIMARY)}.{plain(base.name)}", *parts)

    def _component_call(
        self, base: tree.Member, component: Symbol, arguments: tuple[tree.Argument, ...], line: int
    ) -> Code:
        """Return a call through a procedure pointer of a structure."""
        if component.procedure is None or "nopass" not in component.attributes:
            raise self.routine.refused(f"a call of the component `{component.name}`", line)
        parts = self.arguments.of(component.procedure, arguments, line)
        return call(self.emitter.expressions.member(base.base, component).text, *parts)

    def _dummy(self, procedure: Procedure, index: int, passed: int) -> str:
        others = [name for at, name in enumerate(procedure.unit.dummies) if at != passed]
        if index >= len(others):
            raise self.routine.refused(f"too many arguments of `{procedure.name}`", procedure.unit.line)
        return others[index]

    def _overridden(self, derived: Derived, name: str) -> bool:
        """Tell whether a type that extends another binds something else under a name."""
        own = derived.binding(name)
        for other in all_types(self.routine.program):
            if other is not derived and other.extends(derived):
                there = other.binding(name)
                if there is None or own is None or there[1] is not own[1]:
                    return True
        return bool("deferred" in own[1].attributes) if own is not None else True

    def _statement_function(self, expression: tree.Apply) -> Code:
        assert isinstance(expression.base, tree.Name)
        symbol = self.routine.variable(expression.base.name, expression.line)
        assert symbol.statement_function is not None
        names, _ = symbol.statement_function
        parts = [
            self.emitter.expressions.converted(item.value, symbol.scope.own(name, expression.line).type).text
            for name, item in zip(names, expression.arguments, strict=True)
        ]
        return call(plain(symbol.spelling), *parts)

    def structure(self, expression: tree.Apply) -> Code:
        """Return a value of a derived type made of the values of its components."""
        derived = self.routine.typed(expression).type.derived
        if derived is None:
            raise self.routine.refused("a constructor of an unknown type", expression.line)
        name = plain_type(self.routine.typed(expression).type, self.routine.scope, expression.line)
        components = derived.all_components()
        given: list[tuple[Symbol, tree.Expression]] = []
        for position, item in enumerate(expression.arguments):
            found = derived.component(item.keyword) if item.keyword else None
            if found is None and position < len(components) and not item.keyword:
                found = components[position]
            if found is None:
                raise self.routine.refused(f"the constructor of `{derived.name}`", expression.line)
            given.append((found, item.value))
        value = self.routine.fresh("value")
        lines = [f"{name} {value};"]
        for symbol, given_value in given:
            with self.routine.separate() as pre:
                lines_of = self._component(f"{value}.{plain(symbol.spelling)}", symbol, given_value)
            lines.extend((*pre, *lines_of))
        return Code(f"[&] {{ {' '.join(lines)} return {value}; }}()")

    def _component(self, target: str, symbol: Symbol, item: tree.Expression) -> list[str]:
        """Return the lines that set a component."""
        if symbol.pointer:
            if isinstance(item, tree.Null):
                return []
            if symbol.rank:
                return [f"{target} = {self.emitter.elements.object(item).text};"]
            return [f"{target} = {self.address(item)};"]
        if symbol.rank:
            return [f"fortran::assign({target}, {self.emitter.elements.object(item).text});"]
        if symbol.type.base == "character" and symbol.allocatable:
            return [f"{target}.assign({self.emitter.expressions.scalar(item).text});"]
        return [f"{target} = {self.emitter.expressions.assigned(item, symbol.type).text};"]

    def address(self, expression: tree.Expression) -> str:
        """Return where a scalar lies to which a pointer shall point."""
        from transpile.parsers.fortran.typing import symbol_of

        if isinstance(expression, tree.Null):
            return "nullptr"
        if isinstance(expression, tree.Apply) and meaning(expression, self.routine.scope) in (
            "call",
            "intrinsic",
        ):
            return self.emitter.expressions.scalar(expression).text
        symbol = symbol_of(expression, self.routine.scope)
        if symbol is not None and symbol.pointer and isinstance(expression, (tree.Name, tree.Member)):
            return self.emitter.expressions.whole(expression).text
        return f"&{self.emitter.expressions.reference(expression).within(Binding.UNARY)}"

    def intrinsic_as_argument(self, name: str, line: int) -> str:
        """Return an intrinsic function as something that can be called."""
        generic = intrinsics.SPECIFIC.get(name, (name, ""))[0]
        simple = (
            "sin",
            "cos",
            "tan",
            "exp",
            "log",
            "sqrt",
            "abs",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "tanh",
            "log10",
        )
        if generic not in simple:
            raise self.routine.refused(f"the intrinsic function `{name}` as an argument", line)
        of = "double" if name.startswith("d") else "float"
        return f"[]({of} x) {{ return std::{generic}(x); }}"
