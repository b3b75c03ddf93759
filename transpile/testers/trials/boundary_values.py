"""Boundary-value trials: sizes and values beside numbers of a candidate's text, and large sizes.

What a candidate does only from some size on, or only beside some value, no other trial need show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations_with_replacement, product

from transpile.core import (
    Candidate,
    Contract,
    Covers,
    Fill,
    Inconclusive,
    Scalar,
    ScalarFact,
    ShapeDependent,
    Trial,
)
from transpile.expressions import names
from transpile.parsers.files.comments import without_comments
from transpile.testers.text.bit_patterns import bit_patterns
from transpile.testers.text.folding import folded
from transpile.testers.text.thresholds import lowered
from transpile.testers.trials.fills import literals_of
from transpile.testers.trials.generate import SIZES, Plan, facts_of, generate, pinned
from transpile.testers.trials.materialise import in_turn

_LARGE = Plan(seed=0, count=3, levels=(11, 7, 7), fills=("exact", "few", "real"))
_ROOM = ((1 << 22) + (1 << 16), 1 << 20, 1 << 18, 1 << 16)
"""Elements behind all pointers of trials that are larger than the others."""
_SPAN = 68 << 20
"""Bytes of one array that are traced: 16 for each element of the largest trial."""
_BUFFERS = 3
"""Numbers of a text twice which all sizes have at once."""
_LEAST_ROOM = 64
"""A smaller number is seldom the length of a buffer."""
_LEAST_USUAL = 4
"""Smaller sizes are tried often enough."""
_MOST_TOGETHER = 4
_MOST_LARGEST = 6
"""Trials that take the most room."""
_HUGE = 1 << 23
"""Elements of the one trial beyond a number for which these have no room: each costs a hundred bytes here."""
_GREATEST = (1 << 31) - 1
"""Of the usual whole numbers; it stands for none that is found."""
_THREADS = 1 << 20
_SIGNED = (Scalar.INT16, Scalar.INT32, Scalar.INT64)
_BELOW = (-1, -7)
_ALONE = 65_543
_EXTREMES = (4, 5, 12, 13)
"""Turns of data that are the greatest of their type throughout, the least, and one beside the other."""
_COUNTED = (1, 2, 3)
"""Turns of data that equal a number which the call names, and that are beyond or below all such numbers."""
_MOST_COUNTED = 3
_SMALLEST = 3
_MOST_NUMBERS = 12
_STEPS = (-1, 0, 1)
_USUAL = frozenset(size + step for level in SIZES[:5] for size in level for step in _STEPS)
"""Other trials have sizes beside these."""
_MOST = 80
_LIKELY = 4
"""Numbers, the first ones, on both sides of which all sizes are tried before those further on are."""
_BESIDE: tuple[Fill, ...] = ("exact", "few", "last", "real", "edge", "ramp")
"""In turn where the same sizes are tried again."""
_AGAIN, _LARGEST_AGAIN = 3, 1 << 17
"""Of the first so many numbers are those tried again that are no larger."""
_OTHERS = (3, 5, 2, 4)
"""Other sizes beside one that is pinned."""
_MULTIPLES = (2, 3, 5)
_LEAST_TILE, _LARGEST_TILE = 16, 1024
_MOST_TILES = 4
_MOST_BLOCKS = 1 << 16
_VALUED: tuple[Fill, ...] = (
    "edge", "few", "wide", "marked", "special", "edge", "marked", "real", "few", "first"
)  # fmt: skip
_SMALL = (0, 1, 0)
_COMBINED = 4
_MODEST = (2, 1, 3, 4)
_PATTERNED: Mapping[Fill, tuple[int, tuple[int, ...]]] = {
    "level": (32, (2, 3, 4)),
    "grid": (30, (2, 1, 3, 4, 3)),
    "special": (30, (2, 1, 3, 4, 3)),
    "ramp": (16, (4, 4, 4, 4, 3, 3, 3, 3)),
    "cancel": (15, (4, 3, 4, 2, 4)),
    "wide": (32, (2, 3, 4)),
    "akin": (32, (2, 3, 4)),
}
"""Counts of trials, and levels of their sizes: every way of a fill meets long data."""
_MARKED = 20
_UNMARKED = 4
_LINEAR = 12
_LONG = (4,)
_LARGEST_EPSILON = 0.01
_EPSILONS, _CENTRES = 2, 3
_SMALLEST_MARK = 10
"""Smaller whole numbers are among the data of most trials."""


def own_numbers(candidate: Candidate, source: Iterable[float]) -> tuple[float, ...]:
    """Return numbers of a candidate's text that the source's does not mention, largest first.

    Behind them are products of two that may be blocks and their threads, or tiles.
    """
    known = {abs(value) for value in source} | _USUAL
    found = _sizes_in(candidate)
    return (*_largest_first(found, known), *_largest_first(_products(found), known))


def own_marks(candidate: Candidate, source: Iterable[float]) -> tuple[float, ...]:
    """Return the numbers of a candidate's text that its data may be compared with, largest first.

    Behind them are 1 and the largest whole ones with half of a small one added or taken away: what is nearer
    to them than an epsilon may count as equal.
    """
    known = {*map(abs, source), *map(float, range(_SMALLEST_MARK))}
    text = b"\n".join(without_comments(item.text) for item in candidate.replacements)
    found = _largest_first(_numbers(text), known)
    centres = [1.0, *(value for value in found if value.is_integer())][:_CENTRES]
    epsilons = [value for value in found if 0 < value < _LARGEST_EPSILON][:_EPSILONS]
    return (*found, *(at + side * one for one in epsilons for at in centres for side in (-0.5, 0.5)))


def unreached(candidate: Candidate, source: bytes) -> Inconclusive | None:
    """Return that a candidate has a number which a size may pass and no trial does, and its source has not.

    What a size does beyond it need show in no branch: ``min(n, 67000000)``, ``n % 67000000``,
    ``n - (n >> 26)``.
    """
    if candidate.by_rules:
        return None
    known = {abs(value) for value in _numbers(source)}
    known |= bit_patterns(b"\n".join(item.text for item in candidate.replacements))
    found = next((value for value in _sizes_in(candidate) if _is_unreached(value) and value not in known), 0)
    if not found:
        return None
    reason = (
        f"the translation depends on the number {int(found)}, and its source does not: "
        "no trial has sizes as large, so that none shows what it does there"
    )
    return Inconclusive(reason=reason, code="TP415")


def _is_unreached(value: float) -> bool:
    return _HUGE < value < _GREATEST and float(value).is_integer()


def usual_numbers(candidate: Candidate, source: Iterable[float]) -> tuple[int, ...]:
    """Return the usual sizes of a candidate's text that the source's does not mention, largest first."""
    known = {abs(value) for value in source}
    found = {int(value) for value in _sizes_in(candidate) if value in _USUAL and value not in known}
    return tuple(sorted((value for value in found if value >= _LEAST_USUAL), reverse=True))


def _sizes_in(candidate: Candidate) -> tuple[float, ...]:
    """Return the numbers of a candidate's text, but for those that code waits for, or that cap a grid."""
    return _numbers(b"\n".join(without_comments(lowered(item.text)) for item in candidate.replacements))


