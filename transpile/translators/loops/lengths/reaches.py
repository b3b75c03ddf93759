"""Extents of single accesses to arrays, and their dependences: sizes, conditions on the call, data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from tree_sitter import Node

from transpile.code.polynomial import Polynomial, add, constant, names, spelled
from transpile.code.syntax import (
    LOOPS,
    ancestors,
    field,
    find,
    inside,
    source,
    squeeze,
    subscript,
    unparenthesized,
)
from transpile.core import Contract, Parameter
from transpile.translators.loops.analysis.analysis import Nest
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.trips import some, tight
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.lengths.closed_forms import Ends, ceiling, furthest
from transpile.translators.loops.lengths.comparisons import less_somewhere
from transpile.translators.loops.lengths.data_dependence import DataDependence
from transpile.translators.loops.lengths.guards import Guard, bounds, guards, may_jump, still_holds
from transpile.translators.loops.lengths.iterations import Trip, asked
from transpile.translators.loops.lengths.settled import SettledNumbers

_NOT_AHEAD = (
    *("call_expression", "subscript_expression", "pointer_expression", "field_expression"),
    *("assignment_expression", "update_expression"),
)
"""Not in conditions that are asked ahead of the loops."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Extent of one access, and its dependences."""

    end: Polynomial | None
    """The number behind the last element, of numbers that are fixed before the loops; None where unknown."""
    table: bool
    """Nothing but the range of its subscript tells the end."""
    follows: bool
    """Data decides where it goes."""
    chosen: bool
    """Data decides whether it happens."""
    sure: bool
    """It happens whenever the loops around it have iterations and its tests hold."""
    within: bool
    """No more than borders are left out of what its loops lead to."""
    tests: tuple[str, ...]
    """Conditions on the call under which it happens."""
    trips: tuple[Trip, ...]
    """The loops around it."""
    asks: tuple[str, ...]
    """Comparisons without which it ends elsewhere, or begins below the pointer."""


