"""Questions to z3 under one limit of effort, which is the same on every machine, however busy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import z3

from transpile.testers.prove.arithmetic import Term
from transpile.testers.prove.generalise import generalised

_SHARE = 0.25
_STEPS_A_SECOND = 4_000_000
"""Steps that z3 counts in about a second on an idle machine."""
_BACKSTOP = 120.0
"""Seconds by the clock at least after which a question is given up where z3 forgets to count."""
_BACKSTOP_TIMES = 60
"""The same, as a multiple of the seconds left."""


class Unproven(Exception):
    """A claim does not hold, or not within the effort; ``lead`` are values for which z3 sees it fail."""

    def __init__(self, reason: str, lead: Mapping[str, int] | None = None) -> None:
        """Keep why, and the lead."""
        super().__init__(reason)
        self.lead = dict(lead or {})


class Clock:
    """Remainder of a limit, in seconds of an idle machine: z3 counts its steps."""

    def __init__(self, seconds: float) -> None:
        """Start."""
        self._end = _steps() + int(seconds * _STEPS_A_SECOND)

    def left(self) -> float:
        """Return the seconds left; raise Unproven where there are none."""
        left = self._end - _steps()
        if left <= 0:
            raise Unproven("the time for proofs is over")
        return left / _STEPS_A_SECOND

    def part(self) -> Clock:
        """Return a clock for what may fail: it runs for a share of the time."""
        return Clock(self.left() * _SHARE)

    def solver(self, facts: Sequence[Term]) -> z3.Solver:
        """Return a solver that knows these facts."""
        solver = z3.Solver()
        solver.add(*facts)
        return solver

    def holds(self, solver: z3.Solver, *claims: Term) -> bool:
        """Tell whether what the solver knows and all of these never are true together.

        Raises:
            Unproven: z3 cannot tell with what is left.
        """
        left = self.left()
        solver.set("rlimit", max(int(left * _STEPS_A_SECOND), 1))
        solver.set("timeout", int(max(_BACKSTOP, _BACKSTOP_TIMES * left) * 1000))
        found = solver.check(*claims)
        if found == z3.unknown:
            raise Unproven("z3 cannot tell in time")
        return bool(found == z3.unsat)

    def never(self, solver: z3.Solver, *claims: Term) -> bool:
        """Tell the same as ``holds``, where a more general question may be the easier one."""
        general = generalised(claims)
        if all(one.eq(other) for one, other in zip(claims, general, strict=True)):
            return self.holds(solver, *claims)
        try:
            if self.part().holds(solver, *general):
                return True
        except Unproven:
            self.left()
        return self.holds(solver, *claims)


def _steps() -> int:
    """Return what z3 has counted in this process so far."""
    solver = z3.Solver()
    solver.check()
    return int(solver.statistics().get_key_value("rlimit count"))


def scalars(model: z3.ModelRef) -> dict[str, int]:
    """Return the whole numbers that a model gives to parameters, indices and launches."""
    found: dict[str, int] = {}
    for unknown in model.decls():
        value = model[unknown]
        kind, _, name = unknown.name().partition(" ")
        if kind in ("parameter", "index", "threads") and (z3.is_bv_value(value) or z3.is_int_value(value)):
            number = value.as_signed_long() if z3.is_bv_value(value) else value.as_long()
            found[name if kind == "parameter" else f"{kind} {name}"] = int(number)
    return found
