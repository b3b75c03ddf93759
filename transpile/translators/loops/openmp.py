"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from transpile.translators.loops.clauses import (
    atomic,
    clauses,
    declared_reductions,
    headers,
    line_above,
    number_of,
    statement_around,
)
from transpile.translators.loops.outside import Outside, outside
from transpile.translators.loops.overlaps import Unbounded, apart, declared
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.refusal import refusal
from transpile.translators.loops.reordering.rewriting import rewritten
from transpile.translators.rules.names import free_name
from transpile.translators.rules.syntax import Edit, Function, indentation, inside
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
        names = tuple(item.name for item in signature.parameters) if signature else ()
        text = self.choice.function.edited(edits).encode("latin-1")
        return Candidate(
            unit=self.unit.id,
            replacements=(Replacement(unit=self.unit.id, text=text),),
            binding=Binding(name=self.unit.name, arguments=names),
            headers=headers(part for part in self.choice.parts if isinstance(part, Band)),
            origin=ByRules(rules=("loops", "openmp", *rules, *self.choice.rules)),
        )


def _marked(
    function: Function, variables: Variables, band: Band, contract: Contract | None
) -> Iterator[Edit]:
    conditions = list(dict.fromkeys(apart(band, contract, variables)))
    place, number = statement_around(band.nest.node), number_of(function, band)
    said = list(clauses(band, number))
    if _uneven(band):
        said.append("schedule(dynamic)")
    for line in declared_reductions(band, number):
        yield line_above(function, place, line)
    if len(conditions) == 1:
        said.append(f"if ({conditions[0]})")
    elif conditions:
        name = _flag(function, number)
        indent = indentation(function.text, place.start_byte)
        yield line_above(function, place, declared(name, conditions, indent))
        said.append(f"if ({name})")
    yield line_above(function, band.node, " ".join(("#pragma omp parallel for", *said)))
    yield from atomic(function, band)


def _flag(function: Function, number: int) -> str:
    """Return a name for a flag that no other has."""
    return free_name(function.identifiers, f"apart_{number}" if number else "apart")


def _uneven(band: Band) -> bool:
    """Tell whether iterations differ in how much they do: a loop inside goes as far as one of these says."""
    own = {item.loop.dimension for item in band.loops}
    return any(item.uneven & own and inside(item.loop.node, band.inner.body) for item in band.nest.loops)
