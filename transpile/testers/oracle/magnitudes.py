"""Floating numbers passed by value at every order of magnitude, for branches that other trials do not take.

Where a kernel divides by a number before it compares, most data lie on one side of every bound until that
number has the right size.
"""

from __future__ import annotations

from dataclasses import replace

from transpile.core import Contract, Trial
from transpile.testers.trials.generate import Plan, facts_of, pinned, thinned

_EXPONENTS = (-12, -8, -5, -3, -1, 2, 4, 6, 9, 12, 16)
"""Of two."""
_FACTOR = 1.37
"""So that results are no round numbers."""
_LEVEL = 3
_MOST = 44


def magnitudes(contract: Contract, plan: Plan) -> tuple[Trial, ...]:
    """Return trials with each floating number in turn between 2^-12 and 2^16."""
    named = [fact.name for fact, kind in facts_of(contract) if kind.floating]
    pins = [{name: _FACTOR * 2.0**exponent} for name in named for exponent in _EXPONENTS]
    asked = replace(plan, levels=(_LEVEL,), fills=("real",))
    found = (
        pinned(contract, replace(asked, seed=plan.seed + 101 + turn), chosen)
        for turn, chosen in enumerate(thinned(pins, _MOST))
    )
    return tuple(trial for trial in found if trial is not None)
