"""Short containers to whose elements iterations add: every thread adds to its own, and all are added up."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import inside
from transpile.code.variables import Variable
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.planning.bins import MOST, Bins, updated
from transpile.translators.loops.symbols.containers import fixed_length


def tables(band: Band) -> list[Bins]:
    """Return the containers of known short length that a band touches by updates of one kind alone."""
    found = []
    for variable, [first, *_] in updated(band):
        length = fixed_length(variable)
        if length is not None and length <= MOST:
            found.append(Bins(base=first.base, variable=variable, operator=first.update, length=length))
    return found


def uses_of_elements(variable: Variable, node: Node) -> list[Node]:
    """Return where a part of a function names a container to lead to an element."""
    return [use for use in variable.uses if inside(use, node) and _is_indexed(use)]


def _is_indexed(use: Node) -> bool:
    return use.parent is not None and use.parent.type == "subscript_expression"
