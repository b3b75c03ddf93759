"""Findings that keep a port from exit status 0, each with a code, a place, a reason and a way on."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from transpile.core import (
    JUDGED,
    BuildOutcome,
    Counterexample,
    Diagnostic,
    Evidence,
    Falsified,
    Inconclusive,
    Level,
    Passed,
    Port,
    ProgramVerdict,
    Rejected,
    Severity,
    Trial,
    Verdict,
)

Item = TypeVar("Item")

FALSIFIED = "TP400"
BELOW_LEVEL = "TP409"
PROGRAM_DIFFERS = "TP510"
NOT_BUILT = "TP512"
SERIAL = "TP506"
ABSENT = "TP507"
STALE = "TP513"
SEQUENTIAL = "TP432"
"""Code that one thread of a device runs alone."""
_NAMED = 4
"""Programs that one finding names."""


def is_sequential(verdict: Verdict) -> bool:
    """Tell whether a translation agrees with its source, but is the work of one thread of a device."""
    return isinstance(verdict, Inconclusive) and verdict.code == SEQUENTIAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a user has to know or do."""

    code: str
    path: str
    line: int
    reason: str
    column: int = 1
    unit: str = ""
    """Id of the unit it is about; empty for the port as a whole."""
    hint: str = ""
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a code means."""

    title: str
    text: str
    """Markdown, below the title."""
    advice: str
    """What to do, in a sentence; for findings that bring no hint of their own."""


def of_unit(evidence: Evidence, required: Level) -> tuple[Finding, ...]:
    """Return why a unit is not kept; nothing where it is."""
    if evidence.kept(required):
        return ()
    unit = evidence.unit
    severity = Severity.ERROR if unit.kind in JUDGED else Severity.NOTE

    def here(code: str, reason: str, hint: str = "") -> Finding:
        return Finding(
            code=code,
            path=unit.path,
            line=unit.line,
            unit=unit.id,
            reason=reason,
            hint=hint,
            severity=severity,
        )

    match evidence.verdict:
        case Passed(guarantee=shown):
            why = f": {shown.shortfall}" if shown.shortfall else ""
            return (
                here(
                    BELOW_LEVEL, f"it passed at level {shown.level}, below the required level {required}{why}"
                ),
            )
        case Falsified(counterexample=found):
            hint = f"Run `transpile replay {evidence.id}` to see it again." if evidence.id else ""
            return (here(FALSIFIED, describe(found), hint),)
        case Inconclusive(reason=reason, code=code):
            return (here(code, reason),)
        case Rejected(stage=stage, diagnostics=diagnostics):
            if not diagnostics:
                return (here("TP200", f"refused at stage {stage}"),)
            return tuple(_of_diagnostic(item, unit.id) for item in diagnostics)


def of_port(port: Port) -> tuple[Finding, ...]:
    """Return every finding of a port, units first; a diagnostic that units name is not said again."""
    units = [item for evidence in port.evidence for item in of_unit(evidence, port.required)]
    named = {replace(item, unit="") for item in units}
    others = (_of_diagnostic(item) for item in port.diagnostics)
    return (*units, *_of_whole(port), *(item for item in others if item not in named))


def _of_whole(port: Port) -> Iterator[Finding]:
    for first, *others in alike(port.programs):
        yield from of_program(first, port.source, others)
    yield from _of_build(port)


def _of_build(port: Port) -> Iterator[Finding]:
    """Yield what is wrong with a port's build, and with what it makes."""
    own, command = port.own_build, port.build_command
    if not port.built:
        failed = own.outcome is BuildOutcome.FAILS
        yield Finding(
            code=NOT_BUILT,
            path=str(port.out),
            line=1,
            reason=f"`{command}` fails: {own.reason}" if failed else "the port does not build",
            hint=f"See what the compiler says: cd {shlex.quote(str(port.out))} && {command}",
        )
    reasons = (
        (SERIAL, own.serial, Severity.ERROR, f"`{command}` compiles it without OpenMP, so it is serial"),
        (ABSENT, own.absent, Severity.WARNING, f"nothing that `{command}` makes is seen to hold it"),
    )
    for code, units, severity, reason in reasons:
        for item in port.evidence:
            if item.unit.id in units:
                place = port.places.get(item.unit.id, item.unit.path)
                yield Finding(
                    code=code, path=place, line=1, reason=reason, unit=item.unit.id, severity=severity
                )


