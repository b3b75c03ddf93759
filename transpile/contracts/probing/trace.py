"""Probes become traced calls of the source in a sandboxed worker, and traces become observations."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from transpile.contracts.probing.fill import Bytes, encode, filled
from transpile.contracts.probing.probe import (
    Failed,
    Filling,
    Observed,
    Outcome,
    Probe,
    Touched,
    Values,
)
from transpile.contracts.probing.subject import ArrayInput, ScalarInput, Subject
from transpile.core import ElementType, Leaf, Scalar
from transpile.sizes import portions
from transpile.toolchains.build import BuildFailed, Built
from transpile.toolchains.speed import WORK_A_SECOND
from transpile.toolchains.worker import (
    Call,
    Completed,
    Crashed,
    Placement,
    RestartPolicy,
    Trace,
    run,
)
from transpile.toolchains.workshop import Workshop

CALL_TIMEOUT = 2.0
"""Seconds' worth of work: calls are small, so one that does more does not end."""
_FIRST_ELEMENTS = 512
_MOST_ELEMENTS = 1 << 17
_LARGE_ELEMENT = 64
"""Bytes from which on an array has fewer elements, so that it holds no more than others do."""
_RESTARTS = RestartPolicy(afresh=True)
_BATCHES = 4
"""Batches whose share of deaths one function may use up alone."""
_MOST_BYTES = 1 << 26
"""Most bytes in the arrays of a checked call: wild indices reach far into memory that nobody has."""
_AT_ONCE = 192
_FIRST_AT_ONCE = 16
_MOST_HELD = 1 << 28
"""Calls whose traces are held together, before any is known, and bytes in them: each may list megabytes."""
_PAIR = 128
"""Bytes of a pair of numbers."""
_SHARE = 16
"""Calls that are worth a process of their own."""


