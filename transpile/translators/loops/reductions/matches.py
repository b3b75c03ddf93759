"""Data that a matcher of an idiom is given of a loop, and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transpile.code.variables import Variable, Variables
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.reductions.scalars import Kind, Scalar
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Iterations:
    """A counted loop, with what its iterations do to memory and scalars."""

    loop: Loop
    accesses: Sequence[Access]
    """All of its nest."""
    scalars: Sequence[Scalar]
    """What becomes of those that it writes."""
    variables: Variables
    values: Values
    around: EnclosingScope

    @property
    def carried(self) -> tuple[Variable, ...]:
        """Return the scalars that an iteration needs from the one before."""
        return tuple(item.variable for item in self.scalars if item.kind is Kind.CARRIED)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Match:
    """A loop of an idiom."""

    found: object
    """What an emitter needs to know of it, in a class of the idiom's own."""
    reason: str
    """Why it runs sequentially on a target without an emitter."""
    variables: tuple[Variable, ...] = ()
    """Scalars that keep no iteration waiting, by the idiom."""
    arrays: frozenset[str] = frozenset()
    """Arrays of which this is so as well."""
    merges: bool = False
    """Threads have to merge what they found, or to hand it on."""
    exclusive: bool = False
    """Its iterations may update no elements beside it."""
    independent: bool = False
    """Its iterations need nothing of each other: only the last one leaves something."""
