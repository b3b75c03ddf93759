"""Lengths of arrays on a device: from the text where it tells them, or by an inspector; never by a fit.

What was fitted to runs of the source is a guess where a length follows from data: the data of these runs.
It stands where only the caller's whole numbers decide, and where the text does not contradict it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.names import free_name
from transpile.code.polynomial import spelled
from transpile.code.variables import Variable
from transpile.core import ArrayFact, Contract, Origin
from transpile.expressions import names as names_of
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.dependence.places import name_of
from transpile.translators.loops.iteration.trips import tight
from transpile.translators.loops.lengths import by_parts
from transpile.translators.loops.lengths.comparisons import drawn, less_somewhere, same, undominated, value
from transpile.translators.loops.lengths.data_dependence import numbers_of
from transpile.translators.loops.lengths.inspectors import Inspector
from transpile.translators.loops.lengths.iterations import UNCONDITIONAL, Condition, condition
from transpile.translators.loops.lengths.reaches import Reach, Reaches
from transpile.translators.refusal import SEQUENTIAL, Refused

_LARGE = (700, 1000, 4000)
_MOST = 0.9
"""Share of what the text says at most that a fit comes to at large sizes, where only borders are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """Number of elements of an array that are copied."""

    text: str
    """As a contract says it: of the caller's numbers, of variables of the function, or the inspector's."""
    inspector: tuple[str, ...] = ()
    """Lines that declare what the text names."""
    local: bool = False
    """It names what is known only where the loops begin."""
    assumed: bool = False
    """Data decides whether its last elements are touched: callers have to provide them all the same."""
    conditional: bool = False
    """A condition may keep the loops from its last elements."""
    condition: Condition = UNCONDITIONAL
    """Test of the host before they are copied."""
    asks: tuple[str, ...] = ()
    """Comparisons without which the text does not hold: of strides and offsets that may be negative."""
    begins: bool = False
    """It counts from where the pointer leads: what begins ahead of it is not copied, but asked."""


class Lengths:
    """Finds the lengths of arrays that loops of a function touch."""

    def __init__(self, setting: Setting, nests: Sequence[Nest], statements: Sequence[Node]) -> None:
        """Read the function.

        Args:
            setting: The function, and what is known of it.
            nests: The loops that are ported.
            statements: What stands from the first of these to the last, in one block.
        """
        self._setting = setting
        self._nests = nests
        self._statements = statements
        self._scalars = numbers_of(setting.contract)
        self._reaches = Reaches(setting, nests, statements)

    def of(self, array: Variable, fact: ArrayFact) -> Length:
        """Return how much of an array is copied; raises Refused where nothing tells it."""
        told = self.by_text(fact, exact=True)
        if told is not None and not told.conditional:
            reaches = self._reaches.of(fact.name)
            if not self._parts(fact, told, reaches):
                return told
            if all(item.sure for item in reaches):
                return self._by_parts(array, told, reaches)
        try:
            return self._inspected(array)
        except Refused:
            if told is None:
                raise
            return replace(told, assumed=True)

    def _parts(self, fact: ArrayFact, told: Length, reaches: Sequence[Reach]) -> bool:
        """Tell whether loops without iterations would lead further than others, or not so far."""
        closed = _furthest(reaches)
        if _is_stated(fact) or closed is None or self._reaches.rows(fact.name) != ():
            return False
        return by_parts.differs(reaches, closed, told.condition, self._reaches.unsigned)

    def entered(self, fact: ArrayFact, told: Length) -> tuple[str, ...]:
        """Return comparisons with which a length by the text is right: that loops have iterations."""
        reaches = self._reaches.of(fact.name)
        if not self._parts(fact, told, reaches):
            return ()
        spans = dict.fromkeys(spelled(trip.span) for item in reaches for trip in item.trips)
        return tuple(f"{tight(span)} > 0" for span in spans)

    def _by_parts(self, array: Variable, told: Length, reaches: Sequence[Reach]) -> Length:
        contract = self._setting.contract
        assert contract is not None
        name = free_name(self._setting.function.identifiers, f"{array.name}_reach")
        lines = by_parts.lines(name, array.name, reaches, contract)
        return Length(text=name, inspector=lines, local=True, asks=told.asks)

    def by_text(self, fact: ArrayFact, *, exact: bool = False) -> Length | None:
        """Return the length of an array as far as the text tells it, or the user; None where data does.

        Args:
            fact: What is known of the array.
            exact: It is to be no longer than what is reached.
        """
        reaches = _either_way(self._reaches.of(fact.name))
        if _is_stated(fact) or not reaches:
            return Length(text=fact.extent)
        common = tuple(text for text in reaches[0].tests if all(text in item.tests for item in reaches))
        reaches = [replace(item, sure=item.sure and set(item.tests) <= set(common)) for item in reaches]
        found = self._length(fact, reaches, exact=exact)
        asks = tuple(dict.fromkeys(text for item in reaches for text in item.asks))
        trips = [item.trips for item in reaches]
        return found and replace(found, condition=condition(trips, common, found.text, asks), asks=asks)

    def _length(self, fact: ArrayFact, reaches: Sequence[Reach], *, exact: bool) -> Length | None:
        """Return how far accesses reach if the loops around them have iterations and common tests hold."""
        closed = _furthest(reaches)
        sure = [item for item in reaches if item.sure]
        chosen = any(item.chosen for item in reaches) and (
            closed is None or _furthest([item for item in reaches if not item.chosen]) != closed
        )
        conditional = len(sure) < len(reaches) and _furthest(sure) != closed
        fitted = fact.origin is Origin.TRACE and not any(item.follows for item in reaches)
        # Of rows the last one is there as a whole, as the type says.
        rows = (parameter := self._reaches.parameter(fact.name)) is not None and bool(parameter.row)
        if fitted and (rows or self._agrees(fact.extent, closed, exact=exact)):
            return Length(text=fact.extent, assumed=chosen, conditional=chosen or (conditional and not rows))
        inner = closed is not None and conditional and all(item.sure or item.within for item in reaches)
        if fitted and inner and closed is not None and self._nearly(fact.extent, closed):
            return Length(text=fact.extent)
        if closed is None:
            return None
        # An element for each number that a type holds: few data go so far.
        assumed = chosen or any(item.table for item in reaches)
        if self.are_known(closed, fact.extent) and same(closed, fact.extent):
            return Length(text=fact.extent, assumed=assumed, conditional=assumed or conditional)
        return Length(
            text=closed,
            local=not names_of(closed) <= self._scalars,
            assumed=assumed,
            conditional=assumed or conditional,
        )

    def _agrees(self, fitted: str, closed: str | None, *, exact: bool) -> bool:
        """Tell whether what was learnt from runs is as long as the text says, or longer where that may be."""
        if closed is None or not self.are_known(fitted, closed) or less_somewhere(fitted, closed):
            return False
        return not exact or not less_somewhere(closed, fitted)

    def _nearly(self, fitted: str, closed: str) -> bool:
        """Tell whether what was learnt from runs leaves out but borders of what the text says at most."""
        if not self.are_known(fitted, closed) or less_somewhere(closed, fitted):
            return False
        used = sorted(names_of(closed) | names_of(fitted))
        rows = drawn(dict.fromkeys(used, _LARGE), seed=17)
        return all(value(fitted, row) >= _MOST * value(closed, row) for row in rows)

    def are_known(self, *texts: str) -> bool:
        """Tell whether expressions name the caller's numbers alone."""
        return all(names_of(text) <= self._scalars for text in texts)

    def _inspected(self, array: Variable) -> Length:
        touched = [item for item, _ in self._reaches.touched(name_of(array))]
        name = free_name(self._setting.function.identifiers, f"{array.name}_reach")
        inspector = Inspector(
            function=self._setting.function,
            variables=self._setting.variables,
            around=self._setting.around,
            array=array,
            nodes={item.node.id for item in touched},
            written={item.base for nest in self._nests for item in nest.accesses if item.write},
        )
        if self._reaches.rows(array.name) != ():
            raise Refused(SEQUENTIAL, "its elements are in rows")
        lines = tuple(inspector.lines(name, self._statements))
        asks = (f"{name} >= 0",) if inspector.below else ()
        return Length(text=name, inspector=lines, local=True, asks=asks, begins=True)


