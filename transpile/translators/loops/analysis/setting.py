"""Setting of loop nests: the function, its variables, its contract and the names around it."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.code.syntax import Function
from transpile.code.variables import Variables
from transpile.core import Contract
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


@dataclass(frozen=True, slots=True)
class Setting:
    """A function, and what is known of its calls and its names."""

    function: Function
    variables: Variables
    contract: Contract | None
    around: EnclosingScope

    def values(self, nest: Nest) -> Values:
        """Return the reader of a nest's expressions."""
        return Values(nest.node, [known.loop for known in nest.loops], self.variables, self.around)
