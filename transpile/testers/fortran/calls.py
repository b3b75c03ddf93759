"""Trials of a routine: valid where the source behaves, and then what the source does with them."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from transpile.core import Launch
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Dummy, size
from transpile.testers.fortran.allocated import buffer, without
from transpile.testers.fortran.compare import difference
from transpile.testers.fortran.draws import Drawn, drawn, drawn_by_value
from transpile.testers.fortran.entries import described, sized
from transpile.testers.fortran.fills import filled
from transpile.testers.fortran.libraries import Side
from transpile.testers.fortran.outcome import BYTES, RUNTIME_ERROR, UNSEEN, Outcome
from transpile.testers.fortran.values import dtype
from transpile.toolchains import worker
from transpile.toolchains.build import Built
from transpile.toolchains.calls import Bytes, Call, Completed, Crashed, Placement
from transpile.toolchains.worker import RestartPolicy
from transpile.toolchains.workshop import Workshop

_FEWEST, _MOST = 64, 1 << 17
"""Elements that an array has for the source to show how many it needs."""
_BANDED = 0.4
"""Share of matrices with large diagonals in which that is a row."""
_SIZE = 256
"""Whole numbers above it are probably not extents of several arrays at once."""
_RESTARTS = RestartPolicy(deaths=48, timeouts=5)
_LAUNCH = Launch()
_OTHER_MEMORY = {"GLIBC_TUNABLES": "glibc.malloc.perturb=90:glibc.malloc.tcache_count=0"}
"""Allocated memory holds another pattern than in other calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One call that the source bears, and what it left behind."""

    drawn: Drawn
    call: Call
    expected: Completed

    @property
    def outcome(self) -> Outcome:
        """Return how the source ended."""
        return Outcome.read(self.expected.returned)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The libraries in which routines are called."""

    workshop: Workshop
    libraries: Mapping[Side, Built]

    def run(
        self, side: Side, calls: Sequence[Call], placement: Placement, **options: Any
    ) -> list[Completed | Crashed]:
        """Make calls on one side."""
        return worker.run(
            self.workshop, self.libraries[side], calls, placement=placement, restarts=_RESTARTS, **options
        )


def trials(
    bench: Bench, interface: Interface, number: int, seeds: Sequence[int], reasons: Counter[str]
) -> list[Trial]:
    """Return the trials of these seeds that are valid.

    Args:
        bench: Where the source is called.
        interface: The routine.
        number: Of its entry.
        seeds: What the trials are made of.
        reasons: Counts why others are none.
    """
    found_drawn = [drawn(interface, seed) for seed in seeds]
    callable_ones = [item for item in found_drawn if item.returned is not None]
    if len(callable_ones) < len(found_drawn):
        reasons["its result is too large"] += len(found_drawn) - len(callable_ones)
    wanted = _measured(bench, interface, number, callable_ones, reasons)
    checked = bench.run(Side.CHECKED, [call for _, call in wanted], Placement.GUARD_HIGH)
    kept = []
    for row, found in zip(wanted, checked, strict=True):
        why = _invalid(found)
        if why:
            reasons[why] += 1
        else:
            kept.append((row, found))
    return _steady(bench, interface, kept, reasons)


def made_again(
    bench: Bench, interface: Interface, tried: Sequence[Trial], reasons: Counter[str]
) -> list[Trial]:
    """Return some trials of a round as the source leaves them where the others are not made."""
    calls = [item.call for item in tried]
    checked = bench.run(Side.CHECKED, calls, Placement.GUARD_HIGH)
    rows = [((item.drawn, item.call), found) for item, found in zip(tried, checked, strict=True)]
    return _steady(bench, interface, rows, reasons)


def _invalid(found: Completed | Crashed) -> str:
    """Return why a call of the source shows nothing; nothing where it shows something."""
    if isinstance(found, Crashed):
        return f"the source ends by {found.reason}"
    outcome = Outcome.read(found.returned)
    if outcome.ending == RUNTIME_ERROR:
        return f"the source breaks a rule of Fortran: {outcome.text.strip()[:120]}"
    if outcome.ending == UNSEEN:
        return f"the variable `{outcome.text}` of the source is not seen from outside"
    return ""


