"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run in parallel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.names import free_name, with_number
from transpile.code.polynomial import names
from transpile.code.syntax import (
    Function,
    ancestors,
    indentation,
    inside,
    quoted,
    replace,
)
from transpile.core import OPENMP, Candidate, Contract, Rejected, Source, Unit
from transpile.translators.loops.analysis.plan import Band, SequentialNest, tried
from transpile.translators.loops.iteration.frames import (
    beside,
    framed,
    lines_above,
    numbered,
    on_own_lines,
)
from transpile.translators.loops.iteration.trips import count, grouped, short, tight
from transpile.translators.loops.planning.bins import Bins, bins
from transpile.translators.loops.planning.overlaps import apart, declared, entangled, lengths, touched
from transpile.translators.loops.planning.updates import updates
from transpile.translators.loops.planning.work import Work, work
from transpile.translators.loops.reductions.compactions import Compaction
from transpile.translators.loops.symbols.callees import is_open
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.openmp.asking import asked_of, looked_at
from transpile.translators.targets.openmp.clauses import (
    atomic,
    collapsed,
    declared_reductions,
    enough,
    gathered,
    headers,
    private,
    statement_around,
    uneven,
)
from transpile.translators.targets.openmp.emitters import IDIOMS, emitted
from transpile.translators.targets.openmp.lasts import handed_out
from transpile.translators.targets.openmp.lengths import shortened
from transpile.translators.targets.openmp.recast import idle, remade, rules_of
from transpile.translators.targets.openmp.tables import tables, uses_of_elements
from transpile.translators.targets.openmp.teams import Clauses
from transpile.translators.targets.openmp.vectors import adds_up, in_vectors


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or why none of them is."""
    overloaded = sum(item.name == unit.name for item in source_.units) > 1
    asks = {"asking": not overloaded, "comparing": not overloaded}
    plain = work(source_, unit, contracts, idioms=IDIOMS, simd=False, **asks)
    own = work(source_, unit, contracts, idioms=IDIOMS, simd=False, **asks, opening=True)
    found = _proposed(own)
    torn = isinstance(found, Rejected) or is_open(found.replacements[0].shown)
    return _proposed(plain) if own is not plain and torn else found


def _proposed(own: Work) -> Candidate | Rejected:
    edits, alone = marked(own, own.choice.parts)
    made = remade(own, idle(own.choice.parts, alone))
    found = [*edits, *(edit for _, edit in made.values())]
    return candidate(own, found, *rules_of(made)) if found else own.refused(alone)


def marked(
    own: Work, parts: Sequence[Band | SequentialNest], *, vectors: bool = False, asking: bool = True
) -> tuple[list[Edit[str]], list[SequentialNest]]:
    """Return the edits that mark what runs in parallel, and what does not.

    Args:
        own: The function.
        parts: What of it is looked at.
        vectors: Whether sums are gathered in vectors.
        asking: Whether a loop asks if arrays overlap; else that is known where it stands.
    """

    def mark(band: Band) -> list[Edit[str]]:
        asked = apart(band, own.contract, own.choice.variables) if asking else []
        return list(_marked(own, band, asked, vectors=vectors))

    made, alone = tried(parts, mark)
    return [edit for edits in made for edit in edits], alone


def candidate(own: Work, edits: Sequence[Edit[str]], *rules: str) -> Candidate:
    """Return the function with edits made."""
    text = own.choice.function.edited(on_own_lines(own.choice.function, edits))
    headers = _headers(own.choice.parts, text)
    return own.candidate(text, OPENMP, "openmp", *rules, headers=headers, asks=asked_of(own.choice.parts))


def _marked(own: Work, band: Band, conditions: Sequence[str], *, vectors: bool) -> Iterator[Edit[str]]:
    function = own.choice.function
    copied = bins(band, own.contract, own.choice.variables)
    loop = band.outer.node
    place = statement_around(loop if any(access.relative for access in touched(band)) else band.nest.node)
    number = numbered(function, loop)
    of_loop = list(_loop_clauses(band, copied, number))
    signs = tuple(dict.fromkeys(sign for known in band.loops for sign in known.signs))
    # What overlaps runs in one thread, which has to see what it adds at once.
    whole = tables(band) if not conditions and not signs else []
    separate = {item.base for item in copied} | {table.variable.name for table in whole}
    recurring = own.unit.name in own.around.recurring
    large = _large(band, repeated=recurring or own.unit.name in own.around.repeated)
    _refuse_waiting(band, separate, large, recurring=recurring)
    for table in whole:
        name = free_name(function.identifiers, with_number(f"{table.variable.name}_elements", number))
        yield lines_above(function, place, f"auto *const {name} = {table.variable.name}.data();")
        of_loop.append(f"reduction({table.operator} : {name}[:{table.length}])")
        yield from (replace(use, name) for use in uses_of_elements(table.variable, loop))
    for line in declared_reductions(band, number):
        yield lines_above(function, place, line)
    reckoned, conditions = shortened(
        conditions,
        lengths(band, own.contract, own.choice.variables) if conditions else {},
        function.identifiers,
        number,
    )
    for line in reckoned:
        yield lines_above(function, place, line)
    asked = "".join(conditions[:1])
    if len(conditions) > 1:
        asked, indent = _flag(function, number), indentation(function.text, place.start_byte)
        yield lines_above(function, place, declared(asked, conditions, indent))
    flags = []
    for check in band.loops[0].checks:
        flags.append(
            free_name(
                function.identifiers, with_number(f"{check.order.array.word}_{check.order.kind}", number)
            )
        )
        yield from looked_at(function, check, flags[-1])
    asked = grouped(asked) if asked and (flags or signs) else asked
    asked = " && ".join((*signs, *filter(None, [asked]), *flags))
    # A copy of what overlaps differs from it even where one thread runs alone.
    # What counts first finds there what the loop has not yet changed.
    # OpenMP asks for a bound once, the source each time.
    counts = band.loops[0].found(Compaction) is not None
    kept = copied or counts or (asked and entangled(band, own.contract, own.choice.variables))
    of_region = [*private(band), *handed_out(band.loops[0]), *_conditions("" if kept else asked, large)]
    simd = vectors and len(band.loops) == 1 and adds_up(band.nest, band.loops[0])
    frame, within = emitted(function, band, Clauses(of_region, of_loop, simd))
    yield from within
    if asked and kept:
        frame = beside(function, loop, frame, asked)
    yield from framed(function, loop, frame)
    if vectors:
        yield from in_vectors(function, band)
    yield from atomic(function, band, separate)


def _refuse_waiting(band: Band, own: Set[str], large: str, *, recurring: bool) -> None:
    """Raise Refused where iterations are few, do little and often, or add to one element of all threads."""
    if short(band.node, (item.loop for item in band.nest.loops)):
        raise Refused(
            SEQUENTIAL, f"the loop over `{band.outer.variable.name}` is too short for threads to start"
        )
    around = [item for item in band.nest.loops if item.loop.node.id != band.node.id]
    often = sum(inside(band.node, item.loop.body) for item in around)
    # A region costs something even where one thread alone runs it.
    if large and (often > 1 or recurring):
        raise Refused(
            SEQUENTIAL, f"the loop over `{band.outer.variable.name}` does too little work each time it runs"
        )
    moving = {item.loop.dimension for item in band.nest.loops if inside(item.loop.node, band.node)}
    for access in updates(band):
        fixed = all(item is not None and not names(item) & moving for item in access.subscripts)
        if access.base not in own and fixed and (access.update or not _under_condition(access.node, band)):
            does = "add to" if access.update else "set"
            array = access.base.partition("@")[0]
            raise Refused(
                SEQUENTIAL, f"all iterations {does} one element of `{array}`: {quoted(access.node)}"
            )


def _under_condition(node: Node, band: Band) -> bool:
    """Tell whether iterations of a band may pass over a node."""
    return any(item.type == "if_statement" and inside(item, band.node) for item in ancestors(node))


def _conditions(apart: str, large: str) -> Iterator[str]:
    """Yield the clause that says when a loop runs in parallel: where arrays lie apart, and it does enough."""
    if apart and large:
        yield f"if ({grouped(apart)} && {large})"
    elif apart or large:
        yield f"if ({apart or large})"


def _large(band: Band, *, repeated: bool) -> str:
    """Return the condition under which a loop that runs again and again does enough for threads to meet.

    That is one in another loop, or in a function that is called again and again; Refused where it never does.
    """
    again = repeated or band.node.id != band.nest.node.id
    least, times = enough(band.outer, band.nest), count(band.outer)
    if not least or not again:
        return ""
    if not times.isdigit():
        return f"{tight(times)} > {least}"
    if int(times) <= least:
        raise Refused(
            SEQUENTIAL, f"the loop over `{band.outer.variable.name}` does too little work each time it runs"
        )
    return ""


def _flag(function: Function, number: int) -> str:
    """Return a name for a flag that no other has."""
    return free_name(function.identifiers, with_number("apart", number))


def _headers(parts: Sequence[Band | SequentialNest], text: str) -> tuple[str, ...]:
    """Return what has to be included for infinities, and for the numbers of threads."""
    bands = [part for part in parts if isinstance(part, Band)]
    threads = ("<omp.h>",) if "omp_get_" in text else ()
    memory = ("<stdlib.h>",) if any(item.order == "distinct" for item in asked_of(parts)) else ()
    return (*headers(bands), *threads, *memory)


def _loop_clauses(band: Band, copied: Sequence[Bins], number: int) -> Iterator[str]:
    yield from collapsed(band)
    yield from gathered(band, number)
    for array in copied:
        yield f"reduction({array.operator} : {array.variable.name}[:{array.length}])"
    if band.loops[0].ragged:
        yield "schedule(guided)"
    elif uneven(band):
        yield "schedule(dynamic)"
