"""Induction variables, which move by the same amount every iteration, as closed forms.

The text afterwards says ``y[k + i]`` where it said ``y[k++]``; what the loop leaves in ``k`` is added behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.polynomial import INTEGER_TYPES
from transpile.code.syntax import Function, ancestors, find, inside, replace, source, unparenthesized
from transpile.code.variables import Variable, Variables, resolve
from transpile.translators.loops.iteration.increments import Increment, increments
from transpile.translators.loops.iteration.nests import Loop, counted
from transpile.translators.loops.iteration.places import after, in_block
from transpile.translators.loops.iteration.starts import start_of
from transpile.translators.loops.iteration.trips import count, grouped, some, tight
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_NARROW = ("short",)
_FRACTION = re.compile(r"\d\.|\.\d|\d[eE]")


def with_closed_form(function: Function, around: EnclosingScope) -> str | None:
    """Return the text without one of its induction variables; None where there is none."""
    variables = resolve(function, around.refers)
    known = {
        node.id: loop
        for node in find(function.body, "for_statement")
        if (loop := counted(node, variables, around)) is not None
    }
    for loop in known.values():
        for variable in variables.used_in(loop.body):
            if not _may_be(variable, loop, known):
                continue
            found = increments(variable, loop, known, variables, around)
            if not found:
                continue
            start = _start(variable, loop, variables)
            edits = _Induction(variable, start, loop, tuple(found), known).edits(function)
            if edits:
                return function.edited(edits)
    return None


def _may_be(variable: Variable, loop: Loop, known: Mapping[int, Loop]) -> bool:
    """Tell whether a variable is a number or a pointer that lives longer than a loop, and counts none."""
    kind = variable.bare
    plain = not (variable.escapes or variable.static or variable.array or variable.reference)
    whole = variable.pointer or (kind in INTEGER_TYPES and kind not in _NARROW)
    counts = any(item.variable is variable for item in known.values() if inside(item.node, loop.node))
    return plain and whole and not counts and not inside(variable.declaration, loop.node)


def _start(variable: Variable, loop: Loop, variables: Variables) -> str:
    """Return what a variable is worth when a loop begins, in its own type: by its name if in no other way."""
    found = start_of(variable, loop.node, variables)
    others = (item for item in variables.all if re.search(rf"\b{item.name}\b", found))
    alike = all(item.bare == variable.bare for item in others)
    return found if found and alike and not _FRACTION.search(found) else variable.name


@dataclass(frozen=True, slots=True, eq=False)
class _Induction:
    """A variable, the outermost loop that moves it, and all that does."""

    variable: Variable
    start: str
    """What it is worth when the loop begins."""
    loop: Loop
    found: tuple[Increment, ...]
    known: Mapping[int, Loop]

    def edits(self, function: Function) -> list[Edit[str]] | None:
        """Return the edits that put values in the place of the variable; None where one has none."""
        last = read_after(self.variable, self.loop.node)
        if last and not in_block(self.loop.node):
            return None
        result = [self._removed(function, one) for one in self.found if one.alone]
        for use in self.variable.uses:
            if not inside(use, self.loop.node) or self._removed_with(use):
                continue
            chain = self._chain(use)
            if chain is None:
                return None
            result.append(self._replaced(use, chain))
        if last:
            total = _sum([self._ran(self.loop, guarded=True, among=self.found)])
            result.append(after(function, self.loop.node, f"{self.variable.name} += {total};"))
        return result

    def _removed(self, function: Function, one: Increment) -> Edit[str]:
        start = len(function.text[: one.statement.start_byte].rstrip())
        if in_block(one.statement):
            return Edit(start, one.statement.end_byte, "")
        return replace(one.statement, ";")

    def _removed_with(self, use: Node) -> bool:
        return any(one.alone and inside(use, one.statement) for one in self.found)

    def _chain(self, use: Node) -> list[Loop] | None:
        """Return the loops whose iterations a use is part of, outermost first; None in a head that moves."""
        chain: list[Loop] = []
        for parent in ancestors(use):
            item = self.known.get(parent.id)
            if item is not None and inside(use, item.body):
                chain.insert(0, item)
            elif item is not None and not inside(use, item.first) and self._moving(item):
                return None
            if parent.id == self.loop.node.id:
                return chain
        return None

    def _moving(self, loop: Loop) -> list[Increment]:
        return [one for one in self.found if loop in one.around]

    def _replaced(self, use: Node, chain: Sequence[Loop]) -> Edit[str]:
        own = next((one for one in self.found if inside(use, one.node)), None)
        terms = [term for loop in chain if self._moving(loop) for term in self._terms(loop, use)]
        if own is not None and own.first:
            terms.append(own.amount)
        text = _sum([tight(self.start) if terms else self.start, *terms])
        node = own.node if own is not None else use
        index = node.parent is not None and node.parent.type == "subscript_argument_list"
        return replace(node, text if index or not terms else f"({text})")

    def _terms(self, loop: Loop, use: Node) -> Iterator[str]:
        """Yield how far the variable came in earlier iterations of a loop, and in this one so far."""
        moving = self._moving(loop)
        total = _sum(self._parts(loop, moving, use))
        yield _product(self._number(loop, alone=total == "1"), total)
        yield from self._parts(loop, [one for one in moving if _ended(one, loop) <= use.start_byte], use)

    def _parts(self, loop: Loop, moving: Sequence[Increment], use: Node | None) -> Iterator[str]:
        """Yield what increments add up to in one iteration of a loop."""
        inner: dict[int, Loop] = {}
        for one in moving:
            place = one.around.index(loop) + 1
            if place == len(one.around):
                yield one.amount
            else:
                inner[id(one.around[place])] = one.around[place]
        for item in inner.values():
            holds = use is not None and inside(use, item.body)
            yield self._ran(item, guarded=not holds, among=self._moving(item), use=use)

    def _ran(self, loop: Loop, *, guarded: bool, among: Sequence[Increment], use: Node | None = None) -> str:
        """Return what all iterations of a loop add up to."""
        trips = tight(count(loop))
        if guarded and not trips.isdigit():
            trips = f"({some(loop)} ? {trips} : 0)"
        total = _sum(self._parts(loop, among, use))
        return _product(self._cast(trips, alone=total == "1"), total)

    def _number(self, loop: Loop, *, alone: bool) -> str:
        """Return how many iterations of a loop came before."""
        name, first = loop.variable.name, tight(source(unparenthesized(loop.first)))
        text = f"{name} - {grouped(first)}" if loop.step > 0 else f"{first} - {name}"
        text = name if first == "0" and loop.step > 0 else text
        if abs(loop.step) != 1:
            text = f"({text}) / {abs(loop.step)}" if text != name else f"{name} / {loop.step}"
        same = loop.variable.bare == self.variable.bare and not self.variable.pointer
        return text if same else self._cast(text, alone=alone)

    def _cast(self, text: str, *, alone: bool) -> str:
        """Return a number in a type that holds its multiples as the variable does."""
        if self.variable.pointer:
            return text if alone else f"(long long){_factor(text)}"
        kind = self.variable.type
        return text if kind == "int" else f"({kind}){_factor(text)}"


def _ended(one: Increment, loop: Loop) -> int:
    """Return where what makes an increment in one iteration of a loop is done."""
    place = one.around.index(loop) + 1
    return one.statement.end_byte if place == len(one.around) else one.around[place].node.end_byte


def _product(number: str, amount: str) -> str:
    if amount == "1":
        return number
    if amount.startswith("-") and not _is_sum(amount):
        return f"-{_factor(number)}" if amount == "-1" else f"-{_product(number, amount[1:])}"
    return f"{_factor(number)} * {_factor(amount)}"


def _factor(text: str) -> str:
    return f"({text})" if _is_sum(text) else text


def _is_sum(text: str) -> bool:
    """Tell whether an operator stands in an expression outside of its parentheses."""
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == " " and not depth:
            return True
    return False


def _sum(terms: Iterable[str]) -> str:
    """Return a sum, its numbers added up."""
    parts = list(terms)
    number = sum(int(item) for item in parts if item.lstrip("-").isdigit())
    others = [item for item in parts if not item.lstrip("-").isdigit()]
    if number or not others:
        others.append(str(number))
    return " + ".join(others).replace("+ -", "- ")
