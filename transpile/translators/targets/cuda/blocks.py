"""Copies of small arrays in a block's shared memory, which its threads add to and the block adds up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.code.names import free_name
from transpile.code.syntax import INDENT, Function, field, source
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.planning.bins import Bins

MOST = 1024
"""Blocks that add up their copies in the end: each goes through many iterations before."""
_BYTES = 48 * 1024
"""Shared memory that every device has for a block."""
_WIDEST = 8


class Copies:
    """The copies of one kernel."""

    def __init__(self, function: Function, copied: Sequence[Bins], added: frozenset[str]) -> None:
        """Take the arrays that atomic operations can add to, if all of them have room.

        Args:
            function: Where names must not be taken.
            copied: Arrays that iterations only add to.
            added: Types that atomic operations add.
        """
        arrays = [item for item in copied if item.operator == "+" and item.element in added]
        fits = sum(item.length for item in arrays) * _WIDEST <= _BYTES
        taken = function.identifiers
        self._bin = free_name(taken, "bin")
        self._names = {
            item: free_name(taken, f"{item.variable.name}_block") for item in (arrays if fits else ())
        }

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self._names)

    def place(self, access: Access) -> str:
        """Return the element that a thread adds to: of the block's copy where there is one."""
        text = source(access.node)
        name = next((name for item, name in self._names.items() if item.base == access.base), None)
        if name is None:
            return text
        return name + text[field(access.node, "argument").end_byte - access.node.start_byte :]

    def begun(self) -> Iterator[str]:
        """Yield the lines that set the copies to zero."""
        for item, name in self._names.items():
            yield f"__shared__ {item.element} {name}[{item.length}];"
            yield from self._each(item, f"{name}[{self._bin}] = 0;")
        if self:
            yield "__syncthreads();"

    def ended(self) -> Iterator[str]:
        """Yield the lines that add the copies up."""
        if self:
            yield "__syncthreads();"
        for item, name in self._names.items():
            total = f"{item.variable.name}[{self._bin}]"
            yield from self._each(item, f"atomicAdd(&{total}, {name}[{self._bin}]);")

    def _each(self, item: Bins, statement: str) -> Iterator[str]:
        name = self._bin
        yield f"for (int {name} = threadIdx.x; {name} < {item.length}; {name} += blockDim.x)"
        yield INDENT + statement
