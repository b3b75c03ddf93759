"""Tables at the end of ``transpile port``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from transpile.cli import render
from transpile.cli.explain import advice
from transpile.cli.report import FILE
from transpile.core import Claim, Evidence, Falsified, Passed, Port, Severity, Strength, Unit
from transpile.report import assumptions, makers, wording
from transpile.report.findings import Finding, alike, is_sequential, named, of_port, of_program, told_once

STYLES = {"passed": "green", "falsified": "red", "rejected": "yellow", "inconclusive": "yellow"}
MARKS = {"passed": "✓", "falsified": "✗", "rejected": "-", "inconclusive": "?"}
COLUMNS = ("Unit", "Verdict", "By", "Level", "Trials", "Coverage", "Mutants", "Seconds", "Target")
NUMBERS = frozenset({"Trials", "Coverage", "Mutants", "Seconds"})
_PLACES = 6
"""Places of one finding that are named."""


def verdict_text(evidence: Evidence) -> Text:
    """Return a verdict in a word, marked so that colour is not needed."""
    kind = evidence.verdict.kind
    word = "sequential on the device" if is_sequential(evidence.verdict) else kind
    return Text(f"{MARKS[kind]} {word}", style=STYLES[kind])


def place(unit: Unit) -> Text:
    """Return the name of a unit, and where it stands."""
    return Text.assemble(unit.name, (f"  {unit.path}:{unit.line}", "dim"))


def what_was_shown(evidence: Evidence) -> str:
    """Return in a clause what a pass leaves open: what callers keep to, and what one thread does alone."""
    shown = evidence.verdict.guarantee if isinstance(evidence.verdict, Passed) else None
    parts = [assumptions.clause(evidence)]
    parts += [wording.single(shown)] if shown is not None else []
    return "; ".join(part for part in parts if part)


def full(port: Port) -> None:
    """Write everything a person wants to know of a port."""
    if port.evidence:
        render.heading("Units")
        render.table(COLUMNS, [_row(item, port) for item in port.evidence], right=NUMBERS)
    _show_assumptions(port)
    _show_tolerances(port)
    _show_selection(port)
    _show_speed(port)
    findings = of_port(port)
    problems = [item for item in findings if item.severity is Severity.ERROR]
    notes = [item for item in findings if item.severity is not Severity.ERROR]
    for title, chosen in (("Not kept, or to be looked at", problems), ("Notes", notes)):
        if chosen:
            render.heading(title)
            for group in told_once(chosen):
                show_findings(group)
    _show_programs(port)
    _show_summary(port)


def concise(port: Port) -> None:
    """Write one line a finding and a last line of counts."""
    for item in of_port(port):
        render.data_line(f"{item.path}:{item.line}:{item.column}: {item.code} {item.reason}")
    render.data_line(counts(port))


def counts(port: Port) -> str:
    """Return how many of how many were kept."""
    kept = sum(item.kept(port.required) for item in port.evidence)
    sequential = sum(is_sequential(item.verdict) for item in port.evidence)
    apart = f", {sequential} sequential on the device" if sequential else ""
    return f"{kept} of {len(port.evidence)} units kept at level {port.required}{apart}"


def _row(evidence: Evidence, port: Port) -> tuple[Text | str, ...]:
    verdict, unit = evidence.verdict, evidence.unit
    shown = verdict.guarantee if isinstance(verdict, Passed) else None
    tried = verdict.trials if isinstance(verdict, Falsified) else 0
    target = port.places.get(unit.id, "")
    candidate = evidence.candidate
    kept = evidence.kept(port.required) and candidate is not None
    return (
        place(unit),
        verdict_text(evidence),
        makers.column(evidence, port),
        str(shown.level) if shown else "",
        wording.trials(shown) if shown else str(tried or ""),
        f"{shown.coverage:.0%}" if shown and shown.coverage is not None else "",
        _mutants(shown.strength) if shown and shown.strength else "",
        f"{evidence.seconds:.1f}",
        f"{target}: {candidate.binding.name}" if kept and candidate and target else "",
    )


def _mutants(strength: Strength) -> str:
    """Return how many of the faults that are none by proof the trials notice."""
    return f"{strength.killed}/{strength.real}"


def _show_assumptions(port: Port) -> None:
    """Say what callers of each kept translation have to keep to, and what of it is no parallel work."""
    told = {
        item.unit.name: (*assumptions.assumptions(item), *_left_alone(item))
        for item in port.evidence
        if item.kept(port.required)
    }
    if any(told.values()):
        render.heading("What translations assume of their callers, and what one thread does alone")
    for name, lines in told.items():
        if lines:
            render.item(Text(name), *lines)


def _left_alone(evidence: Evidence) -> tuple[str, ...]:
    alone = wording.single(evidence.verdict.guarantee) if isinstance(evidence.verdict, Passed) else ""
    return (alone,) if alone else ()


def _show_tolerances(port: Port) -> None:
    """Say by what rule rounded results were compared; where nothing is said, they agree to the last bit."""
    rounded = [
        (item.unit.name, item.verdict.guarantee.tolerance)
        for item in port.evidence
        if isinstance(item.verdict, Passed) and item.verdict.guarantee.tolerance not in ("", "exact")
    ]
    if rounded:
        render.heading(
            "Rounded results, in roundings: half an ulp, or what one ulp of the inputs makes of it"
        )
        for name, tolerance in rounded:
            render.item(Text(name), tolerance)


def _show_selection(port: Port) -> None:
    """Say how those were timed of which several translations passed."""
    several = [item for item in port.evidence if item.selection is not None]
    if several:
        render.heading("Speed of translations that passed, beside the one that rules prefer")
    for item in several:
        assert item.selection is not None
        told = [wording.rival(one) for one in item.selection.rivals]
        source = item.selection.source
        told += [f"the source itself: {wording.pace(source)}"] if source is not None else []
        told += [item.selection.reason] if item.selection.reason else []
        render.item(Text(item.unit.name), *told)


def _show_speed(port: Port) -> None:
    """Say what was tried to make units faster, and what came of it."""
    tried = [item for item in port.evidence if item.optimization is not None and item.optimization.steps]
    if tried:
        render.heading("Speed, beside the translation that was kept first")
    for item in tried:
        assert item.optimization is not None
        speedup = item.optimization.speedup
        said = wording.pace(speedup) if speedup is not None else "as it was"
        render.item(Text.assemble(item.unit.name, f"  {said}"), *map(wording.step, item.optimization.steps))


def show_findings(found: Sequence[Finding]) -> None:
    """Say once what findings have in common, below their places."""
    first = found[0]
    todo = first.hint or advice(first.code)
    lines = [Text.assemble(f"{item.path}:{item.line}  ", (item.unit, "dim")) for item in found[:_PLACES]]
    rest = len(found) - len(lines)
    lines += [Text(f"and {rest} more")] if rest else []
    title = Text("\n").join(lines)
    render.item(
        Text.assemble((first.code, "bold"), " ", title), first.reason, *([f"→ {todo}"] if todo else [])
    )


def _show_programs(port: Port) -> None:
    if port.programs:
        render.heading("Programs, source against port")
    for programs in alike(port.programs):
        [program, *_] = programs
        kind = program.verdict.kind
        found = of_program(program, port.source)
        reasons = [item.reason.removeprefix(f"{program.command}: ") for item in found]
        render.item(Text.assemble((f"{MARKS[kind]} {kind}", STYLES[kind]), f"  {named(programs)}"), *reasons)


def _show_summary(port: Port) -> None:
    render.heading(counts(port))
    rows = [
        ("Port", _shown(port.out)),
        ("Translated by", makers.counted(port) or "nobody: nothing is kept"),
        ("Build", f"{wording.build_command(port)} ({wording.build(port)})"),
    ]
    rows += [("Models", line) for line in makers.asked(port)]
    if port.spent is not None:
        rows += [("Models", note) for note in port.spent.notes]
        rows.append(("Spent", makers.spent(port.spent)))
    proofs = _proofs(port)
    if proofs:
        rows.append(("Proved", proofs))
    if port.store is not None:
        rows.append(("Evidence", _shown(port.store)))
    rows.append(("Report", _shown(port.out / FILE)))
    rows.append(("Next", _next_command(port)))
    render.table(("", ""), rows)


def _proofs(port: Port) -> str:
    """Return of how many kept units something was proved beside the trials."""
    claims = [
        claim
        for item in port.evidence
        if isinstance(item.verdict, Passed) and item.kept(port.required) and item.verdict.guarantee.proof
        for claim in item.verdict.guarantee.proof.claims
    ]
    words = {
        Claim.PARALLEL: "loops parallel at all sizes",
        Claim.AGREES: "agreement with the source",
        Claim.LEGAL: "iterations in a legal order",
    }
    found = [f"{word} ({claims.count(claim)})" for claim, word in words.items() if claim in claims]
    return ", ".join(found) + " of the units kept; assumptions are in the evidence" if found else ""


def _next_command(port: Port) -> str:
    codes = [item.code for item in of_port(port) if item.severity is Severity.ERROR]
    if codes:
        return f"transpile explain {codes[0]}"
    return f"transpile check {shlex.quote(_shown(port.out))}"


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
