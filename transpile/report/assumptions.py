"""Preconditions that a translation which passed puts on its callers, in words."""

from __future__ import annotations

from collections.abc import Iterator

from transpile.core import (
    SUPPOSED,
    ArrayFact,
    ByRules,
    Contract,
    Evidence,
    Passed,
    ScalarFact,
    array_of,
)
from transpile.report import wording

_SHORT = 72
"""Characters of a clause; what is longer is told in full elsewhere."""


def assumptions(evidence: Evidence) -> tuple[str, ...]:
    """Return all that callers of a translation have to keep to, what it rests on itself first."""
    if not isinstance(evidence.verdict, Passed) or evidence.candidate is None:
        return ()
    origin = evidence.candidate.origin
    rules = origin.rules if isinstance(origin, ByRules) else ()
    told = [rule.removeprefix(SUPPOSED) for rule in rules if rule.startswith(SUPPOSED)]
    told += evidence.verdict.guarantee.requires
    told += [text for contract in evidence.contracts for text in _of_contract(contract)]
    return tuple(dict.fromkeys(told))


def clause(evidence: Evidence) -> str:
    """Return the assumptions as a short clause behind a verdict; empty where there are none."""
    first, *others = assumptions(evidence) or ("",)
    if not first:
        return ""
    shown = [first]
    while others and len("; ".join((*shown, others[0]))) <= _SHORT:
        shown.append(others.pop(0))
    more = f"; {len(others)} more" if others else ""
    return f"{SUPPOSED}{'; '.join(shown)}{more}"


def _of_contract(contract: Contract) -> Iterator[str]:
    yield from contract.relations
    for scalar in contract.scalars:
        yield from _of_scalar(scalar)
    for array in contract.arrays:
        yield from _of_array(array)


def _of_scalar(fact: ScalarFact) -> Iterator[str]:
    if array_of(fact.name):
        return
    if fact.size and fact.values.low.isdigit() and int(fact.values.low) > 0:
        yield f"{fact.name} >= {fact.values.low}"
    if fact.multiple_of != "1":
        yield f"{fact.name} is a multiple of {fact.multiple_of}"


def _of_array(fact: ArrayFact) -> Iterator[str]:
    if fact.values is not None and fact.free:
        yield f"{fact.name} holds nothing below {fact.values.low}"
    elif fact.values is not None:
        yield f"{fact.name} holds {wording.interval(fact.values)}"
    for word in ("distinct", "ascending"):
        if getattr(fact, word):
            yield f"{fact.name} is {word}"
    if fact.last:
        yield f"{fact.name} ends with {fact.last}"
