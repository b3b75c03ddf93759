"""Allocation, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Symbol, Type
from transpile.parsers.fortran.typing import symbol_of
from transpile.translators.fortran.code import Binding
from transpile.translators.fortran.types import is_deferred, plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Memory:
    """Writes `allocate`, `deallocate` and `nullify`."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def allocate(self, statement: tree.Allocate) -> list[str]:
        """Return the lines of an `allocate`.

        Raises:
            Refused: Where bounds or types are not of a sort that we know.
        """
        options = {item.keyword: item.value for item in statement.options}
        unknown = set(options) - {"stat", "source", "errmsg"}
        if unknown:
            raise self.routine.refused(f"`allocate` with {min(unknown)}", statement.line)
        lines = []
        for item in statement.allocations:
            symbol = symbol_of(item.target, self.routine.scope)
            assert symbol is not None
            if symbol.type.polymorphic and not symbol.rank:
                lines.append(self._polymorphic(statement, item, symbol, options.get("source")))
                continue
            lines += self._allocation(statement, item, symbol, options.get("source"))
        if "stat" in options:
            lines.append(f"{self.emitter.expressions.reference(options['stat']).text} = 0;")
        return lines

    def _polymorphic(
        self, statement: tree.Allocate, item: tree.Allocation, symbol: Symbol, source: tree.Expression | None
    ) -> str:
        """Return the allocation of an object whose dynamic type may be another than its declared one."""
        whole = self.emitter.expressions.whole(item.target).within(Binding.PRIMARY)
        of = symbol.type
        if statement.type is not None:
            found = self.routine.scope.find(statement.type.name)
            if found is None or found.derived is None:
                raise self.routine.refused(f"the type `{statement.type.name}` is not found", statement.line)
            of = Type("derived", 0, None, found.derived)
        elif source is not None:
            of = self.routine.typed(source).type
            if of.polymorphic:
                value = self.emitter.expressions.scalar(source)
                copy = f"{value.within(Binding.PRIMARY)}.clone()"
                return f"{whole} = {copy};" if symbol.pointer else f"{whole}.take({copy});"
        name = plain_type(of, self.routine.scope, statement.line)
        value_text = self.emitter.expressions.scalar(source).text if source is not None else ""
        created = f"new {name}({value_text})"
        return f"{whole} = {created};" if symbol.pointer else f"{whole}.take({created});"

    def _allocation(
        self, statement: tree.Allocate, item: tree.Allocation, symbol: Symbol, source: tree.Expression | None
    ) -> list[str]:
        whole = self.emitter.expressions.whole(item.target).within(Binding.PRIMARY)
        if is_deferred(symbol.type):
            if statement.type is None or statement.type.length is None or symbol.rank:
                raise self.routine.refused("the allocation of a text without a length", statement.line)
            return [f"{whole}.allocate({self.emitter.expressions.scalar(statement.type.length).text});"]
        lines = []
        if symbol.rank and item.dimensions:
            bounds = ", ".join(self.emitter.variables.dimension(bound) for bound in item.dimensions)
            if symbol.pointer:
                name = plain_type(symbol.type, self.routine.scope, statement.line)
                lines.append(f"{whole} = fortran::allocated<{name}, {symbol.rank}>({{{bounds}}});")
            else:
                lines.append(f"{whole}.allocate({bounds});")
            if source is not None:
                lines += self.emitter.assignments.loop(item.target, source, statement.line)
            return lines
        if symbol.rank:
            if source is None or symbol.pointer:
                raise self.routine.refused("`allocate` without bounds", statement.line)
            return [f"fortran::assign({whole}, {self.emitter.elements.object(source).text});"]
        name = plain_type(symbol.type, self.routine.scope, statement.line)
        value = (
            f"({self.emitter.expressions.assigned(source, symbol.type).text})" if source is not None else "()"
        )
        if symbol.pointer:
            return [f"{whole} = new {name}{value};"]
        return [f"{whole}.allocate{value};"]

    def deallocate(self, statement: tree.Deallocate) -> list[str]:
        """Return the lines of a `deallocate`."""
        lines = []
        for item in statement.targets:
            symbol = symbol_of(item, self.routine.scope)
            assert symbol is not None
            whole = self.emitter.expressions.whole(item).within(Binding.PRIMARY)
            if not symbol.pointer:
                lines.append(f"{whole}.deallocate();")
            elif symbol.rank:
                lines.append(f"fortran::deallocate({whole});")
            else:
                lines += [f"delete {whole};", f"{whole} = nullptr;"]
        for option in statement.options:
            if option.keyword == "stat":
                lines.append(f"{self.emitter.expressions.reference(option.value).text} = 0;")
        return lines

    def nullify(self, target: tree.Expression) -> list[str]:
        """Return the line that makes a pointer point to nothing."""
        symbol = symbol_of(target, self.routine.scope)
        whole = self.emitter.expressions.whole(target).text
        return [f"{whole} = {{}};" if symbol is not None and symbol.rank else f"{whole} = nullptr;"]
