"""Common blocks as structs that all of a program shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran.constants import constant_bounds
from transpile.parsers.fortran.resolve import Program
from transpile.parsers.fortran.state import linked_block
from transpile.parsers.fortran.symbols import Scope, Symbol
from transpile.translators.fortran.names import at_file_scope, plain
from transpile.translators.fortran.sharing import shared_layout
from transpile.translators.fortran.usage import Usage, scopes

if TYPE_CHECKING:
    from transpile.translators.fortran.code import Writer
    from transpile.translators.fortran.emitter import Emitter

_Layout = list[tuple[object, ...]]


class Commons:
    """The common blocks of a program.

    Raises:
        Refused: Where units see a block in different layouts.
    """

    def __init__(self, program: Program, usage: Usage, *, shared: bool = False) -> None:
        self.program = program
        self.usage = usage
        self.shared = shared
        self.blocks: dict[str, list[Symbol]] = {}
        self.places: dict[int, str] = {}
        for scope in scopes(program):
            for name, symbols in scope.commons.items():
                self._add(scope, name, symbols)

    def _add(self, scope: Scope, name: str, symbols: list[Symbol]) -> None:
        for symbol in symbols:
            scope.own(symbol.name, symbol.line)
        first = self.blocks.setdefault(name, symbols)
        if _layout(first) != _layout(symbols):
            raise scope.refused(f"the common block `{name}` in several layouts", symbols[0].line)
        for symbol, there in zip(symbols, first, strict=True):
            self.places[id(symbol)] = f"{self._variable(name)}.{plain(there.spelling)}"

    def _variable(self, name: str) -> str:
        return f"{at_file_scope(name)}_common"

    def member(self, symbol: Symbol) -> str:
        """Return what a variable of a common block is called."""
        return self.places[id(symbol)]

    def write(self, out: Writer, emitters: dict[int, Emitter]) -> None:
        """Write the structs of all blocks; initial values come from whichever unit gives them."""
        for name, first in self.blocks.items():
            out.line()
            # What has linkage has a type with a name, and what gives values comes in front of what does not.
            out.open(f"struct {self._variable(name)}_block" if self.shared else "struct")
            given = False
            for position, symbol in enumerate(first):
                initialised = self._initialised(name, position)
                given = given or initialised is not None
                source = initialised or symbol
                emitter = emitters[id(source.scope)]
                text = emitter.variables.variable(source, at_namespace=True, static="")
                if self.shared:
                    text = shared_layout(text, symbol)
                out.line(text.replace(f" {plain(source.spelling)}", f" {plain(symbol.spelling)}", 1))
            label = f' {"FORTRAN_BLOCK" if given else "FORTRAN_SYMBOL"}("{linked_block(name)}")'
            out.close(f" {self._variable(name)}{label if self.shared else ''};")

    def _initialised(self, name: str, position: int) -> Symbol | None:
        from transpile.parsers.fortran.walking import names

        for scope in scopes(self.program):
            symbols = scope.commons.get(name)
            if symbols is None:
                continue
            symbol = symbols[position]
            mentioned = {
                item.name for data in scope.data for target in data.targets for item in names(target)
            }
            if symbol.name in mentioned or symbol.initial is not None:
                return symbol
        return None


def _layout(symbols: list[Symbol]) -> _Layout:
    from transpile.parsers.fortran.constants import fold

    result: _Layout = []
    for symbol in symbols:
        bounds = tuple(constant_bounds(item, symbol.scope) for item in symbol.dimensions or ())
        if any(None in item for item in bounds):
            raise symbol.scope.refused(
                f"`{symbol.name}` in a common block without constant bounds", symbol.line
            )
        length = fold(symbol.type.length, symbol.scope) if symbol.type.base == "character" else 0
        result.append((symbol.type.base, symbol.type.kind, length, bounds))
    return result
