"""Names of numbers that are fixed before some loops begin and mean the same within them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, names, substituted
from transpile.code.syntax import inside
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.iteration.values import outer_name
from transpile.translators.loops.lengths.data_dependence import numbers_of
from transpile.translators.loops.lengths.quotients import Limit

_NONE: Mapping[str, Limit] = {}


class SettledNumbers:
    """Tells which numbers are fixed before some statements, and by what name."""

    def __init__(self, setting: Setting, statements: Sequence[Node]) -> None:
        """Take the function, and statements of one block in their order."""
        self._setting = setting
        self._statements = statements
        self._scalars = numbers_of(setting.contract)

    def name(self, name: str) -> str:
        """Return what the text calls a number ahead of the statements; empty where it may be another one."""
        if name in self._setting.around.constants:
            return name
        found = [item for item in self._setting.variables.all if outer_name(item) == name]
        alike = [item for item in self._setting.variables.all if found and item.name == found[0].name]
        if not found:
            return name if name in self._scalars else ""
        variable = found[0]
        begun = variable.parameter or variable.declaration.end_byte <= self._statements[0].start_byte
        written = any(inside(write, node) for write in variable.writes for node in self._statements)
        moved = variable.parameter and bool(variable.writes)
        settled = begun and not written and not moved and not variable.escapes and len(alike) == 1
        return variable.name if settled else ""

    def polynomial(self, given: Polynomial, limits: Mapping[str, Limit] = _NONE) -> Polynomial | None:
        """Return a polynomial by these names; None where one of its numbers has none.

        Args:
            given: A polynomial by the names that values have.
            limits: What else names in it stand for.
        """
        for name in names(given):
            meant = self._limit(limits[name], limits) if name in limits else self.name(name)
            if not meant:
                return None
            given = substituted(given, name, {(meant,): 1})
        return given

    def _limit(self, limit: Limit, limits: Mapping[str, Limit]) -> str:
        """Return a limit as an expression of these names; empty where one of its numbers has none."""
        count, by = self.polynomial(limit.count, limits), self.polynomial(limit.by)
        return "" if count is None or by is None else limit.text(count, by)