def _steady(
    bench: Bench,
    interface: Interface,
    rows: list[tuple[tuple[Drawn, Call], Completed | Crashed]],
    reasons: Counter[str],
) -> list[Trial]:
    """Return those trials of which the source makes the same in three builds and places.

    What a call leaves may depend on calls before it, so those that are left are all made again.
    """
    while rows:
        calls = [call for (_, call), _ in rows]
        high = bench.run(Side.SOURCE, calls, Placement.GUARD_HIGH)
        others = [_with_other_results(interface, call) for call in calls]
        low = bench.run(Side.SOURCE, others, Placement.GUARD_LOW, environment=_OTHER_MEMORY)
        left: list[tuple[tuple[Drawn, Call], Completed | Crashed]] = []
        result: list[Trial] = []
        for row, one, other in zip(rows, high, low, strict=True):
            why = _invalid(one) or _invalid(other)
            assert why or isinstance(one, Completed)
            if not why and isinstance(one, Completed):
                for again in (other, row[1]):
                    if difference(interface, one, again) is not None:
                        why = "the source depends on memory that nobody has set"
                result.append(Trial(drawn=row[0][0], call=row[0][1], expected=one))
            if why:
                reasons[why] += 1
            else:
                left.append(row)
        if len(left) == len(rows):
            return result
        rows = left
    return []


def _with_other_results(interface: Interface, call: Call) -> Call:
    """Return a call whose result has other bytes before it is set."""
    of = interface.returned
    if of is None or of.allocated:
        return call
    arguments = list(call.arguments)
    place = len(interface.dummies)
    arguments[place] = np.full(len(arguments[place]), 0x3C, np.uint8)
    return replace(call, arguments=tuple(arguments))


def _measured(
    bench: Bench, interface: Interface, number: int, wanted: Sequence[Drawn], reasons: Counter[str]
) -> list[tuple[Drawn, Call]]:
    """Return calls whose arrays are as long as the source reaches into them."""
    result: dict[int, tuple[Drawn, Call]] = {}
    open_rooms = {index: _room(item) for index, item in enumerate(wanted)}
    while open_rooms:
        order = list(open_rooms)
        calls = [_call(interface, number, wanted[index], open_rooms[index]) for index in order]
        found = bench.run(Side.TRACED, calls, Placement.ARENA)
        left = {}
        for index, call, one in zip(order, calls, found, strict=True):
            if isinstance(one, Crashed):
                reasons[f"the traced source ends by {one.reason}"] += 1
                continue
            needed = _needed(interface, one)
            if needed is None:
                reasons["the source reaches below an array"] += 1
            elif all(len(data) >= least for data, least in zip(call.arguments, needed, strict=False)):
                result[index] = (wanted[index], _cut(interface, call, needed))
            elif open_rooms[index] < _MOST:
                left[index] = min(open_rooms[index] * 8, _MOST)
            else:
                reasons["the source reaches far into an array"] += 1
        open_rooms = left
    return [result[index] for index in sorted(result)]