@dataclass(slots=True)
class Tracer:
    """Runs probes of the kernels of one library; knows how much data each array needed so far."""

    workshop: Workshop
    library: Built
    checked: Callable[[], Built | BuildFailed]
    """Builds the library whose stray accesses end a call; asked when first needed."""
    elements: dict[tuple[int, str], int] = field(default_factory=dict)
    _checked: Built | BuildFailed | None = None

    def run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
        """Return the outcome of every probe, in order; what is asked twice is called once."""
        keys = [(subject.entry, repr(probe)) for subject, probe in asked]
        places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        outcomes = self._run(list(dict(zip(keys, asked, strict=True)).values()))
        return [outcomes[places[key]] for key in keys]

    def _run(self, asked: Sequence[tuple[Subject, Probe]]) -> list[Outcome]:
        """Trace all probes in one batch and check those that say so in another, in order."""
        traced = [(index, *item) for index, item in enumerate(asked) if item[1].extents is None]
        checked = [(index, *item) for index, item in enumerate(asked) if item[1].extents is not None]
        outcomes: dict[int, Outcome] = {}
        data = _Data(dict(self.elements))
        start, count, ends = 0, _FIRST_AT_ONCE, _Ends()
        while start < len(traced):
            part = traced[start : start + count]
            calls = [_call(data, subject, probe) for _, subject, probe in part]
            results = self._all(self.library, calls, Placement.ARENA, ends)
            data.forget_many()
            for (index, subject, _), result in zip(part, results, strict=True):
                outcomes[index] = self._outcome(subject, result, data)
            if start // _AT_ONCE != (start + len(part)) // _AT_ONCE:
                ends = _Ends()
            start += len(part)
            held = max(map(_held, results))
            count = max(min(_MOST_HELD // max(held, 1), 4 * count, _AT_ONCE), 1)
        for index, subject, _ in traced:
            outcome = outcomes[index]
            if isinstance(outcome, Observed):
                self._remember(subject, outcome)
        for (index, _, _), outcome in zip(checked, self._check(checked), strict=True):
            outcomes[index] = outcome
        return [outcomes[index] for index in range(len(asked))]

    def _check(self, asked: Sequence[tuple[int, Subject, Probe]]) -> list[Outcome]:
        """Run checked calls: what may lie behind a page in one batch, the rest under the sanitizers."""
        results: dict[int, Completed | Crashed] = {
            index: Crashed(reason="too much memory is touched")
            for index, subject, probe in asked
            if _bytes(subject, probe) > _MOST_BYTES
        }
        for guarded in (True, False):
            chosen = [item for item in asked if item[2].guarded == guarded and item[0] not in results]
            library = self.library if guarded else self._sanitized() if chosen else None
            if not chosen:
                continue
            if isinstance(library, BuildFailed) or library is None:
                broken = Crashed(reason="the source does not build with the sanitizers")
                results |= {index: broken for index, _, _ in chosen}
                continue
            placement, ends = Placement.GUARD_HIGH if guarded else Placement.HEAP, _Ends()
            for some in portions(chosen, lambda item: _bytes(*item[1:]), _MOST_HELD):
                calls = [_exact_call(subject, probe) for _, subject, probe in some]
                part = self._all(library, calls, placement, ends)
                results |= {index: item for (index, _, _), item in zip(some, part, strict=True)}
        return [_bare(subject, results[index]) for index, subject, _ in asked]

    def _sanitized(self) -> Built | BuildFailed:
        if self._checked is None:
            self._checked = self.checked()
        return self._checked

    def _all(
        self, library: Built, calls: Sequence[Call], placement: Placement, ends: _Ends
    ) -> list[Completed | Crashed]:
        """Make all calls, every few of them in a process of their own."""
        shares = max(min(self.workshop.jobs, len(calls) // _SHARE), 1)
        results: list[Completed | Crashed | None] = [None] * len(calls)
        with ThreadPoolExecutor(max_workers=shares) as pool:
            parts = pool.map(
                lambda start: self._in_turn(library, calls[start::shares], placement, ends), range(shares)
            )
            for start, part in enumerate(parts):
                results[start::shares] = part
        return [item for item in results if item is not None]

    def _in_turn(
        self, library: Built, calls: Sequence[Call], placement: Placement, ends: _Ends
    ) -> list[Completed | Crashed]:
        """Make calls; of a function whose calls keep dying, no more are made."""
        results: dict[int, Completed | Crashed] = {}
        while waiting := [index for index in range(len(calls)) if index not in results]:
            refused = {
                index: why for index in waiting if (why := ends.refusal(calls[index].entry)) is not None
            }
            results |= refused
            asked = [index for index in waiting if index not in refused]
            if not asked:
                break
            part = run(
                self.workshop,
                library,
                [calls[index] for index in asked],
                placement=placement,
                restarts=_RESTARTS,
            )
            for index, item in zip(asked, part, strict=True):
                if not _given_up(item):
                    results[index] = item
                    ends.note(calls[index].entry, item)
        return [results[index] for index in range(len(calls))]

    def _outcome(self, subject: Subject, result: Completed | Crashed, data: _Data) -> Outcome:
        if isinstance(result, Completed):
            return _observed(subject, result, data)
        slow = result.called and result.reason == "timeout"
        most = int(self.workshop.timeout * WORK_A_SECOND)
        return replace(_failed(subject, result), work=most if slow else 0)

    def _remember(self, subject: Subject, outcome: Observed) -> None:
        for name, touched in outcome.touched.items():
            item = next(item for item in subject.arrays if item.name == name)
            key = (subject.entry, name)
            wanted = min(touched.high + touched.high // 4, _fewer(_MOST_ELEMENTS, item))
            self.elements[key] = max(self.elements.get(key, _fewer(_FIRST_ELEMENTS, item)), wanted)


@dataclass(slots=True)
class _Ends:
    """Counts, by function, of calls that died and of those that did not end."""

    died: Counter[int] = field(default_factory=Counter)
    hung: Counter[int] = field(default_factory=Counter)

    def note(self, entry: int, result: Completed | Crashed) -> None:
        """Count a call that was made."""
        self.died[entry] += isinstance(result, Crashed)
        self.hung[entry] += isinstance(result, Crashed) and result.reason == "timeout"

    def refusal(self, entry: int) -> Crashed | None:
        """Return why a function is not called any more; None where it is."""
        if self.hung[entry] > _BATCHES * _RESTARTS.timeouts:
            return Crashed(reason="timeout", called=False)
        if self.died[entry] >= _BATCHES * _RESTARTS.deaths:
            return Crashed(reason="too many calls died", called=False)
        return None


def _held(result: Completed | Crashed) -> int:
    """Return how many bytes a result of a call has."""
    if isinstance(result, Crashed):
        return 0
    traces = result.trace.arrays if result.trace is not None else ()
    listed = sum(len(item.flags) + _PAIR * len(item.reach) for item in traces if item is not None)
    return listed + sum(map(len, result.arguments))


def _bytes(subject: Subject, probe: Probe) -> int:
    """Return how much the arrays of a checked call hold together."""
    extents = probe.extents or {}
    return sum(extents.get(item.name, 0) * item.element.size for item in subject.arrays)


def _fewer(elements: int, item: ArrayInput) -> int:
    """Return how many elements an array has where usual ones have so many."""
    return max(elements * _LARGE_ELEMENT // max(item.element.size, _LARGE_ELEMENT), 4)


@dataclass(slots=True)
class _Data:
    """Arrays made once a batch: many probes differ in the launch alone."""

    elements: Mapping[tuple[int, str], int]
    exact: bool = False
    """An array that is not listed has no elements."""
    extents: Mapping[tuple[int, str], int] | None = None
    """Elements that arrays have beside those that hold data; the same number where not given."""
    made: dict[tuple[object, ...], Bytes] = field(default_factory=dict)

    def count(self, subject: Subject, item: ArrayInput) -> int:
        usual = 0 if self.exact else _fewer(_FIRST_ELEMENTS, item)
        return self.elements.get((subject.entry, item.name), usual)

    def forget_many(self) -> None:
        """Drop the arrays that were made, where they are more than is held; they would be made again."""
        if sum(map(len, self.made.values())) > _MOST_HELD:
            self.made.clear()

    def array(self, subject: Subject, item: ArrayInput, filling: Filling, words: tuple[int, ...]) -> Bytes:
        count = self.count(subject, item)
        values = filling.own.get(item.name, filling.free.get(item.name, filling.integers))
        steered = item.name in filling.own or not item.integer
        key = (
            subject.entry,
            item.position,
            values,
            filling.floats,
            filling.level,
            filling.seed,
            count,
            () if steered else words,
        )
        if key not in self.made:
            generator = np.random.default_rng([filling.seed, item.position, count])
            self.made[key] = filled(item.element, count, filling, values, () if steered else words, generator)
        return self._fitted(self.made[key], subject, item)

    def _fitted(self, array: Bytes, subject: Subject, item: ArrayInput) -> Bytes:
        if self.extents is None:
            return array
        size = self.extents.get((subject.entry, item.name), 0) * item.element.size
        return np.concatenate([array[:size], np.zeros(max(size - len(array), 0), dtype=np.uint8)])


def _call(data: _Data, subject: Subject, probe: Probe) -> Call:
    words = tuple(int(probe.scalars[name]) for name in subject.integers)
    arrays = {item.position: item for item in subject.arrays}
    arguments: list[Bytes | bytes] = []
    for position, parameter in enumerate(subject.signature.parameters):
        if position in arrays:
            arguments.append(data.array(subject, arrays[position], probe.filling, words))
            continue
        value = np.zeros(parameter.element.size if parameter.element else 0, dtype=np.uint8)
        for item in subject.scalars:
            if item.position == position:
                _put(value, item, probe.scalars[item.name])
        arguments.append(value.tobytes())
    return Call(
        entry=subject.entry,
        arguments=tuple(arguments),
        before=(0,) * len(arguments),
        launch=probe.launch,
        seed=0,
        globals=_globals(subject, probe),
        returns=subject.signature.returns.size if subject.signature.returns else 0,
    )


def _put(value: Bytes, item: ScalarInput, number: int | float) -> None:
    if item.scalar.floating:
        encoded = encode(np.array([number], dtype=np.float64), item.scalar)[0]
    else:
        encoded = encode(np.array([number], dtype=np.int64), item.scalar)[0]
    value[item.offset : item.offset + len(encoded)] = encoded


def _globals(subject: Subject, probe: Probe) -> tuple[tuple[str, bytes], ...]:
    result: list[tuple[str, bytes]] = []
    for index, item in enumerate(subject.signature.globals):
        element = item.element or ElementType(
            spelling="char", size=1, leaves=(Leaf(offset=0, scalar=Scalar.INT8),)
        )
        generator = np.random.default_rng([probe.filling.seed, 1000 + index])
        values = probe.filling.free.get(item.name, Values())
        data = filled(element, item.count, probe.filling, values, (), generator)
        result.append((item.name, data.tobytes()))
    return tuple(result)


def _exact_call(subject: Subject, probe: Probe) -> Call:
    least = {item.name: item.least for item in subject.signature.parameters}
    extents = {
        (subject.entry, name): max(count, least.get(name, 0)) for name, count in (probe.extents or {}).items()
    }
    if probe.supplied is None:
        return _call(_Data(extents, exact=True), subject, probe)
    supplied = {(subject.entry, name): count for name, count in probe.supplied.items()}
    return _call(_Data(supplied, extents=extents), subject, probe)


def _bare(subject: Subject, result: Completed | Crashed) -> Outcome:
    """Return how a checked call ended."""
    if isinstance(result, Completed):
        return Observed(touched={}, outputs="")
    return _failed(subject, result)


def _failed(subject: Subject, result: Crashed) -> Failed:
    """Return how a call ended, and near which array."""
    named = [item.name for item in subject.arrays if item.position == result.argument]
    return Failed(reason=result.reason, argument=named[0] if named else "")


def _given_up(result: Completed | Crashed) -> bool:
    return isinstance(result, Crashed) and not result.called


def _observed(subject: Subject, result: Completed, data: _Data) -> Outcome:
    trace = result.trace
    if trace is None:
        return Failed(reason="no trace")
    touched = {item.name: found for item in subject.arrays if (found := _touched(trace, item)) is not None}
    race, racing = _races(subject, trace)
    return Observed(
        touched=touched,
        outputs=_digest(subject, result, trace),
        race=race,
        supplied={item.name: data.count(subject, item) for item in subject.arrays},
        work=result.work,
        racing=racing,
        poison=bool(trace.poisoned),
    )


def _touched(trace: Trace, item: ArrayInput) -> Touched | None:
    found = trace.arrays[item.position]
    if found is None or found.high <= found.low:
        return None
    size = item.element.size
    return Touched(
        low=found.low // size,
        high=-(-found.high // size),
        bytes_low=found.low,
        bytes_high=found.high,
        read=bool(found.read.any()),
        written=bool(found.written.any()),
        read_first=bool(found.read_first.any()),
        atomic=bool(found.atomic.any()),
        # Accesses outside the library stand in one place, where the furthest counts.
        reach={site: -(-high // size) for site, high in sorted(found.reach, key=lambda pair: pair[1])},
    )


def _digest(subject: Subject, result: Completed, trace: Trace) -> str:
    hasher = hashlib.blake2b(digest_size=16)
    for item in subject.arrays:
        found = trace.arrays[item.position]
        if found is None or not found.written.any():
            continue
        marks = np.flatnonzero(found.written) + found.low
        inside = marks[(marks >= 0) & (marks < len(result.arguments[item.position]))]
        hasher.update(item.name.encode("utf-8", "surrogateescape"))
        hasher.update(marks.tobytes())
        hasher.update(result.arguments[item.position][inside].tobytes())
    for name, data in result.globals:
        hasher.update(name.encode("utf-8", "surrogateescape"))
        hasher.update(data)
    hasher.update(result.returned)
    return hasher.hexdigest()


def _races(subject: Subject, trace: Trace) -> tuple[str, frozenset[str]]:
    """Return the first harmful race in words, and the arrays of all of them."""
    names = {item.position: item for item in subject.arrays}
    first, racing = "", set[str]()
    for race in trace.races:
        if race.same_value:
            continue
        item = names.get(race.argument) if race.argument is not None else None
        place = f"`{item.name}[{race.offset // item.element.size}]`" if item else "shared memory or a global"
        first = first or f"{race.kind} race on {place}"
        racing.add(item.name if item else "")
    return first, frozenset(racing)
