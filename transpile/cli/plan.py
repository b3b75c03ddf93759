"""``transpile port --plan``: what would happen to each unit. Nothing is run, nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from transpile import pipeline, translators
from transpile.cli import arguments, render, tables
from transpile.cli.arguments import OutputFormat
from transpile.core import JUDGED, Passed, Source, Unit, UnitKind
from transpile.keys import keys_of
from transpile.options import PortOptions
from transpile.report.findings import of_diagnostics, reason_of, told_once
from transpile.scope import concerned
from transpile.stages import refusal_of
from transpile.store import Store

_OTHERS: Mapping[UnitKind, str] = {
    UnitKind.DEVICE: "device functions are translated with the kernels that call them",
    UnitKind.GLUE: "host functions are edited and judged by program runs",
    UnitKind.PROGRAM: "programs are built and run",
}
"""The fate of units that are not judged by themselves."""
_SCREENED = 100
"""Units that rules are tried on while a plan is waited for: a second for three of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What would be done with one unit."""

    unit: Unit
    action: str
    """judge, reuse, refuse, translate with its callers, edit, leave."""
    detail: str = ""


def show(root: Path, options: PortOptions, output_format: OutputFormat) -> None:
    """Write the plan to standard output."""
    if output_format is OutputFormat.SARIF:
        raise arguments.no_sarif()
    source = pipeline.read(root, options)
    source = concerned(source, pipeline.chosen(source, options, pipeline.judged_kinds(source)))
    steps = plan(source, options)
    if output_format in (OutputFormat.JSON, OutputFormat.JSONL):
        render.data(
            {
                "schema": 1,
                "command": "plan",
                "source": str(source.root),
                "target": options.target.name,
                "units": [
                    {
                        "id": step.unit.id,
                        "kind": str(step.unit.kind),
                        "action": step.action,
                        "detail": step.detail,
                    }
                    for step in steps
                ],
            },
            indent=1 if output_format is OutputFormat.JSON else None,
        )
        return
    _show(steps)
    for group in told_once(of_diagnostics(source.diagnostics)):
        tables.show_findings(group)
    render.hint("Nothing was run and nothing written. Drop --plan to do it.")


def _show(steps: Sequence[Step]) -> None:
    """Write the units that are translated and judged, and count the others."""
    own = [step for step in steps if step.unit.kind in JUDGED]
    render.table(
        ("", "Unit", "Kind", "Would", "Detail"),
        [
            (str(number), tables.place(step.unit), step.unit.kind, step.action, step.detail)
            for number, step in enumerate(own, start=1)
        ],
        right=frozenset({""}),
    )
    actions = Counter(step.action for step in own)
    render.heading(f"{len(own)} units: " + ", ".join(f"{count} to {word}" for word, count in actions.items()))
    others = Counter(_OTHERS[step.unit.kind] for step in steps if step.unit.kind in _OTHERS)
    for words, count in others.items():
        render.item(Text(f"{count} {words}"))


def plan(source: Source, options: PortOptions) -> tuple[Step, ...]:
    """Return the steps of a port, callees first, as it would take them."""
    kinds = pipeline.judged_kinds(source)
    keys = keys_of(source, pipeline.chosen(source, options, kinds), options)
    screened = len(keys) <= _SCREENED
    return tuple(_step(source, unit, keys.get(unit.id), options, screened=screened) for unit in source.units)


def _step(source: Source, unit: Unit, key: str | None, options: PortOptions, *, screened: bool) -> Step:
    match unit.kind:
        case UnitKind.DEVICE:
            return Step(unit=unit, action="translate with its callers")
        case UnitKind.GLUE | UnitKind.PROGRAM:
            return Step(unit=unit, action="edit", detail="judged by program runs")
        case UnitKind.KERNEL | UnitKind.FUNCTION:
            if key is None:
                return Step(unit=unit, action="leave", detail=_left(source, unit, options))
            return _judged_step(source, unit, key, options, screened=screened)


def _new_step(source: Source, unit: Unit, options: PortOptions) -> Step:
    """Return what becomes of a unit of which nothing is known."""
    refusal = translators.foreseen(source, unit, options.target)
    if refusal is None:
        return Step(unit=unit, action="judge")
    if options.models.use:
        return Step(unit=unit, action="judge", detail=f"by a model alone: {reason_of(refusal)}")
    return Step(unit=unit, action="refuse", detail=reason_of(refusal))


def _left(source: Source, unit: Unit, options: PortOptions) -> str:
    """Return why a unit is not judged."""
    if unit.kind not in pipeline.judged_kinds(source):
        return "host function: judged by program runs"
    if unit.id in source.callers:
        return "its loops are judged as functions"
    if not options.only and translators.is_idle(source, unit, options.target):
        return "without a loop and without recursion"
    return "not chosen"


def _judged_step(source: Source, unit: Unit, key: str, options: PortOptions, *, screened: bool) -> Step:
    refusal = refusal_of(source, unit)
    if refusal is not None:
        return Step(unit=unit, action="leave", detail=reason_of(refusal))
    if options.carve and not options.afresh:
        # What a verdict rests on is not known before the program has run.
        return Step(unit=unit, action="judge", detail="unless the carved calls are those of an earlier run")
    known = None if options.afresh else Store(options.cache / "evidence").find(key)
    if known is None:
        return _new_step(source, unit, options) if screened else Step(unit=unit, action="judge")
    verdict = known.verdict
    shown = f"passed, {verdict.guarantee.level}" if isinstance(verdict, Passed) else verdict.kind
    return Step(unit=unit, action="reuse", detail=f"{shown} (evidence {known.id})")
