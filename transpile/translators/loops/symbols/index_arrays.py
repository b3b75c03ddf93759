"""Arrays of integers whose elements serve as subscripts, or say where rows begin."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.types import bare
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.symbols.containers import elements
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope
from transpile.translators.loops.symbols.members import WHOLE
from transpile.translators.loops.symbols.paths import in_c, path
from transpile.translators.loops.symbols.types import element_of, is_whole


@dataclass(frozen=True, slots=True)
class IndexArray:
    """A parameter, a variable of the function, or a member of a struct, which leads to integers."""

    base: str
    """What accesses call it."""
    kind: str
    """The type of its elements, without blanks."""
    element: str
    """The type as the source spells it."""
    begin: str
    """A pointer to its first element, as C."""
    container: bool = False
    """It tells its length."""

    def __str__(self) -> str:
        """Return its name without where it is declared."""
        return self.base.partition("@")[0]

    @property
    def word(self) -> str:
        """Return what begins the names of what is asked of it."""
        return str(self).replace(".", "_")

    @property
    def parameter(self) -> str:
        """Return what contracts call it, if they know it."""
        return f"{self.base}.data" if self.container else self.base


def base_of(node: Node, variables: Variables) -> str:
    """Return what accesses call the array that a name or a member leads to; empty for others."""
    known, variable = path(node, variables), variables.of(node)
    if known or variable is None:
        return known
    return variable.name if variable.parameter else f"{variable.name}@{variable.declaration.start_byte}"


def index_array(base: str, variable: Variable | None, around: EnclosingScope) -> IndexArray | None:
    """Return an array of plain integers; None for others, and for those at file scope.

    Args:
        base: What accesses call it.
        variable: The parameter or variable; None for a member.
        around: What names stand for.
    """
    if variable is None:
        kind = around.numbers.get(base, "") if base in around.pointers else ""
        plain = WHOLE.get(kind, "")
        return IndexArray(base, bare(kind), plain, in_c(base, around.pointers)) if plain else None
    kind = element_of(variable)
    if not is_whole(kind):
        return None
    if elements(variable) is None:
        return IndexArray(base, kind, _spelled(variable.type), variable.name)
    inner = variable.type.partition("<")[2].partition(">")[0].partition(",")[0]
    return IndexArray(base, kind, _spelled(inner), f"{variable.name}.data()", container=True)


def _spelled(kind: str) -> str:
    return " ".join(word for word in kind.split() if word != "const")
