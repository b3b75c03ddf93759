"""How many threads suffice: thresholds found by bisection, and an expression that predicts further ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from transpile.contracts.fit import candidates, fit
from transpile.contracts.ladder import Split, launch_of
from transpile.contracts.probe import Asking, Filling, Observed, Probe
from transpile.contracts.rows import Scalars
from transpile.contracts.subject import Subject
from transpile.core import Launch
from transpile.expressions import ExpressionError, evaluate

_MEASURED = 6
"""Rows whose threshold is searched; the others check what these suggest."""
_FAN = 12
"""Probes a row and round of the search."""
_GUESSES = 10


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
        top = self.question.top
        enough = yield from self._left([(row, top) for row in rows])
        more = yield from self._left([(row, 2 * top) for row in rows])
        settled = [
            (row, left) for row, left, same in zip(rows, enough, more, strict=True) if left and left == same
        ]
        if len(settled) < _MEASURED + 2:
            return None
        known = [{name: int(row[name]) for name in self.subject.integers} for row, _ in settled]
        needed = yield from self._search(settled[:_MEASURED])
        guesses = candidates(known[:_MEASURED], needed, self.subject.integers)
        for text in islice(guesses, _GUESSES):
            if (yield from self._predicts(text, settled[_MEASURED:], known[_MEASURED:])):
                return Threshold(text=text, samples=_MEASURED, held_out=len(settled) - _MEASURED)
        needed += yield from self._search(settled[_MEASURED:])
        found = fit(known, needed, self.subject.integers)
        if found is None:
            return None
        return Threshold(text=found.text, samples=len(settled) - found.held_out, held_out=found.held_out)

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
        digests = [(item.state if self.reads else item.outputs) if item else "" for item in returned]
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


def _between(low: int, high: int) -> list[int]:
    """Return up to a dozen numbers strictly between; powers of two first where little is known."""
    if high - low <= _FAN + 1:
        return list(range(low + 1, high))
    if low == 0:
        return [1 << power for power in range(high.bit_length()) if 1 << power < high][:_FAN]
    step = (high - low) / (_FAN + 1)
    return sorted({low + round(step * turn) for turn in range(1, _FAN + 1)} - {low, high})
