"""Comparisons of whole numbers that a routine asks of its arguments, by the checks that end in an error code.

``else if (lda < max(1, n)) then; info = -4`` asks for ``lda >= max(1, n)``. Trials draw arguments that meet
all of these and such as fail one. They are a guess of what is useful, and no verdict depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from transpile.expressions import Apply, Binary, Name, Node, Number, to_text
from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.symbols import Procedure, Scope
from transpile.parsers.fortran.walking import walk

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "/=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ASKED = ("<", "<=", ">", ">=", "==")
_ARITHMETIC = ("+", "-", "*", "/")
_DEEPEST, _MOST_WAYS = 6, 6
"""Assignments through which a local variable is followed, and values that it may have."""
_MOST_TEXT = 400


def accepted(procedure: Procedure) -> tuple[str, ...]:
    """Return the comparisons that hold where a routine finds nothing wrong, an argument on the left of each."""
    reader = _Reader(procedure.scope, _assigned(procedure.unit))
    codes = _codes(procedure.unit)
    found = (
        text
        for statement in procedure.unit.body
        for node in walk(statement)
        if isinstance(node, tree.If)
        for condition, body in node.arms
        if condition is not None and _is_error(body, codes)
        for text in reader.asked(condition, holds=False)
    )
    return tuple(dict.fromkeys(item for item in found if len(item) <= _MOST_TEXT))


def _codes(unit: tree.Unit) -> set[str]:
    """Return the variables that are compared with zero: error codes are some of them."""
    return {
        side.name
        for statement in unit.body
        for node in walk(statement)
        if isinstance(node, tree.Binary) and node.operator in ("/=", "==", "<", ">")
        for side, other in ((node.left, node.right), (node.right, node.left))
        if isinstance(side, tree.Name) and isinstance(other, tree.Integer) and other.value == 0
    }


def _is_error(body: tuple[tree.Statement, ...], codes: set[str]) -> bool:
    """Tell whether an arm does nothing but set an error code."""
    real = [item for item in body if not isinstance(item, tree.Comment)]
    if len(real) != 1 or not isinstance(real[0], tree.Assign) or not isinstance(real[0].target, tree.Name):
        return False
    value = real[0].value
    negative = isinstance(value, tree.Unary) and value.operator == "-"
    number = value.operand if isinstance(value, tree.Unary) else value
    known = real[0].target.name in codes or negative
    return known and isinstance(number, tree.Integer) and number.value != 0


def _assigned(unit: tree.Unit) -> dict[str, list[tree.Expression]]:
    """Return what is assigned to the variables of a routine."""
    found: dict[str, list[tree.Expression]] = {}
    for statement in unit.body:
        for node in walk(statement):
            if isinstance(node, tree.Assign) and isinstance(node.target, tree.Name):
                found.setdefault(node.target.name, []).append(node.value)
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads conditions of one routine in terms of its arguments."""

    scope: Scope
    assigned: dict[str, list[tree.Expression]]
    within: list[str] = field(default_factory=list)
    """Local variables whose values are being looked for."""

    def asked(self, condition: tree.Expression, *, holds: bool) -> Iterator[str]:
        """Yield the comparisons in a condition as they stand, or the opposite ones where it must not hold."""
        match condition:
            case tree.Parenthesized(inner=inner):
                yield from self.asked(inner, holds=holds)
            case tree.Unary(operator=".not.", operand=operand):
                yield from self.asked(operand, holds=not holds)
            case tree.Binary(operator=".and." | ".or.", left=left, right=right):
                yield from self.asked(left, holds=holds)
                yield from self.asked(right, holds=holds)
            case tree.Binary(operator=operator, left=left, right=right) if operator in _OPPOSITE:
                wanted = operator if holds else _OPPOSITE[operator]
                yield from self._comparison(left, wanted, right)
            case _:
                pass

    def _comparison(self, left: tree.Expression, operator: str, right: tree.Expression) -> Iterator[str]:
        if operator not in _ASKED:
            return
        for one, sign, other in ((left, operator, right), (right, _MIRRORED[operator], left)):
            if not isinstance(one, tree.Name) or not self._whole_argument(one.name):
                continue
            for value in self._values(other, largest=sign not in ("<", "<=")):
                if sign in ("<", "<=") and isinstance(value, Number) and value.value <= 1:
                    return  # The other half is what is asked: `nb > n and n > 0` is wrong.
                yield to_text(Binary(sign, Name(one.name), value))
                return

    def _whole_argument(self, name: str) -> bool:
        symbol = self.scope.find(name)
        return symbol is not None and symbol.dummy and not symbol.rank and symbol.type.base == "integer"

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
                return [Name(name)] if self._whole_argument(name) else self._local(name)
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
