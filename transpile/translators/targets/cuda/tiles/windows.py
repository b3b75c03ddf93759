"""Reads of one array at constant distances by neighbouring threads, as in stencils and convolutions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from tree_sitter import Node

from transpile.code import polynomial
from transpile.code.polynomial import Monomial, Polynomial, add, constant, multiply, name, names
from transpile.code.syntax import find, inside, source
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.dependence.reached import goes_through, runs_always
from transpile.translators.loops.iteration.nests import Loop
from transpile.translators.targets.cuda.kernels import ordered

Numbers = Mapping[str, int]
"""Macros that are whole numbers."""
_FEW = 128
"""Iterations of a loop that goes to neighbours."""


@dataclass(frozen=True, slots=True)
class Span:
    """The whole numbers from one to another; macros may be in both."""

    low: Polynomial
    high: Polynomial

    @property
    def width(self) -> Polynomial:
        """Return how far the last is from the first."""
        return add(self.high, self.low, -1)

    def numbers(self, known: Numbers) -> range:
        """Return the numbers where macros have their values."""
        return range(evaluated(self.low, known), evaluated(self.high, known) + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A read, and how far it is from the thread's own element."""

    node: Node
    row: Polynomial
    """In rows, over the loops that each thread goes through by itself."""
    column: Polynomial
    rows: Span
    columns: Span

    def offsets(self, known: Numbers) -> Iterator[tuple[int, int]]:
        """Yield the distances in rows and columns where macros have their values."""
        return product(self.rows.numbers(known), self.columns.numbers(known))


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Reads of one array that lie near each other, in a thread and in its neighbours."""

    array: Variable
    unit: int
    """Bytes of an element."""
    reads: tuple[Read, ...]
    pitch: Polynomial
    """Elements from one row to the next; zero where there is one row alone."""
    rest: Polynomial
    """What the number of an element has beside row and column."""
    rows: Span
    columns: Span

    def offsets(self, known: Numbers) -> frozenset[tuple[int, int]]:
        """Return all distances at which something is read."""
        return frozenset(place for read in self.reads for place in read.offsets(known))

    @property
    def symbolic(self) -> bool:
        """Tell whether its size depends on macros."""
        bounds = (self.rows.low, self.rows.high, self.columns.low, self.columns.high)
        return any(names(bound) for bound in bounds)


def windows(band: Band, variables: Variables, numbers: Numbers) -> list[Window]:
    """Return what the threads of a band read of arrays that it does not write, array by array.

    Of an array there is nothing where one of its reads is not reached in each iteration, or lies at a
    distance that is not constant.
    """
    accesses = [item for item in band.nest.accesses if inside(item.node, band.node)]
    written = {item.base for item in accesses if item.write}
    reader = _Reader(band, variables, numbers)
    bases = dict.fromkeys(item.base for item in accesses if item.base not in written)
    return [
        window
        for base in bases
        for window in _grouped(reader, [item for item in accesses if item.base == base])
    ]


def evaluated(value: Polynomial, known: Numbers) -> int:
    """Return a polynomial's number where macros have their values."""
    return sum(factor * prod(known[item] for item in monomial) for monomial, factor in value.items())


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A read, and of which rows it is one."""

    read: Read
    pitch: Polynomial
    rest: Polynomial


def _grouped(reader: _Reader, accesses: Sequence[Access]) -> Iterator[Window]:
    """Yield the windows of one array: reads that differ in row and column alone."""
    places = [place for item in accesses if (place := reader.place(item)) is not None]
    variable, unit = accesses[0].variable, accesses[0].unit
    if len(places) < len(accesses) or variable is None or unit is None:
        return
    groups: dict[frozenset[tuple[Monomial, int]], list[_Place]] = {}
    for place in places:
        groups.setdefault(frozenset(place.rest.items()), []).append(place)
    if any(place.pitch != places[0].pitch for place in places):
        return
    for group in groups.values():
        reads = tuple(place.read for place in group)
        rows, columns = _hull([read.rows for read in reads]), _hull([read.columns for read in reads])
        if rows is not None and columns is not None:
            yield Window(variable, unit, reads, places[0].pitch, group[0].rest, rows, columns)


class _Reader:
    """Reads the numbers of elements as rows and columns of a band."""

    def __init__(self, band: Band, variables: Variables, numbers: Numbers) -> None:
        self._band = band
        self._variables = variables
        self._x, self._y, self._z = [*ordered(band), None, None][:3]
        self._short: dict[str, Span] = {}
        self._entered: list[Loop] = []
        for known in band.nest.loops:
            loop = known.loop
            span = _span(loop, variables, numbers) if inside(loop.node, band.inner.body) else None
            if span is not None:
                self._short[loop.dimension] = span
                self._entered.append(loop)
        self._usable = frozenset(_usable(band, variables, self._z))

    def place(self, access: Access) -> _Place | None:
        """Return where an access reads; None for what is no read of a known place in each iteration."""
        variable, value = access.variable, access.subscripts[0]
        if variable is None or not (variable.parameter and variable.pointer):
            return None
        if value is None or len(access.subscripts) > 1:
            return None
        if not runs_always(access.node, self._band.inner, self._entered):
            return None
        return self._divided(access.node, value)

    def _divided(self, node: Node, value: Polynomial) -> _Place | None:
        """Return a read with the number of its element as row, column and rest."""
        plane, pitch = self._factor(value, self._z), self._factor(value, self._y)
        if plane is None or pitch is None or bool(pitch) != bool(self._y):
            return None
        for axis, factor in ((self._z, plane), (self._y, pitch), (self._x, constant(1))):
            value = add(value, self._times(axis, factor), -1)
        row, column = self._distance(value, pitch)
        value = add(add(value, multiply(pitch, row), -1), column, -1)
        planes = _multiple(value, plane)
        rest = add(value, multiply(plane, planes), -1)
        rows = _multiple(rest, pitch)
        rest = add(rest, multiply(pitch, rows), -1)
        columns = constant(rest.get((), 0))
        row, column = add(row, rows), add(column, columns)
        rest = add(add(rest, columns, -1), multiply(plane, planes))
        rest = add(rest, self._times(self._z, plane))
        if not names(rest) | names(pitch) <= self._usable:
            return None
        return _Place(Read(node, row, column, self._extent(row), self._extent(column)), pitch, rest)

    def _factor(self, value: Polynomial, axis: Loop | None) -> Polynomial | None:
        """Return what the variable of a loop is multiplied with; None where that is not linear."""
        return {} if axis is None else _factor(value, axis.dimension)

    def _times(self, axis: Loop | None, factor: Polynomial) -> Polynomial:
        return {} if axis is None else multiply(name(axis.dimension), factor)

    def _distance(self, value: Polynomial, pitch: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return how many rows and columns short loops of the body go."""
        row: Polynomial = {}
        column: Polynomial = {}
        for dimension in self._short:
            factor = _factor(value, dimension) or {}
            steps = _multiple(factor, pitch)
            if factor and multiply(pitch, steps) == factor:
                row = add(row, multiply(steps, name(dimension)))
            elif set(factor) == {()}:
                column = add(column, multiply(factor, name(dimension)))
        return row, column

    def _extent(self, distance: Polynomial) -> Span:
        """Return from where to where a distance goes while short loops run."""
        low: Polynomial = {}
        high: Polynomial = {}
        for monomial, factor in distance.items():
            span = self._short[monomial[0]] if monomial else Span(constant(1), constant(1))
            least, most = (span.low, span.high) if factor > 0 else (span.high, span.low)
            low, high = add(low, least, factor), add(high, most, factor)
        return Span(low, high)