def trusted(setting: Setting, parts: Sequence[Band | SequentialNest]) -> Contract | None:
    """Return the contract without the lengths of arrays that were but fitted to the data of some runs.

    Such an array has no extent: data decides how far it is reached.
    """
    contract = setting.contract
    if contract is None or not parts:
        return contract
    lengths = Lengths(setting, [part.nest for part in parts], [part.node for part in parts])
    arrays = tuple(_told(fact, lengths) for fact in contract.arrays)
    return replace(contract, arrays=arrays)


def _told(fact: ArrayFact, lengths: Lengths) -> ArrayFact:
    """Return an array that is so long; without an extent where the caller's numbers do not tell it."""
    length = lengths.by_text(fact)
    entered = lengths.entered(fact, length) if length is not None else ()
    if length is None or length.local or not lengths.are_known(*entered):
        return replace(fact, extent="", origin=Origin.BOUND, where=())
    return replace(fact, extent=length.text, where=(*length.asks, *entered))


def lengthened(contract: Contract, lengths: Mapping[str, Length]) -> Contract:
    """Return a contract whose arrays are as long as that."""
    arrays = (
        _as_long(fact, lengths[fact.name]) if fact.name in lengths else fact for fact in contract.arrays
    )
    return replace(contract, arrays=tuple(arrays))


def _as_long(fact: ArrayFact, length: Length) -> ArrayFact:
    return replace(fact, extent=length.text, before="0" if length.begins else fact.before)


def _is_stated(fact: ArrayFact) -> bool:
    return fact.stated or fact.origin in (Origin.USER, Origin.CALLERS)


def _either_way(reaches: Sequence[Reach]) -> list[Reach]:
    """Return the accesses without the conditions of which both sides reach as far."""
    found = []
    for item in reaches:
        sides = [set(other.tests) for other in reaches if other.end == item.end]
        tests = set(item.tests)
        left = (text for text in item.tests if (tests - {text}) | {_opposite(text)} not in sides)
        found.append(replace(item, tests=tuple(left)))
    return found


def _opposite(text: str) -> str:
    return text.removeprefix("!") if text.startswith("!") else f"!{text}"


def _furthest(reaches: Sequence[Reach]) -> str | None:
    """Return the greatest of what single accesses reach by the text; None where it does not tell."""
    found: dict[str, None] = {}
    for item in reaches:
        if item.end is None:
            return None
        found.setdefault(spelled(item.end))
    texts = undominated(list(found))
    return texts[0] if len(texts) == 1 else f"max({', '.join(texts)})" if texts else None
