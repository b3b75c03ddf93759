"""Candidates for functions of a source, and what becomes of them."""

from __future__ import annotations

from transpile.contracts import infer
from transpile.core import (
    OPENMP,
    Binding,
    Candidate,
    Contract,
    Dialect,
    Falsified,
    Inconclusive,
    Passed,
    Replacement,
    Source,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

WRONG = ("exact", "tolerance", "bounds", "untouched", "unwritten", "input", "crash")


def unit(source: Source, name: str) -> Unit:
    return next(item for item in source.units if item.name == name)


def learn(workshop: Workshop, source: Source) -> dict[str, tuple[Contract, ...] | Inconclusive]:
    """Return what is learnt of every function, by name."""
    functions = [item for item in source.units if item.kind is UnitKind.FUNCTION]
    found = infer(workshop, source, functions)
    return {item.name: found[item.id] for item in functions}


def learn_first(workshop: Workshop, source: Source) -> dict[str, Contract | str]:
    """Return the first contract of every function, or why there is none."""
    return {
        name: known[0] if isinstance(known, tuple) else known.reason
        for name, known in learn(workshop, source).items()
    }


def verdict(
    workshop: Workshop, source: Source, contract: Contract, text: str, dialect: Dialect = OPENMP
) -> Verdict:
    own = unit(source, contract.signature.name)
    candidate = Candidate(
        unit=own.id,
        dialect=dialect,
        replacements=(Replacement(unit=own.id, text=text.encode()),),
        binding=Binding(name=own.name, arguments=contract.signature.names),
    )
    [judged] = judge(workshop, source, [Proposal(unit=own, contracts=(contract,), candidate=candidate)])
    return judged.verdict


def check(found: Verdict) -> str:
    """Return the check that refused, or ``kept``."""
    match found:
        case Passed():
            return "kept"
        case Falsified(counterexample=example):
            return example.check
        case other:
            return repr(other)
