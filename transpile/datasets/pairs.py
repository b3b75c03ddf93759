"""Evidence as rows of a training set: one row a candidate that was decided by trials.

Every row has the same fields and types (see ``schema``), and holds all that it takes to read it: the types,
macros and functions that its source names, and calls with what went in and came out. Numbers of calls are
text: an argument may be an integer or a float, of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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
    Example,
    Falsified,
    Launch,
    Level,
    Passed,
    Unit,
    UnitKind,
    Values,
    Verdict,
    digest,
)
from transpile.datasets.origins import NOWHERE, Origin

SCHEMA = 2
Row = dict[str, Any]
Finds = Callable[[Evidence], Origin]
"""Tells where the source of a unit is from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A candidate of which trials decided, and its row."""

    evidence: Evidence
    candidate: Candidate
    verdict: Passed | Falsified
    row: Row


def nowhere(_: Evidence) -> Origin:
    """Return that nothing is known of an origin."""
    return NOWHERE


def rows(evidence: Iterable[Evidence], required: Level, origin: Finds = nowhere) -> Iterator[Row]:
    """Yield the rows of each unit: candidates that passed at the level, and those that were falsified."""
    return (item.row for item in decided(evidence, required, origin))


def decided(evidence: Iterable[Evidence], required: Level, origin: Finds = nowhere) -> Iterator[Decided]:
    """Yield the candidates that a data set holds, each with its row."""
    for item in evidence:
        for candidate, verdict in _last_word(item):
            match verdict:
                case Passed(guarantee=shown) if shown.level.rank >= required.rank:
                    pass
                case Falsified():
                    pass
                case _:
                    continue
            row = _row(item, candidate, verdict, origin(item))
            yield Decided(evidence=item, candidate=candidate, verdict=verdict, row=row)


def _last_word(evidence: Evidence) -> Iterator[tuple[Candidate, Verdict]]:
    """Yield each candidate with its latest verdict: one that passed may have been refuted afterwards."""
    seen: list[tuple[Candidate, Verdict]] = []
    for attempt in evidence.attempts:
        if attempt.candidate is not None:
            seen = [pair for pair in seen if pair[0] != attempt.candidate]
            seen.append((attempt.candidate, attempt.verdict))
    yield from seen


def _row(evidence: Evidence, candidate: Candidate, verdict: Passed | Falsified, origin: Origin) -> Row:
    unit = evidence.unit
    shown = verdict.guarantee if isinstance(verdict, Passed) else None
    refuted = verdict.counterexample if isinstance(verdict, Falsified) else None
    source = _text([unit.text])
    target = _text([part.text for part in reversed(candidate.replacements)])
    return {
        "schema": SCHEMA,
        "id": digest(evidence.id, source, candidate.dialect.name, target)[:24],
        "evidence": evidence.id,
        "unit": unit.id,
        "name": unit.name,
        "kind": str(unit.kind),
        "agrees": shown is not None,
        "source_dialect": _written_in(unit).name,
        "context": "\n".join(evidence.context or ()),
        "callees": _text([callee.text for callee in evidence.closure]) if evidence.closure else "",
        "source": source,
        "target_dialect": candidate.dialect.name,
        "target": target,
        "target_headers": list(candidate.headers),
        "call": f"{candidate.binding.name}({', '.join(candidate.binding.arguments)})",
        "contracts": [_contract(contract) for contract in evidence.contracts],
        "tests": [_example(item) for item in _examples(evidence)],
        "counterexample": _counterexample(refuted) if refuted else None,
        "level": str(shown.level) if shown else None,
        "trials": shown.trials if shown else verdict.trials if isinstance(verdict, Falsified) else 0,
        "coverage": shown.coverage if shown else None,
        "mutation_score": shown.mutation_score if shown else None,
        "checks": list(shown.checks) if shown else [],
        "tolerance": shown.tolerance if shown else "",
        "judged_on": shown.judged_on if shown else "",
        **_translator(candidate),
        "repository": origin.repository,
        "commit": origin.commit,
        "path": unit.path,
        "line": unit.line,
        "licence": origin.licence,
        "licence_file": origin.licence_file,
        "source_digest": digest(source),
        "target_digest": digest(target),
        "made_by": f"transpile {__version__}",
        "tools": [
            {"name": name, "value": value}
            for name, value in evidence.provenance
            if name not in _OF_THIS_MACHINE
        ],
    }


_OF_THIS_MACHINE = ("source", "opened", "flags", "exclude", "carve", "settings", "tests")
"""Provenance that says where something lies: nobody else has it there."""


def _written_in(unit: Unit) -> Dialect:
    """Return the dialect of a unit: kernels are CUDA's, functions are of the file that is compiled."""
    if unit.kind is UnitKind.KERNEL:
        return CUDA
    return C if (unit.translation_unit or unit.path).endswith(".c") else CPP


def _translator(candidate: Candidate) -> Row:
    match candidate.origin:
        case ByRules(rules=rules):
            return {"translator": "rules", "rules": list(rules), "model": "", "prompt": ""}
        case ByModel(model=model, prompt=prompt):
            return {"translator": "model", "rules": [], "model": _public(model), "prompt": prompt}


def _public(model: str) -> str:
    """Return the name of a model without the place where it was asked, or where its file lies."""
    name = model.partition("@")[0]
    kind, _, rest = name.partition(":")
    return f"{kind}:{rest.rpartition('/')[2]}" if kind in ("hf", "vllm", "scripted") else name


def _contract(contract: Contract) -> dict[str, str]:
    return {"signature": contract.signature.callable, "toml": user.render(contract)}


def _examples(evidence: Evidence) -> tuple[Example, ...]:
    """Return calls of the source as data: whichever candidate they were made for, they are the source's."""
    verdicts = [attempt.verdict for attempt in evidence.attempts]
    return next(
        (
            item.guarantee.examples
            for item in verdicts
            if isinstance(item, Passed) and item.guarantee.examples
        ),
        (),
    )


def _example(item: Example) -> Row:
    return {
        **_call(item.scalars, item.launch, item.template_arguments),
        "inputs": [_values(array) for array in item.inputs],
        "outputs": [_values(array) for array in item.outputs],
    }


def _call(scalars: Iterable[tuple[str, int | float]], launch: Launch, template_arguments: str | None) -> Row:
    return {
        "scalars": [{"name": name, "value": repr(value)} for name, value in scalars],
        "grid": list(launch.grid),
        "block": list(launch.block),
        "shared": launch.shared,
        "template_arguments": template_arguments or "",
    }


def _values(array: Values) -> Row:
    return {"name": array.name, "type": array.type, "numbers": list(array.numbers)}


def _counterexample(found: Counterexample) -> Row:
    trial = found.trial
    return {
        **_call(trial.scalars, trial.launch, trial.template_arguments),
        "inputs": list(found.inputs),
        "where": found.where,
        "expected": found.expected,
        "got": found.got,
        "others": list(found.others),
        "check": found.check,
    }


def _text(texts: list[bytes]) -> str:
    return "\n\n".join(text.decode("utf-8", "replace").strip() for text in texts) + "\n"
