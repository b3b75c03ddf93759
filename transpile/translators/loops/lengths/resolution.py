"""How long an array is on a device: by the text where that tells it, or by an inspector; never by a fit.

What was fitted to runs of the source is a guess where a length follows from data: the data of these runs.
It stands where only the caller's whole numbers decide, and where the text does not contradict it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from tree_sitter import Node

from transpile.core import ArrayFact, Contract, Origin, Parameter
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of
from transpile.translators.loops.analysis import Nest
from transpile.translators.loops.lengths.closed_forms import ceiling, furthest
from transpile.translators.loops.lengths.data_dependence import DataDependence, numbers_of
from transpile.translators.loops.lengths.inspectors import Inspector, NoInspector, reached_at
from transpile.translators.loops.memory.accesses import Access
from transpile.translators.loops.memory.places import name_of
from transpile.translators.loops.nests import Loop, counted
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.setting import Setting
from transpile.translators.loops.values import outer_name
from transpile.translators.rules.names import free_name
from transpile.translators.rules.polynomial import Polynomial, names, spelled, substituted
from transpile.translators.rules.syntax import LOOPS, ancestors, field, find, inside, operator, subscript
from transpile.translators.rules.variables import Variable

_JUMPS = ("break_statement", "continue_statement", "return_statement")
_BRANCHES = ("if_statement", "while_statement", "conditional_expression", "switch_statement")
_POINTS = 64
_SIZES = (1, 2, 3, 5, 8, 17, 64, 100, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """How many elements of an array are copied."""

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
        self._data = DataDependence(setting.function, setting.variables, setting.contract, setting.around)

    def of(self, array: Variable, fact: ArrayFact) -> Length:
        """Return how much of an array is copied; raises NoInspector where nothing tells it."""
        told = self.by_text(fact, exact=True)
        if told is not None and not told.conditional:
            return told
        try:
            return self._inspected(array)
        except NoInspector:
            if told is None:
                raise
            return told

    def by_text(self, fact: ArrayFact, *, exact: bool = False) -> Length | None:
        """Return the length of an array as far as the text tells it, or the user; None where data does.

        Args:
            fact: What is known of the array.
            exact: It is to be no longer than what is reached.
        """
        touched = list(self._touched(fact.name))
        stated = fact.stated or fact.origin in (Origin.USER, Origin.CALLERS)
        if stated or not touched:
            return Length(text=fact.extent)
        closed = self._closed(fact.name, touched)
        fitted = fact.origin is Origin.TRACE and not any(self._follows(item) for item, _ in touched)
        sure = [pair for pair in touched if not self._is_chosen(*pair)]
        chosen = len(sure) < len(touched) and (closed is None or self._closed(fact.name, sure) != closed)
        conditional = any(_is_conditional(item.node, nest.node) for item, nest in touched)
        # Of rows the last one is there as a whole, as the type says.
        alike = closed is None or bool(self._rows(fact.name))
        if fitted and (alike or self._agree(fact.extent, closed or "", exact=exact, most=conditional)):
            return Length(text=fact.extent, assumed=chosen, conditional=chosen)
        if closed is None:
            return None
        # An element for each number that a type holds: few data go so far.
        table = any(self._is_table(item, nest) for item, nest in touched)
        if names_of(closed) <= self._scalars and _same(closed, fact.extent, self._scalars):
            return Length(text=fact.extent, assumed=chosen or table, conditional=chosen or table)
        return Length(
            text=closed,
            local=not names_of(closed) <= self._scalars,
            assumed=chosen or table,
            conditional=chosen or table or conditional,
        )

    def _agree(self, fitted: str, closed: str, *, exact: bool, most: bool) -> bool:
        """Tell whether a fit may be as true as what the text says.

        Args:
            fitted: What was learnt from runs.
            closed: What the text says.
            exact: A fit that exceeds it is not.
            most: The text says how far accesses go at most, so that a fit may stay behind it.
        """
        above = _less(closed, fitted, self._scalars)
        below = _less(fitted, closed, self._scalars)
        return not (exact and above) and (most or not below)

    def _touched(self, base: str) -> Iterator[tuple[Access, Nest]]:
        return ((item, nest) for nest in self._nests for item in nest.accesses if item.base == base)

    def _closed(self, array: str, touched: Sequence[tuple[Access, Nest]]) -> str | None:
        """Return the greatest of what single accesses reach by the text; None where it does not tell."""
        found: dict[str, Polynomial] = {}
        for access, nest in touched:
            end = self._end(array, access, nest)
            if end is None and self._is_table(access, nest):
                end = {(): ceiling(access.node, self._setting.variables)}
            if end is None:
                return None
            for name in names(end):
                meant = self._settled(name)
                if not meant:
                    return None
                end = substituted(end, name, {(meant,): 1})
            found.setdefault(spelled(end), end)
        texts = _undominated(found)
        return texts[0] if len(texts) == 1 else f"max({', '.join(texts)})" if texts else None

    def _end(self, array: str, access: Access, nest: Nest) -> Polynomial | None:
        """Return what an access reaches at most, as a polynomial of what is fixed before the loops."""
        parameter, rows = self._parameter(array), self._rows(array)
        if parameter is None or parameter.element is None or rows is None:
            return None
        if access.unit not in (None, parameter.element.size):
            return None
        values = self._setting.values(nest) if nest.dependences is None else nest.dependences.values
        return furthest(access, nest, values, rows, self._outer(nest))

    def _is_table(self, access: Access, nest: Nest) -> bool:
        """Tell whether nothing but the range of a subscript says how far an access goes."""
        return (
            self._rows(access.base) == ()
            and self._end(access.base, access, nest) is None
            and ceiling(access.node, self._setting.variables) > 0
        )

    def _outer(self, nest: Nest) -> list[Loop]:
        """Return the counted loops of the host around a nest."""
        setting = self._setting
        nodes = [item for item in ancestors(nest.node) if item.type in LOOPS]
        inner = [item for item in nodes if any(inside(item, node) for node in self._statements)]
        found = (counted(item, setting.variables, setting.around) for item in inner)
        return [loop for loop in found if loop is not None]

    def _parameter(self, name: str) -> Parameter | None:
        contract = self._setting.contract
        known = contract.signature.parameters if contract is not None else ()
        return next((item for item in known if item.name == name), None)

    def _rows(self, array: str) -> tuple[int, ...] | None:
        """Return how many elements each subscript but the last counts; None where no number says so."""
        parameter = self._parameter(array)
        lengths = parameter.row if parameter is not None else ()
        if not all(length.isdigit() for length in lengths):
            return None
        return tuple(prod(map(int, lengths[at:])) for at in range(len(lengths)))

    def _settled(self, name: str) -> str:
        """Return what the text calls a number where the loops begin; empty where that may be another one."""
        if name in self._setting.around.constants:
            return name
        found = [item for item in self._setting.variables.all if outer_name(item) == name]
        alike = [item for item in self._setting.variables.all if found and item.name == found[0].name]
        if not found:
            return name if name in self._scalars else ""
        variable = found[0]
        begun = variable.parameter or variable.declaration.end_byte <= self._statements[0].start_byte
        written = any(inside(write, node) for write in variable.writes for node in self._statements)
        moved = variable.parameter and bool(variable.writes)
        settled = begun and not written and not moved and not variable.escapes and len(alike) == 1
        return variable.name if settled else ""

    def _follows(self, access: Access) -> bool:
        """Tell whether data decides how far an access goes."""
        return any(self._data.follows(part) for part in _subscripts(access.node))

    def _is_chosen(self, access: Access, nest: Nest) -> bool:
        """Tell whether data decides if an access happens at all."""
        around = (item for item in ancestors(access.node) if item.type in LOOPS and inside(item, nest.node))
        tests = _tests(access.node, nest.node)
        return any(map(self._data.follows, tests)) or any(map(self._data.ends_early, around))

    def _inspected(self, array: Variable) -> Length:
        touched = [item for item, _ in self._touched(name_of(array))]
        name = free_name(self._setting.function.identifiers, f"{array.name}_reach")
        inspector = Inspector(
            function=self._setting.function,
            variables=self._setting.variables,
            around=self._setting.around,
            array=array,
            nodes=reached_at(touched),
            written={item.base for nest in self._nests for item in nest.accesses if item.write},
        )
        if self._rows(array.name) != ():
            raise NoInspector("its elements are in rows")
        return Length(text=name, inspector=tuple(inspector.lines(name, self._statements)), local=True)


def _is_conditional(node: Node, nest: Node) -> bool:
    """Tell whether an access may be left out by a branch or a jump within a nest."""
    return any(True for _ in (*_tests(node, nest), *find(nest, *_JUMPS)))


def _tests(node: Node, nest: Node) -> Iterator[Node]:
    """Yield the conditions under which control comes to a node; in none of them it stands itself."""
    for parent in ancestors(node):
        if not inside(parent, nest):
            return
        if parent.type in _BRANCHES and not inside(node, test := field(parent, "condition")):
            yield test
        lazy = parent.type == "binary_expression" and operator(parent) in ("&&", "||")
        if lazy and inside(node, field(parent, "right")):
            yield field(parent, "left")


def _subscripts(node: Node) -> Iterator[Node]:
    """Yield what tells where an element lies: all subscripts of its path, and what pointer it goes by."""
    yield from (subscript(item) for item in _path(node) if item.type == "subscript_expression")
    last = list(_path(node))[-1]
    if last.type == "pointer_expression":
        argument = last.child_by_field_name("argument")
        if argument is not None:
            yield argument
    else:
        base = last.child_by_field_name("argument")
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


def _points(texts: Sequence[str], scalars: frozenset[str]) -> Iterator[dict[str, int]]:
    generator = random.Random(7)
    used = sorted(frozenset[str]().union(*map(names_of, texts)) | scalars)
    for _ in range(_POINTS):
        yield {name: generator.choice(_SIZES) for name in used}


def _less(one: str, other: str, scalars: frozenset[str]) -> bool:
    """Tell whether an expression of the caller's numbers is somewhere less than another one."""
    if not names_of(one) | names_of(other) <= scalars:
        return False
    return any(_difference(one, other, row) < 0 for row in _points((one, other), scalars))


