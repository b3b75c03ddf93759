"""Ports, units and checks as plain JSON data (schema 1: fields may be added, none change)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from transpile.core import (
    ByModel,
    Evidence,
    Falsified,
    Level,
    Optimization,
    Passed,
    Port,
    ProgramVerdict,
    Proof,
    Source,
    Strength,
)
from transpile.report import makers
from transpile.report.assumptions import assumptions
from transpile.report.findings import Finding, of_port, of_program, of_unit
from transpile.report.passing import answers_of

SCHEMA = 1


def port_data(port: Port) -> dict[str, Any]:
    """Return a port as the one object of ``--output-format json``."""
    return {
        "schema": SCHEMA,
        "command": "port",
        "source": str(port.source),
        "target": port.dialect.name,
        "out": str(port.out),
        "require": str(port.required),
        "exit_status": port.exit_status,
        "units": [
            unit_data(item, port.required, place=port.places.get(item.unit.id)) for item in port.evidence
        ],
        "programs": [_program_data(item, port.source) for item in port.programs],
        "build": _build_data(port),
        "diagnostics": [finding_data(item) for item in of_port(port)],
        "models": list(makers.asked(port)),
        "spent": asdict(port.spent) if port.spent else None,
    }


def _build_data(port: Port) -> dict[str, Any]:
    own = port.own_build
    return {
        "command": port.build_command,
        "ok": port.built,
        "by": port.built_by or None,
        "own": {
            "outcome": str(own.outcome),
            "reason": own.reason or None,
            "output": own.output or None,
            "parallel": list(own.parallel),
            "serial": list(own.serial),
            "absent": list(own.absent),
        },
    }


def summary_data(port: Port) -> dict[str, Any]:
    """Return the last line of ``jsonl``: the port without its units, which have had their lines."""
    return {key: value for key, value in port_data(port).items() if key != "units"}


def unit_data(evidence: Evidence, required: Level, *, place: str | None = None) -> dict[str, Any]:
    """Return what is known of one unit. ``place`` is its file in the port, once there is one."""
    unit, verdict, candidate = evidence.unit, evidence.verdict, evidence.candidate
    shown = verdict.guarantee if isinstance(verdict, Passed) else None
    tried = verdict.trials if isinstance(verdict, Falsified) else 0
    kept, optimization = evidence.kept(required), evidence.optimization
    reasons = of_unit(evidence, required)
    return {
        "id": unit.id,
        "kind": str(unit.kind),
        "path": unit.path,
        "line": unit.line,
        "name": unit.name,
        "kept": kept,
        "verdict": verdict.kind,
        "level": str(shown.level) if shown else None,
        "evidence": evidence.id or None,
        "trials": shown.trials if shown else tried,
        "checks": list(shown.checks) if shown else [],
        "coverage": shown.coverage if shown else None,
        "mutation_score": shown.mutation_score if shown else None,
        "mutation": _mutation(shown.strength) if shown and shown.strength else None,
        "proof": _proof(shown.proof) if shown and shown.proof else None,
        "tolerance": shown.tolerance or None if shown else None,
        "requires": list(shown.requires) if shown else [],
        "assumes": list(assumptions(evidence)),
        "parallel_trials": shown.parallel if shown else None,
        "single": list(shown.single) if shown else [],
        "judged_on": shown.judged_on if shown else None,
        "code": reasons[0].code if reasons else None,
        "reason": reasons[0].reason if reasons else None,
        "translator": candidate.origin.kind if candidate else None,
        "model": candidate.origin.model if candidate and isinstance(candidate.origin, ByModel) else None,
        "answers": asdict(answers_of(evidence)),
        "target_path": place if kept else None,
        "target_name": candidate.binding.name if candidate and kept else None,
        "speedup": optimization.speedup.ratio if optimization and optimization.speedup else None,
        "optimization": _optimization(optimization) if optimization else None,
        "selection": asdict(evidence.selection) if evidence.selection else None,
        "seconds": round(evidence.seconds, 3),
    }


def _optimization(tried: Optimization) -> dict[str, Any]:
    return {
        "applied": list(tried.applied),
        "speedup": asdict(tried.speedup) if tried.speedup else None,
        "steps": [asdict(step) for step in tried.steps],
        "reason": tried.reason or None,
    }


def _mutation(strength: Strength) -> dict[str, Any]:
    return {
        "mutants": strength.mutants,
        "killed": strength.killed,
        "equivalent": strength.equivalent,
        "possible": strength.possible,
        "survivors": list(strength.survivors),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    return {
        "claims": [str(claim) for claim in proof.claims],
        "of": proof.of,
        "assumptions": list(proof.assumptions),
        "unproved": {str(claim): reason for claim, reason in proof.unproved},
        "method": proof.method,
        "seconds": proof.seconds,
    }


def source_data(source: Source) -> dict[str, Any]:
    """Return what was found in a source, callees first."""
    return {
        "schema": SCHEMA,
        "command": "units",
        "source": str(source.root),
        "units": [
            {
                "id": unit.id,
                "kind": str(unit.kind),
                "path": unit.path,
                "line": unit.line,
                "name": unit.name,
                "digest": unit.digest,
                "callees": list(unit.callees),
                "launches": sum(site.unit == unit.id for site in source.launches),
                "active": unit.active,
                "translation_unit": unit.translation_unit,
            }
            for unit in source.units
        ],
        "programs": [
            {
                "name": item.name,
                "translation_units": list(item.translation_units),
                "runs": [*map(list, item.runs)],
            }
            for item in source.programs
        ],
        "diagnostics": [
            {
                "code": item.code,
                "severity": str(item.severity),
                "path": item.path,
                "line": item.line,
                "column": item.column,
                "message": item.message,
                "hint": item.hint,
            }
            for item in source.diagnostics
        ],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as a diagnostic of schema 1."""
    return {
        "code": finding.code,
        "severity": str(finding.severity),
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "unit": finding.unit or None,
        "message": finding.reason,
        "hint": finding.hint,
    }


def _program_data(program: ProgramVerdict, source: Path) -> dict[str, Any]:
    reasons = of_program(program, source)
    return {
        "command": program.command,
        "verdict": program.verdict.kind,
        "reason": reasons[0].reason if reasons else None,
    }