def together(contract: Contract, plan: Plan, numbers: Sequence[int]) -> list[Trial]:
    """Return trials with all sizes beyond a usual one: others have one of them so large.

    A number that bounds a loop counts as a second size. Left out are sizes whose product is too much work.
    """
    sizes = _sizes(contract)
    if len(sizes) == 1:
        sizes += [fact.name for fact in _whole(contract) if not fact.size][:1]
    rooms = [number for number in numbers if number >= _LEAST_ROOM][:_MOST_TOGETHER]
    values = (value for number in rooms for value in (number + 1, 2 * number))
    asked = (dict.fromkeys(sizes, value) for value in values if value ** len(sizes) <= _ROOM[0])
    roomy = replace(plan, seed=plan.seed + 59, levels=(1,), elements=_ROOM[0], fills=("exact",))
    if len(sizes) < 2:
        return []
    trials = _all_pinned(contract, roomy, asked)
    return [*trials, *(in_turn(replace(trial, fill="real"), 1) for trial in trials)]


def _numbers(text: bytes) -> tuple[float, ...]:
    return (*literals_of(text), *folded(text))


def _largest_first(found: Iterable[float], known: Collection[float]) -> tuple[float, ...]:
    left = {value for value in found if abs(value) not in known}
    return tuple(sorted(left, key=lambda value: -abs(value)))


def shared_marks(source: Iterable[float]) -> tuple[float, ...]:
    """Return the numbers of the source's text that sums of its data may be compared with, largest first."""
    return _largest_first(source, frozenset(map(float, range(_SMALLEST_MARK))))[:_MOST_NUMBERS]


