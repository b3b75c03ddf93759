"""DATA statements: which element has which value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import constant_bounds, fold
from transpile.parsers.fortran.symbols import Scope, Symbol

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_Place = tuple[Symbol, int | None]
_MOST = 100_000


def initial_values(symbol: Symbol, emitter: Emitter) -> str | None:
    """Return the initial value that DATA statements give a variable, as C++; None where they give none.

    Raises:
        Refused: Where targets or values are not of a sort that we know.
    """
    found: dict[int | None, tree.Expression] = {}
    for item in symbol.scope.data:
        if _mentions(item, symbol.name):
            for (target, at), value in _pairs(item, symbol.scope):
                if target is symbol:
                    found[at] = value
    if not found:
        return None
    if not symbol.rank:
        return _value(found[None], symbol, emitter)
    size = _size(symbol)
    if symbol.type.base == "derived":
        raise symbol.scope.refused(f"`data` for `{symbol.name}` of a derived type", symbol.line)
    blank = {"logical": "false", "character": '""'}.get(symbol.type.base, "0")
    if len(found) > size:
        raise symbol.scope.refused(f"too many values for `{symbol.name}`", symbol.line)
    values = [_value(found[at], symbol, emitter) if at in found else blank for at in range(size)]
    if size > 1 and len(set(values)) == 1:
        return f"fortran::filled<{emitter.variables.array_type(symbol)}>({values[0]})"
    return f"{{{', '.join(values)}}}"


def _value(value: tree.Expression, symbol: Symbol, emitter: Emitter) -> str:
    if isinstance(value, tree.Bits):
        raise symbol.scope.refused("`data` with a bit pattern", symbol.line)
    return emitter.expressions.converted(value, symbol.type).text


def _mentions(item: tree.Data, name: str) -> bool:
    from transpile.parsers.fortran.walking import names

    return any(part.name == name for target in item.targets for part in names(target))


def _pairs(item: tree.Data, scope: Scope) -> Iterator[tuple[_Place, tree.Expression]]:
    """Yield the places of a statement with their values."""
    places = [place for target in item.targets for place in _places(target, scope, {})]
    values: list[tree.Expression] = []
    for value, count in item.values:
        times = 1 if count is None else fold(count, scope)
        if times is None or times > _MOST:
            raise scope.refused("`data` with a repetition that is no constant", item.line)
        values.extend([value] * times)
    if len(places) != len(values):
        raise scope.refused("`data` with another number of values than places", item.line)
    yield from zip(places, values, strict=True)


def _places(target: tree.Expression, scope: Scope, known: dict[str, int]) -> Iterator[_Place]:
    """Yield the variables and elements of a target in order."""
    match target:
        case tree.Name(name=name, line=line):
            symbol = scope.variable(name, line)
            if symbol.rank:
                yield from ((symbol, at) for at in range(_size(symbol)))
            else:
                yield symbol, None
        case tree.Apply(base=tree.Name(name=name), arguments=arguments, line=line):
            symbol = scope.variable(name, line)
            indices = [_fold(item.value, scope, known) for item in arguments]
            if None in indices or not symbol.rank:
                raise scope.refused("`data` for a part that is not known", line)
            yield symbol, _offset(symbol, [item for item in indices if item is not None])
        case tree.ImpliedDo(items=items, loop=loop, line=line):
            bounds = [
                _fold(item, scope, known) for item in (loop.first, loop.last, loop.step) if item is not None
            ]
            if None in bounds:
                raise scope.refused("`data` over a range that is not known", line)
            first, last, *step = (item for item in bounds if item is not None)
            by = step[0] if step else 1
            for value in range(first, last + (1 if by > 0 else -1), by):
                for item in items:
                    yield from _places(item, scope, {**known, loop.variable: value})
        case _:
            raise scope.refused("`data` for a part of a variable", target.line)


def _fold(expression: tree.Expression, scope: Scope, known: dict[str, int]) -> int | None:
    """Return the value of an expression in which loop variables are known."""
    match expression:
        case tree.Name(name=name) if name in known:
            return known[name]
        case tree.Binary(operator=operator, left=left, right=right, line=line) if known:
            first, second = _fold(left, scope, known), _fold(right, scope, known)
            if first is None or second is None:
                return None
            return fold(
                tree.Binary(line, operator, tree.Integer(line, first), tree.Integer(line, second)), scope
            )
        case tree.Parenthesized(inner=inner):
            return _fold(inner, scope, known)
        case _:
            pass
    return fold(expression, scope)


def _size(symbol: Symbol) -> int:
    total = 1
    for item in symbol.dimensions or ():
        low, high = constant_bounds(item, symbol.scope)
        if low is None or high is None:
            raise symbol.scope.refused(f"`data` for `{symbol.name}` of unknown bounds", symbol.line)
        total *= max(high - low + 1, 0)
    return total


def _offset(symbol: Symbol, indices: list[int]) -> int:
    offset, stride = 0, 1
    for item, index in zip(symbol.dimensions or (), indices, strict=True):
        low, high = constant_bounds(item, symbol.scope)
        assert low is not None and high is not None
        offset += (index - low) * stride
        stride *= high - low + 1
    return offset
