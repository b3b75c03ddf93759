"""Sequential C and C++ to OpenMP: loops whose iterations may run at once, and recursion as tasks."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.core import Candidate, Contract, Rejected, Source, Unit
from transpile.translators import recursion
from transpile.translators.loops import openmp as loops
from transpile.translators.rules.syntax import LOOPS, Function, find


def propose(source: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or one that makes tasks; else why neither."""
    marked = loops.propose(source, unit, contracts)
    if isinstance(marked, Candidate) or not recursion.is_recursive(unit):
        return marked
    tasks = recursion.propose(source, unit, contracts)
    if isinstance(tasks, Candidate) or not has_loops(unit):
        return tasks
    return Rejected(stage=marked.stage, diagnostics=(*tasks.diagnostics, *marked.diagnostics))


def faster(source: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | None:
    """Return one that makes tasks where loops are marked as well, or has its loops in another form."""
    if recursion.is_recursive(unit) and isinstance(loops.propose(source, unit, contracts), Candidate):
        tasks = recursion.propose(source, unit, contracts)
        if isinstance(tasks, Candidate):
            return tasks
    return loops.faster(source, unit, contracts)


def has_loops(unit: Unit) -> bool:
    """Tell whether a function has a loop."""
    return next(find(Function(unit.text.decode("latin-1")).body, *LOOPS), None) is not None
