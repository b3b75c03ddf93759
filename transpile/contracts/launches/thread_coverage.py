"""Numbers of threads that suffice: thresholds by bisection, and an expression that predicts further ones."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from transpile.contracts.fitting.fit import candidates, fit
from transpile.contracts.launches.launch_ladder import Split, launch_of
from transpile.contracts.probing.probe import Asking, Filling, Observed, Probe
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.contracts.text.launch_bounds import Counted
from transpile.core import Launch
from transpile.expressions import ExpressionError, evaluate
from transpile.expressions import names as names_of

_MEASURED = 6
"""Rows whose threshold is searched; the others check what these suggest."""
_FAN = 12
"""Probes a row and round of the search."""
_GUESSES = 10
_MOST_GUARDS = 4
_FACTORS = (2, 4, 8, 16, 32, 64)
"""By which sizes are raised for one guard of the text to exceed another."""
_BEYOND = (8, 16)
"""By which sizes are raised to see whether a constant number of threads still suffices."""
_SMALL_DIVISOR = 4
_DIVIDED = re.compile(r"/ (\d+)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """What an axis needs, as an expression; with the rows that it was made from and that it predicted."""

    text: str
    samples: int
    held_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """For which axis the threshold is asked, and what the other axes have meanwhile."""

    letter: str
    others: Mapping[str, int]
    top: int
    """Threads that certainly suffice."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the sizes of the blocks that are counted; none where threads are."""
        return ()

    def told(self, subject: Subject) -> tuple[str, ...]:
        """Return what the guards of the text let through on the axis, as what is asked for counts it."""
        axis = subject.axis(self.letter)
        if axis is None or (axis.grid and axis.block):
            return subject.told.bounds(self.letter, Counted.THREADS)
        return subject.told.bounds(self.letter, Counted.BLOCKS if axis.grid else Counted.LANES)

    def launch(self, subject: Subject, threads: int, shared: int) -> Launch:
        """Return the launch with so many threads on the axis asked for."""
        return launch_of(subject, {**self.others, self.letter: threads}, Split.ONE, shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Searches for the threshold of one axis."""

    subject: Subject
    question: Question
    fillings: tuple[Filling, ...]
    shared: int
    reads: bool = True
    """Rows differ also where they only read further."""

    def threshold(self, rows: Sequence[Scalars]) -> Asking[Threshold | None]:
        """Return the least number of threads as an expression of the scalars, None where none was found."""
        rows = [*rows, *self._telling_apart(rows)]
        enough, more = yield from self._at_top(rows)
        if enough != more:
            # A call that reached further than any before gives arrays other data from the next batch on.
            enough, more = yield from self._at_top(rows)
        settled = [
            (row, left) for row, left, same in zip(rows, enough, more, strict=True) if left and left == same
        ]
        if len(settled) < _MEASURED + 2:
            return None
        names = self.subject.used
        known = [{name: int(row[name]) for name in self.subject.integers} for row, _ in settled]
        guarded = yield from self._guarded(settled, known)
        if guarded is not None:
            return guarded
        needed = yield from self._search(settled[:_MEASURED])
        if min(needed) == self.question.top:
            return None  # Less would not do in any row: results change with something else.
        guesses = candidates(known[:_MEASURED], needed, names)
        for text in islice(guesses, _GUESSES):
            if plausible(text, self.subject, self.question.sizes) and (
                yield from self._predicts(text, settled[_MEASURED:], known[_MEASURED:])
            ):
                beyond = [] if names_of(text) else (yield from self._beyond(text, rows))
                if not beyond:
                    return Threshold(text=text, samples=_MEASURED, held_out=len(settled) - _MEASURED)
                settled += beyond
                known += [{name: int(row[name]) for name in self.subject.integers} for row, _ in beyond]
                break
        needed += yield from self._search(settled[_MEASURED:])
        found = fit(known, needed, names)
        if found is None or not plausible(found.text, self.subject, self.question.sizes):
            return None
        return Threshold(text=found.text, samples=len(settled) - found.held_out, held_out=found.held_out)

    def _beyond(self, text: str, rows: Sequence[Scalars]) -> Asking[list[tuple[Scalars, str]]]:
        """Return larger rows, settled, for which a number of threads that sufficed so far does not.

        A thread may have several elements, and all rows so far fewer than two threads have.
        """
        larger = [
            {**row, **{name: factor * int(row[name]) for name in self.subject.used}}
            for row, factor in zip(rows, _BEYOND, strict=False)
        ]
        enough, more = yield from self._at_top(larger)
        few = yield from self._left([(row, evaluate(text, {})) for row in larger])
        return [
            (row, left)
            for row, left, same, less in zip(larger, enough, more, few, strict=True)
            if left and left == same != less
        ]

    def _telling_apart(self, rows: Sequence[Scalars]) -> list[Scalars]:
        """Return larger rows in which a guard of the text exceeds another that it never exceeds here."""
        subject = self.subject
        told = self.question.told(subject)
        larger = [
            {**row, name: factor * int(row[name])}
            for factor in _FACTORS
            for row in rows[:_MEASURED]
            for name in subject.used
        ]
        found: list[Scalars] = []
        for one, other in permutations(told[:_MOST_GUARDS], 2):
            if not any(self._exceeds(one, other, row) for row in (*rows, *found)):
                found += islice((row for row in larger if self._exceeds(one, other, row)), 1)
        return found

    def _exceeds(self, one: str, other: str, row: Scalars) -> bool:
        """Tell whether a row asks for more threads by one guard than by another, but for few enough."""
        known = [{name: int(row[name]) for name in self.subject.integers}]
        [more], [less] = _needs(one, known), _needs(other, known)
        return less < more <= self.question.top

    def _at_top(self, rows: Sequence[Scalars]) -> Asking[tuple[list[str], list[str]]]:
        """Return what rows leave behind with as many threads as suffice, and with twice as many."""
        top = self.question.top
        enough = yield from self._left([(row, top) for row in rows])
        more = yield from self._left([(row, 2 * top) for row in rows])
        return enough, more

    def _guarded(
        self, settled: Sequence[tuple[Scalars, str]], known: Sequence[Mapping[str, int]]
    ) -> Asking[Threshold | None]:
        """Return the least guard of the text up to which launches have to reach, None where none suffices.

        Where one of several guards is not enough the greatest of all of them is looked at as well.
        """
        told = self.question.told(self.subject)
        enough = yield from self._sufficient(told, settled, known)
        if 1 < len(told) <= _MOST_GUARDS:
            # Each of several is enough where all of them are asked, and the greatest where any of them is.
            chosen, joined = ([text for _, text in enough], "min") if enough else (told, "max")
            wider = f"{joined}({', '.join(chosen)})"
            enough += (yield from self._sufficient([wider], settled, known)) if len(chosen) > 1 else []
        if not enough:
            return None
        text = min(enough)[1]
        if self.question.sizes and (yield from self._is_strided(text, settled, known)):
            text = "1"
        return Threshold(text=text, samples=0, held_out=len(settled))

    def _is_strided(
        self, text: str, settled: Sequence[tuple[Scalars, str]], known: Sequence[Mapping[str, int]]
    ) -> Asking[bool]:
        """Tell whether one block does what several do up to a guard: it is the end of a grid-stride loop."""
        needs = _needs(text, known)
        rows = [item for item, need in zip(settled, needs, strict=True) if need > 1]
        left = yield from self._left([(row, 1) for row, _ in rows])
        return bool(rows) and all(digest == own for digest, (_, own) in zip(left, rows, strict=True))

    def _sufficient(
        self,
        texts: Sequence[str],
        settled: Sequence[tuple[Scalars, str]],
        known: Sequence[Mapping[str, int]],
    ) -> Asking[list[tuple[int, str]]]:
        """Return the expressions up to which a launch has to reach and no further, with what they ask for."""
        enough: list[tuple[int, str]] = []
        for text in texts:
            needs = _needs(text, known)
            tried = [
                (item, need) for item, need in zip(settled, needs, strict=True) if need <= self.question.top
            ]
            if len(tried) < min(_MEASURED, len(settled)):
                continue
            left = yield from self._left([(row, need) for (row, _), need in tried])
            if all(digest == own for digest, ((_, own), _) in zip(left, tried, strict=True)):
                enough.append((sum(needs), text))
        return enough

    def _left(self, cases: Sequence[tuple[Scalars, int]]) -> Asking[list[str]]:
        """Return what rows leave behind with so many threads, under all fillings; empty after a failure."""
        outcomes = yield [
            Probe(
                scalars=row, launch=self.question.launch(self.subject, threads, self.shared), filling=filling
            )
            for row, threads in cases
            for filling in self.fillings
        ]
        returned = [item if isinstance(item, Observed) else None for item in outcomes]
        digests = [item.left(reads=self.reads) if item else "" for item in returned]
        width = len(self.fillings)
        groups = [digests[start : start + width] for start in range(0, len(digests), width)]
        return ["".join(group) if all(group) else "" for group in groups]

    def _search(self, settled: Sequence[tuple[Scalars, str]]) -> Asking[list[int]]:
        """Return the least threads that leave the same behind, all rows in parallel."""
        low = [0] * len(settled)
        high = [self.question.top] * len(settled)
        while any(top - bottom > 1 for bottom, top in zip(low, high, strict=True)):
            fans = [_between(bottom, top) for bottom, top in zip(low, high, strict=True)]
            asked = [(index, threads) for index, fan in enumerate(fans) for threads in fan]
            left = yield from self._left([(settled[index][0], threads) for index, threads in asked])
            same = [digest == settled[index][1] for (index, _), digest in zip(asked, left, strict=True)]
            for (index, threads), enough in zip(asked, same, strict=True):
                high[index] = min(high[index], threads) if enough else high[index]
            for (index, threads), enough in zip(asked, same, strict=True):
                if not enough and threads < high[index]:
                    low[index] = max(low[index], threads)
        return high

    def _predicts(
        self, text: str, settled: Sequence[tuple[Scalars, str]], known: Sequence[Mapping[str, int]]
    ) -> Asking[bool]:
        """Tell whether the expression is the threshold of rows that it was not made from."""
        try:
            needs = [max(evaluate(text, row), 1) for row in known]
        except ExpressionError:
            return False
        if max(needs) > self.question.top:
            return False
        rows = [row for row, _ in settled]
        enough = yield from self._left(list(zip(rows, needs, strict=True)))
        short = yield from self._left(
            [(row, max(need - 1, 1)) for row, need in zip(rows, needs, strict=True)]
        )
        return all(
            enough[index] == digest and (needs[index] == 1 or short[index] != digest)
            for index, (_, digest) in enumerate(settled)
        )


def _needs(text: str, known: Sequence[Mapping[str, int]]) -> list[int]:
    """Return the value of an expression in every row, at least 1; beyond all reach where it has none."""
    found: list[int] = []
    for row in known:
        try:
            found.append(max(evaluate(text, row), 1))
        except ExpressionError:
            found.append(sys.maxsize)
    return found


def plausible(text: str, subject: Subject, sizes: Sequence[int] = ()) -> bool:
    """Tell whether what a fitted expression divides by can be made of the text's numbers, or block sizes."""
    known = {*subject.constants, *sizes}
    made = {*known, *(one * other for one in known for other in known)}
    made |= {one + times * other for one in known for other in known for times in (1, -1, 2, -2)}
    return all(number <= _SMALL_DIVISOR or number in made for number in map(int, _DIVIDED.findall(text)))


def _between(low: int, high: int) -> list[int]:
    """Return up to a dozen numbers strictly between; powers of two first where little is known."""
    if high - low <= _FAN + 1:
        return list(range(low + 1, high))
    if low == 0:
        return [1 << power for power in range(high.bit_length()) if 1 << power < high][:_FAN]
    step = (high - low) / (_FAN + 1)
    return sorted({low + round(step * turn) for turn in range(1, _FAN + 1)} - {low, high})
