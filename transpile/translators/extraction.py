"""Choice of loops that are to be functions: those of functions that nobody translates as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from transpile.core import Dialect, Source, Unit, UnitKind
from transpile.parsers.extraction.extraction import LoopChoice
from transpile.translators.screen import foreseen

_FOR = re.compile(rb"\bfor\s*\(")


@dataclass(slots=True)
class LoopChooser:
    """Chooses loops of a source, then gives up those of which as functions nothing can be made."""

    target: Dialect
    _choice: LoopChoice | None = field(default=None, init=False)

    def __call__(self, source: Source) -> LoopChoice | None:
        """Return the loops to be functions, given what was made of the last choice.

        None to leave it at that choice.
        """
        if self._choice is None:
            units = frozenset(self._wanting(source)) if source.dialect.is_plain else frozenset[str]()
            but = frozenset[tuple[str, int]]()
        else:
            units, but = self._choice.units, self._choice.but | frozenset(self._fruitless(source))
        choice = LoopChoice(units=units, but=but)
        if not units or choice == self._choice:
            return None
        self._choice = choice
        return choice

    def _wanting(self, source: Source) -> Iterator[str]:
        """Yield the functions with loops of which nothing is made as a whole."""
        for unit in source.units:
            if not unit.active or not _FOR.search(unit.text):
                continue
            if unit.kind is UnitKind.GLUE or (
                unit.kind is UnitKind.FUNCTION and self._is_fruitless(source, unit)
            ):
                yield unit.id

    def _fruitless(self, source: Source) -> Iterator[tuple[str, int]]:
        """Yield the loops of which as functions nothing is made."""
        for identifier, loop in source.extracted.items():
            if self._is_fruitless(source, source.unit(identifier)):
                yield loop.caller, loop.line

    def _is_fruitless(self, source: Source, unit: Unit) -> bool:
        known = source.signatures.get(unit.id)
        return not known or foreseen(source, unit, self.target) is not None
