"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from transpile.core import OPENMP, Candidate, Contract, Rejected, Source, Unit
from transpile.translators.loops.analysis import Nest
from transpile.translators.loops.bins import Bins, bins
from transpile.translators.loops.openmp.clauses import (
    atomic,
    collapsed,
    declared_reductions,
    gathered,
    headers,
    private,
    statement_around,
    uneven,
)
from transpile.translators.loops.openmp.frames import Frame, beside, framed, lines_above, numbered
from transpile.translators.loops.openmp.recast import recast
from transpile.translators.loops.openmp.tables import tables, uses_of_elements
from transpile.translators.loops.openmp.teams import Clauses, scanning, searching
from transpile.translators.loops.openmp.vectors import adds_up, in_vectors
from transpile.translators.loops.overlaps import Unbounded, apart, declared
from transpile.translators.loops.plan import Alone, Band, does_enough, tried
from transpile.translators.loops.reordering.rewriting import rewritten
from transpile.translators.loops.trips import count, grouped, tight
from transpile.translators.loops.updates import updates
from transpile.translators.loops.work import Work, work
from transpile.translators.rules.names import free_name
from transpile.translators.rules.polynomial import names
from transpile.translators.rules.syntax import (
    LOOPS,
    Edit,
    Function,
    find,
    indentation,
    inside,
    replace,
)
from transpile.translators.rules.variables import Variables

_ENOUGH = 10_000
"""Iterations of a few operations that take as long as it does to begin with two threads and to meet."""
_CALLING = 1000
"""The same where an iteration calls something."""


_Recasts = dict[Nest, tuple[str, Edit]]
"""The rule that makes another form of a nest, and its edit."""


