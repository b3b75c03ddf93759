"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.core import (
    Binding,
    ByRules,
    Candidate,
    Contract,
    Rejected,
    Replacement,
    Source,
    Unit,
)
from transpile.translators.loops.choice import chosen
from transpile.translators.loops.outside import outside
from transpile.translators.loops.overlaps import Unbounded, apart, declared
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.reductions import FLOATING
from transpile.translators.loops.refusal import refusal
from transpile.translators.loops.scalars import Scalar
from transpile.translators.rules.syntax import (
    Edit,
    Function,
    find,
    indentation,
    inside,
)
from transpile.translators.rules.variables import Variables


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or why none of them is."""
    contract = contracts[0] if contracts else None
    choice = chosen(unit.text.decode("latin-1"), contract, outside(source_, unit))
    function, variables = choice.function, choice.variables
    alone = [part for part in choice.parts if isinstance(part, Alone)]
    edits: list[Edit] = []
    for part in choice.parts:
        try:
            edits += _marked(function, variables, part, contract) if isinstance(part, Band) else ()
        except Unbounded as why:
            alone.append(Alone(part.nest, str(why)))
    if not edits:
        return refusal(unit, function, alone)
    signature = contract.signature if contract else None
    names = tuple(item.name for item in signature.parameters) if signature else ()
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=function.edited(edits).encode("latin-1")),),
        binding=Binding(name=unit.name, arguments=names),
        headers=_headers(choice.parts),
        origin=ByRules(rules=("loops", "openmp", *choice.rules)),
    )


def _marked(
    function: Function, variables: Variables, band: Band, contract: Contract | None
) -> Iterator[Edit]:
    conditions = list(dict.fromkeys(apart(band, contract, variables)))
    loop = band.outer.node
    indent = indentation(function.text, loop.start_byte)
    number = sum(other.start_byte < loop.start_byte for other in find(function.body, "for_statement"))
    # Names of their own for what several loops of a function declare.
    clauses, lines = list(_clauses(band, number)), list(_declared_reductions(band, number))
    if len(conditions) == 1:
        clauses.append(f"if ({conditions[0]})")
    elif conditions:
        name = _flag(function, number)
        lines.append(declared(name, conditions, indent))
        clauses.append(f"if ({name})")
    lines.append(" ".join(("#pragma omp parallel for", *clauses)))
    before = function.text[function.text.rfind("\n", 0, loop.start_byte) + 1 : loop.start_byte]
    start = f"\n{indent}" if before.strip() else ""
    text = "".join(line + "\n" + indent for line in lines)
    if len(lines) > 1 and loop.parent is not None and loop.parent.type != "compound_statement":
        return  # a declaration has no place there
    yield Edit(loop.start_byte, loop.start_byte, start + text)
    yield from _atomic(function, band)


def _flag(function: Function, number: int) -> str:
    """Return a name for a flag that no other has."""
    return f"apart_{number}" if number or "apart" in function.identifiers else "apart"


def _atomic(function: Function, band: Band) -> Iterator[Edit]:
    for access in band.nest.accesses:
        if access.base in band.loops[0].updated and access.write and inside(access.node, band.outer.node):
            statement = access.node
            while statement.type != "expression_statement" and statement.parent is not None:
                statement = statement.parent
            own = indentation(function.text, statement.start_byte)
            yield Edit(statement.start_byte, statement.start_byte, f"\n{own}#pragma omp atomic\n{own}")


def _headers(parts: Sequence[Band | Alone]) -> tuple[str, ...]:
    """Return what has to be included for infinities."""
    bands = [part for part in parts if isinstance(part, Band)]
    declares = any(_declares(item) for band in bands for item in band.loops[0].reductions)
    return ("<math.h>",) if declares else ()


_EXTREMES = {
    "max": ("omp_in > omp_out ? omp_in : omp_out", "-INFINITY"),
    "min": ("omp_in < omp_out ? omp_in : omp_out", "INFINITY"),
    "fmax": ("fmax(omp_out, omp_in)", "NAN"),
    "fmin": ("fmin(omp_out, omp_in)", "NAN"),
}
"""How two floating results become one, and what threads begin with: a NaN stays or goes as in the source.

What ``reduction(max : s)`` makes of a NaN is not defined.
"""


def _declared_reductions(band: Band, number: int) -> Iterator[str]:
    for item in band.loops[0].reductions:
        if _declares(item):
            joined, begun = _EXTREMES[item.operator]
            yield (
                f"#pragma omp declare reduction({_reduction(item, number)} : {item.variable.type} : "
                f"omp_out = {joined}) initializer(omp_priv = {begun})"
            )


def _declares(item: Scalar) -> bool:
    return item.operator in _EXTREMES and item.variable.type in FLOATING


def _reduction(item: Scalar, number: int) -> str:
    """Return what gathers a scalar: an operator, or the name of a declared reduction."""
    if not _declares(item):
        return item.extreme or item.operator
    return f"{item.operator}_{item.variable.name}" + (f"_{number}" if number else "")


def _clauses(band: Band, number: int) -> Iterator[str]:
    if len(band.loops) > 1:
        yield f"collapse({len(band.loops)})"
    private = dict.fromkeys(
        item.variable.name
        for known in band.loops
        for item in known.privates
        if not any(item.variable is other.loop.variable for other in band.loops)
    )
    if private:
        yield f"private({', '.join(private)})"
    for item in band.loops[0].reductions:
        yield f"reduction({_reduction(item, number)} : {item.variable.name})"
    if _uneven(band):
        yield "schedule(dynamic)"


def _uneven(band: Band) -> bool:
    """Tell whether iterations differ in how much they do: an inner loop goes as far as an outer says."""
    return any(item.uneven and inside(item.loop.node, band.inner.body) for item in band.nest.loops)
