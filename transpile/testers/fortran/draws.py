"""Arguments of trials, drawn at random from what the text of a routine says of them."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transpile.parsers.fortran.aims import Aim
from transpile.parsers.fortran.extents import extent_name
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Dummy
from transpile.testers.fortran.conformance import conforming, room_returned
from transpile.testers.fortran.fills import filled
from transpile.testers.fortran.meeting import aiming, meeting

_LETTERS, _PRINTABLE = 0.6, 95
"""Share of texts made of letters alone; how many characters others are made of."""
_LONGEST_TEXT, _LONG_TEXTS, _LONG = 12, 0.06, (60, 400)
"""Characters of texts whose length the caller chooses, and the share and range of long ones."""
_SIZES = ((0, 4), (1, 8), (2, 12), (5, 40), (1, 8), (0, 3), (0, 9), (17, 70))
"""Ranges of integers, in turn."""

_RARE, _BLOCKED, _ONE_BLOCK = 32, (129, 160), (33, 100)
"""Of so many trials of routines that work in blocks one has numbers of the first range, more than one block
of 64, and three of the other, more than one of 32."""
_AIMED = 0.4
"""Share of trials whose arguments lead to a part of the routine, where its text tells what does."""
_LENGTHY, _LENGTHS = (21, 37, 45, 53, 61), (1000, 5000)
"""Seeds of the first trials, and of those held out, that have one large number, and its range: more of them
would take long where work grows with its cube."""
_HELD_OUT_FROM = 1_000_000
_MANY_AIMS, _AIMED_AT_MANY = 100, 0.7
"""A routine with more parts, and the share there."""
_COMPARED = 0.5
"""Share of aimed texts whose other characters are such as the routine compares with."""
_TWO_AIMS = 0.3
"""Share of these that lead to two parts."""
_LARGEST, _LARGEST_ALONE = 200, 1 << 16
"""Largest numbers that are made for that: of routines with arrays, and of others."""
_SINGLED = 0.12
"""Share of trials in which one whole number is one that the routine compares it with."""
_TOO_FEW = 0.15
"""Share of trials in which one extent is probably too small."""
_CLOSE, _FAR, _ODD = 5, 3, 9
"""Of sixteen trials, the one whose numbers hardly differ, of four the one whose differ by far, and of 32 the
one with what is no number among them."""
_PLAIN = (0.0, 0.0, 1.0, 1.0, -1.0)
_KINDS = (
    *("sparse", "sparse", "scaled", "few", "level", "zero", "special", "wide", "small", "large", "top"),
    *("beside", "beside", "close", "ramp", "ramp", "normal", "dominant", "dominant"),
)
_WHOLE_KINDS = ("wide", "few", "level", "zero", "ramp", "ramp", "ramp", "normal", "places", "places")
"""Manners in which arrays of whole numbers are filled: tests of order need many in order."""
_DOMINANT, _PLACES = 0.4, 0.6
"""Shares of plain trials whose matrices have large diagonals, and whose whole numbers are places in order."""
_PARTED = 0.3
"""Share of complex numbers whose two parts are made in manners of their own."""
_BEHAVIOURS = (1 << 10, 1 << 40)
"""Range of the numbers that say how procedures behave that are passed."""
_LEFT_OUT = (0.0, 0.0, 0.2, 0.5, 0.5, 0.8, 1.0)
"""Shares of optional arguments that calls leave out."""
_MOST_RANK = 15
_WIDE, _FIRST = 11, 448
"""Of sixteen trials among so many the one whose whole numbers are of any size, where no loop goes by them."""
_BACKWARDS = 0.12
"""Share of dimensions of arrays of assumed shape that run from the end to the beginning."""
_MODES = ("plain", "negative", "units")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The arguments of a trial: scalars and texts with their values, arrays with how they are filled."""

    seed: int
    scalars: dict[str, Any]
    """By the name of the dummy argument: a number, a pair of them for a complex value, or a text."""
    shapes: dict[str, tuple[tuple[int, int], ...]]
    """Extents and strides of arrays of assumed shape."""
    fills: dict[str, str]
    initial: bool = False
    """Tells whether variables with initial values keep them."""
    absent: frozenset[str] = frozenset()
    """Optional arguments that the call leaves out."""
    returned: tuple[int, ...] | None = ()
    """Extents of the array, or the length of the text, that the call returns; None where it has none."""

    @property
    def given(self) -> dict[str, Any]:
        """Return the scalars and texts that the call passes."""
        return {name: value for name, value in self.scalars.items() if name not in self.absent}


