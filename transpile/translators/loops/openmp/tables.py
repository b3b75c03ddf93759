"""Short arrays to whose elements iterations add: every thread adds to its own, and all are added up."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.translators.loops.accesses import Access
from transpile.translators.loops.containers import fixed_length
from transpile.translators.loops.plan import Band
from transpile.translators.rules.syntax import inside
from transpile.translators.rules.variables import Variable

_MOST = 4096
"""Elements that every thread may have of its own, on its stack."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """An array that is gathered as a whole."""

    variable: Variable
    operator: str
    length: int

    def uses(self, node: Node) -> list[Node]:
        """Return where a part of the function names it to lead to an element."""
        return [use for use in self.variable.uses if inside(use, node) and _is_indexed(use)]


def tables(band: Band) -> list[Table]:
    """Return the arrays of known short length that a band touches by updates of one kind alone."""
    found = []
    for base in sorted(band.loops[0].updated):
        inner = [item for item in band.nest.accesses if item.base == base and inside(item.node, band.node)]
        table = _table(inner)
        if table is not None:
            found.append(table)
    return found


def _is_indexed(use: Node) -> bool:
    return use.parent is not None and use.parent.type == "subscript_expression"


def _table(found: list[Access]) -> Table | None:
    variable, operators = found[0].variable, {item.update for item in found}
    length = fixed_length(variable) if variable is not None else None
    if variable is None or length is None or length > _MOST or len(operators) != 1:
        return None
    [sign] = operators
    return Table(variable, sign, length) if sign else None
