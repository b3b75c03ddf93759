"""An axis of a block whose threads load a tile together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transpile.code import polynomial
from transpile.code.polynomial import Polynomial, add, names
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.trips import count, tight, value
from transpile.translators.targets.cuda.kernels import type_of
from transpile.translators.targets.cuda.tiles.text import plus


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of the block, and the names of what is counted along it."""

    letter: str
    loop: Loop
    size: int
    begin: str
    """The block's first iteration."""
    active: str
    """How many of its threads have one."""
    place: str
    """Along a tile."""

    @property
    def thread(self) -> str:
        """Return a thread's number along the axis."""
        return f"threadIdx.{self.letter}"

    def own(self) -> str:
        """Return the declaration of the loop's variable in a thread."""
        number = value(self.loop, f"{self.begin} + {self.thread}")
        return f"const {type_of(self.loop)} {self.loop.variable.name} = {number};"

    def actives(self) -> str:
        """Return the declaration of how many threads have an iteration."""
        left = f"{tight(count(self.loop))} - {self.begin}"
        number = f"{left} < {self.size} ? {left} : {self.size}"
        return f"const {type_of(self.loop)} {self.active} = {number};"

    def along(self, halo: Polynomial) -> str:
        """Return the head of a loop in which the block's threads go along a tile."""
        name, end = self.place, plus(self.active, halo)
        return f"for ({type_of(self.loop)} {name} = {self.thread}; {name} < {end}; {name} += {self.size})"

    def source(self, low: Polynomial, cast: str) -> str:
        """Return the row or the column of the array that a place in a tile is for, in the type of a cast."""
        begun = first(self.loop)
        assert begun is not None
        return plus(f"{cast}{self.begin} + {self.place}", add(begun, low))

    def within(self, low: int, high: int, halo: int) -> Iterator[str]:
        """Yield the conditions under which a place is one of a part of a tile."""
        if low:
            yield f"{self.place} >= {low}"
        if high < halo:
            yield f"{self.place} < {self.active}" + (f" + {high}" if high else "")


def first(loop: Loop) -> Polynomial | None:
    """Return the first value of a loop's variable; None where it is no sum of names."""
    found = polynomial.read(loop.first, lambda _: None)
    plain = found is not None and all(item.isidentifier() for item in names(found))
    return found if plain else None