def drawn(interface: Interface, seed: int) -> Drawn:
    """Draw the arguments of one trial: the same for the same seed."""
    random = np.random.default_rng([seed, *interface.name.encode()])
    plain = _in_blocks(interface, seed) or _lengthy(seed)
    aim = Aim() if plain else _aim(interface, random)
    integers = _integers(interface, random, seed, aim)
    scalars: dict[str, Any] = {}
    for dummy in interface.variables:
        if not drawn_by_value(dummy):
            continue
        if dummy.value.base == "integer":
            scalars[dummy.name] = integers[dummy.name]
        elif dummy.value.base == "character":
            text = _text(dummy, interface.texts, random)
            scalars[dummy.name] = _aimed_text(text, dummy, aim, interface.texts, random)
        elif dummy.callback is not None:
            scalars[dummy.name] = int(random.integers(*_BEHAVIOURS))
        elif dummy.value.base == "logical":
            asked = [item for item in aim.comparisons if item.startswith(f"{dummy.name} == ")]
            scalars[dummy.name] = int(asked[-1].rpartition(" ")[2]) if asked else int(random.integers(2))
        else:
            parts = _parts(dummy, interface, random, seed)
            scalars[dummy.name] = parts[0] if len(parts) == 1 else parts
    shapes = _shapes(interface, integers, random, seed)
    return Drawn(
        seed=seed,
        scalars=scalars,
        shapes=shapes,
        fills=_fills(interface, random, seed),
        initial=seed % 4 != _FAR,
        absent=_absent(interface, seed),
        returned=room_returned(interface.returned, scalars, shapes),
    )


def _absent(interface: Interface, seed: int) -> frozenset[str]:
    """Draw which optional arguments a call leaves out: none, all, or each by a share of its own."""
    names = [item.name for item in interface.dummies if item.optional]
    random = np.random.default_rng([seed, 11, *interface.name.encode()])
    share = float(random.choice(_LEFT_OUT))
    return frozenset(name for name in names if random.random() < share)


def drawn_by_value(dummy: Dummy) -> bool:
    """Tell whether a value is drawn by itself: scalars and texts are, records are filled as arrays."""
    return not dummy.rank and dummy.value.base != "derived"


def _in_blocks(interface: Interface, seed: int) -> bool:
    """Tell whether a trial is to be so large that a routine may work in blocks."""
    return interface.tuned and seed % len(_SIZES) == len(_SIZES) - 1


def _lengthy(seed: int) -> bool:
    """Tell whether one number of a trial is to be large, and the first extent of its arrays."""
    return seed % _HELD_OUT_FROM in _LENGTHY


def _aim(interface: Interface, random: np.random.Generator) -> Aim:
    """Draw what arguments lead to: a part of the routine, or what two parts ask, as far as both can be."""
    many = len(interface.aims) > _MANY_AIMS
    if not interface.aims or random.random() >= (_AIMED_AT_MANY if many else _AIMED):
        return Aim()
    aim = interface.aims[int(random.integers(len(interface.aims)))]
    if random.random() < _TWO_AIMS:
        other = interface.aims[int(random.integers(len(interface.aims)))]
        aim = Aim(comparisons=(*other.comparisons, *aim.comparisons), texts=(*other.texts, *aim.texts))
    return aim


def _aimed_text(text: str, dummy: Dummy, aim: Aim, texts: Sequence[str], random: np.random.Generator) -> str:
    """Return a text with the characters that an aim asks for, between such as the routine compares with."""
    asked = [(at, part) for name, at, part in aim.texts if name == dummy.name]
    letters = [item for item in texts if len(item) == 1]
    if asked and letters and random.random() < _COMPARED:
        text = "".join(random.choice(letters, max(at + len(part) for at, part in asked)))
    for at, part in asked:
        text = text[:at].ljust(at, "X") + part + text[at + len(part) :]
    return text[: dummy.value.length].ljust(dummy.value.length) if dummy.value.length else text


