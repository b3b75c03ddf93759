"""Memory that a candidate takes and loses: results are right, until a program has made enough calls."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.testers.compare.compare import Difference
from transpile.testers.differential.differential_run import Failure
from transpile.testers.oracle.validity import Reference
from transpile.testers.run.bench import Entry, Outcome, RunConfiguration, call
from transpile.toolchains.workshop import Workshop


def suspects(references: Sequence[Reference], outcomes: Sequence[Outcome]) -> list[tuple[Reference, int]]:
    """Return the calls that held memory, with the bytes, unless it may be for later ones.

    What the first call holds may serve all that follow, where it is the largest: threads, buffers, tables.

    Args:
        references: Trials in the order of the calls, the largest first.
        outcomes: What the calls left, all in one process.
    """
    later = list(zip(references, outcomes, strict=True))[1:]
    found = [(reference, outcome.held) for reference, outcome in later if outcome.held > 0]
    return found if len(found) > 1 else []


def leak(
    workshop: Workshop, source: Entry, held: Sequence[tuple[Reference, int]], configuration: RunConfiguration
) -> Failure | None:
    """Return the smallest trial on which a candidate holds more memory than its source does."""
    own = call(workshop, source, [reference.prepared for reference, _ in held], configuration)
    for (reference, amount), outcome in zip(reversed(held), reversed(own), strict=True):
        if isinstance(outcome, Outcome) and amount > max(outcome.held, 0):
            difference = Difference(
                where="memory",
                expected="given back",
                got=f"{amount} bytes are lost in each such call",
                check="leak",
            )
            return Failure(reference=reference, difference=difference, configuration=configuration)
    return None
