"""Whole numbers in variables at file scope, other than the small positive ones that most trials have there.

Tables of offsets hold negative ones, states of generators use all bits, a radius or a flag may be zero. What
a source does with such is seen in trials of their own: those on which it misbehaves do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.contracts.arrays.ranges import BITS
from transpile.core import Contract, Fill, Scalar, Trial
from transpile.testers.oracle.far_values import PROBES, steep
from transpile.testers.oracle.validity import Examiner
from transpile.testers.trials.generate import Plan, pinned, thinned

_NEAR = ((0, 0), (0, 1), (-1, 1), (-8, 8), (-2, -1), (9, 16), (17, 32), (33, 100))
_LENGTHS = (9, 16, 20, 24, 31, 32, 33, 52, 63, 64)
"""Bits of numbers that lie far from zero."""
_GREATEST = BITS[Scalar.INT64][1]
"""Numbers beyond it are not drawn."""
_FILLS: tuple[Fill, ...] = ("exact", "real", "wide")
_LEVELS = (2, 1, 3)
_MOST = 64

Ranges = tuple[tuple[str, int, int], ...]


def filed(examiner: Examiner, plan: Plan) -> list[Trial]:
    """Return trials with numbers of many sizes in variables at file scope, each alone and all at once."""
    kinds = _kinds(examiner.contract)
    open_ended = {name for name, kind in kinds.items() if not _is_steep(examiner, plan, name, kind)}
    columns = [list(_ranges(name, kind, far=name in open_ended)) for name, kind in kinds.items()]
    alone: list[Ranges] = [(item,) for column in columns for item in column]
    chosen = [*thinned(alone, _MOST)]
    if len(columns) > 1:
        most = max(map(len, columns))
        chosen += [tuple(column[turn % len(column)] for column in columns) for turn in range(most)]
    return _made(examiner.contract, plan, chosen)


def at_zero(contract: Contract, trials: Sequence[Trial]) -> list[Trial]:
    """Return trials with zero in variables at file scope, in all of them and in each alone by turns."""
    zeros: list[Ranges] = [((name, 0, 0),) for name in _kinds(contract)]
    together = [tuple(item for (item,) in zeros)] if len(zeros) > 1 else []
    turns = [*together, *zeros]
    return [
        replace(trial, variables=turns[turn % len(turns)])
        for turn, trial in enumerate(trials if turns else ())
    ]


def _kinds(contract: Contract) -> dict[str, Scalar]:
    """Return the whole numbers at file scope of which the contract says nothing."""
    return {
        item.part(leaf): leaf.scalar
        for item in contract.signature.variables
        if item.element is not None and contract.array(item.name) is None
        for leaf in item.element.leaves
        if not leaf.scalar.floating and leaf.scalar is not Scalar.BOOL
    }


def _is_steep(examiner: Examiner, plan: Plan, name: str, kind: Scalar) -> bool:
    """Tell whether a number says how much there is to do, or where: the source would never come back."""
    values = [min(value, BITS[kind][1]) for value in PROBES]
    return steep(examiner, _made(examiner.contract, plan, [((name, value, value),) for value in values]))


def _ranges(name: str, kind: Scalar, *, far: bool) -> Iterator[tuple[str, int, int]]:
    """Yield ranges of a number: next to zero, and of each length that its type has, of both signs in turn."""
    least, most = BITS[kind][0], min(BITS[kind][1], _GREATEST)
    ends = list(_NEAR)
    for turn, length in enumerate(item for item in _LENGTHS if far and item <= most.bit_length()):
        low, high = 1 << (length - 1), (1 << length) - 1
        ends.append((-high, -low) if least and turn % 2 else (low, high))
    if far:
        ends.append((least, most))
    cut = ((max(low, least), min(high, most)) for low, high in ends if low <= most and high >= least)
    yield from ((name, low, high) for low, high in dict.fromkeys(cut))


def _made(contract: Contract, plan: Plan, chosen: Sequence[Ranges]) -> list[Trial]:
    """Return trials of modest sizes with such numbers at file scope."""
    found = []
    for turn, ranges in enumerate(chosen):
        fill, level = _FILLS[turn % len(_FILLS)], _LEVELS[turn % len(_LEVELS)]
        modest = replace(plan, seed=plan.seed + 83 + turn, levels=(level,), fills=(fill,))
        base = pinned(contract, modest, {})
        if base is not None:
            found.append(replace(base, variables=ranges))
    return found