class Reaches:
    """Reads how far the accesses of some nests go."""

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
        self._settled = SettledNumbers(setting, statements)
        self.unsigned = _unsigned(setting.contract)
        self._data = DataDependence(setting.function, setting.variables, setting.contract, setting.around)

    def touched(self, array: str) -> Iterator[tuple[Access, Nest]]:
        """Yield the accesses to an array, each with the nest it is in."""
        return ((item, nest) for nest in self._nests for item in nest.accesses if item.base == array)

    def of(self, array: str) -> list[Reach]:
        """Return how far each access to an array goes."""
        sites = [self._site(*pair) for pair in self.touched(array)]
        reached = [item for item in sites if not item.repeated]
        return [self._reach(item.without_choices(reached)) for item in sites]

    def parameter(self, array: str) -> Parameter | None:
        """Return what the function is passed by a name."""
        contract = self._setting.contract
        known = contract.signature.parameters if contract is not None else ()
        return next((item for item in known if item.name == array), None)

    def rows(self, array: str) -> tuple[int, ...] | None:
        """Return how many elements each subscript but the last counts; None where no number says so."""
        parameter = self.parameter(array)
        lengths = parameter.row if parameter is not None else ()
        if not all(length.isdigit() for length in lengths):
            return None
        return tuple(prod(map(int, lengths[at:])) for at in range(len(lengths)))

    def _site(self, access: Access, nest: Nest) -> _Site:
        found = list(guards(access.node, self._whole(nest)))
        return _Site(
            access=access,
            inner=tuple(item.loop for item in nest.loops if inside(access.node, item.loop.node)),
            outer=tuple(self._outer(nest)),
            nest=nest,
            values=self._setting.values(nest) if nest.dependences is None else nest.dependences.values,
            of_call=tuple(item for item in found if self._is_of_call(item)),
            guards=tuple(item for item in found if not self._is_of_call(item)),
            straight=not may_jump(nest.node),
        )

    def _reach(self, site: _Site) -> Reach:
        access = site.access
        trips = [self._trip(loop, site.values) for loop in site.loops]
        always = None not in trips and not site.guards and site.straight and not site.repeated
        ends, table = self._ends(site), 0
        if ends is not None and ends.divides and not always:
            ends = None
        if ends is None and self.rows(access.base) == ():
            table = ceiling(access.node, self._setting.variables)
            ends = Ends({(): table}, (), {}, attained=True) if table else None
        known = tuple(trip for trip in trips if trip is not None)
        sure = always and (ends is None or ends.attained)
        # What is below the pointer the contract says; conditions keep the loops from it.
        open_below = sure and ends is not None and any(ends.first) and self.begins_at_pointer(access.base)
        needed = [] if ends is None else [*ends.factors, *([ends.first] if open_below else [])]
        limits = ends.limits if ends is not None else {}
        told = [meant for item in needed if (meant := self._settled.polynomial(item, limits)) is not None]
        signed = ends is not None and len(told) == len(needed)
        end = self._settled.polynomial(ends.end, limits) if ends is not None and signed else None
        end = self._guarded(site, end)
        return Reach(
            end=end,
            table=table > 0,
            follows=any(map(self._data.follows, _subscripts(access.node))),
            chosen=self._is_chosen(site),
            sure=sure,
            within=site.straight and self._is_within(site, end),
            tests=tuple(item.text for item in site.of_call),
            trips=known,
            asks=asked(told, known, self.unsigned),
        )

    def begins_at_pointer(self, array: str) -> bool:
        """Tell whether nothing says that an array has elements ahead of where its pointer leads."""
        contract = self._setting.contract
        fact = contract.array(array) if contract is not None else None
        return fact is None or fact.before == "0"

    def _whole(self, nest: Nest) -> Node:
        """Return the statement of the host that a nest is in."""
        return next((node for node in self._statements if inside(nest.node, node)), nest.node)

    def _is_of_call(self, guard: Guard) -> bool:
        """Tell whether a condition comes out the same all the time, by what is known before the loops."""
        nodes = list(find(guard.test, "identifier"))
        plain = not any(True for _ in find(guard.test, *_NOT_AHEAD))
        settled = all(self._settled.name(source(node)) for node in nodes)
        return (guard.holds is not None or bool(guard.case)) and plain and bool(nodes) and settled

    def _guarded(self, site: _Site, end: Polynomial | None) -> Polynomial | None:
        """Return the end that a condition on the subscript itself says, where it is the nearer one."""
        node = site.access.node
        if not self._counts_from_its_pointer(site.access):
            return end
        place = subscript(node)
        own, variables = squeeze(source(place)), self._setting.variables
        said = [guard for guard in site.guards if still_holds(guard, place, variables)]
        for below, above, inclusive in (pair for guard in said for pair in bounds(guard)):
            limit = site.values.of(above) if squeeze(source(below)) == own else None
            limit = self._settled.polynomial(limit) if limit is not None else None
            if limit is None:
                continue
            limit = add(limit, constant(int(inclusive)))
            if end is None or not less_somewhere(spelled(end), spelled(limit)):
                end = limit
        return end

    def _counts_from_its_pointer(self, access: Access) -> bool:
        """Tell whether a subscript alone says which element it is: of ``row[c]`` the row says it as well."""
        if access.node.type != "subscript_expression" or self.rows(access.base) != ():
            return False
        named = self._setting.variables.of(unparenthesized(field(access.node, "argument")))
        return named is not None and named.parameter and not named.writes

    def _is_within(self, site: _Site, end: Polynomial | None) -> bool:
        """Tell whether conditions are about borders: they name what heads of loops name, or lengths."""
        limits = [above for guard in site.guards for _, above, _ in bounds(guard)]
        heads = [part for loop in site.loops for part in (loop.first, loop.bound)]
        known = {source(name) for node in (*limits, *heads) for name in find(node, "identifier")}
        mentioned = {source(name) for guard in site.guards for name in find(guard.test, "identifier")}
        given = {name for name in mentioned if self._settled.name(name)}
        reached = set(names(end)) if end is not None else set()
        by_data = any(self._data.follows(guard.test) for guard in site.guards)
        return given <= known and reached <= known and not by_data

    def _is_chosen(self, site: _Site) -> bool:
        """Tell whether data decides if an access happens at all."""
        tests = (guard.test for guard in (*site.of_call, *site.guards))
        around = (item for item in ancestors(site.access.node) if item.type in LOOPS)
        own = (item for item in around if inside(item, site.nest.node))
        return any(map(self._data.follows, tests)) or any(map(self._data.ends_early, own))

    def _trip(self, loop: Loop, values: Values) -> Trip | None:
        """Return when a loop has iterations; None where that differs from one run of it to the next."""
        first, bound = values.of(loop.first), values.of(loop.bound)
        if first is None or bound is None:
            return None
        forward = add(bound, first, -1)
        span = self._settled.polynomial(forward if loop.step > 0 else add({}, forward, -1))
        if span is None:
            return None
        span = add(span, constant(int(loop.inclusive)))
        known = None not in (self._settled.polynomial(first), self._settled.polynomial(bound))
        # What both ends have in common may be known within the loops alone.
        return Trip(some(loop) if known else f"{tight(spelled(span))} > 0", span)

    def _ends(self, site: _Site) -> Ends | None:
        """Return where an access goes, by polynomials of what is fixed before the loops."""
        parameter, rows = self.parameter(site.access.base), self.rows(site.access.base)
        if parameter is None or parameter.element is None or rows is None:
            return None
        if site.access.unit not in (None, parameter.element.size):
            return None
        return furthest(site.access, site.nest, site.values, rows, site.outer)

    def _outer(self, nest: Nest) -> Iterator[Loop]:
        """Yield the counted loops of the host around a nest."""
        setting = self._setting
        nodes = [item for item in ancestors(nest.node) if item.type in LOOPS]
        inner = [item for item in nodes if any(inside(item, node) for node in self._statements)]
        found = (counted(item, setting.variables, setting.around) for item in inner)
        return (loop for loop in found if loop is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Site:
    """An access, and what control goes through on the way to it."""

    access: Access
    nest: Nest
    inner: tuple[Loop, ...]
    """Counted loops of the nest around it."""
    outer: tuple[Loop, ...]
    """Counted loops of the host around the nest."""
    values: Values
    """The reader of the nest's expressions."""
    of_call: tuple[Guard, ...]
    """Conditions that come out the same for a whole call."""
    guards: tuple[Guard, ...]
    """The other conditions."""
    straight: bool
    """Every iteration of its nest goes to its end."""

    @property
    def loops(self) -> tuple[Loop, ...]:
        """Return all counted loops around it."""
        return (*self.inner, *self.outer)

    def without_choices(self, sites: Sequence[_Site]) -> _Site:
        """Return the same without conditions of which both sides touch the same element."""
        alike = [_outcomes(site.guards) for site in sites if site._is_alike(self)]
        left: list[Guard] = list(self.guards)
        for guard in self.guards:
            others = [item for item in left if item is not guard]
            opposite, wanted = (guard.test.id, not guard.holds), _outcomes(others)
            if guard.holds is not None and any(
                opposite in found and len(found) <= len(wanted) + 1 and found - {opposite} <= wanted
                for found in alike
            ):
                left = others
        return replace(self, guards=tuple(left))

    def _is_alike(self, site: _Site) -> bool:
        """Tell whether this is the same element as another site's, in the same loops."""
        subscripts = self.access.subscripts
        return None not in subscripts and subscripts == site.access.subscripts and self.loops == site.loops

    @property
    def repeated(self) -> bool:
        """Tell whether it is in the body of a loop that is not counted, and may have no iteration."""
        counted_ones = {loop.node.id for loop in self.loops}
        around = (item for item in ancestors(self.access.node) if inside(item, self.nest.node))
        others = (item for item in around if item.type in LOOPS and item.id not in counted_ones)
        return any(
            item.type != "do_statement" and inside(self.access.node, field(item, "body")) for item in others
        )


def _outcomes(guards: Iterable[Guard]) -> frozenset[tuple[int, bool | None]]:
    """Return conditions with how they come out."""
    return frozenset((item.test.id, item.holds) for item in guards)


def _unsigned(contract: Contract | None) -> frozenset[str]:
    """Return the numbers of the caller's that are never below 0."""
    given = contract.signature.parameters if contract is not None else ()
    scalars = {item.name: item.element.scalar for item in given if not item.pointer and item.element}
    return frozenset(name for name, scalar in scalars.items() if scalar is not None and scalar.unsigned)


def _subscripts(node: Node) -> Iterator[Node]:
    """Yield what tells where an element lies: all subscripts of its path, and what pointer it goes by."""
    path = list(_path(node))
    yield from (subscript(item) for item in path if item.type == "subscript_expression")
    base = path[-1].child_by_field_name("argument")
    if base is not None:
        yield base


def _path(node: Node) -> Iterator[Node]:
    yield node
    inner = node.child_by_field_name("argument")
    while inner is not None and inner.type in ("subscript_expression", "parenthesized_expression"):
        if inner.type == "subscript_expression":
            yield inner
            inner = inner.child_by_field_name("argument")
        else:
            inner = inner.named_child(0)
