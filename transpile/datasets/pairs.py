"""Evidence as rows of a training set: one row a candidate that was decided by trials.

Every row has the same fields and types, so that a table reader can infer one schema. Numbers of trials
are text: an argument may be an integer or a float, of any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from transpile import __version__
from transpile.contracts import user
from transpile.core import (
    CPP,
    CUDA,
    ByModel,
    ByRules,
    C,
    Candidate,
    Contract,
    Counterexample,
    Dialect,
    Evidence,
    Falsified,
    Level,
    Passed,
    Trial,
    Unit,
    UnitKind,
    Verdict,
)

SCHEMA = 1


def rows(evidence: Iterable[Evidence], required: Level) -> Iterator[dict[str, Any]]:
    """Yield the rows of each unit: candidates that passed at the level, and those that were falsified."""
    for item in evidence:
        for candidate, verdict in _last_word(item):
            match verdict:
                case Passed(guarantee=shown) if shown.level.rank >= required.rank:
                    yield _row(item, candidate, verdict)
                case Falsified():
                    yield _row(item, candidate, verdict)
                case _:
                    pass


def _last_word(evidence: Evidence) -> Iterator[tuple[Candidate, Verdict]]:
    """Yield each candidate with its latest verdict: one that passed may have been refuted afterwards."""
    seen: list[tuple[Candidate, Verdict]] = []
    for attempt in evidence.attempts:
        if attempt.candidate is not None:
            seen = [pair for pair in seen if pair[0] != attempt.candidate]
            seen.append((attempt.candidate, attempt.verdict))
    yield from seen


def _row(evidence: Evidence, candidate: Candidate, verdict: Passed | Falsified) -> dict[str, Any]:
    unit = evidence.unit
    shown = verdict.guarantee if isinstance(verdict, Passed) else None
    refuted = verdict.counterexample if isinstance(verdict, Falsified) else None
    return {
        "schema": SCHEMA,
        "evidence": evidence.id,
        "unit": unit.id,
        "name": unit.name,
        "agrees": shown is not None,
        "source_dialect": _written_in(unit).name,
        "source": _joined([callee.text for callee in evidence.closure] + [unit.text]),
        "target_dialect": candidate.dialect.name,
        "target": _joined([part.text for part in reversed(candidate.replacements)]),
        "target_headers": list(candidate.headers),
        "call": f"{candidate.binding.name}({', '.join(candidate.binding.arguments)})",
        "contracts": [_contract(contract) for contract in evidence.contracts],
        "tests": [_trial(trial) for trial in evidence.pool],
        "counterexample": _counterexample(refuted) if refuted else None,
        "level": str(shown.level) if shown else None,
        "trials": shown.trials if shown else verdict.trials if isinstance(verdict, Falsified) else 0,
        "coverage": shown.coverage if shown else None,
        "mutation_score": shown.mutation_score if shown else None,
        "checks": list(shown.checks) if shown else [],
        "tolerance": shown.tolerance if shown else "",
        "judged_on": shown.judged_on if shown else "",
        **_origin(candidate),
        "made_by": f"transpile {__version__}",
        "provenance": [{"name": name, "value": value} for name, value in evidence.provenance],
    }


def _written_in(unit: Unit) -> Dialect:
    """Return the dialect of a unit: kernels are CUDA's, functions are of the file that is compiled."""
    if unit.kind is UnitKind.KERNEL:
        return CUDA
    return C if (unit.translation_unit or unit.path).endswith(".c") else CPP


def _origin(candidate: Candidate) -> dict[str, Any]:
    match candidate.origin:
        case ByRules(rules=rules):
            return {"translator": "rules", "rules": list(rules), "model": "", "prompt": ""}
        case ByModel(model=model, prompt=prompt):
            return {"translator": "model", "rules": [], "model": model, "prompt": prompt}


def _contract(contract: Contract) -> dict[str, str]:
    return {"signature": contract.signature.callable, "toml": user.render(contract)}


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "seed": str(trial.seed),
        "fill": trial.fill,
        "scalars": [{"name": name, "value": repr(value)} for name, value in trial.scalars],
        "grid": list(trial.launch.grid),
        "block": list(trial.launch.block),
        "shared": trial.launch.shared,
        "template_arguments": trial.template_arguments or "",
    }


def _counterexample(found: Counterexample) -> dict[str, Any]:
    return {
        "trial": _trial(found.trial),
        "where": found.where,
        "expected": found.expected,
        "got": found.got,
        "check": found.check,
    }


def _joined(texts: list[bytes]) -> str:
    return "\n\n".join(text.decode("utf-8", "replace").strip() for text in texts) + "\n"