def marked(contract: Contract, plan: Plan, marks: Sequence[float]) -> list[Trial]:
    """Return trials some of whose data, outputs included, equal such numbers or 0, or are beside them.

    In others, what is computed of the data does.
    """
    count = _MARKED if marks else _UNMARKED
    asked = replace(
        plan, seed=plan.seed + 41, count=count, levels=_MODEST, fills=("marked",), marks=(0.0, *marks)
    )
    linear = replace(asked, seed=plan.seed + 79, count=_LINEAR, levels=_LONG, fills=("linear",))
    return [*generate(contract, asked), *(generate(contract, linear) if marks else ())]


def patterns(contract: Contract, plan: Plan) -> list[Trial]:
    """Return trials in which all data are equal, at which rounding turns, and with many that are NaN."""
    found: list[Trial] = []
    for turn, (fill, (count, levels)) in enumerate(_PATTERNED.items()):
        asked = replace(plan, seed=plan.seed + 47 + 1000 * turn, count=count, levels=levels, fills=(fill,))
        found += generate(contract, asked)
    return found + _alone(contract, plan)


def _alone(contract: Contract, plan: Plan) -> list[Trial]:
    """Return trials of one element, the greatest or the least of its type: what a search begins at shows."""
    asked = replace(plan, seed=plan.seed + 61, levels=(0,), fills=("level",))
    base = pinned(contract, asked, dict.fromkeys(_sizes(contract), 1))
    return [] if base is None else [in_turn(base, turn) for turn in _EXTREMES]


def beside(
    contract: Contract,
    plan: Plan,
    numbers: Sequence[float],
    bearable: Callable[[int], bool],
    most: int = _MOST,
) -> list[Trial]:
    """Return so many trials with whole numbers beside each of some numbers, then with multiples of them."""
    room, largest = _room(_ROOM[1:], bearable) or plan.elements, _room(_ROOM[:1], bearable)
    found: dict[Trial, None] = {}
    left = _MOST_LARGEST if largest else 0
    met: Counter[tuple[tuple[str, float], ...]] = Counter()
    asked = chain(
        _pinned_fractions(contract, numbers), _pinned_sizes(contract, _above_zero(numbers)[:_MOST_NUMBERS])
    )
    for turn, pins in enumerate(asked):
        if len(found) == most:
            break
        key = tuple(pins.items())
        fill = _BESIDE[met[key] % len(_BESIDE)]
        met[key] += 1
        roomy = replace(plan, levels=(1,), elements=room, threads=room, seed=plan.seed + turn, fills=(fill,))
        trial = _telling(contract, roomy, pins)
        if trial is None and left:
            trial = _telling(contract, replace(roomy, elements=largest, threads=largest), pins)
            left -= trial is not None
        if trial is not None:
            found.setdefault(trial)
    return list(found)


def _above_zero(numbers: Iterable[float]) -> list[int]:
    """Return the whole numbers above zero, without repetition."""
    return [*dict.fromkeys(int(value) for value in numbers if float(value).is_integer() and value > 0)]


def huge(
    contract: Contract, plan: Plan, numbers: Sequence[float], bearable: Callable[[int], bool]
) -> list[Trial]:
    """Return a trial as far beyond the first number that is too large for the others as there is room."""
    whole = _above_zero(numbers)[:_LIKELY]
    asked = replace(plan, levels=(1,), threads=_THREADS, seed=plan.seed + 73, fills=("exact",))
    large, larger = (replace(asked, elements=elements) for elements in (_ROOM[0], _HUGE))
    for number, name in product(whole if bearable(_HUGE) else (), _sizes(contract)):
        if _telling(contract, large, {name: number + 1}) is not None:
            continue
        made = (_telling(contract, larger, {name: value}) for value in _beyond(number))
        trial = next((item for item in made if item is not None), None)
        if trial is not None:
            return [trial]
    return []


def _beyond(number: int) -> tuple[int, ...]:
    return 2 * number, number + number // 4, number + number // 16, number + 1


def _telling(contract: Contract, plan: Plan, pins: Mapping[str, float]) -> Trial | None:
    """Return a trial with these scalars whose other sizes are not so small that nothing is left to do."""
    others = (name for name in _sizes(contract) if name not in pins)
    small = {name: _OTHERS[(plan.seed + turn) % len(_OTHERS)] for turn, name in enumerate(others)}
    return pinned(contract, plan, {**small, **pins}) or pinned(contract, plan, pins)


def _pinned_fractions(contract: Contract, numbers: Sequence[float]) -> Iterator[Mapping[str, float]]:
    """Yield values for single floating numbers that are passed by value."""
    for fact, kind in facts_of(contract):
        if kind.floating:
            yield from ({fact.name: value} for value in numbers[:_MOST_NUMBERS])


