"""Extents of arrays and lengths of texts, as expressions of what a call is given.

In them ``n`` is a whole number that is an argument, ``x[2]`` the second extent of the array ``x``, and
``s[0]`` the length of the text ``s``. What cannot be read so has no extents here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from transpile.expressions import Apply, Binary, Name, Node, Number
from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.intrinsic_types import DUMMIES, keyed
from transpile.parsers.fortran.intrinsics import ELEMENTAL
from transpile.parsers.fortran.symbols import Procedure, Scope, Symbol
from transpile.parsers.fortran.typing import called, meaning, typed

Shape = tuple[Node, ...]
_ARITHMETIC = ("+", "-", "*", "/")
_DEEPEST = 4
"""Functions whose results are followed into each other."""


def extent_name(array: str, axis: int) -> str:
    """Return the name of an extent of an array, or of the length of a text where the axis is 0."""
    return f"{array}[{axis}]"


@dataclass(frozen=True, slots=True)
class Given:
    """The values of a scope's names, in terms of a call's arguments."""

    scope: Scope
    fixed: frozenset[str]
    """Arguments that have their first value all the time."""
    values: Mapping[str, Node] | None = None
    """Of the scope of a function that is called: what its arguments are; None for the routine itself."""
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    depth: int = 0

    def number(self, expression: tree.Expression | None) -> Node | None:
        """Return the value of a whole number; None where it cannot be read."""
        if expression is None:
            return None
        known = fold(expression, self.scope)
        if known is not None:
            return Number(known)
        match expression:
            case tree.Parenthesized(inner=inner):
                return self.number(inner)
            case tree.Name(name=name):
                return self._named(name)
            case tree.Unary(operator="-", operand=operand):
                inside = self.number(operand)
                return None if inside is None else Binary("-", Number(0), inside)
            case tree.Binary(operator=operator, left=left, right=right) if operator in _ARITHMETIC:
                first, second = self.number(left), self.number(right)
                return None if first is None or second is None else Binary(operator, first, second)
            case tree.Apply(base=tree.Name(name="max" | "min" as name), arguments=arguments):
                rows = [self.number(item.value) for item in arguments]
                known_rows = tuple(item for item in rows if item is not None)
                return Apply(name, known_rows) if len(known_rows) == len(rows) else None
            case tree.Apply(base=tree.Name(name="size"), arguments=arguments):
                return self._size(keyed("size", arguments, DUMMIES["size"]))
            case tree.Apply(base=tree.Name(name="len"), arguments=(argument,)):
                return self._length(argument.value)
            case _:
                return None

    def _named(self, name: str) -> Node | None:
        if self.values is not None:
            return self.values.get(name)
        symbol = self.scope.find(name)
        if symbol is None or not symbol.dummy or symbol.rank or symbol.type.base != "integer":
            return None
        return Name(name) if name in self.fixed and "optional" not in symbol.attributes else None

    def _size(self, given: Mapping[str, tree.Expression]) -> Node | None:
        shape = self.shape(given["array"])
        if not shape:
            return None
        if "dim" in given:
            axis = fold(given["dim"], self.scope)
            return shape[axis - 1] if axis is not None and 0 < axis <= len(shape) else None
        total = shape[0]
        for item in shape[1:]:
            total = Binary("*", total, item)
        return total

    def _length(self, text: tree.Expression) -> Node | None:
        if not isinstance(text, tree.Name):
            return None
        if self.values is not None:
            return self.values.get(extent_name(text.name, 0))
        symbol = self.scope.find(text.name)
        plain = symbol is not None and symbol.dummy and symbol.type.base == "character"
        if symbol is None or not plain or symbol.rank or "optional" in symbol.attributes:
            return None
        return Name(extent_name(text.name, 0)) if isinstance(symbol.type.length, tree.Star) else None

    def shape(self, expression: tree.Expression) -> Shape | None:
        """Return the extents of an expression, none of a scalar; None where they cannot be read."""
        try:
            if not typed(expression, self.scope).rank:
                return ()
            return self._shape(expression)
        except Refused:
            return None

    def _shape(self, expression: tree.Expression) -> Shape | None:
        match expression:
            case tree.Parenthesized(inner=inner) | tree.Unary(operand=inner):
                return self.shape(inner)
            case tree.Binary(left=left, right=right):
                return self._elementwise([left, right])
            case tree.Name(name=name):
                return self._array(name)
            case tree.Apply(base=base, arguments=arguments):
                what = meaning(expression, self.scope)
                if what == "section" and isinstance(base, tree.Name):
                    return self._section(base, arguments)
                if what == "intrinsic" and isinstance(base, tree.Name):
                    return self._intrinsic(base.name, arguments)
                return self._called(expression) if what == "call" else None
            case tree.ArrayConstructor(items=items):
                scalars = all(not isinstance(item, tree.ImpliedDo) for item in items)
                plain = scalars and all(not typed(item, self.scope).rank for item in items)
                return (Number(len(items)),) if plain else None
            case _:
                return None

    def _elementwise(self, operands: list[tree.Expression]) -> Shape | None:
        """Return the extents of what is done element by element: those of any array in it."""
        shapes = [self.shape(item) for item in operands]
        return next((item for item in shapes if item), None)

    def _array(self, name: str) -> Shape | None:
        if name in self.shapes:
            return self.shapes[name]
        symbol = self.scope.find(name)
        if symbol is None or symbol.dimensions is None or symbol.allocatable or symbol.pointer:
            return None
        if symbol.shape == "assumed":
            if self.values is not None or "optional" in symbol.attributes:
                return None
            return tuple(Name(extent_name(name, axis + 1)) for axis in range(symbol.rank))
        return self.declared(symbol)

    def declared(self, symbol: Symbol) -> Shape | None:
        """Return the extents of an array with bounds."""
        rows = [self._extent(item) for item in symbol.dimensions or ()]
        known = tuple(item for item in rows if item is not None)
        return known if len(known) == len(rows) else None

    def _extent(self, bounds: tree.Expression) -> Node | None:
        if isinstance(bounds, tree.Range):
            first = Number(1) if bounds.first is None else self.number(bounds.first)
            last = self.number(bounds.last)
            return None if first is None or last is None else _count(first, last)
        last = self.number(bounds)
        return None if last is None else _count(Number(1), last)

    def _section(self, base: tree.Name, arguments: tuple[tree.Argument, ...]) -> Shape | None:
        """Return the extents of a section with steps of one, of an array whose indices begin at one."""
        symbol, whole = self.scope.find(base.name), self._array(base.name)
        if symbol is None or whole is None or len(whole) != len(arguments):
            return None
        result: list[Node] = []
        for item, extent, bounds in zip(arguments, whole, symbol.dimensions or (), strict=True):
            if not isinstance(item.value, tree.Range):
                if typed(item.value, self.scope).rank:
                    return None
                continue
            part = item.value
            begins_at_one = not isinstance(bounds, tree.Range) or bounds.first is None
            if part.step is not None or not (begins_at_one or part.first is part.last is None):
                return None
            first = Number(1) if part.first is None else self.number(part.first)
            last = extent if part.last is None else self.number(part.last)
            if first is None or last is None:
                return None
            result.append(extent if part.first is part.last is None else _count(first, last))
        return tuple(result)

    def _intrinsic(self, name: str, arguments: tuple[tree.Argument, ...]) -> Shape | None:
        if name in ELEMENTAL:
            return self._elementwise([item.value for item in arguments])
        given = keyed(name, arguments, DUMMIES.get(name, ()))
        match name:
            case "transpose":
                shape = self.shape(arguments[0].value)
                return None if shape is None else shape[::-1]
            case "matmul" if len(arguments) == 2:
                return self._product(arguments[0].value, arguments[1].value)
            case "spread":
                axis, copies = fold(given["dim"], self.scope), self.number(given["ncopies"])
                shape = self.shape(given["source"])
                if axis is None or copies is None or shape is None:
                    return None
                return (*shape[: axis - 1], _count(Number(1), copies), *shape[axis - 1 :])
            case "reshape" if isinstance(given["shape"], tree.ArrayConstructor):
                rows = [self.number(item) for item in given["shape"].items]
                known = tuple(item for item in rows if item is not None)
                return known if len(known) == len(rows) else None
            case "cshift" | "eoshift":
                return self.shape(arguments[0].value)
            case _:
                return None

    def _product(self, left: tree.Expression, right: tree.Expression) -> Shape | None:
        one, other = self.shape(left), self.shape(right)
        return None if not one or not other else (*one[:-1], *other[1:])

    def _called(self, expression: tree.Apply) -> Shape | None:
        """Return the extents of a function's result, as its declaration says them of its arguments."""
        found = called(expression, self.scope)
        if not isinstance(found, Procedure) or found.result is None or self.depth >= _DEEPEST:
            return None
        if found.elemental:
            return self._elementwise([item.value for item in expression.arguments])
        result = found.result
        if result.allocatable or result.pointer:
            return None
        return self._passed(found, expression.arguments).declared(result)

    def _passed(self, procedure: Procedure, arguments: tuple[tree.Argument, ...]) -> Given:
        """Return what the names of a procedure are where it is called with these arguments."""
        names = tuple(item.name for item in procedure.dummies)
        values: dict[str, Node] = {}
        shapes: dict[str, Shape] = {}
        for name, expression in keyed("", arguments, names).items():
            symbol = procedure.scope.symbols.get(name)
            shape = self.shape(expression)
            if symbol is None or shape is None:
                continue
            number = None if shape else self.number(expression)
            if number is not None:
                values[name] = number
            if shape and symbol.shape == "assumed":
                shapes[name] = shape
            length = self._length(expression)
            if length is not None:
                values[extent_name(name, 0)] = length
        return Given(procedure.scope, frozenset(), values, shapes, self.depth + 1)


def _count(first: Node, last: Node) -> Node:
    """Return how many places there are from one bound to another."""
    if isinstance(first, Number) and isinstance(last, Number):
        return Number(max(last.value - first.value + 1, 0))
    if first == Number(1):
        # What is an extent already is never negative.
        return last if isinstance(last, Name) and "[" in last.text else Apply("max", (last, Number(0)))
    return Apply("max", (Binary("+", Binary("-", last, first), Number(1)), Number(0)))
