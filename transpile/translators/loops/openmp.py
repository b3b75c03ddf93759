"""Sequential C and C++ to OpenMP: a line above each loop whose iterations may run at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.core import (
    Binding,
    ByRules,
    Candidate,
    Contract,
    Diagnostic,
    Rejected,
    Replacement,
    Severity,
    Source,
    Unit,
)
from transpile.translators.loops.facts import parts as chosen
from transpile.translators.loops.overlaps import apart
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.rules.syntax import (
    Edit,
    Function,
    indentation,
    inside,
)
from transpile.translators.rules.variables import resolve


def propose(source_: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a function with its parallel loops marked, or why none of them is."""
    function = Function(unit.text.decode("latin-1"))
    variables = resolve(function)
    contract = contracts[0] if contracts else None
    parts, assumed = chosen(function, variables, contract)
    edits = [edit for part in parts if isinstance(part, Band) for edit in _marked(function, part, contract)]
    if not edits:
        return refusal(unit, function, [part for part in parts if isinstance(part, Alone)])
    signature = contract.signature if contract else None
    names = tuple(item.name for item in signature.parameters) if signature else ()
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=function.edited(edits).encode("latin-1")),),
        binding=Binding(name=unit.name, arguments=names),
        origin=ByRules(rules=("loops", "openmp", *assumed)),
    )


def refusal(unit: Unit, function: Function, alone: Sequence[Alone]) -> Rejected:
    """Return why nothing of a function runs at once."""
    reasons = [(function.line(item.node) - 1, item.reason) for item in alone] or [(0, "it has no loop")]
    return Rejected(
        stage="translate",
        diagnostics=tuple(
            Diagnostic(
                code="TP220",
                severity=Severity.ERROR,
                path=unit.path,
                line=unit.line + line,
                message=f"no loop whose iterations may run at once: {reason}",
            )
            for line, reason in reasons
        ),
    )


def _marked(function: Function, band: Band, contract: Contract | None) -> Iterator[Edit]:
    condition = apart(band, contract)
    if condition is None:
        return
    loop = band.outer.node
    clauses = list(_clauses(band))
    if condition:
        clauses.append(f"if ({condition})")
    indent = indentation(function.text, loop.start_byte)
    pragma = " ".join(("#pragma omp parallel for", *clauses))
    before = function.text[function.text.rfind("\n", 0, loop.start_byte) + 1 : loop.start_byte]
    start = "" if not before.strip() else f"\n{indent}"
    yield Edit(loop.start_byte, loop.start_byte, f"{start}{pragma}\n{indent}")
    for access in band.nest.accesses:
        if access.base in band.loops[0].updated and access.write and inside(access.node, loop):
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
    """Tell whether iterations differ in how much they do: an inner loop goes as far as an outer says."""
    return any(item.uneven and inside(item.loop.node, band.inner.body) for item in band.nest.loops)