def _pinned_sizes(contract: Contract, numbers: Sequence[int]) -> Iterator[Mapping[str, int]]:
    """Yield values for single whole numbers and for all sizes at once, likely ones first."""
    sizes, whole = _sizes(contract), _whole(contract)
    for some in (numbers[:_LIKELY], numbers[_LIKELY:]):
        near = [number + step for step in (0, 1, -1) for number in some]
        # What is done to the last element alone shows by some data of it, and much else where many are 0.
        few = [number for number in some[:_AGAIN] if number <= _LARGEST_AGAIN]
        again = [2 * number for number in some[:_AGAIN]] * 2 + few * len(_BESIDE[1:])
        again += [2 * number for number in few] * 2
        yield from ({fact.name: value} for value in near for fact in whole if _admitted(fact, value))
        yield from ({fact.name: value} for value in again for fact in whole if _admitted(fact, value))
        if len(sizes) > 1:
            # What is written far beyond a buffer shows, one element beyond it seldom.
            beyond = [2 * number for number in some[:_BUFFERS]]
            yield from (dict.fromkeys(sizes, value) for value in (*beyond, *near))
    further = [*numbers, *(times * number for times in _MULTIPLES for number in numbers)]
    yield from ({name: value} for value in further for name in sizes)


def _admitted(fact: ScalarFact, value: int) -> bool:
    """Tell whether a value lies below the end of a range, as far as that is a number."""
    return not fact.values.high.isdigit() or value <= int(fact.values.high)


def _products(numbers: Iterable[float]) -> Iterator[float]:
    """Yield products of two numbers that may be tiles, or blocks and how many of them there are."""
    whole = sorted({value for value in numbers if float(value).is_integer()})
    tiles = [value for value in whole if _LEAST_TILE <= value <= _LARGEST_TILE][:_MOST_TILES]
    for left, right in combinations_with_replacement(tiles, 2):
        yield left * right
    many = [value for value in whole if _LARGEST_TILE < value <= _MOST_BLOCKS][:_MOST_TILES]
    yield from (left * right for left in many for right in tiles if left * right <= _ROOM[0])


def _room(rooms: Sequence[int], bearable: Callable[[int], bool]) -> int:
    """Return the first number of elements that is bearable, 0 where none is."""
    return next((elements for elements in rooms if bearable(elements)), 0)


