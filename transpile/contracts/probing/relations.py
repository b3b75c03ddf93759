"""Preconditions between scalars: what separates arguments under which a source behaves from others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, combinations_with_replacement, permutations

from transpile.contracts.probing.subject import Subject
from transpile.expressions import Binary, ExpressionError, Name, Node, evaluate, parse, value_of
from transpile.expressions import names as names_of

Scalars = Mapping[str, int | float]

_MOST = 6
_CHAINED = 3
_PAIRED = 8
"""Numbers of which comparisons are looked at two at a time."""
_GREATEST = 9
"""Of the constants that numbers are asked not to be below: rows have numbers of this size."""
_FEWEST = 4
"""Rows on the good side without which nothing is concluded."""


def separating(subject: Subject, rows: Sequence[Scalars], good: Sequence[bool]) -> list[str]:
    """Return relations that no bad row satisfies, those first that the most good rows do."""
    return [text for _, [text] in _single(subject, rows, good)]


def separating_sets(subject: Subject, rows: Sequence[Scalars], good: Sequence[bool]) -> list[tuple[str, ...]]:
    """Return one or two relations each that no bad row satisfies, those first that the most good rows do.

    Two matrices whose rows may overlap, say, ask for two.
    """
    found = [*_single(subject, rows, good), *_pairs(subject, rows, good)]
    return [relations for _, relations in sorted(found, key=lambda item: (-item[0], len(item[1])))]


def _single(
    subject: Subject, rows: Sequence[Scalars], good: Sequence[bool]
) -> list[tuple[int, tuple[str, ...]]]:
    """Return relations that separate rows, and how many good rows satisfy them."""
    known = [{name: int(row[name]) for name in subject.integers} for row in rows]
    floors = (text for text in subject.floors if names_of(text) <= {*subject.used})
    bad = [row for row, fine in zip(known, good, strict=True) if not fine]
    texts = (*_candidates(subject.used), *floors, *_least(subject, bad))
    return _most({(text,): tuple(holds(text, row) for row in known) for text in texts}, good)


def _pairs(
    subject: Subject, rows: Sequence[Scalars], good: Sequence[bool]
) -> list[tuple[int, tuple[str, ...]]]:
    """Return pairs of comparisons that separate rows, and how many good rows satisfy both."""
    known = [{name: int(row[name]) for name in subject.integers} for row in rows]
    named = permutations(subject.used[:_PAIRED], 2)
    texts = [f"{first} {sign} {second}" for first, second in named for sign in (">=", ">")]
    held = {text: tuple(holds(text, row) for row in known) for text in texts}
    both: dict[tuple[str, ...], tuple[bool, ...]] = {
        (one, other): tuple(map(bool.__and__, held[one], held[other]))
        for one, other in combinations(texts, 2)
    }
    return _most(both, good)


def _most(
    held: Mapping[tuple[str, ...], Sequence[bool]], good: Sequence[bool]
) -> list[tuple[int, tuple[str, ...]]]:
    """Return what holds for no bad row, with the number of good rows that it holds for, the most first."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for relations, kept in held.items():
        if any(holding and not fine for holding, fine in zip(kept, good, strict=True)):
            continue
        count = sum(holding and fine for holding, fine in zip(kept, good, strict=True))
        if count >= _FEWEST:
            found.append((count, relations))
    return sorted(found, key=lambda item: -item[0])[:_MOST]


def _least(subject: Subject, bad: Sequence[Mapping[str, int]]) -> Iterator[str]:
    """Yield that a number is no less than one of the text, or one more, the least that excludes bad rows.

    Elements of a row that the text spells, ``y[i * width + 2]``, have to be in it.
    """
    numbers = sorted({number + past for number in subject.constants for past in (0, 1)})
    for name in subject.used:
        most = max((row[name] for row in bad), default=0)
        yield from [f"{name} >= {number}" for number in numbers if max(most, 1) < number <= _GREATEST][:1]


def holds(text: str, row: Scalars) -> bool:
    """Tell whether a relation holds; one that has no value does not."""
    try:
        return bool(evaluate(text, {name: int(row[name]) for name in names_of(text) if name in row}))
    except ExpressionError:
        return False


def _candidates(names: Sequence[str]) -> Iterator[str]:
    for first, second in permutations(names, 2):
        yield f"{first} >= {second}"
        yield f"{first} > {second}"
        yield f"{first} % {second} == 0"
    for first, second in permutations(names, 2):
        for factor in (2, 4, 8):
            yield f"{first} >= {factor} * {second}"
    for first, second, third in permutations(names, 3):
        if second < third:
            yield f"{first} >= {second} * {third}"
            yield f"{first} >= {second} + {third}"
    for name in names:
        for factor in (2, 4, 8, 16, 32):
            yield f"{name} % {factor} == 0"


def tied(subject: Subject) -> Iterator[str]:
    """Yield that a container is as long as another one, or as one or two of the sizes say.

    A source that makes it so, or throws where it is not, has no other calls that could be compared.
    """
    assembly = subject.signature.assembly
    lengths = [length for length, _ in assembly.sizes] if assembly is not None else []
    sizes = [name for name in subject.integers if name not in lengths]
    for length in lengths:
        yield from (f"{length} == {other}" for other in subject.integers if other != length)
        yield from (f"{length} == {one} * {other}" for one, other in combinations_with_replacement(sizes, 2))


def repaired(row: dict[str, int | float], relations: Sequence[str], spare: int) -> dict[str, int | float]:
    """Return the row with left sides raised, by the spare beyond what is needed, until the relations hold.

    Where one length follows from another that follows from a third, they are gone through again.
    """
    known = {name: int(value) for name, value in row.items() if float(value).is_integer()}
    changed = dict(row)
    for text in [*relations] * min(len(relations), _CHAINED):
        if holds(text, known) or not names_of(text) <= set(known):
            continue
        with suppress(ExpressionError):  # Nothing makes a relation hold that has no value.
            name, value = _mended(parse(text), known, spare)
            changed[name] = known[name] = value
    return changed


def _mended(relation: Node, known: Mapping[str, int], spare: int) -> tuple[str, int]:
    """Return the name on the left of a relation, and a value with which it holds."""
    match relation:
        case Binary(">=" | ">" as operator, Name(name), right):
            return name, value_of(right, known) + spare + (operator == ">")
        case Binary("==", Name(name), right):
            return name, value_of(right, known)
        case Binary("==", Binary("%", Name(name), right), _):
            return name, max(value_of(right, known), 1) * (1 + spare % 3)
        case _:
            raise ExpressionError("no number alone stands on its left")


def stretched(subject: Subject, bases: Sequence[Scalars]) -> list[dict[str, int | float]]:
    """Return the bases with one integer at a time far above the others."""
    return [
        {**base, name: factor * int(base[name])}
        for name in subject.used[:8]
        for base in bases
        for factor in (6, 20)
    ]
