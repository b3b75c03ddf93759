"""Numbers that go into arrays: exact small integers, reals of mixed magnitude, the edges of both.

Sums that cancel: large numbers of both signs among small ones, which a narrow accumulator loses. And a few
numbers alone, as in masks and states of cells: what asks how many there are of one is rarely met else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from transpile.core import Fill, Scalar
from transpile.testers.trials.layout import EPSILON, Numbers, encode, stored
from transpile.testers.trials.offsets import offsets
from transpile.testers.trials.recipe import Recipe, interval
from transpile.testers.trials.turning import grid, linear

_LITERAL = re.compile(
    rb"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\.?\d+(?:[eE][-+]?\d+)?)[uUlLfF]*(?![\w.])"
)
_CHARACTER = re.compile(rb"'([^'\\\n]|\\[tnr0\\'\"])'")
_LARGE = 2.0**20
_EXACT = 2.0**53
_NEAR = 64.0
"""Magnitude of thresholds that elements are put beside: larger ones would drown the others."""
_FREE = 10**6
"""Magnitude of integers that have to differ and are bound by nothing else."""
_EXPONENTS = {Scalar.FLOAT16: (-24, 15), Scalar.BFLOAT16: (-133, 127), Scalar.FLOAT32: (-149, 127)}
"""Of two, where powers begin and end: the least are denormal; others have those of a double."""
_DOUBLE = (-1074, 1023)
_MODERATE = 40
"""Exponent up to which products and squares of numbers stay finite in most types."""
_CURVED = 10
"""Exponent within which exponentials and logarithms are neither 0 nor infinite."""
_MARKED = 0.25
"""Share of elements that are beside a mark."""
_HALF = 0.5
_SOME = 0.1
"""Share of zeros among tiny numbers."""
_EVERY = 3
"""Of so many turns of marked data one holds nothing but two marks."""
_SPECIALS = ((np.nan,), (np.inf, -np.inf), (np.nan, np.inf, -np.inf), (np.nan,))
_MANY, _FIRST_OF_ALL = 2, 3
"""The turns in which a quarter is special, and in which the first element is."""
_PAYLOAD, _EXPONENT = 32, 0x7FF << 52
"""Bits of a double below those that other types have as well, and the ones which all NaN share."""
_VERY_NEGATIVE = -800.0
"""Exponentials of it are zero in any type."""
_SMALL = 32
"""Elements of one number whose sum may be rounded."""
_PERIOD, _PLACES, _FRONT = 8, 2, 16
"""Most numbers that data of two arrays repeat, places at which they differ, and where half of these are."""
_SIDES = 2
"""Below and above: turns of data in a part, first with the part in front, then with it at the end."""
_CANCELLING = {Scalar.FLOAT16: (12, 14), Scalar.BFLOAT16: (12, 14)}
"""Exponents of numbers that swallow small ones in a sum of the type itself; others for the larger types."""


def literals_of(text: bytes) -> tuple[float, ...]:
    """Return the numbers and characters that a text mentions, without repetition, smallest first."""
    found = {_character(match.group(1)) for match in _CHARACTER.finditer(text)}
    for match in _LITERAL.finditer(text):
        word = match.group(1)
        found.add(float(int(word, 16)) if word[:2] in (b"0x", b"0X") else float(word))
    return tuple(sorted(value for value in found if abs(value) < 2.0**53))[:64]


def _character(literal: bytes) -> float:
    escaped = {b"t": 9, b"n": 10, b"r": 13, b"0": 0}
    return float(escaped.get(literal[1:], literal[-1]) if len(literal) > 1 else literal[0])


def values(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return that many numbers, in the type that stores the scalar's bits."""
    if recipe.fill in ("first", "last"):
        drawn = values(rng, replace(recipe, fill="exact"), count)
        plain = recipe.ascending or recipe.scalar is Scalar.BOOL
        return drawn if plain or not count else _sole(rng, recipe, drawn)
    arranged = _ARRANGED.get(recipe.fill)
    if arranged is not None and not recipe.distinct and not recipe.ascending:
        return arranged(rng, recipe, count)
    if recipe.scalar is Scalar.BOOL:
        return _booleans(rng, recipe, count)
    if recipe.fill == "marked":
        drawn = values(rng, replace(recipe, fill="exact"), count)
        if not recipe.marks or recipe.ascending or recipe.distinct:
            return drawn
        pair = _close_marks(recipe)
        return encode(rng.choice(pair, count), recipe.scalar) if pair else _marked(rng, recipe, drawn)
    if recipe.fill == "few" and not recipe.distinct and not recipe.ascending:
        return _few(rng, recipe, count)
    if recipe.low is not None and recipe.high is not None:
        return encode(_ranged(rng, recipe, recipe.low, recipe.high, count), recipe.scalar)
    if recipe.scalar.floating:
        drawn = _floats(rng, recipe, count)
        if recipe.ascending:  # NaN has no place in an order.
            drawn = np.sort(np.where(np.isnan(drawn), 0.0, drawn))
        return encode(drawn, recipe.scalar)
    if recipe.distinct:
        limits = np.iinfo(stored(recipe.scalar))
        low, high = max(int(limits.min), -_FREE), min(int(limits.max), _FREE)
        return encode(_permutation(rng, low, high, count), recipe.scalar)
    found = _integers(rng, recipe, count)
    return np.sort(found) if recipe.ascending else found


