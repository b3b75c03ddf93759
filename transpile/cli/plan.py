"""``transpile port --plan``: what would happen to each unit. Nothing is run, nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from transpile import pipeline, translators
from transpile.cli import arguments, render
from transpile.cli.arguments import OutputFormat
from transpile.core import Passed, Source, Unit, UnitKind
from transpile.keys import keys_of
from transpile.options import PortOptions
from transpile.report.findings import reason_of
from transpile.stages import refusal_of
from transpile.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What would be done with one unit."""

    unit: Unit
    action: str
    """judge, reuse, translate with its callers, edit, leave."""
    detail: str = ""


def show(root: Path, options: PortOptions, output_format: OutputFormat) -> None:
    """Write the plan to standard output."""
    if output_format is OutputFormat.SARIF:
        raise arguments.no_sarif()
    source = pipeline.read(root, options)
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
    render.table(
        ("", "Unit", "Kind", "Would", "Detail"),
        [
            (str(number), step.unit.id, step.unit.kind, step.action, step.detail)
            for number, step in enumerate(steps, start=1)
        ],
        right=frozenset({""}),
    )
    for item in source.diagnostics:
        render.warning(f"{item.path}:{item.line}: {item.code} {item.message}. {item.hint}".rstrip(". "))
    render.hint("Nothing was run and nothing written. Drop --plan to do it.")


def plan(source: Source, options: PortOptions) -> tuple[Step, ...]:
    """Return the steps of a port, callees first, as it would take them."""
    kinds = pipeline.judged_kinds(source)
    keys = keys_of(source, pipeline.chosen(source, options, kinds), options)
    return tuple(_step(source, unit, keys.get(unit.id), options) for unit in source.units)


def _step(source: Source, unit: Unit, key: str | None, options: PortOptions) -> Step:
    match unit.kind:
        case UnitKind.DEVICE:
            return Step(unit=unit, action="translate with its callers")
        case UnitKind.GLUE | UnitKind.PROGRAM:
            return Step(unit=unit, action="edit", detail="judged by program runs")
        case UnitKind.KERNEL | UnitKind.FUNCTION:
            if key is None:
                return Step(unit=unit, action="leave", detail=_left(source, unit, options))
            return _judged_step(source, unit, key, options)


def _left(source: Source, unit: Unit, options: PortOptions) -> str:
    """Return why a unit is not judged."""
    if unit.kind not in pipeline.judged_kinds(source):
        return "host function: judged by program runs"
    if not options.only and translators.is_idle(source, unit, options.target):
        return "without a loop and without recursion"
    return "not chosen"


def _judged_step(source: Source, unit: Unit, key: str, options: PortOptions) -> Step:
    refusal = refusal_of(source, unit)
    if refusal is not None:
        return Step(unit=unit, action="leave", detail=reason_of(refusal))
    if options.carve and not options.afresh:
        # What a verdict rests on is not known before the program has run.
        return Step(unit=unit, action="judge", detail="unless the carved calls are those of an earlier run")
    known = None if options.afresh else Store(options.cache / "evidence").find(key)
    if known is None:
        return Step(unit=unit, action="judge")
    verdict = known.verdict
    shown = f"passed, {verdict.guarantee.level}" if isinstance(verdict, Passed) else verdict.kind
    return Step(unit=unit, action="reuse", detail=f"{shown} (evidence {known.id})")
