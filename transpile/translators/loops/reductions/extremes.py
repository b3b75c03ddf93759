"""Extreme numbers whose places are kept as well: ``if (a[i] > best) { best = a[i]; at = i; }``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.polynomial import add, name
from transpile.code.syntax import (
    MIRRORED,
    block_statements,
    condition,
    field,
    find,
    inside,
    operator,
    source,
    squeeze,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.iteration.nests import Loop, written_names
from transpile.translators.loops.iteration.starts import start_of
from transpile.translators.loops.iteration.trips import few
from transpile.translators.loops.iteration.values import Values
from transpile.translators.loops.reductions.matches import Iterations, Match
from transpile.translators.loops.reductions.parts import asks_on
from transpile.translators.loops.reductions.scalars import begun_before
from transpile.translators.loops.symbols.types import exact, is_number, signed, type_of
from transpile.translators.refusal import SEQUENTIAL, Refused

_WHOLE = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Extreme:
    """What is set together where an element exceeds all before it."""

    variables: tuple[Variable, ...]
    """All that is set."""
    best: Node
    """The extreme number so far, in terms of what is set: ``best``, or ``a[at]``."""
    sign: str
    """What an element that counts is to the number: ``>=`` takes the last of equal ones, ``>`` the first."""
    place: Variable
    """What tells which of two iterations was earlier."""
    descending: bool
    """Earlier iterations have greater places."""

    def best_of(self, names: Mapping[Variable, str]) -> str:
        """Return the number in terms of other names for what is set."""
        text = source(self.best)
        for variable, other in names.items():
            text = _with(self.best, variable, other) if _used(variable, self.best) else text
        return text

    @property
    def prefers_greater(self) -> bool:
        """Tell whether of equal numbers the one with the greater place counts."""
        return ("=" in self.sign) != self.descending


@dataclass(frozen=True, slots=True, eq=False)
class Extremes:
    """Extreme numbers with their places, which threads look for and merge."""

    all: tuple[Extreme, ...]


def extremes(given: Iterations) -> Match | None:
    """Return a loop that looks for extreme numbers and their places; Refused where parts ask further."""
    found = _extremes(given.loop, given.variables, given.values)
    if not found:
        return None
    for item in found:
        asked = asks_on(item.best, given.loop, given.variables, given.around)
        if asked:
            raise Refused(SEQUENTIAL, asked)
    return Match(
        found=Extremes(found),
        reason=f"`{found[0].place.name}` is the place of a minimum or maximum",
        variables=tuple(variable for item in found for variable in item.variables),
        merges=True,
    )


def _extremes(loop: Loop, variables: Variables, values: Values) -> tuple[Extreme, ...]:
    """Return the extreme numbers with places that all iterations of a loop look for."""
    if few(loop) or loop.node.parent is None or loop.node.parent.type != "compound_statement":
        return ()
    tests = find(loop.body, "if_statement")
    found = (_extreme(test, loop, variables, values) for test in tests)
    return tuple(item for item in found if item is not None)


def _extreme(test: Node, loop: Loop, variables: Variables, values: Values) -> Extreme | None:
    settings = list(_settings(test, variables))
    targets = [item[0] for item in settings]
    if len(set(map(id, targets))) != len(targets) or not all(begun_before(item, loop) for item in targets):
        return None
    for best, sign, element in _comparisons(condition(test)):
        set_here = [item for item in targets if _used(item, best)]
        gathered = len(targets) == 1 and best.type == "identifier"  # a reduction of iterations' numbers
        if len(set_here) != 1 or gathered or not _alone(targets, best, settings, loop):
            continue
        [own] = set_here
        if not _takes(own, best, element, dict(settings)[own], loop, values):
            continue
        place = next((item for item in settings if _orders(*item, loop, values)), None)
        if place is None:
            continue
        more = any(item not in (own, place[0]) for item in targets)
        if "=" in sign and not _from_before(place[0], loop, variables, strictly=more):
            continue
        return Extreme(tuple(targets), best, sign, place[0], loop.step < 0)
    return None


def _settings(test: Node, variables: Variables) -> Iterator[tuple[Variable, Node]]:
    """Yield what a condition sets and to what; nothing where it does anything else."""
    if test.child_by_field_name("alternative") is not None:
        return
    found = []
    for statement in block_statements(field(test, "consequence")):
        if statement.type == "comment":
            continue
        for setting in _in_turn(statement):
            known = setting.type == "assignment_expression" and operator(setting) == "="
            variable = variables.of(field(setting, "left")) if known else None
            if variable is None:
                return
            found.append((variable, field(setting, "right")))
    yield from found


def _in_turn(node: Node) -> Iterator[Node]:
    """Yield the expressions of a statement, which commas may stand between."""
    if node.type in ("expression_statement", "comma_expression") and node.named_children:
        for child in node.named_children:
            yield from _in_turn(child)
    else:
        yield node


def _comparisons(test: Node) -> Iterator[tuple[Node, str, Node]]:
    """Yield the comparisons that all have to hold, each as what may be the number, sign and element."""
    test = unparenthesized(test)
    if test.type != "binary_expression":
        return
    left, right = (unparenthesized(field(test, side)) for side in ("left", "right"))
    if operator(test) == "&&":
        yield from _comparisons(left)
        yield from _comparisons(right)
    elif operator(test) in MIRRORED:
        yield right, operator(test), left
        yield left, MIRRORED[operator(test)], right


def _alone(targets: list[Variable], best: Node, settings: list[tuple[Variable, Node]], loop: Loop) -> bool:
    """Tell whether a loop uses what is set to compare it, and not otherwise."""
    uses = [use for item in targets for use in item.uses if inside(use, loop.node)]
    compared = [use for use in uses if inside(use, best)]
    return len(compared) == 1 and len(uses) == len(settings) + 1


def _takes(own: Variable, best: Node, element: Node, value: Node, loop: Loop, values: Values) -> bool:
    """Tell whether the number becomes the element that exceeded it, neither rounded nor cut off."""
    variables, around = values.variables, values.around
    if best.type == "identifier":
        same = squeeze(source(unparenthesized(value))) == squeeze(source(element))
        return same and exact(type_of(element, variables, around), own.bare)
    if variables.of(unparenthesized(value)) is not loop.variable:
        return False
    if not is_number(type_of(best, variables, around)):
        return False
    if not _fixed(best, own, loop, variables):
        return False
    return squeeze(_with(element, loop.variable, own.name)) == squeeze(source(best))


def _fixed(best: Node, own: Variable, loop: Loop, variables: Variables) -> bool:
    """Tell whether a number depends on its place alone, and may be asked for outside of the loop."""
    written = written_names(loop.node, variables)
    others = [item for item in variables.used_in(best) if item is not own]
    return not any(item.name in written or inside(item.declaration, loop.node) for item in others)


def _with(node: Node, variable: Variable, text: str) -> str:
    """Return an expression with another name for a variable."""
    start, written = node.start_byte, node.text or b""
    for use in sorted(variable.uses, key=lambda item: -item.start_byte):
        if inside(use, node):
            written = written[: use.start_byte - start] + text.encode() + written[use.end_byte - start :]
    return written.decode("latin-1")


def _used(variable: Variable, node: Node) -> bool:
    return any(inside(use, node) for use in variable.uses)


def _orders(variable: Variable, value: Node, loop: Loop, values: Values) -> bool:
    """Tell whether a variable is set to numbers that grow with the loop's own variable, and holds them."""
    read = values.of(value)
    if read is None or not exact(loop.variable.bare, variable.bare):
        return False
    ahead = add(read, values.expanded(name(loop.dimension)), -1)
    return not ahead or dict(ahead) == {(): 1}


def _from_before(place: Variable, loop: Loop, variables: Variables, *, strictly: bool) -> bool:
    """Tell whether a place was none of a later iteration before the loop: it would be taken for one.

    Nor one of the first iteration, strictly: what is set beside number and place would be that from before.
    """
    start, first = squeeze(start_of(place, loop.node, variables)), squeeze(source(loop.first))
    if not start or loop.step < 0:
        return False
    if first == f"{start}+1" or (first == start and not strictly):
        return True
    known = _WHOLE.fullmatch(start) and _WHOLE.fullmatch(first)
    return bool(known) and int(start) <= int(first) - strictly and (signed(place.bare) or int(start) >= 0)
