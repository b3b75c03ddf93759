"""Numbers of bytes that keep elements aligned, such as a pitch: multiples, or the source misbehaves.

A processor bears an element anywhere, and no trace tells; the sanitizers do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.contracts.arrays.extents import brink
from transpile.contracts.arrays.ranges import Facts
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Probe
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import Launch, ScalarFact
from transpile.expressions import ExpressionError, names

_ALIGNED = 64
_MULTIPLES = (1, 2, 4, 8, 16)
_TIMES = (1, 3)


def aligned(
    subject: Subject, known: Pilot, facts: Facts, scalars: tuple[ScalarFact, ...]
) -> Asking[tuple[ScalarFact, ...]]:
    """Return the scalars of a function, those that count bytes as the multiples that the sanitizers bear."""
    divided = [item.extent for item in facts.arrays if "/" in item.extent]
    counting = [name for name in subject.integers if any(name in names(text) for text in divided)]
    if subject.launched or not counting:
        return scalars
    base = {**known.scalars, **dict.fromkeys(counting, _ALIGNED)}
    rows = [
        {**base, name: _ALIGNED + times * multiple}
        for name in counting
        for multiple in _MULTIPLES
        for times in _TIMES
    ]
    try:
        probes = [_probe(subject, known, facts, row) for row in (base, *rows)]
    except ExpressionError:
        return scalars
    outcomes = yield probes
    borne = [isinstance(outcome, Observed) for outcome in outcomes]
    if not borne[0]:
        return scalars
    each = len(_MULTIPLES) * len(_TIMES)
    found = {
        name: _least(borne[1 + each * index : 1 + each * (index + 1)]) for index, name in enumerate(counting)
    }
    return tuple(replace(fact, multiple_of=str(found.get(fact.name, 1))) for fact in scalars)


def _least(borne: Sequence[bool]) -> int:
    """Return the least number whose multiples are all borne; 1 where there is none."""
    times = len(_TIMES)
    fitting = (
        multiple
        for index, multiple in enumerate(_MULTIPLES)
        if all(borne[times * index : times * (index + 1)])
    )
    return next(fitting, 1)


def _probe(subject: Subject, known: Pilot, facts: Facts, row: Scalars) -> Probe:
    return brink(subject, known, facts.intervals(subject, known, row), facts.arrays, row, Launch())
