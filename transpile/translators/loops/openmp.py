"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from transpile.translators.loops.facts import parts as chosen
from transpile.translators.loops.outside import Outside, outside
from transpile.translators.loops.overlaps import Unbounded, apart, declared
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.refusal import refusal
from transpile.translators.loops.reordering.rewriting import rewritten
from transpile.translators.rules.syntax import (
    Edit,
    Function,
    find,
    indentation,
    inside,
)
from transpile.translators.rules.variables import Variables, resolve


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or why none of them is."""
    work = _Work.of(source_, unit, contracts)
    edits, alone = work.marked(work.parts)
    return work.candidate(edits) if edits else refusal(unit, work.function, alone)


def reorder(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | None:
    """Return a function some of whose nests run in another order, the rest marked; None where none does."""
    work = _Work.of(source_, unit, contracts)
    nests = dict.fromkeys(part.nest for part in work.parts)
    found = {
        nest: edit
        for nest in nests
        if (edit := rewritten(work.function, work.variables, nest, work.contract, work.around)) is not None
    }
    if not found:
        return None
    edits, _ = work.marked([part for part in work.parts if part.nest not in found])
    return work.candidate([*edits, *found.values()], "reordered")


@dataclass(frozen=True, slots=True)
class _Work:
    unit: Unit
    function: Function
    variables: Variables
    contract: Contract | None
    around: Outside
    parts: Sequence[Band | Alone]
    assumed: tuple[str, ...]

    @classmethod
    def of(cls, source_: Source, unit: Unit, contracts: Sequence[Contract]) -> _Work:
        function = Function(unit.text.decode("latin-1"))
        variables = resolve(function)
        contract = contracts[0] if contracts else None
        around = outside(source_, unit)
        return cls(
            unit, function, variables, contract, around, *chosen(function, variables, contract, around)
        )

    def marked(self, parts: Sequence[Band | Alone]) -> tuple[list[Edit], list[Alone]]:
        """Return the edits that mark what runs at once, and what does not."""
        alone: list[Alone] = []
        edits: list[Edit] = []
        for part in parts:
            if isinstance(part, Alone):
                alone.append(part)
                continue
            try:
                edits += _marked(self.function, self.variables, part, self.contract)
            except Unbounded as why:
                alone.append(Alone(part.nest, str(why)))
        return edits, alone

    def candidate(self, edits: Sequence[Edit], *rules: str) -> Candidate:
        """Return the function with edits made."""
        signature = self.contract.signature if self.contract else None
        names = tuple(item.name for item in signature.parameters) if signature else ()
        text = self.function.edited(edits).encode("latin-1")
        return Candidate(
            unit=self.unit.id,
            replacements=(Replacement(unit=self.unit.id, text=text),),
            binding=Binding(name=self.unit.name, arguments=names),
            origin=ByRules(rules=("loops", "openmp", *rules, *self.assumed)),
        )


def _marked(
    function: Function, variables: Variables, band: Band, contract: Contract | None
) -> Iterator[Edit]:
    conditions = list(dict.fromkeys(apart(band, contract, variables)))
    loop = band.outer.node
    clauses = list(_clauses(band))
    if len(conditions) == 1:
        clauses.append(f"if ({conditions[0]})")
    elif conditions:
        name = _flag(function, loop)
        place = _statement(band.nest.node)
        indent = indentation(function.text, place.start_byte)
        yield _line_above(function, place, declared(name, conditions, indent))
        clauses.append(f"if ({name})")
    yield _line_above(function, loop, " ".join(("#pragma omp parallel for", *clauses)))
    yield from _atomic(function, band)


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


def _flag(function: Function, loop: Node) -> str:
    """Return a name for a flag that no other has."""
    number = sum(other.start_byte < loop.start_byte for other in find(function.body, "for_statement"))
    return f"apart_{number}" if number or "apart" in function.identifiers else "apart"


def _atomic(function: Function, band: Band) -> Iterator[Edit]:
    for access in band.nest.accesses:
        if access.base in band.loops[0].updated and access.write and inside(access.node, band.outer.node):
            statement = access.node
            while statement.type != "expression_statement" and statement.parent is not None:
                statement = statement.parent
            own = indentation(function.text, statement.start_byte)
            yield Edit(statement.start_byte, statement.start_byte, f"\n{own}#pragma omp atomic\n{own}")


def _clauses(band: Band) -> Iterator[str]:
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
        yield f"reduction({item.operator} : {item.variable.name})"
    if _uneven(band):
        yield "schedule(dynamic)"


def _uneven(band: Band) -> bool:
    """Tell whether iterations differ in how much they do: a loop inside goes as far as one of these says."""
    own = {item.loop.dimension for item in band.loops}
    return any(item.uneven & own and inside(item.loop.node, band.inner.body) for item in band.nest.loops)