def large(contract: Contract, plan: Plan, bearable: Callable[[int], bool]) -> list[Trial]:
    """Return trials as large as a source bears by what so many elements cost it."""
    room = min(_room(_ROOM, bearable), _SPAN // _widest(contract))
    asked = replace(_LARGE, seed=plan.seed, nonce=plan.nonce, elements=room, threads=min(room, _THREADS))
    trials = generate(contract, asked) if room else ()
    # In every other turn whole numbers are places of arrays.
    return [*trials, *(in_turn(trial, 1) for trial in trials if trial.fill != "exact")]


def _widest(contract: Contract) -> int:
    """Return the bytes of the largest element behind a pointer."""
    elements = (item.element for item in contract.signature.parameters if item.pointer)
    return max((item.size for item in elements if item is not None), default=1) or 1


def full(contract: Contract, plan: Plan, bearable: Callable[[int], bool]) -> list[Trial]:
    """Return long trials whose whole numbers are the greatest or the least of their types throughout.

    Sums of them leave accumulators that are narrower than those of the source, as do sums of differences
    where one array has the greatest and the next the least.
    """
    parameters = (item.element for item in contract.signature.parameters if item.pointer)
    whole = any(not leaf.scalar.floating for element in parameters if element for leaf in element.leaves)
    room = _room(_ROOM[1:2], bearable) if whole else 0
    asked = replace(plan, seed=plan.seed + 53, count=1, levels=(8,), fills=("level",), elements=room)
    base = generate(contract, replace(asked, threads=room)) if room else ()
    return [in_turn(trial, turn) for trial in base for turn in _EXTREMES]


def counted(
    contract: Contract, plan: Plan, numbers: Sequence[float], bearable: Callable[[int], bool]
) -> list[Trial]:
    """Return trials with more equal elements than each of some numbers: counters may end there."""
    room = _room(_ROOM, bearable)
    roomy = replace(plan, levels=(1,), elements=room, threads=min(room, _THREADS), fills=("level",))
    ends = [int(value) for value in numbers if _LEAST_ROOM <= value <= room][:_MOST_COUNTED]
    found: list[Trial] = []
    for turn, (end, name) in enumerate(product(ends, _sizes(contract))):
        asked = replace(roomy, seed=plan.seed + 71 + turn)
        trial = _telling(contract, asked, {name: 2 * end + 1}) or _telling(contract, asked, {name: end + 2})
        if trial is not None:
            found += [in_turn(trial, way) for way in _COUNTED]
    return found


def lone(contract: Contract, plan: Plan, bearable: Callable[[int], bool]) -> list[Trial]:
    """Return trials with each size in turn beyond numbers of 16 bits, and the others small.

    Grids end there along two of their axes: where a row is a block, there may be as many rows as blocks.
    """
    sizes = _sizes(contract)
    room, others = _room(_ROOM[:2], bearable), _SMALLEST
    if not room and bearable(_ALONE):
        room, others = _ROOM[2], 1
    roomy = replace(plan, seed=plan.seed + 43, levels=(1,), elements=room, threads=_THREADS, fills=("exact",))
    asked = (dict.fromkeys(sizes, others) | {name: _ALONE} for name in sizes)
    return _all_pinned(contract, roomy, asked) if room and len(sizes) > 1 else []


def _all_pinned(contract: Contract, plan: Plan, asked: Iterable[Mapping[str, int]]) -> list[Trial]:
    """Return a trial for each of some values of scalars, without those that the contract does not admit."""
    made = (pinned(contract, plan, pins) for pins in asked)
    return [trial for trial in made if trial is not None]


def _whole(contract: Contract) -> list[ScalarFact]:
    """Return the whole numbers that are passed by value."""
    return [fact for fact, kind in facts_of(contract) if not kind.floating]


def _sizes(contract: Contract) -> list[str]:
    """Return the names of those that arrays are as long as."""
    return [fact.name for fact in _whole(contract) if fact.size]


def below_zero(contract: Contract, plan: Plan) -> list[Trial]:
    """Return trials with each size in turn, and all at once, below zero, also where the others are zero.

    Those that launches of a kernel are made of are left out: nobody launches fewer than no threads.
    """
    launching = _launching(contract)
    whole = [fact.name for fact, kind in facts_of(contract) if fact.size and kind in _SIGNED]
    sizes = [name for name in whole if name not in launching]
    base = pinned(contract, replace(plan, levels=(0,), fills=("exact",)), dict.fromkeys(whole, _SMALLEST))
    if base is None:
        return []
    several = len(sizes) > 1
    chosen = [(name,) for name in sizes] + ([tuple(sizes)] if several else [])
    made = [dict.fromkeys(some, below) for some in chosen for below in _BELOW]
    # Which of two tests comes first shows only where both hold.
    made += [dict.fromkeys(sizes, 0) | {name: _BELOW[0]} for name in sizes if several]
    return [_with(base, values) for values in made]


def _launching(contract: Contract) -> frozenset[str]:
    """Return the names that a kernel's launches depend on."""
    law = contract.law
    texts = [text for family in contract.launches for text in family]
    if isinstance(law, Covers):
        texts += [law.x, law.y, law.z]
    elif isinstance(law, ShapeDependent):
        texts += [*law.relations, *(text for family in law.launches for text in family)]
    return frozenset(name for text in texts for name in names(text))


def _with(trial: Trial, values: Mapping[str, int]) -> Trial:
    return replace(trial, scalars=tuple((name, values.get(name, value)) for name, value in trial.scalars))


def valued(contract: Contract, plan: Plan, numbers: Sequence[float]) -> list[Trial]:
    """Return trials whose data are beside some numbers, and ones of the least sizes, in many combinations."""
    literals = tuple(dict.fromkeys((*numbers, *plan.literals)))
    more = replace(plan, seed=plan.seed + 31, literals=literals, fills=_VALUED, marks=tuple(numbers))
    small = replace(plan, seed=plan.seed + 37, count=plan.count // 2, levels=_SMALL, literals=literals)
    return [*_least(contract, small), *generate(contract, more), *generate(contract, small)]


def _least(contract: Contract, plan: Plan) -> list[Trial]:
    """Return trials with every combination of 0 and 1 for the first few whole numbers."""
    whole = [fact.name for fact in _whole(contract)][:_COMBINED]
    pins = [dict(zip(whole, values, strict=True)) for values in product((0, 1), repeat=len(whole))]
    found = (pinned(contract, replace(plan, seed=plan.seed + turn), item) for turn, item in enumerate(pins))
    return [trial for trial in found if trial is not None] if whole else []