def _integers(interface: Interface, random: np.random.Generator, seed: int, aim: Aim) -> dict[str, int]:
    """Draw whole numbers; extents of arrays but for their last ones are mostly no less than the rest."""
    low, high = _SIZES[seed % len(_SIZES)]
    in_blocks = _in_blocks(interface, seed)
    if in_blocks:
        low, high = _BLOCKED if seed % _RARE == _RARE - 1 else _ONE_BLOCK
    scalars = [item for item in interface.variables if item.value.base == "integer" and not item.rank]
    result: dict[str, int] = {}
    mode = "plain" if in_blocks else str(random.choice(_MODES))
    for dummy in scalars:
        if not dummy.leading:
            result[dummy.name] = _whole(low, high, mode, random)
    if _lengthy(seed) and result:
        result[str(random.choice([*result]))] = int(random.integers(*_LENGTHS))
    others = [abs(item) for item in result.values()]
    most, total = max([*others, 1]), sum(others) + 1
    leading = [item.name for item in scalars if item.leading]
    for name in leading:
        result[name] = int(
            random.choice([most, most + 1, most + int(random.integers(1, 5)), total, total + 2])
        )
    if leading and not in_blocks and random.random() < _TOO_FEW:
        result[str(random.choice(leading))] = int(random.integers(-1, most, endpoint=True))
    if _wide(interface, seed):
        return {item.name: _of_any_size(item.value.kind, random) for item in scalars}
    if aim.comparisons:
        most = _LARGEST if any(item.rank for item in interface.variables) else _LARGEST_ALONE
        return aiming(aim.comparisons, interface.accepted, result, leading, random, most=most)
    result = meeting(interface.accepted, result, leading, random, always=in_blocks)
    singled = [item for item in scalars if item.choices]
    if singled and not in_blocks and random.random() < _SINGLED:
        one = singled[int(random.integers(len(singled)))]
        result[one.name] = int(random.choice(list(one.choices)))
    return result


def _wide(interface: Interface, seed: int) -> bool:
    """Tell whether whole numbers of a trial are of any size: some of the first, and of those held out."""
    return interface.straight and seed % 16 == _WIDE and seed % _HELD_OUT_FROM < _FIRST


def _of_any_size(kind: int, random: np.random.Generator) -> int:
    value = int(random.integers(0, 1 << int(random.integers(2, 8 * kind))))
    return -value if random.random() < 0.4 else value


def _whole(low: int, high: int, mode: str, random: np.random.Generator) -> int:
    """Draw a number of a range; in some trials negative ones are frequent, and in others ones and twos."""
    value = int(random.integers(low, high, endpoint=True))
    if random.random() < (0.65 if mode == "units" else 0.15):
        value = int(random.choice([0, *[1] * 8, 2]))
    if mode == "negative" and random.random() < 0.4:
        value = -min(value, 5)
    return value


def _text(dummy: Dummy, texts: Sequence[str], random: np.random.Generator) -> str:
    """Draw a text: mostly one that the routine compares with, in either case."""
    length = dummy.value.length
    choices = dummy.choices or texts
    if choices and random.random() < 0.94:
        text = str(random.choice(list(choices)))
        text = text.lower() if random.random() < 0.3 else text
    else:
        letters = string.ascii_letters if random.random() < _LETTERS else string.printable[:_PRINTABLE]
        count = length or int(random.integers(0, _LONGEST_TEXT))
        text = "".join(str(random.choice([*letters])) for _ in range(count))
    if not length and random.random() < _LONG_TEXTS:
        return text + _more(choices, random)
    return text[:length].ljust(length) if length else text


def _more(choices: Sequence[str], random: np.random.Generator) -> str:
    """Draw what makes a text long: blanks, or letters of which every other is one that is compared with."""
    count = int(random.integers(*_LONG))
    if random.random() < 0.3:
        return " " * count
    asked = [letter for item in choices for letter in item] or [*string.ascii_letters]
    letters = [*asked, *random.choice([*string.ascii_letters], len(asked))]
    return "".join(map(str, random.choice(letters, count)))


