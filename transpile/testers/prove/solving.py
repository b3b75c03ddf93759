"""Questions to z3 under one limit of time."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import z3

from transpile.testers.prove.arithmetic import Term
from transpile.testers.prove.generalise import generalised

_SHARE = 0.25


class Unproven(Exception):
    """A claim does not hold, or not within the time; ``lead`` are values for which z3 sees it fail."""

    def __init__(self, reason: str, lead: Mapping[str, int] | None = None) -> None:
        """Keep why, and the lead."""
        super().__init__(reason)
        self.lead = dict(lead or {})


class Clock:
    """What is left of a limit of time."""

    def __init__(self, seconds: float) -> None:
        """Start."""
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left; raise Unproven where there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Unproven("the time for proofs is over")
        return left

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
            Unproven: z3 cannot tell in the time that is left.
        """
        solver.set("timeout", max(int(self.left() * 1000), 1))
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