def _sole(rng: np.random.Generator, recipe: Recipe, drawn: Numbers) -> Numbers:
    """Return the numbers with one at an end that no other element has.

    What happens to one element only is easily lost where that is the first or the last one.
    """
    low, high = interval(recipe, 2**31 - 1)
    marks = [mark for mark in recipe.marks or recipe.literals if low <= mark <= high]
    if not recipe.scalar.floating:
        marks = [mark for mark in marks if mark.is_integer()]
    mark = marks[int(rng.integers(len(marks)))] if marks else float(min(high, 11))
    hot = encode(np.asarray([mark]), recipe.scalar)[0]
    end = 0 if recipe.fill == "first" else len(drawn) - 1
    if recipe.distinct:
        found = drawn.copy()
        found[drawn == hot] = drawn[end]
        found[end] = hot
        return found
    others = drawn[drawn != hot]
    if not len(others):
        beside = mark - 1 if mark - 1 >= low else min(mark + 1, high)
        others = encode(np.asarray([beside]), recipe.scalar)
    rest = others[rng.integers(0, len(others), len(drawn))]
    found = np.where(drawn == hot, rest, drawn).astype(drawn.dtype)
    found[end] = hot
    return found


def _in_part(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return numbers of the text and beside in one end of the array, and others in all the rest.

    Those lie below or above all that a comparison names, one in that end on the opposite side: the iterations
    of whole threads go the same way, and what only other iterations set is handed on or lost.
    """
    trailing, above = divmod(recipe.turn % (2 * _SIDES), _SIDES)
    low, high = interval(recipe, _FREE)
    named = [value for value in (0.0, *recipe.literals, *recipe.marks) if low <= value <= high] or [low]
    sides = np.floor(min(named)) - 1, np.ceil(max(named)) + 1
    length = int(rng.integers(1, count // 2, endpoint=True)) if count > 1 else count
    near = _near(rng, named, length, halves=recipe.scalar.floating)
    part = np.where(rng.random(length) < 0.5, near, rng.integers(-9, 9, length, endpoint=True))
    part[rng.integers(length, size=min(length, 1))] = sides[1 - above]
    # Sums of equal terms err all alike, and unlike the other data.
    rest = sides[above] + (2 * above - 1) * rng.integers(0, 9, count - length)
    found = np.concatenate([rest, part] if trailing else [part, rest])
    return encode(np.clip(found, low, high), recipe.scalar)


def _akin(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return numbers that other arrays of the trial hold as well, but for a few: long stretches are the same.

    Words, rows and keys of two arrays differ far behind their beginning then, or in one bit. In turn arrays
    repeat a short stretch, and hold few numbers or any.
    """
    shared = np.random.default_rng(recipe.common)
    any_bits = recipe.turn % (2 * _SIDES) >= _SIDES
    usual: Fill = "exact" if recipe.scalar.floating else "special" if any_bits else "few"
    period = int(shared.integers(1, _PERIOD)) if recipe.turn % _SIDES == 0 else count
    stretch = values(shared, replace(recipe, fill=usual, marks=(), turn=0), max(period, 1))
    drawn = np.resize(stretch, count)
    if not count or recipe.scalar is Scalar.BOOL:
        return drawn
    # The shorter array may end early: behind its end nothing is compared.
    reach = count if rng.random() < _HALF else min(count, _FRONT)
    places = rng.integers(0, reach, int(rng.integers(0, _PLACES, endpoint=True)))
    one_bit = recipe.turn // (2 * _SIDES) % _SIDES > 0
    if recipe.scalar.floating or not one_bit:
        drawn[places] = drawn[rng.integers(0, count, len(places))]
        return drawn
    top = 8 * drawn.itemsize - 1
    bits = np.where(rng.random(len(places)) < _HALF, top, rng.integers(0, top, len(places)))
    drawn[places] ^= np.ones_like(drawn[places]) << bits.astype(drawn.dtype)
    low, high = interval(recipe, np.inf)
    limits = np.iinfo(drawn.dtype)
    clipped: Numbers = np.clip(drawn, int(max(low, limits.min)), int(min(high, limits.max)))
    return clipped


_LEVELS = 8
"""Ways of numbers that are all equal; of those which a call names, its own come first."""
_LONE_NAN = 6
"""The turn of those with NaN: in the next round the zeros of this way stand beside another one."""


def _level(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return one number throughout: zero, one that the call or the text names, or an extreme of the type.

    Strict comparisons and others differ where all is equal. What a maximum begins at shows where nothing is
    greater. NaN alone, or once among zeros, shows where other elements would hide what becomes of it.
    """
    low, high = interval(recipe, np.inf)
    if recipe.turn == _LONE_NAN and recipe.scalar.floating and recipe.low is None and count:
        drawn = np.full(count, (0.0, np.nan)[int(rng.integers(2))])
        drawn[int(rng.integers(count))] = np.nan
        return encode(drawn, recipe.scalar)
    first = recipe.turn < _LEVELS and len(recipe.marks) > 0
    named = recipe.marks if first else (1.0, *recipe.marks, *recipe.literals)
    most = _most(recipe.scalar, count)
    levels = (0.0, named[int(rng.integers(len(named)))], np.inf, -np.inf, most, -most, 0.0, _VERY_NEGATIVE)
    number = min(max(levels[recipe.turn % _LEVELS], low), high)
    if not recipe.scalar.floating:
        return np.full(count, int(number), dtype=stored(recipe.scalar))
    summed = count > _SMALL and np.isfinite(number)
    return encode(np.full(count, _short(number, recipe.scalar) if summed else number), recipe.scalar)


def _most(scalar: Scalar, count: int) -> float:
    """Return a power of two whose sum over so many, and one more, stays within the range of the type.

    One element alone is the greatest number of all: what a search begins at may be next to it.
    """
    if count == 1 and scalar in (Scalar.FLOAT32, Scalar.FLOAT64):
        return float(np.finfo(stored(scalar)).max)
    return float(np.exp2(_EXPONENTS.get(scalar, _DOUBLE)[1] - (count + 1).bit_length()))


def _ramp(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return what has to be followed from one end to the other, for which a few steps are not enough.

    Each number is the place of the one before or behind it, as in chains and long monotonous runs. Or all of
    their bits are set, and one is 1 among zeros: what is carried goes through all of them.
    """
    low, high = interval(recipe, np.inf)
    places = np.arange(count, dtype=object)
    set_bits = high if low == 0 and not recipe.scalar.floating else -1
    ramps = (places - 1, places + 1, np.full(count, set_bits, dtype=object), (places == 0).astype(np.int64))
    drawn = np.clip(ramps[recipe.turn % len(ramps)], low, high)
    if recipe.scalar.floating:
        return encode(drawn.astype(np.float64), recipe.scalar)
    whole: Numbers = drawn.astype(stored(recipe.scalar))
    return whole


_ARRANGED: Mapping[Fill, Callable[[np.random.Generator, Recipe, int], Numbers]] = {
    "part": _in_part,
    "level": _level,
    "grid": grid,
    "ramp": _ramp,
    "linear": linear,
    "akin": _akin,
}


def _marked(rng: np.random.Generator, recipe: Recipe, drawn: Numbers) -> Numbers:
    """Return the numbers with some of them equal to marks of either sign, and some beside these."""
    low, high = interval(recipe, np.inf)
    sizes = rng.choice(np.asarray(recipe.marks), len(drawn)) * _signs(rng, len(drawn))
    beside = rng.integers(-1, 2, len(drawn)).astype(np.float64)
    if recipe.scalar.floating:  # Small thresholds have their neighbours much nearer.
        beside *= np.minimum(1.0, np.abs(sizes) / 2)
    placed = np.where(rng.random(len(drawn)) < 0.5, sizes, sizes + beside)
    # No float is the greatest number of 64 bits: the next one does not fit.
    below = placed < high if high > _EXACT else placed <= high
    chosen = (rng.random(len(drawn)) < _MARKED) & (low <= placed) & below
    found = drawn.copy()
    found[chosen] = encode(placed[chosen], recipe.scalar)
    return found


def _close_marks(recipe: Recipe) -> tuple[float, ...]:
    """Return two marks that lie close together, closest ones in the first turns; in most turns nothing.

    Where there is nothing else, a text that takes one for the other is seen to do so.
    """
    low, high = interval(recipe, np.inf)
    marks = sorted({mark for mark in recipe.marks if low <= mark <= high})
    pairs = sorted(pairwise(marks), key=lambda pair: (pair[1] - pair[0]) / max(map(abs, pair)))
    if recipe.turn % _EVERY or not pairs:
        return ()
    return pairs[recipe.turn // _EVERY % len(pairs)]


def _booleans(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    if recipe.fill == "edge":
        return np.full(count, rng.integers(0, 2), dtype=np.uint8)
    return rng.integers(0, 2, count).astype(np.uint8)


def _ranged(rng: np.random.Generator, recipe: Recipe, low: int, high: int, count: int) -> Numbers:
    """Return integers in the interval: random, ascending, a permutation or all equal."""
    high = max(low, high)
    if recipe.ascending:
        return offsets(rng, low, high, count)
    if recipe.distinct or (rng.random() < 0.25 and count <= high - low + 1):
        return _permutation(rng, low, high, count)
    drawn = rng.integers(low, high, count, endpoint=True)
    style = rng.random()
    if style < 0.3:
        return offsets(rng, low, high, count)
    if recipe.fill != "edge" or style < 0.5:
        return drawn
    fixed = [low, high, *(int(value) for value in recipe.literals if low <= value <= high)]
    if style < 0.75:
        return np.full(count, fixed[int(rng.integers(len(fixed)))], dtype=np.int64)
    return np.asarray(fixed, dtype=np.int64)[rng.integers(0, len(fixed), count)]


def _few(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    """Return two to four different numbers in any order.

    They are 0 and 1, or those of the source text and beside, or such that a call passes by value as well.
    """
    low, high = interval(recipe, _FREE)
    named, passed = (
        [int(value) for value in numbers if abs(value) <= _FREE]
        for numbers in (recipe.literals, recipe.marks)
    )
    beside = [value + step for value in named for step in (-1, 0, 1)]
    choices = ([0, 1], [0, 1, *beside], *([[*named, *passed]] if passed else []))
    known = {min(max(value, low), high) for value in choices[int(rng.integers(len(choices)))]}
    admitted = np.asarray(sorted(known), dtype=np.float64)
    chosen = rng.choice(admitted, min(len(admitted), int(rng.integers(2, 5))), replace=False)
    return encode(rng.choice(chosen, count), recipe.scalar)


def _permutation(rng: np.random.Generator, low: int, high: int, count: int) -> Numbers:
    """Return integers of the interval that repeat only where it is too small for that many."""
    room = high - low + 1
    if room > 4 * count + 16:
        drawn = np.unique(rng.integers(low, high, 2 * count + 8, endpoint=True))
        if len(drawn) >= count:
            return rng.permutation(drawn)[:count]
    order = rng.permutation(np.arange(low, low + min(room, max(4 * count + 16, 1)), dtype=np.int64))
    return np.resize(order, count) if len(order) < count else order[:count]


def _floats(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    if recipe.fill == "exact":
        return _signs(rng, count) * rng.integers(1, 9, count)
    if recipe.fill == "real":
        return _beside(rng, recipe.marks, _reals(rng, count))
    if recipe.fill == "cancel":
        return _cancelling(rng, count, *_CANCELLING.get(recipe.scalar, (28, 30)))
    if recipe.fill == "special":
        return _special(rng, count, recipe.turn)
    if recipe.fill == "wide":
        return _wide(rng, recipe.scalar, count, recipe.turn)
    if recipe.fill == "tiny":
        return _tiny(rng, recipe.scalar, count)
    return _edges(rng, recipe, count, large=_large(recipe.scalar, count))


def _reals(rng: np.random.Generator, count: int) -> Numbers:
    style = rng.random()
    if style < 0.2:
        return rng.random(count)
    if style < 0.4:  # Nearly equal numbers: what subtracts their squares instead of squaring shows.
        return 8.0 * rng.integers(1, 64) + rng.random(count)
    return _signs(rng, count) * np.exp2(rng.integers(-3, 4, count)) * (1.0 + rng.random(count))


def _beside(rng: np.random.Generator, marks: Sequence[float], drawn: Numbers) -> Numbers:
    """Put some numbers to either side of those that the call passes by value, or of their negatives.

    Thresholds decide between them; they are much further away than rounding leads.
    """
    near = [mark for mark in marks if 0 < abs(mark) <= _NEAR]
    if not near or not len(drawn) or rng.random() < 0.5:
        return drawn
    both = np.asarray([-1.0, 1.0])
    away = rng.choice(both, len(drawn)) * np.exp2(-rng.integers(3, 7, len(drawn)))
    beside: Numbers = rng.choice(both, len(drawn)) * rng.choice(np.asarray(near), len(drawn)) * (1.0 + away)
    chosen = rng.random(len(drawn)) < 0.25
    drawn[chosen] = beside[chosen]
    return drawn


def _large(scalar: Scalar, count: int) -> float:
    """Return a power of two so large that the sum of so many is exact, in whatever order they are added."""
    if scalar is Scalar.FLOAT16:
        return 1024.0
    return min(_LARGE, 2.0 ** (23 - count.bit_length())) if scalar is Scalar.FLOAT32 else _LARGE


def _cancelling(rng: np.random.Generator, count: int, low: int, high: int) -> Numbers:
    """Return small numbers, with a large one and its negative next but one: at one place, or all along.

    At one place no sum over a part is likely to have one of them only, and to be rounded for that. What
    stands between the two is odd: a sum in the type itself rounds there, and is never exact by luck.
    """
    drawn = rng.integers(1, 9, count, endpoint=True).astype(np.float64)
    style = rng.random()
    if style < 0.2:
        return np.full(count, drawn[0]) if count else drawn
    if style < 0.8 and count > 2:
        place = int(rng.integers(0, count - 2))
        drawn[place] = np.exp2(rng.integers(low, high, endpoint=True))
        drawn[place + 2] = -drawn[place]
        drawn[place + 1] += drawn[place + 1] % 2 == 0
        return drawn
    large = np.exp2(rng.integers(low, high, count, endpoint=True))[: len(drawn[0::4])]
    drawn[0::4] = large
    drawn[2::4] = -large[: len(drawn[2::4])]
    drawn[1::4] += drawn[1::4] % 2 == 0
    return drawn


def _special(rng: np.random.Generator, count: int, turn: int) -> Numbers:
    """Return halves with many zeros, and one to three that are NaN or infinite, of each kind or many in turn.

    A term that is left out because its factor is zero, and a comparison turned round, show only here. What
    begins with the first element and compares never leaves NaN.
    """
    drawn = rng.integers(-6, 18, count, endpoint=True) / 2
    drawn[rng.random(count) < 0.3] = 0.0
    # What all the others are added to would hide what becomes of them.
    if count > 1 or (count and turn % len(_SPECIALS) == _FIRST_OF_ALL):
        many = turn % len(_SPECIALS) == _MANY
        places = rng.integers(0, count, count // 4 + 1 if many else int(rng.integers(1, 4)))
        if turn % len(_SPECIALS) == _FIRST_OF_ALL:
            places[0] = 0
        drawn[places] = rng.choice(np.asarray(_SPECIALS[turn % len(_SPECIALS)]), len(places))
    return _with_payloads(rng, drawn)


def _with_payloads(rng: np.random.Generator, drawn: Numbers) -> Numbers:
    """Return the numbers with other bits in half of those that are NaN, and signs, as processors make them.

    What takes numbers for bits tells them apart; all of them are quiet in any type.
    """
    bits = drawn.view(np.uint64)
    others = rng.integers(0, 1 << 32, len(drawn), dtype=np.uint64) << np.uint64(_PAYLOAD)
    changed = np.isnan(drawn) & (rng.random(len(drawn)) < _HALF)
    return np.where(changed, bits | others & ~np.uint64(_EXPONENT), bits).view(np.float64)


def _wide(rng: np.random.Generator, scalar: Scalar, count: int, turn: int) -> Numbers:
    """Return numbers whose exponents are drawn, from denormal ones to the largest, with zeros of either sign.

    Guards against small divisors, sentinels that were thought large enough, and squares that leave the range
    of the type show here alone. In odd turns an array has one sign throughout; some hold one number alone.
    """
    least, most = _EXPONENTS.get(scalar, _DOUBLE)
    most -= count.bit_length()  # Whether a sum of all leaves the range must not depend on its order.
    modest = min(_MODERATE, -least // 2)
    digits = -int(np.log2(EPSILON[scalar]))
    normal = least + digits - 1  # A little below it quotients are infinite, and numbers still have digits.
    ranges = (
        (-_CURVED, min(_CURVED, most)),
        (most // 3, most),
        (-modest, min(modest, most)),
        (least, most),
        (-modest, -3),
        (least // 2, 0),
        (normal - digits // 4, normal),
    )
    low, high = ranges[turn % len(ranges)]
    sizes = np.exp2(rng.uniform(min(low, high), high, count))
    if turn % 2:
        return -sizes if turn % 4 == 1 else sizes
    if rng.random() < 0.1 and count:
        return np.full(count, _short(sizes[0], scalar) * rng.choice(np.asarray([-1.0, 1.0])))
    drawn = _signs(rng, count) * sizes
    drawn[rng.random(count) < 0.05] = rng.choice(np.asarray([0.0, -0.0]))
    return drawn


def _tiny(rng: np.random.Generator, scalar: Scalar, count: int) -> Numbers:
    """Return numbers of both signs whose squares have one or two bits, or none, and a few zeros.

    What is divided by a root of such squares leaves the interval from -1 to 1, which exact numbers never do:
    limits that are there for rounding are met.
    """
    root = _EXPONENTS.get(scalar, _DOUBLE)[0] / 2
    sizes = np.exp2(rng.uniform(root - 1, root + 2, count))
    drawn = rng.choice(np.asarray([-1.0, 1.0]), count) * sizes
    drawn[rng.random(count) < _SOME] = 0.0
    return drawn


def _short(number: float, scalar: Scalar) -> float:
    """Return a number with so few digits that sums of its squares are exact: equal terms all err alike."""
    significand, exponent = np.frexp(number)
    digits = max(-int(np.log2(EPSILON[scalar])) // 4, 1)
    return float(np.ldexp(np.round(np.ldexp(significand, digits)), exponent - digits))


def _signs(rng: np.random.Generator, count: int) -> Numbers:
    """Return all ones, or ones of both signs: roots and logarithms want the former."""
    return np.ones(count) if rng.random() < 0.5 else rng.choice(np.asarray([-1.0, 1.0]), count)


def _integers(rng: np.random.Generator, recipe: Recipe, count: int) -> Numbers:
    kind = stored(recipe.scalar)
    limits = np.iinfo(kind)
    if recipe.fill == "special":  # Sets of bits: small numbers leave the upper ones all alike.
        return rng.integers(limits.min, limits.max, count, dtype=kind, endpoint=True)
    if recipe.fill == "wide":
        return _wide_integers(rng, kind, count)
    if recipe.fill in ("exact", "cancel", "tiny"):
        small = 9 if limits.min < 0 else 17
        return rng.integers(-9 if limits.min < 0 else 0, small, count, endpoint=True).astype(kind)
    if recipe.fill == "real":
        if kind.itemsize <= 2 or (limits.min == 0 and rng.random() < 0.5):
            return rng.integers(limits.min, limits.max, count, dtype=kind, endpoint=True)
        return rng.integers(max(limits.min, -(10**6)), 10**6, count, endpoint=True).astype(kind)
    if rng.random() < 0.2:
        return np.asarray([limits.min, limits.max, 0, 1], dtype=kind)[rng.integers(0, 4, count)]
    large = float(min(limits.max, 2**20))
    drawn = np.clip(_edges(rng, recipe, count, large=large), float(limits.min), min(limits.max, 2.0**53))
    return drawn.astype(np.int64).astype(kind)


def _wide_integers(rng: np.random.Generator, kind: np.dtype[Any], count: int) -> Numbers:
    limits = np.iinfo(kind)
    sizes = np.exp2(rng.uniform(0, int(limits.max).bit_length(), count))
    drawn: Numbers = np.minimum(sizes, float(limits.max >> 1)).astype(kind)
    return (
        drawn
        if limits.min == 0 or rng.random() < 0.5
        else drawn * rng.choice(np.asarray([-1, 1], dtype=kind), count)
    )


def _edges(rng: np.random.Generator, recipe: Recipe, count: int, *, large: float) -> Numbers:
    """Return whole numbers in an extreme arrangement."""
    drawn = rng.integers(-9, 9, count, endpoint=True).astype(np.float64)
    style = int(rng.integers(0, 9 if recipe.literals else 7))
    if style == 0:
        return np.zeros(count)
    if style == 1:
        return np.full(count, float(rng.integers(1, 9)))
    if style == 2:
        return np.sort(drawn)
    if style == 3:
        return -np.sort(-drawn)
    if style == 4:
        return -rng.integers(1, 9, count).astype(np.float64)
    if style == 5:
        return rng.choice(np.asarray([-large, large, 1.0, 0.0]), count)
    if style == 6:
        hot = np.zeros(count)
        hot[: min(count, 1)] = 3.0
        return rng.permutation(hot)
    return _near(rng, recipe.literals, count, halves=recipe.scalar.floating)


def _near(rng: np.random.Generator, literals: Sequence[float], count: int, *, halves: bool) -> Numbers:
    """Return numbers of the source text, exactly and one beside, or a half where there are halves."""
    picked = np.asarray(literals)[rng.integers(0, len(literals), count)]
    beside = rng.integers(-2, 3, count) / 2 if halves else rng.integers(-1, 2, count).astype(np.float64)
    return np.asarray(picked + beside)
