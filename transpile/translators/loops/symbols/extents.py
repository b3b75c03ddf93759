"""Lengths of arrays, as a contract says them, as C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from transpile.code.polynomial import Monomial, Polynomial, add, combined, constant, multiply, name
from transpile.code.polynomial import spelled as written
from transpile.expressions import Apply, Binary, Name, Node, Number, Unary, parse

WIDE = "(long long)"
"""Makes an operand one of 64 bits."""
_CLEAR = 4
"""Steps along a row that are no longer than such a part of it are told from rows."""


def spelled(text: str) -> str:
    """Return a length as an expression of C of 64 bits."""
    return _spelled(parse(text), wide=True)


def grouped(text: str) -> str:
    """Return a length as an expression of C of 64 bits that may stand beside any operator."""
    tree = parse(text)
    return _spelled(tree, wide=True) if isinstance(tree, Name | Number) else f"({_spelled(tree, wide=True)})"


def factor(text: str) -> str:
    """Return a length as an expression of C that may stand behind a ``*`` of 64 bits."""
    tree = parse(text)
    product = isinstance(tree, Binary) and tree.operator == "*"
    return _spelled(tree, wide=False) if product else grouped(text)


def compares(text: str) -> bool:
    """Tell whether a length is the smallest or the greatest of several, or made of such."""
    return _compares(parse(text))


def _compares(node: Node) -> bool:
    match node:
        case Apply():
            return True
        case Unary(_, operand):
            return _compares(operand)
        case Binary(_, left, right):
            return _compares(left) or _compares(right)
        case Number() | Name():
            return False


def divisors(text: str) -> tuple[str, ...]:
    """Return what a length divides by, but for numbers, as C; what itself divides comes behind its own."""
    return tuple(dict.fromkeys(_divisors(parse(text))))


def _divisors(node: Node) -> Iterator[str]:
    match node:
        case Unary(_, operand):
            yield from _divisors(operand)
        case Binary(operator, left, right):
            yield from (*_divisors(left), *_divisors(right))
            if operator in ("/", "%") and not isinstance(right, Number):
                yield _inner(right, wide=True)
        case Apply(_, arguments):
            yield from (found for item in arguments for found in _divisors(item))
        case Number() | Name():
            pass


def whole_rows(rows: Sequence[int], text: str) -> str | None:
    """Return how many rows of those lengths an array of a length begins, as C that names no length of a row.

    The lengths are those of the build that was read, and another build may have others. What is left of a
    factor is a step along a row, forth (``a[i][j + i]``) or back (``a[i][n - i]``). None where that is not
    clear, or where the array's length is neither a polynomial nor the greatest of several.
    """
    count = _counted(rows, text)
    return None if count is None else _spelled(parse(count), wide="*" in count)


def begun(rows: Sequence[int], text: str) -> str:
    """Return what is above 0 where the last of these rows is begun, as C; empty where it always is."""
    count = _counted(rows, text)
    assert count is not None
    length, whole = polynomial(parse(text)), polynomial(parse(count))
    if length is None or whole is None:
        return spelled(f"{text} - {prod(rows)} * ({count} - 1)")
    left = add(length, multiply(constant(prod(rows)), add(whole, constant(1), -1)), -1)
    return "" if set(left) == {()} and left[()] > 0 else _sum(left)


def _counted(rows: Sequence[int], text: str) -> str | None:
    """Return how many rows an array begins, as an expression of a contract."""
    tree = parse(text)
    several = tree.arguments if isinstance(tree, Apply) and tree.function == "max" else (tree,)
    greatest: dict[frozenset[tuple[Monomial, int]], Polynomial] = {}
    for item in several:
        count = _count(rows, item)
        if count is None:
            return None
        # Of counts that differ by a number one is always the greater.
        scaled = frozenset(term for term in count.items() if term[0])
        greatest[scaled] = max(greatest.get(scaled, count), count, key=lambda known: known.get((), 0))
    texts = [written(count) for count in greatest.values()]
    return texts[0] if len(texts) == 1 else f"max({', '.join(texts)})"


def _count(rows: Sequence[int], tree: Node) -> Polynomial | None:
    """Return how many rows an array of one length begins."""
    length = polynomial(tree)
    if length is None:
        return None
    count: dict[Monomial, int] = {}
    row, begun = prod(rows), False
    partial = any(monomial and factor % row for monomial, factor in length.items())
    inner = {prod(rows[at:]) for at in range(1, len(rows) + 1)}
    for monomial, factor in length.items():
        whole, rest = divmod(abs(factor), row)
        if monomial and rest and rest not in inner:
            if _CLEAR * (row - rest) <= row:
                whole += 1
            elif _CLEAR * rest > row:
                return None
        if not monomial and rest and factor < 0 and not partial:
            whole += 1  # what is missing is missing of a row that is counted already
        count[monomial] = whole if factor > 0 else -whole
        begun = begun or rest != 0
    return add(constant(1 if begun else 0), count)


def in_rows(rows: Sequence[int], text: str) -> tuple[Polynomial, ...] | None:
    """Return how many rows an array of a length has, how many rows of these beside, ..., and elements.

    A factor that nearly is the length of a row counts rows that lack something. None where that is not clear,
    or where the array's length is no polynomial.
    """
    length = polynomial(parse(text))
    if length is None:
        return None
    sizes = [prod(rows[at:]) for at in range(len(rows) + 1)]
    counts: list[dict[Monomial, int]] = [{} for _ in sizes]
    for monomial, factor in length.items():
        parts = _shared_out(factor, sizes, lacking=bool(monomial))
        if parts is None:
            return None
        for count, part in zip(counts, parts, strict=True):
            count |= {monomial: part} if part else {}
    return tuple(counts)


def _shared_out(amount: int, sizes: Sequence[int], *, lacking: bool) -> list[int] | None:
    """Return how many of each size an amount is, largest first; what lacks little of one may count as it."""
    found = []
    for size in sizes:
        sign = 1 if amount > 0 else -1
        whole, rest = divmod(abs(amount), size)
        if lacking and rest not in (0, *sizes):
            if _CLEAR * (size - rest) <= size:
                whole += 1
            elif _CLEAR * rest > size:
                return None
        found.append(sign * whole)
        amount -= sign * whole * size
    return found


def _sum(terms: Polynomial) -> str:
    text = written(terms)
    return _spelled(parse(text), wide="*" in text)


def _spelled(node: Node, *, wide: bool) -> str:
    """Return an expression as C; of ``min`` and ``max`` as conditions.

    Of two operands the first that is no number is widened where it is to be, so that no product or sum is one
    of 32 bits.
    """
    match node:
        case Number(value):
            return str(value)
        case Name(text):
            return text
        case Unary(operator, operand):
            return f"{operator}{_inner(operand, wide=wide)}"
        case Binary(operator, left, right):
            product = operator in ("+", "-")
            first = _inner(left, wide=wide, product=product, before=product)
            if wide and isinstance(left, Name) and not (product and _is_product(right)):
                first = f"{WIDE}{first}"
            second = _inner(right, wide=wide, product=product)
            if wide and isinstance(left, Number) and isinstance(right, Name):
                second = f"{WIDE}{second}"
            return f"{first} {operator} {second}"
        case Apply(function, arguments):
            chosen, *others = [_inner(item, wide=True) for item in arguments]
            if isinstance(arguments[0], Name) and not any(WIDE in other for other in others):
                # Beside one without a sign, 32 bits take a size below zero for a huge one.
                chosen = f"{WIDE}{chosen}"
            for other in others:
                sign = "<" if function == "min" else ">"
                chosen = f"({chosen} {sign} {other} ? {chosen} : {other})"
            return chosen


def _inner(node: Node, *, wide: bool, product: bool = False, before: bool = False) -> str:
    """Return an operand; beside a plus or a minus a product needs no parentheses, nor a sum before it."""
    found = _spelled(node, wide=wide)
    sums = isinstance(node, Binary) and node.operator in ("+", "-")
    bare = not isinstance(node, Binary) or (product and _is_product(node)) or (before and sums)
    return found if bare else f"({found})"


def _is_product(node: Node) -> bool:
    return isinstance(node, Binary) and node.operator == "*"


def polynomial(node: Node) -> Polynomial | None:
    """Return an expression of a contract as a polynomial; None where it is none."""
    match node:
        case Number(value):
            return constant(value)
        case Name(text):
            return name(text)
        case Unary("-", operand):
            inner = polynomial(operand)
            return None if inner is None else multiply(constant(-1), inner)
        case Binary(operator, left, right):
            first, second = polynomial(left), polynomial(right)
            return None if first is None or second is None else combined(operator, first, second)
        case _:
            return None
