"""Conditions of a routine in terms of its arguments, as far as they can be read.

What is read is a guess of what is useful for trials, and no verdict depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from transpile.code.syntax import MIRRORED, NEGATED
from transpile.expressions import Apply, Binary, Name, Node, Number, to_text
from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Procedure, Scope
from transpile.parsers.fortran.walking import walk

_OPPOSITE = {**NEGATED, "/=": "=="}
_MIRRORED = {**MIRRORED, "==": "==", "!=": "!="}
_ASKED = ("<", "<=", ">", ">=", "==")
_ARITHMETIC = ("+", "-", "*", "/")
_DEEPEST, _MOST_WAYS = 6, 6
"""Assignments through which a local variable is followed, and values that it may have."""
_MOST_ALTERNATIVES = 8


def reader(procedure: Procedure) -> Reader:
    """Return what reads the conditions of a routine."""
    assigned: dict[str, list[tree.Expression]] = {}
    for statement in procedure.unit.body:
        for node in walk(statement):
            if isinstance(node, tree.Assign) and isinstance(node.target, tree.Name):
                assigned.setdefault(node.target.name, []).append(node.value)
    return Reader(procedure.scope, assigned)


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand of one comparison on the arguments."""

    comparison: str = ""
    """Of whole numbers, an argument on its left; a logical argument is 0 or 1."""
    text: tuple[str, int, str] = ("", 0, "")
    """Of texts: an argument, the number of characters before the ones that are compared, and those."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads conditions of one routine in terms of its arguments."""

    scope: Scope
    assigned: dict[str, list[tree.Expression]]
    within: list[str] = field(default_factory=list)
    """Local variables whose values are being looked for."""

    def asked(self, condition: tree.Expression, *, holds: bool) -> Iterator[Demand]:
        """Yield what all comparisons in a condition ask, or the opposite where it must not hold."""
        for way in self.ways(condition, holds=holds, both=True):
            yield from way

    def ways(
        self, condition: tree.Expression, *, holds: bool, both: bool = False
    ) -> list[tuple[Demand, ...]]:
        """Return ways to make a condition hold or not, as far as they can be read.

        Args:
            condition: What is read.
            holds: The value that is wanted.
            both: Tells that of two conditions of which one is enough each is to be as wanted.
        """
        match condition:
            case tree.Parenthesized(inner=inner):
                return self.ways(inner, holds=holds, both=both)
            case tree.Unary(operator=".not.", operand=operand):
                return self.ways(operand, holds=not holds, both=both)
            case tree.Binary(operator=".and." | ".or." as operator, left=left, right=right):
                first = self.ways(left, holds=holds, both=both)
                second = self.ways(right, holds=holds, both=both)
                if both or holds == (operator == ".and."):
                    return [(*one, *other) for one in first for other in second][:_MOST_ALTERNATIVES]
                return [item for item in (*first, *second) if item][:_MOST_ALTERNATIVES] or [()]
            case tree.Binary(operator=operator, left=left, right=right) if operator in _OPPOSITE:
                wanted = operator if holds else _OPPOSITE[operator]
                return [tuple(self._compared(left, "!=" if wanted == "/=" else wanted, right))]
            case tree.Name(name=name) if self._argument(name, "logical"):
                return [(Demand(comparison=f"{name} == {int(holds)}"),)]
            case tree.Name(name=name):
                return self._of_local(name, holds=holds, both=both)
            case tree.Apply(arguments=arguments) if holds:
                return [tuple(self._alike([item.value for item in arguments]))]
            case _:
                return [()]

    def _of_local(self, name: str, *, holds: bool, both: bool) -> list[tuple[Demand, ...]]:
        """Return ways to give a local logical variable, which is set once, a value."""
        values = self.assigned.get(name, [])
        if len(values) != 1 or name in self.within:
            return [()]
        self.within.append(name)
        found = self.ways(values[0], holds=holds, both=both)
        self.within.pop()
        return found

    def _alike(self, values: Sequence[tree.Expression]) -> Iterator[Demand]:
        """Yield that a text is to be one that a function is given beside it."""
        constants = [item for item in values if isinstance(item, tree.String)]
        for item in values if len(constants) == 1 else ():
            yield from self._text(item, constants[0].value)

    def _text(self, expression: tree.Expression, wanted: str) -> Iterator[Demand]:
        found = self._place(expression)
        if found is not None:
            yield Demand(text=(*found, wanted))

    def _place(self, expression: tree.Expression) -> tuple[str, int] | None:
        """Return the argument whose characters an expression has, and how many come before them."""
        match expression:
            case tree.Name(name=name) if self._argument(name, "character"):
                return name, 0
            case tree.Name(name=name) if name not in self.within:
                symbol = self.scope.find(name)
                values = self.assigned.get(name, [])
                if symbol is None or symbol.type.base != "character" or not values:
                    return None
                self.within.append(name)
                found = self._place(values[0])
                self.within.pop()
                return found
            case tree.Apply(base=base, arguments=(tree.Argument(value=tree.Range(first=first)),)):
                inner = self._place(base)
                start = 1 if first is None else fold(first, self.scope)
                return None if inner is None or start is None else (inner[0], inner[1] + start - 1)
            case _:
                return None

    def _compared(self, left: tree.Expression, operator: str, right: tree.Expression) -> Iterator[Demand]:
        """Yield what a comparison asks of one of the arguments in it."""
        for one, sign, other in ((left, operator, right), (right, _MIRRORED[operator], left)):
            if isinstance(other, tree.String):
                if sign == "==":
                    yield from self._text(one, other.value)
                return
        if operator not in _ASKED:
            return
        for one, sign, other in ((left, operator, right), (right, _MIRRORED[operator], left)):
            largest = sign not in ("<", "<=")
            subject = self._values(one, largest=largest)
            bound = self._values(other, largest=largest)
            if not subject or not bound:
                continue
            found = _isolated(subject[0], sign, bound[0])
            if found is not None:
                yield Demand(comparison=to_text(found))
                return

    def _argument(self, name: str, base: str) -> bool:
        symbol = self.scope.find(name)
        return symbol is not None and symbol.dummy and not symbol.rank and symbol.type.base == base

    def _values(self, expression: tree.Expression, *, largest: bool) -> list[Node]:
        """Return the value of an expression, the largest or smallest of several; nothing for unknown ones."""
        ways = self._ways(expression)
        if len(ways) < 2:
            return ways
        return [Apply("max" if largest else "min", tuple(ways))]

    def _ways(self, expression: tree.Expression) -> list[Node]:
        number = fold(expression, self.scope)
        if number is not None:
            return [Number(number)]
        match expression:
            case tree.Parenthesized(inner=inner):
                return self._ways(inner)
            case tree.Name(name=name):
                return [Name(name)] if self._argument(name, "integer") else self._local(name)
            case tree.Unary(operator="-", operand=operand):
                return [Binary("-", Number(0), item) for item in self._ways(operand)]
            case tree.Binary(operator=operator, left=left, right=right) if operator in _ARITHMETIC:
                pairs = [(a, b) for a in self._ways(left) for b in self._ways(right)]
                return [Binary(operator, a, b) for a, b in pairs[:_MOST_WAYS]]
            case tree.Apply(base=tree.Name(name="max" | "min" as name), arguments=arguments):
                rows = [self._values(item.value, largest=name == "max") for item in arguments]
                return [Apply(name, tuple(item for row in rows for item in row))] if all(rows) else []
            case tree.Apply(base=tree.Name(name="int"), arguments=(argument,)):
                return self._ways(argument.value)
            case _:
                return []

    def _local(self, name: str) -> list[Node]:
        if name in self.within or len(self.within) > _DEEPEST:
            return []
        self.within.append(name)
        found = [way for value in self.assigned.get(name, ()) for way in self._ways(value)]
        self.within.pop()
        return list(dict.fromkeys(found))[:_MOST_WAYS]


def _isolated(subject: Node, sign: str, bound: Node) -> Binary | None:
    """Return a comparison with a name on its left; None where that takes more than sums."""
    match subject:
        case Name():
            return Binary(sign, subject, bound)
        case Binary("+", left, right):
            return _isolated(left, sign, Binary("-", bound, right)) or _isolated(
                right, sign, Binary("-", bound, left)
            )
        case Binary("-", left, right):
            return _isolated(left, sign, Binary("+", bound, right)) or _isolated(
                right, _MIRRORED[sign], Binary("-", left, bound)
            )
        case _:
            return None