def _same(one: str, other: str, scalars: frozenset[str]) -> bool:
    return all(_difference(one, other, row) == 0 for row in _points((one, other), scalars))


def _difference(one: str, other: str, row: dict[str, int]) -> int:
    try:
        return evaluate(one, row) - evaluate(other, row)
    except ExpressionError:
        return -1


def _undominated(found: dict[str, Polynomial]) -> list[str]:
    """Return the texts that no other one is at least as great as wherever sizes are at least 1."""
    kept = list(found)
    for text in list(found):
        others = (item for item in kept if item != text)
        if any(not _less_somewhere(item, text) for item in others):
            kept.remove(text)
    return kept


def _less_somewhere(one: str, other: str) -> bool:
    return any(_difference(one, other, row) < 0 for row in _points((one, other), frozenset()))


def trusted(setting: Setting, parts: Sequence[Band | Alone]) -> Contract | None:
    """Return the contract without the lengths of arrays that were but fitted to the data of some runs.

    Such an array has no extent: data decides how far it is reached.
    """
    contract = setting.contract
    if contract is None or not parts:
        return contract
    lengths = Lengths(setting, [part.nest for part in parts], [part.node for part in parts])
    arrays = []
    for fact in contract.arrays:
        found = lengths.by_text(fact)
        open_ended = found is None or found.local
        arrays.append(
            replace(
                fact,
                extent="" if found is None or open_ended else found.text,
                origin=Origin.BOUND if open_ended else fact.origin,
            )
        )
    return replace(contract, arrays=tuple(arrays))


def lengthened(contract: Contract, lengths: Mapping[str, Length]) -> Contract:
    """Return a contract whose arrays are as long as that."""
    arrays = tuple(
        replace(fact, extent=lengths[fact.name].text) if fact.name in lengths else fact
        for fact in contract.arrays
    )
    return replace(contract, arrays=arrays)
