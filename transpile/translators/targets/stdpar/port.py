"""Sequential C and C++ to C++'s parallel algorithms: calls for loops whose iterations may run in parallel."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import (
    Function,
    Parameter,
    begins_line,
    find,
    indent_unit,
    indentation,
    reindent,
    replace,
    source,
)
from transpile.core import STDPAR, Candidate, Contract, Rejected, Source, Unit
from transpile.translators.kernels.casts import casts
from transpile.translators.loops.analysis.plan import Band, SequentialNest, tried
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.planning.overlaps import all_apart, apart
from transpile.translators.loops.planning.work import work
from transpile.translators.targets.stdpar.algorithms import Call, call
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE, index_range


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function whose parallel loops are calls of algorithms, or why none of them is."""
    own = work(source_, unit, contracts, idioms=frozenset())
    choice = own.choice
    reason = _hindrance(source_, choice.function)
    if reason:
        return own.refused([SequentialNest(part.nest, reason) for part in choice.parts[:1]])
    made, alone = _called(choice, own.contract)
    if not made:
        return own.refused(alone)
    edits = [*(edit for edit, _ in made), *casts(choice.function, choice.variables)]
    headers = sorted({header for _, item in made for header in item.headers})
    return own.candidate(choice.function.edited(edits), STDPAR, "stdpar", headers=headers)


def _hindrance(source_: Source, function: Function) -> str:
    """Return why no call may stand in a function, whatever its loops are; empty where one may."""
    if source_.files.get(INDEX_RANGE, index_range()) != index_range():
        return f"the source has a file {INDEX_RANGE} of its own"
    foreign = next((item for item in function.parameters if _of_c(item, function)), None)
    return f"the parameter `{foreign.text}` is C, and not C++" if foreign is not None else ""


def _of_c(parameter: Parameter, function: Function) -> bool:
    """Tell whether a parameter is an array with a length that only C can say there."""
    names = {item.name for item in function.parameters}
    for array in find(parameter.node, "array_declarator"):
        words = {source(item) for item in (*array.children, *find(array, "identifier"))}
        if "static" in words or names & (words - {parameter.name}):
            return True
    return False


def _called(
    choice: Choice, contract: Contract | None
) -> tuple[list[tuple[Edit[str], Call]], list[SequentialNest]]:
    """Return the calls, with the edits that put them in the places of bands, and what stays a loop."""
    taken = set(choice.function.identifiers)

    def called(band: Band) -> tuple[Edit[str], Call]:
        conditions = apart(band, contract, choice.variables)
        made = call(choice.function, choice.variables, band, taken)
        taken.update(made.declared)
        return _placed(choice.function, band, made, conditions), made

    return tried(choice.parts, called)


def _placed(function: Function, band: Band, made: Call, conditions: list[str]) -> Edit[str]:
    """Return a call in the place of a band, beside the band where arrays may overlap."""
    start, around = band.node.start_byte, band.node.parent
    indent = indentation(function.text, start)
    deeper = indent + indent_unit(function)
    moved = f"\n{deeper}{reindent(made.text, indent, deeper)}\n{indent}"
    if conditions:
        loops = reindent(apply_outermost(function.text, (), start, band.node.end_byte), indent, deeper)
        head = f"if ({all_apart(conditions, indent)})"
        return replace(band.node, f"{head} {{{moved}}} else {{\n{deeper}{loops}\n{indent}}}")
    if around is None or around.type != "compound_statement":
        return replace(band.node, f"{{{moved}}}")
    if begins_line(function.text, start):
        return replace(band.node, made.text)
    before = function.text[:start].rstrip(" \t")
    return Edit(len(before), band.node.end_byte, moved.rstrip(" "))
