"""Pointer assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Symbol
from transpile.parsers.fortran.typing import meaning, symbol_of
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.signatures import parameter, raw

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter


class Pointers:
    """Writes statements that make pointers point to something."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def assign(self, statement: tree.PointerAssign) -> str:
        """Return a statement that makes a pointer point to something."""
        target, value, line = statement.target, statement.value, statement.line
        symbol = symbol_of(target, self.routine.scope)
        if symbol is not None and symbol.role == "procedure" and symbol.pointer:
            place = self.emitter.expressions.whole(target).text
            return self._procedure(symbol, place, value, line)
        if symbol is None or not symbol.pointer:
            raise self.routine.refused("`=>` of what is no pointer", line)
        if isinstance(target, tree.Apply) and meaning(target, self.routine.scope) in ("section", "element"):
            raise self.routine.refused("`=>` with bounds", line)
        whole = self.emitter.expressions.whole(target).text
        if symbol.type.base == "character":
            raise self.routine.refused("a character pointer", line)
        if isinstance(value, tree.Null):
            return f"{whole} = {{}};" if symbol.rank else f"{whole} = nullptr;"
        if symbol.rank:
            if self.routine.typed(value).rank != symbol.rank:
                raise self.routine.refused("`=>` of arrays of different rank", line)
            return f"{whole} = {self.emitter.elements.object(value).text};"
        return f"{whole} = {self.emitter.calls.address(value)};"

    def _procedure(self, symbol: Symbol, name: str, value: tree.Expression, line: int) -> str:
        """Return what makes a pointer point to a procedure, by a lambda where they are declared apart."""
        if isinstance(value, tree.Null):
            return f"{name} = nullptr;"
        found = self.routine.scope.find(value.name) if isinstance(value, tree.Name) else None
        if found is None or found.procedure is None or symbol.procedure is None or found.dummy:
            raise self.routine.refused("a procedure pointer to what is not known", line)
        if found.pointer:
            return f"{name} = {self.routine.name(found).text};"
        target = self.routine.callee(found.procedure)
        if self.routine.usage.captured.get(id(found.procedure.scope)):
            raise self.routine.refused(
                "a procedure pointer to a procedure that uses its host's variables", line
            )
        own = [parameter(item, self.routine) for item in symbol.procedure.dummies]
        theirs = [parameter(item, self.routine) for item in found.procedure.dummies]
        if own == theirs:
            return f"{name} = {target};"
        given = ", ".join(
            f"{plain(item.spelling)}_data" if item.rank and raw(item) else plain(item.spelling)
            for item in symbol.procedure.dummies
        )
        return f"{name} = []({', '.join(own)}) {{ return {target}({given}); }};"