def grouped(items: Iterable[Item], said: Callable[[Item], Hashable]) -> list[list[Item]]:
    """Return items in groups of those of which the same is said, as the first of each group comes."""
    groups: dict[Hashable, list[Item]] = {}
    for item in items:
        groups.setdefault(said(item), []).append(item)
    return list(groups.values())


def told_once(found: Iterable[Finding]) -> list[list[Finding]]:
    """Return findings, together where only their places differ."""
    return grouped(found, lambda item: (item.code, item.reason, item.hint))


def alike(programs: Iterable[ProgramVerdict]) -> list[list[ProgramVerdict]]:
    """Return the programs, together where nothing was shown for one reason."""
    return grouped(programs, _why_nothing)


def _why_nothing(program: ProgramVerdict) -> tuple[str, str]:
    """Return why nothing was shown of a program; its own command where something was."""
    found = program.verdict
    return (found.code, found.reason) if isinstance(found, Inconclusive) else ("", program.command)


def named(programs: Sequence[ProgramVerdict]) -> str:
    """Return the commands of programs, of many the first ones."""
    shown = [item.command for item in programs[:_NAMED]]
    rest = len(programs) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def of_program(
    program: ProgramVerdict, source: Path, others: Sequence[ProgramVerdict] = ()
) -> tuple[Finding, ...]:
    """Return what a program run found, and others like it; nothing where both sides agree."""
    names = named((program, *others))

    def whole(code: str, reason: str, severity: Severity = Severity.ERROR) -> Finding:
        return Finding(code=code, path=str(source), line=1, reason=f"{names}: {reason}", severity=severity)

    match program.verdict:
        case Passed():
            return ()
        case Falsified(counterexample=found):
            return (whole(PROGRAM_DIFFERS, describe(found)),)
        case Inconclusive(reason=reason, code=code):
            return (whole(code, reason, Severity.NOTE),)
        case Rejected(stage=stage, diagnostics=()):
            return (whole(PROGRAM_DIFFERS, f"refused at stage {stage}"),)
        case Rejected(diagnostics=diagnostics):
            return tuple(_of_diagnostic(item) for item in diagnostics)


def reason_of(verdict: Verdict) -> str:
    """Return what a verdict rests on, in one line."""
    match verdict:
        case Passed(guarantee=shown):
            ran = "" if shown.parallel is None else f", {shown.parallel} of them on several threads"
            return f"{shown.trials} trial{'s' * (shown.trials != 1)} agree{ran}"
        case Falsified(counterexample=found):
            return describe(found)
        case Rejected(diagnostics=diagnostics):
            return "; ".join(f"{item.code} {item.message}" for item in diagnostics)
        case Inconclusive(reason=reason, code=code):
            return f"{code} {reason}"


def describe(found: Counterexample) -> str:
    """Return a counterexample in one line."""
    place = f"{found.where}: " if found.where else ""
    difference = f"expected {found.expected}, got {found.got}" if found.expected else found.got
    return f"{place}{difference} ({found.check}; {describe_trial(found.trial)})"


def describe_trial(trial: Trial) -> str:
    """Return what a trial gives to the kernel, in one line; its arrays follow from the seed and the fill."""
    shapes = [f"grid={_shape(trial.launch.grid)}", f"block={_shape(trial.launch.block)}"]
    shared = [f"shared={trial.launch.shared}"] if trial.launch.shared else []
    scalars = [f"{name}={value}" for name, value in trial.scalars]
    scalars += [f"{name} points to {other}" for name, other in trial.aliases]
    scalars += [f"{name} is null" for name in trial.null]
    scalars += [f"{name} from {low} to {high}" for name, low, high in trial.variables]
    instance = [f"<{trial.template_arguments}>"] if trial.template_arguments else []
    return ", ".join([*instance, *scalars, *shapes, *shared, f"{trial.fill} fill, seed {trial.seed}"])


def _shape(axes: tuple[int, int, int]) -> str:
    used = axes if axes[2] != 1 else axes[:2] if axes[1] != 1 else axes[:1]
    return "x".join(str(axis) for axis in used)


def of_diagnostics(items: Iterable[Diagnostic]) -> list[Finding]:
    """Return what is to be known of a source before any of its units is judged."""
    return [_of_diagnostic(item) for item in items]


def _of_diagnostic(item: Diagnostic, unit: str = "") -> Finding:
    return Finding(
        code=item.code,
        path=item.path,
        line=item.line,
        column=item.column,
        unit=unit,
        reason=item.message,
        hint=item.hint,
        severity=item.severity,
    )