class Idle(Exception):
    """Threads would wait for each other more than they do; the message says where."""


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or why none of them is."""
    own = work(source_, unit, contracts, merging=True)
    edits, alone = _all_marked(own, own.choice.parts)
    made = _recast(own, _idle(own.choice.parts, alone))
    found = [*edits, *(edit for _, edit in made.values())]
    return _candidate(own, found, *_rules(made)) if found else own.refused(alone)


def faster(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | None:
    """Return a function some of whose nests run in another form or in vectors; None where none does."""
    own = work(source_, unit, contracts, merging=True)
    found: _Recasts = {}
    function, variables = own.choice.function, own.choice.variables
    for number, nest in enumerate(_nests(own.choice.parts)):
        flag = f"reorder_{number}" if number else "reorder"
        edit = rewritten(function, variables, nest, own.contract, own.around, flag)
        if edit is not None:
            found[nest] = ("reordered", edit)
    left = [part for part in own.choice.parts if part.nest not in found]
    idle = _idle(left, _all_marked(own, left)[1])
    busy = {part.nest for part in left if does_enough(part)}
    found |= _recast(own, [nest for nest in _nests(left) if nest not in busy and nest not in idle])
    left = [part for part in left if part.nest not in found]
    plain, _ = _all_marked(own, left)
    edits, _ = _all_marked(own, left, vectors=True)
    if not found and edits == plain:
        return None
    made = found | _recast(own, idle)
    rules = [*_rules(made), *(("vectors",) if edits != plain else ())]
    return _candidate(own, [*edits, *(edit for _, edit in made.values())], *rules)


def _nests(parts: Sequence[Band | Alone]) -> list[Nest]:
    return list(dict.fromkeys(part.nest for part in parts))


def _idle(parts: Sequence[Band | Alone], alone: Sequence[Alone]) -> list[Nest]:
    """Return the nests of which nothing runs at once."""
    counts = Counter(part.nest for part in parts)
    counts.subtract(part.nest for part in alone)
    return [nest for nest, count in counts.items() if not count]


def _recast(own: Work, among: Sequence[Nest]) -> _Recasts:
    """Return what makes of nests a form in which something runs at once."""
    found = {}
    for number, nest in enumerate(_nests(own.choice.parts)):
        flag = f"apart_{number}" if number else "apart"
        choice = own.choice
        if nest in among and (
            made := recast(choice.function, choice.variables, nest, own.contract, own.around, flag)
        ):
            found[nest] = made
    return found


def _rules(found: _Recasts) -> list[str]:
    return list(dict.fromkeys(rule for rule, _ in found.values()))


def _all_marked(
    own: Work, parts: Sequence[Band | Alone], *, vectors: bool = False
) -> tuple[list[Edit], list[Alone]]:
    """Return the edits that mark what runs at once, and what does not."""

    def mark(band: Band) -> list[Edit]:
        return list(_marked(own.choice.function, own.choice.variables, band, own.contract, vectors=vectors))

    made, alone = tried(parts, mark, Idle, Unbounded)
    return [edit for edits in made for edit in edits], alone


def _candidate(own: Work, edits: Sequence[Edit], *rules: str) -> Candidate:
    """Return the function with edits made."""
    text = own.choice.function.edited(edits)
    return own.candidate(text, OPENMP, "openmp", *rules, headers=_headers(own.choice.parts))


def _marked(
    function: Function, variables: Variables, band: Band, contract: Contract | None, *, vectors: bool
) -> Iterator[Edit]:
    copied = bins(band, contract, variables)
    conditions = list(dict.fromkeys(apart(band, contract, variables)))
    loop, place = band.outer.node, statement_around(band.nest.node)
    number = numbered(function, loop)
    of_loop = list(_loop_clauses(band, copied, number))
    # What overlaps runs in one thread, which has to see what it adds at once.
    whole = tables(band) if not conditions else []
    own = {item.base for item in copied} | {table.variable.name for table in whole}
    _refuse_waiting(band, own)
    for table in whole:
        wish = f"{table.variable.name}_elements" + (f"_{number}" if number else "")
        name = free_name(function.identifiers, wish)
        yield lines_above(function, place, f"auto *const {name} = {table.variable.name}.data();")
        of_loop.append(f"reduction({table.operator} : {name}[:{table.length}])")
        yield from (replace(use, name) for use in uses_of_elements(table.variable, loop))
    for line in declared_reductions(band, number):
        yield lines_above(function, place, line)
    asked = "".join(conditions[:1])
    if len(conditions) > 1:
        asked, indent = _flag(function, number), indentation(function.text, place.start_byte)
        yield lines_above(function, place, declared(asked, conditions, indent))
    # A copy of what overlaps differs from it even where one thread runs alone.
    clauses = Clauses([*private(band), *_conditions(band, "" if copied else asked)], of_loop)
    if band.loops[0].extremes:
        frame = searching(function, band, clauses)
    elif band.loops[0].scan:
        frame = scanning(function, band, clauses)
    else:
        one = vectors and len(band.loops) == 1 and adds_up(band.nest, band.loops[0])
        head = "#pragma omp parallel for simd" if one else "#pragma omp parallel for"
        frame = Frame((" ".join((head, *clauses.loop, *clauses.region)),))
    if asked and copied:
        frame = beside(function, loop, frame, asked)
    yield from framed(function, loop, frame)
    if vectors:
        yield from in_vectors(function, band)
    yield from atomic(function, band, own)


def _refuse_waiting(band: Band, own: Set[str]) -> None:
    """Raise Idle where iterations do little and often, or add to one element without copies for threads."""
    around = [item for item in band.nest.loops if item.loop.node.id != band.node.id]
    often = sum(inside(band.node, item.loop.body) for item in around)
    if often > 1 and _enough(band):
        raise Idle(f"the loop over `{band.outer.variable.name}` does too little at a time")
    moving = {item.loop.dimension for item in band.nest.loops if inside(item.loop.node, band.node)}
    for access in updates(band):
        fixed = all(item is not None and not names(item) & moving for item in access.subscripts)
        if access.base not in own and fixed:
            raise Idle(f"all iterations add to one element of `{access.base.partition('@')[0]}`")


def _conditions(band: Band, apart: str) -> Iterator[str]:
    """Yield the clause that says when a loop runs at once: where arrays lie apart, and it does enough."""
    enough = _enough(band)
    if apart and enough:
        yield f"if ({grouped(apart)} && {enough})"
    elif apart or enough:
        yield f"if ({apart or enough})"


def _enough(band: Band) -> str:
    """Return the condition under which a loop that runs again and again does enough for threads to meet."""
    alone = band.node.id == band.nest.node.id
    if alone or len(band.loops) > 1 or any(find(band.inner.body, *LOOPS)):
        return ""
    enough = _CALLING if any(find(band.inner.body, "call_expression")) else _ENOUGH
    return f"{tight(count(band.outer))} > {enough}"


def _flag(function: Function, number: int) -> str:
    """Return a name for a flag that no other has."""
    return free_name(function.identifiers, f"apart_{number}" if number else "apart")


def _headers(parts: Sequence[Band | Alone]) -> tuple[str, ...]:
    """Return what has to be included for infinities, and for the numbers of threads."""
    bands = [part for part in parts if isinstance(part, Band)]
    numbers = any(band.loops[0].scan for band in bands)
    return (*headers(bands), *(("<omp.h>",) if numbers else ()))


def _loop_clauses(band: Band, copied: Sequence[Bins], number: int) -> Iterator[str]:
    yield from collapsed(band)
    yield from gathered(band, number)
    for array in copied:
        yield f"reduction({array.operator} : {array.variable.name}[:{array.length}])"
    if uneven(band):
        yield "schedule(dynamic)"
