"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from tree_sitter import Node

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
from transpile.translators.loops.choice import Choice, chosen
from transpile.translators.loops.outside import Outside, outside
from transpile.translators.loops.overlaps import Unbounded, apart, declared
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.reductions import FLOATING
from transpile.translators.loops.refusal import refusal
from transpile.translators.loops.reordering.rewriting import rewritten
from transpile.translators.loops.scalars import Scalar
from transpile.translators.loops.tables import tables
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import (
    Edit,
    Function,
    find,
    indentation,
    inside,
    replace,
)
from transpile.translators.rules.variables import Variables


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or why none of them is."""
    work = _Work.of(source_, unit, contracts)
    edits, alone = work.marked(work.choice.parts)
    return work.candidate(edits) if edits else refusal(unit, work.choice.function, alone)


def reorder(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | None:
    """Return a function some of whose nests run in another order, the rest marked; None where none does."""
    work = _Work.of(source_, unit, contracts)
    found = {}
    for nest in dict.fromkeys(part.nest for part in work.choice.parts):
        edit = rewritten(work.choice.function, work.choice.variables, nest, work.contract, work.around)
        if edit is not None:
            found[nest] = edit
    if not found:
        return None
    edits, _ = work.marked([part for part in work.choice.parts if part.nest not in found])
    return work.candidate([*edits, *found.values()], "reordered")


@dataclass(frozen=True, slots=True)
class _Work:
    unit: Unit
    contract: Contract | None
    around: Outside
    choice: Choice

    @classmethod
    def of(cls, source_: Source, unit: Unit, contracts: Sequence[Contract]) -> _Work:
        contract = contracts[0] if contracts else None
        around = outside(source_, unit)
        return cls(unit, contract, around, chosen(unit.text.decode("latin-1"), contract, around))

    def marked(self, parts: Sequence[Band | Alone]) -> tuple[list[Edit], list[Alone]]:
        """Return the edits that mark what runs at once, and what does not."""
        alone: list[Alone] = []
        edits: list[Edit] = []
        for part in parts:
            if isinstance(part, Alone):
                alone.append(part)
                continue
            try:
                edits += _marked(self.choice.function, self.choice.variables, part, self.contract)
            except Unbounded as why:
                alone.append(Alone(part.nest, str(why)))
        return edits, alone

    def candidate(self, edits: Sequence[Edit], *rules: str) -> Candidate:
        """Return the function with edits made."""
        signature = self.contract.signature if self.contract else None
        names = signature.names if signature else ()
        text = self.choice.function.edited(edits).encode("latin-1")
        return Candidate(
            unit=self.unit.id,
            replacements=(Replacement(unit=self.unit.id, text=text),),
            binding=Binding(name=self.unit.name, arguments=names),
            headers=_headers(self.choice.parts),
            origin=ByRules(rules=("loops", "openmp", *rules, *self.choice.rules)),
        )


def _marked(
    function: Function, variables: Variables, band: Band, contract: Contract | None
) -> Iterator[Edit]:
    conditions = list(dict.fromkeys(apart(band, contract, variables)))
    loop, place = band.outer.node, _statement(band.nest.node)
    number = sum(other.start_byte < loop.start_byte for other in find(function.body, "for_statement"))
    # Names of their own for what several loops of a function declare.
    clauses = list(_clauses(band, number))
    # What overlaps runs in one thread, which has to see what it adds at once.
    whole = tables(band) if not conditions else []
    for table in whole:
        wish = f"{table.variable.name}_elements" + (f"_{number}" if number else "")
        name = free_name(function.identifiers, wish)
        yield _line_above(function, place, f"auto *const {name} = {table.variable.name}.data();")
        clauses.append(f"reduction({table.operator} : {name}[:{table.length}])")
        yield from (replace(use, name) for use in table.uses(loop))
    for line in _declared_reductions(band, number):
        yield _line_above(function, place, line)
    if len(conditions) == 1:
        clauses.append(f"if ({conditions[0]})")
    elif conditions:
        name = _flag(function, number)
        indent = indentation(function.text, place.start_byte)
        yield _line_above(function, place, declared(name, conditions, indent))
        clauses.append(f"if ({name})")
    yield _line_above(function, loop, " ".join(("#pragma omp parallel for", *clauses)))
    yield from _atomic(function, band, {table.variable.name for table in whole})


def _line_above(function: Function, node: Node, line: str) -> Edit:
    indent = indentation(function.text, node.start_byte)
    before = function.text[function.text.rfind("\n", 0, node.start_byte) + 1 : node.start_byte]
    start = f"\n{indent}" if before.strip() else ""
    return Edit(node.start_byte, node.start_byte, f"{start}{line}\n{indent}")


def _statement(node: Node) -> Node:
    """Return the statement around a node before which a declaration may stand."""
    while node.parent is not None and node.parent.type != "compound_statement":
        node = node.parent
    return node


def _flag(function: Function, number: int) -> str:
    """Return a name for a flag that no other has."""
    return free_name(function.identifiers, f"apart_{number}" if number else "apart")


def _atomic(function: Function, band: Band, whole: Set[str]) -> Iterator[Edit]:
    for access in band.nest.accesses:
        if (
            access.base in band.loops[0].updated - whole
            and access.write
            and inside(access.node, band.outer.node)
        ):
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
    """Tell whether iterations differ in how much they do: a loop inside goes as far as one of these says."""
    own = {item.loop.dimension for item in band.loops}
    return any(item.uneven & own and inside(item.loop.node, band.inner.body) for item in band.nest.loops)