def _needed(interface: Interface, found: Completed) -> list[int] | None:
    """Return how many bytes of each dummy argument the source touches; None where it goes below one."""
    assert found.trace is not None
    result = []
    for dummy, touched in zip(interface.dummies, found.trace.arrays, strict=False):
        if touched is not None and touched.low < 0:
            return None
        step = size(dummy.value)
        result.append(0 if touched is None else -(-touched.high // step) * step)
    return result


def _cut(interface: Interface, call: Call, needed: Sequence[int]) -> Call:
    """Return a call whose arrays end where the source's last access does, where no extent is passed."""
    arguments = list(call.arguments)
    for index, (dummy, length) in enumerate(zip(interface.dummies, needed, strict=True)):
        if dummy.rank and dummy.shape not in ("assumed", "deferred"):
            arguments[index] = arguments[index][:length]
    return replace(call, arguments=tuple(arguments))


def _room(item: Drawn) -> int:
    """Return as many elements as arrays probably need."""
    numbers = sorted(
        abs(value) for value in item.given.values() if isinstance(value, int) and abs(value) <= _SIZE
    )
    first, second = (*numbers, 0, 0)[-1] if numbers else 0, numbers[-2] if len(numbers) > 1 else 0
    return min(max((max(numbers, default=0) + 1) * (second + 2) + first, _FEWEST), _MOST)


def _call(interface: Interface, number: int, item: Drawn, room: int) -> Call:
    """Return the call of a trial whose arrays of unknown extent have so many elements."""
    random = np.random.default_rng([item.seed, room, 7])
    arguments: list[Bytes | bytes] = [
        _data(dummy, interface, item, room, random) for dummy in interface.dummies
    ]
    if interface.result is not None:
        arguments.append(_result(interface, item))
    for dummy in filter(sized, interface.dummies):
        length = dummy.value.length or (1 if dummy.rank else len(item.scalars[dummy.name]))
        arguments.append(struct.pack("<q", 0 if dummy.name in item.absent else length))
    for dummy in filter(described, interface.dummies):
        flat = [part for axis in item.shapes[dummy.name] for part in axis]
        arguments.append(struct.pack(f"<{len(flat)}q", *flat))
    if interface.returned is not None and not interface.returned.allocated:
        assert item.returned is not None  # Others are no trials.
        numbers = item.returned if interface.returned.length else _packed(item.returned)
        arguments.append(struct.pack(f"<{len(numbers)}q", *numbers))
    if any(dummy.optional for dummy in interface.dummies):
        passed = [dummy.name not in item.absent for dummy in interface.dummies]
        arguments.append(struct.pack(f"<{len(passed)}q", *passed))
    if interface.state:
        given = (not (item.initial and stored.initial) for stored in interface.state)
        arguments.append(struct.pack(f"<{len(interface.state)}q", *given))
    for stored in interface.state:
        arguments.append(_data(stored.variable, interface, item, stored.count, random))
    return Call(
        entry=number, arguments=tuple(arguments), before=(0,) * len(arguments), launch=_LAUNCH, returns=BYTES
    )


def _result(interface: Interface, item: Drawn) -> Bytes:
    """Return the room that a call has for a function's result."""
    assert interface.result is not None
    of, step = interface.returned, size(interface.result)
    if of is not None and of.allocated:
        return without(of.rank)
    if of is not None and of.length:
        step = 1
    return np.full(step * prod(item.returned or ()), 0xA5, np.uint8)


def _packed(extents: Sequence[int]) -> list[int]:
    """Return extents and strides, in turn, of elements that lie one behind another."""
    result, room = [], 1
    for extent in extents:
        result += [extent, room]
        room *= extent
    return result


def _data(dummy: Dummy, interface: Interface, item: Drawn, room: int, random: np.random.Generator) -> Bytes:
    if not drawn_by_value(dummy):
        shaped = dummy.name in item.shapes
        count = _extent(item.shapes[dummy.name]) if shaped else room if dummy.rank else 1
        parts = count * (size(dummy.value) // dtype(dummy.value).itemsize)
        found = filled(item.fills[dummy.name], parts, dummy.value, interface.numbers, random, interface.texts)
        if item.fills[dummy.name] == "dominant":
            found = _dominant(found, dummy, item, random)
        data = np.asarray(found.view(np.uint8))
        return buffer(dummy, item.shapes[dummy.name], data, item.seed) if dummy.shape == "deferred" else data
    value = item.scalars[dummy.name]
    if dummy.value.base == "character":
        return np.frombuffer(value.encode("latin-1"), np.uint8).copy()
    return np.atleast_1d(np.array(value)).astype(dtype(dummy.value)).view(np.uint8)


def _dominant(found: Any, dummy: Dummy, item: Drawn, random: np.random.Generator) -> Any:
    """Return the numbers of a matrix with large ones on its diagonal, or in the row that is a band's."""
    rows = item.scalars.get(dummy.rows)
    if not isinstance(rows, int) or rows < 1 or dummy.value.base not in ("real", "complex"):
        return found
    banded = random.random() < _BANDED
    start = int(random.choice([0, rows - 1, int(random.integers(rows))])) if banded else 0
    parts = 2 if dummy.value.base == "complex" else 1
    first, step = parts * start, parts * (rows if banded else rows + 1)
    found[first::step] = np.abs(found[first::step]) + 4 * rows
    if parts > 1:
        found[first + 1 :: step] = 0
    return found


def _extent(shape: Sequence[tuple[int, int]]) -> int:
    """Return how many elements an array of a shape spans."""
    if any(extent == 0 for extent, _ in shape):
        return 0
    return 1 + sum((extent - 1) * abs(stride) for extent, stride in shape)
