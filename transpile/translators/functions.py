"""Sequential C and C++ to OpenMP: loops whose iterations may run in parallel, and recursion as tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.code.syntax import LOOPS, find, parse
from transpile.core import Candidate, Contract, Rejected, Source, Unit
from transpile.translators import tasks as recursion
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope
from transpile.translators.loops.symbols.expansions import expanded
from transpile.translators.targets import openmp as loops


def propose(source: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or one that makes tasks; else why neither."""
    marked = loops.propose(source, unit, contracts)
    if isinstance(marked, Candidate) or not recursion.is_recursive(unit):
        return marked
    tasks = recursion.propose(source, unit, contracts)
    if isinstance(tasks, Candidate) or not has_loops(source, unit):
        return tasks
    return Rejected(stage=marked.stage, diagnostics=(*tasks.diagnostics, *marked.diagnostics))


def variants(source: Source, unit: Unit, contracts: Sequence[Contract]) -> Iterator[Candidate]:
    """Yield those with loops in another form, and one that makes tasks where loops are marked as well."""
    yield from loops.variants(source, unit, contracts)
    if recursion.is_recursive(unit) and isinstance(loops.propose(source, unit, contracts), Candidate):
        tasks = recursion.propose(source, unit, contracts)
        if isinstance(tasks, Candidate):
            yield tasks


def has_loops(source: Source, unit: Unit) -> bool:
    """Tell whether a function has a loop, which may be a macro."""
    text = unit.text.decode("latin-1")
    return _loops(text) or _loops(expanded(text, enclosing_scope(source, unit))[0])


def _loops(text: str) -> bool:
    return next(find(parse(text), *LOOPS), None) is not None