def _parts(dummy: Dummy, interface: Interface, random: np.random.Generator, seed: int) -> tuple[float, ...]:
    """Draw a number by value, or the two of a complex one: often such as routines compare with."""
    count = 2 if dummy.value.base == "complex" else 1
    if count > 1 and random.random() < _PARTED:
        styles = random.choice(["zero", "scaled", "small", "large", "beside", "special", "wide", "normal"], 2)
        real = replace(dummy.value, base="real")
        return tuple(float(filled(str(one), 1, real, interface.numbers, random)[0]) for one in styles)
    style = _style(seed, random)
    if style == "plain":
        return tuple(float(random.choice(_PLAIN)) for _ in range(count))
    return tuple(map(float, filled(style, count, dummy.value, interface.numbers, random)))


def _style(seed: int, random: np.random.Generator) -> str:
    """Draw how a number is made; in some trials all are of one kind: products of such leave their type."""
    if seed % 16 == _CLOSE:
        return "close"
    if seed % 32 == _ODD:
        return "special"
    if seed % 4 == _FAR:
        return str(random.choice(["zero", "scaled", "scaled", "small", "large", "beside", "beside", "wide"]))
    return str(random.choice(["plain"] * 9 + ["few"] * 2 + ["normal"] * 6 + ["scaled"] * 2 + ["special"]))


def _shapes(
    interface: Interface, integers: dict[str, int], random: np.random.Generator, seed: int
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Draw extents, mostly the same for all arrays, and strides, which may be negative."""
    sizes = [max(item, 0) for item in integers.values()]
    most = _SIZES[seed % len(_SIZES)][1] + 1
    tall = random.integers(most // 2, most, 2)
    common = [int(random.choice([*sizes, *random.integers(0, most, 2), *tall])) for _ in range(_MOST_RANK)]
    square = random.random() < 0.3
    if _lengthy(seed):
        square = False
        common = [int(random.integers(*_LENGTHS)), *(item % 5 for item in common[1:])]
    arrays = [item for item in interface.dummies if item.shape in ("assumed", "deferred")]
    extents: dict[str, int] = {}
    steps: dict[str, int] = {}
    for dummy in arrays:
        for axis in range(dummy.rank):
            name = extent_name(dummy.name, axis + 1)
            more = int(random.integers(0, 3)) if random.random() < 0.1 else 0
            extents[name] = common[0 if square else axis] + more
            steps[name] = int(random.integers(1, 4)) if random.random() < 0.3 else 1
            steps[name] *= -1 if random.random() < _BACKWARDS else 1
    extents = conforming(interface.relations, extents, integers, seed)
    return {item.name: _shape(item, extents, steps) for item in arrays}


def _shape(dummy: Dummy, extents: dict[str, int], steps: dict[str, int]) -> tuple[tuple[int, int], ...]:
    """Return the extents of an array and the strides that keep its elements apart."""
    shape: list[tuple[int, int]] = []
    room = 1
    for axis in range(dummy.rank):
        name = extent_name(dummy.name, axis + 1)
        step = steps[name] if dummy.shape == "assumed" else 1
        shape.append((extents[name], room * step))
        room *= abs(step) * max(extents[name], 1)
    return tuple(shape)


def _fills(interface: Interface, random: np.random.Generator, seed: int) -> dict[str, str]:
    """Draw in which manner arrays are filled: in half of the trials with plain numbers."""
    arrays = [item for item in interface.variables if not drawn_by_value(item)]
    if seed % 2 == 0:
        plain = "dominant" if random.random() < _DOMINANT else "normal"
        places = "places" if random.random() < _PLACES else "normal"
        return {item.name: places if item.value.base == "integer" else plain for item in arrays}
    whole = all(item.value.base == "integer" for item in arrays)
    same = str(random.choice(_WHOLE_KINDS if whole else _KINDS)) if random.random() < 0.5 else ""
    return {item.name: same or str(random.choice(_kinds(item))) for item in arrays}


def _kinds(dummy: Dummy) -> tuple[str, ...]:
    return _WHOLE_KINDS if dummy.value.base == "integer" else _KINDS
