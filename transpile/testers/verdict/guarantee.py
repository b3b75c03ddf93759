"""Guarantees: the worth of a pass, in the words of the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from transpile.core import (
    Contract,
    Guarantee,
    Inconclusive,
    Level,
    Origin,
    Passed,
    ProgrammingModel,
    Strength,
    Verdict,
)
from transpile.expressions import names
from transpile.testers.checks.offload import is_offloaded
from transpile.testers.differential.differential_run import CONFIGURATIONS, TEAMS
from transpile.testers.mutation.strengthen import ENOUGH
from transpile.testers.oracle.examples import examples_of
from transpile.testers.proposal import Proposal
from transpile.testers.run.teams import has_teams, is_parallel
from transpile.testers.trials.layout import floating
from transpile.testers.verdict.judgement import Shown
from transpile.toolchains import compilers


def hardened(tested: Guarantee, strength: Strength) -> Guarantee:
    """Return what was shown together with how strong the trials are, at the level that this is worth."""
    checks = (*tested.checks, "larger sizes")
    known = replace(tested, checks=checks, strength=strength)
    if strength.score is None:
        return replace(known, shortfall="the source has no mutant to kill")
    if strength.score < ENOUGH:
        return replace(known, shortfall=f"the trials kill {strength.killed} of {strength.real} mutants")
    return replace(known, level=Level.HARDENED)


def supposed(contract: Contract) -> tuple[str, ...]:
    """Return the requirements between scalars that were found, and that nobody stated.

    The source misbehaves without it as far as was seen. But where callers keep to another one, trials may go
    nowhere near what they do, and parts of the arithmetic make no difference.
    """
    found = contract.relations if contract.relations_from is Origin.TRACE else ()
    return tuple(relation for relation in found if any("." not in name for name in names(relation)))


def weighed(verdict: Verdict, strength: Strength | None, how: str = "it passed") -> Verdict:
    """Return a verdict, a pass only if trials of that strength would have noticed most faults.

    Args:
        verdict: What trials showed.
        strength: Of these trials; None where it was not measured, which speaks against nothing.
        how: What the pass is, for the reason.
    """
    score = strength.score if strength is not None else None
    if not isinstance(verdict, Passed) or strength is None or score is None or score >= ENOUGH:
        return verdict
    reason = f"{how}, but its trials notice only {strength.killed} of {strength.real} planted faults"
    return Inconclusive(reason=reason, code="TP417")


def supported(verdict: Verdict, contracts: Iterable[Contract]) -> Verdict:
    """Return the verdict on what rests on requirements that nobody stated: its trials have to be strong."""
    found = dict.fromkeys(f"`{item}`" for contract in contracts for item in supposed(contract))
    how = f"it passed under inferred requirements that nobody stated ({', '.join(found)})"
    if not isinstance(verdict, Passed):
        return verdict
    if verdict.guarantee.strength is None:
        return Inconclusive(reason=f"{how}, but {verdict.guarantee.shortfall}", code="TP417")
    return weighed(verdict, verdict.guarantee.strength, how)


_TEAMS = f"threads {', '.join(str(item.threads) for item in (*CONFIGURATIONS, *TEAMS))}, fewer than asked for"


def guarantee(proposal: Proposal, shown: Sequence[Shown]) -> Guarantee:
    """Return what was shown of a candidate over all its signatures."""
    taken = sum(item.pool.coverage.taken for item in shown)
    total = sum(item.pool.coverage.total for item in shown)
    exact = sum(item.exact for one in shown for item in one.pool.references)
    dialect = proposal.candidate.dialect
    checks = [
        "guard pages",
        "poison",
        dialect.traits.ran_on or (_TEAMS if has_teams(proposal.candidate) else "threads 1-3"),
        "branches of the translation",
        "address and undefined behaviour",
    ]
    checks += ["the same text as CUDA"] if dialect.also is ProgrammingModel.CUDA else []
    checks += [f"exact ({exact})"] if exact else []
    carved = sum(bool(item.trial.carved) for one in shown for item in one.pool.references)
    checks += [f"carved ({carved})"] if carved else []
    written = sum(item.trial.written is not None for one in shown for item in one.pool.references)
    checks += [f"written ({written})"] if written else []
    rules = dict.fromkeys(str(contract.numbers) for contract in proposal.contracts)
    checks += list(rules) if any(_floating(contract) for contract in proposal.contracts) else []
    checks += ["race"] if is_parallel(proposal.candidate) else []
    checks += ["memory of a device"] if is_offloaded(proposal.candidate) else []
    forms = [item.form for item in shown if item.form is not None]
    tools = compilers.find()
    decided = sum(item.decided for item in shown)
    return Guarantee(
        level=Level.TESTED,
        trials=decided,
        checks=tuple(checks),
        coverage=taken / total if total else None,
        unreachable=sum(item.pool.coverage.unreachable for item in shown),
        tolerance="; ".join(dict.fromkeys(item.tolerance for item in shown)),
        requires=tuple(dict.fromkeys(text for item in shown for text in item.requires)),
        parallel=min(sum(item.trials for item in forms), decided) if forms else None,
        single=tuple(sorted({name for item in forms for name in item.single})),
        built_by=f"g++ {tools.get('g++').version}",
        examples=tuple(item for one in shown for item in examples_of(one.pool.references)),
    )


def _floating(contract: Contract) -> bool:
    """Tell whether a call leaves floating numbers anywhere."""
    signature = contract.signature
    elements = [item.element for item in signature.parameters] + [item.element for item in signature.globals]
    return any(floating(element) for element in (*elements, signature.returns))
