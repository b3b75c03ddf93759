"""Launch laws of kernels whose guards are constants: ``if (i >= 128 * 128) return;``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from transpile.contracts.probing.probe import Asking, Filling, Observed, Outcome, Probe
from transpile.contracts.probing.subject import Subject
from transpile.contracts.text.launch_bounds import Counted
from transpile.core import Covers, Launch
from transpile.expressions import ExpressionError, evaluate

_BLOCKS = {1: (256,), 2: (16, 16), 3: (8, 8, 4)}
_MOST = 1 << 18
"""Threads of a launch that is tried."""


def constant_cover(
    subject: Subject, scalars: Mapping[str, int | float], shared: int, fills: Sequence[Filling]
) -> Asking[Covers | None]:
    """Return the law by which threads cover what guards of the text let through; None where it is not so.

    With as many threads the source does the same as with more, and less with fewer.
    """
    needs = _needs(subject)
    if not needs or prod(needs.values()) > _MOST:
        return None
    launches = [*_launches(needs, shared)]
    probes = [Probe(scalars=scalars, launch=launch, filling=fill) for fill in fills for launch in launches]
    outcomes = yield probes
    groups = [outcomes[at : at + len(launches)] for at in range(0, len(outcomes), len(launches))]
    states = [[_state(outcome) for outcome in group] for group in groups]
    if any(not whole or whole != more for whole, more, *_ in states):
        return None
    if not all(any(group[0] != group[place] for group in states) for place in range(2, len(launches))):
        return None
    x, y, z = (str(needs.get(letter, 1)) for letter in "xyz")
    return Covers(x=x, y=y, z=z)


def _needs(subject: Subject) -> dict[str, int]:
    """Return the threads that guards let through by axis; nothing where one is bounded by no constant."""
    needs: dict[str, int] = {}
    for axis in subject.axes:
        bounds = [_number(text) for text in subject.told.bounds(axis.letter, Counted.THREADS)]
        if not (axis.grid and axis.block) or min(bounds, default=0) < 1:
            return {}
        needs[axis.letter] = max(bounds)
    return needs


def _number(text: str) -> int:
    """Return the value of a constant; 0 for what has names in it."""
    try:
        return evaluate(text, {})
    except ExpressionError:
        return 0


def _launches(needs: Mapping[str, int], shared: int) -> Iterator[Launch]:
    """Yield a launch that covers, one with a block more on every axis, and those with too few on one axis."""
    sizes = dict(zip(needs, _BLOCKS[len(needs)], strict=True))
    blocks = {letter: -(-need // sizes[letter]) for letter, need in needs.items()}
    yield _launch(blocks, sizes, shared)
    yield _launch({letter: count + 1 for letter, count in blocks.items()}, sizes, shared)
    for letter, count in blocks.items():
        if count > 1:
            yield _launch({**blocks, letter: count - 1}, sizes, shared)


def _launch(blocks: Mapping[str, int], sizes: Mapping[str, int], shared: int) -> Launch:
    x, y, z = (blocks.get(letter, 1) for letter in "xyz")
    across, along, up = (sizes.get(letter, 1) for letter in "xyz")
    return Launch(grid=(x, y, z), block=(across, along, up), shared=shared)


def _state(outcome: Outcome) -> str:
    """Return what a call left behind and how far it reached; nothing where it misbehaved."""
    return outcome.state if isinstance(outcome, Observed) and outcome.valid else ""