def _usable(band: Band, variables: Variables, plane: Loop | None) -> Iterator[str]:
    """Yield the names in subscripts that mean the same in a kernel, ahead of its body."""
    used = [item for item in variables.used_in(band.node) if not inside(item.declaration, band.node)]
    for item in used:
        yield item.name if item.parameter else f"{item.name}@{item.declaration.start_byte}"
    for known in band.nest.loops:
        loop = known.loop
        around = loop is plane or inside(band.node, loop.body)
        if around and (loop is plane or loop.variable in used):
            yield loop.dimension
    declared = {item.name for item in variables.all}
    yield from {source(use) for use in find(band.node, "identifier")} - declared


def _span(loop: Loop, variables: Variables, numbers: Numbers) -> Span | None:
    """Return from where to where a loop goes that always has the same few iterations; None for others."""
    first, bound = (_whole(node, variables, numbers) for node in (loop.first, loop.bound))
    if first is None or bound is None or loop.step != 1 or not goes_through(loop):
        return None
    span = Span(first, bound if loop.inclusive else add(bound, constant(1), -1))
    return span if 0 < len(span.numbers(numbers)) <= _FEW else None


def _whole(node: Node, variables: Variables, numbers: Collection[str]) -> Polynomial | None:
    """Return an expression of numbers and macros that are numbers; None for others."""
    if any(variables.of(item) is not None for item in find(node, "identifier")):
        return None
    value = polynomial.read(node, lambda _: None)
    return value if value is not None and names(value) <= set(numbers) else None


def _factor(value: Polynomial, dimension: str) -> Polynomial | None:
    """Return what a dimension is multiplied with; None where that is not linear."""
    if any(monomial.count(dimension) > 1 for monomial in value):
        return None
    return {
        tuple(item for item in monomial if item != dimension): factor
        for monomial, factor in value.items()
        if dimension in monomial
    }


def _multiple(value: Polynomial, step: Polynomial) -> Polynomial:
    """Return how many whole steps come nearest to a number, by the longest term of a step."""
    if not step:
        return {}
    term = max(step, key=lambda monomial: (len(monomial), monomial))
    size = abs(step[term])
    sign = 1 if step[term] > 0 else -1
    return constant(sign * ((2 * value.get(term, 0) + size) // (2 * size)))


def _hull(spans: Sequence[Span]) -> Span | None:
    """Return the smallest span around others, whatever the macros in it are; None where that is not clear."""
    low = next((one.low for one in spans if all(_at_most(one.low, item.low) for item in spans)), None)
    high = next((one.high for one in spans if all(_at_most(item.high, one.high) for item in spans)), None)
    return None if low is None or high is None else Span(low, high)


def _at_most(left: Polynomial, right: Polynomial) -> bool:
    """Tell whether a number is at most another one, where no macro is negative."""
    return all(factor > 0 for factor in add(right, left, -1).values())
