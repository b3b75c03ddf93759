"""Candidates for functions of a source, and what becomes of them."""

from __future__ import annotations

from transpile.core import (
    OPENMP,
    Binding,
    Candidate,
    Contract,
    Dialect,
    Falsified,
    Passed,
    Replacement,
    Source,
    Unit,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

WRONG = ("exact", "tolerance", "bounds", "untouched", "unwritten", "input", "crash")


def unit(source: Source, name: str) -> Unit:
    return next(item for item in source.units if item.name == name)


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
