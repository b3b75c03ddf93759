"""Proofs, where they are cheap: of kernels and loops that are understood to the last statement.

``prove`` claims two things of a translation, each for itself: that its loops are parallel, and that it agrees
with its source. A proof is made of the text that the trials ran, and lists what it assumes. Whatever is not
modelled exactly is not proved, and the reason says what that is. Proofs come after trials, never instead.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from transpile.core import Claim, Contract, Proof, Source
from transpile.testers.proposal import Proposal
from transpile.testers.prove import nest
from transpile.testers.prove.agreement import show_agreement
from transpile.testers.prove.branches import Untaken, untaken
from transpile.testers.prove.parallel import show_iterations, show_threads
from transpile.testers.prove.premises import lows_of, multiples_of
from transpile.testers.prove.reach import Text, unreached, unreached_in_kernel
from transpile.testers.prove.reach.launches import launch_of
from transpile.testers.prove.sides import Sides
from transpile.testers.prove.solving import Clock, Unproven
from transpile.testers.prove.texts import kernel, original, sides
from transpile.testers.prove.tree import Call, Convert, NotModelled, walk
from transpile.testers.prove.ways import Ways

_CLAIMS = (Claim.PARALLEL, Claim.AGREES)
SECONDS = 2.0
"""Time for the proofs of one unit."""
_ALWAYS = ("arrays do not overlap", "no signed integer operation overflows")
_FLOATING = "the compiler neither contracts nor reorders floating operations"
_FITTING = "a floating value that becomes an integer fits it"
_LIBRARY = "a math function gives the same result on both sides"
_FEW = "a launch has fewer than 2^31 threads"
_ONE_AT_A_TIME = threading.Lock()
"""z3's terms all live in one context, which serves one thread at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unproved:
    """Why nothing was proved."""

    reasons: tuple[tuple[Claim, str], ...]
    lead: Mapping[str, int] = field(default_factory=dict)
    """Parameters, indices and launch for which z3 sees a difference: worth a trial, no more."""


def prove(source: Source, proposal: Proposal, seconds: float = SECONDS) -> Proof | Unproved:
    """Return what is proved of a translation for all signatures of its source, or why nothing is."""
    begun = time.monotonic()
    with _ONE_AT_A_TIME:
        clock = Clock(seconds)
        found = [_signature(source, proposal, contract, clock) for contract in proposal.contracts]
    reasons: dict[Claim, str] = {}
    for one in found:
        reasons |= {claim: reason for claim, reason in one.reasons.items() if claim not in reasons}
    claims = tuple(claim for claim in _CLAIMS if found and claim not in reasons)
    if not claims:
        return Unproved(reasons=tuple(reasons.items()), lead=found[0].lead if found else {})
    assumed = (text for one in found for claim in claims for text in one.assumed[claim])
    return Proof(
        claims=claims,
        assumptions=tuple(dict.fromkeys(assumed)),
        unproved=tuple(reasons.items()),
        seconds=round(time.monotonic() - begun, 3),
    )


def attempt(source: Source, proposal: Proposal, seconds: float) -> Proof | None:
    """Return what is proved, or None; whatever goes wrong here, the verdict stands as it is."""
    try:
        found = prove(source, proposal, seconds)
    except Exception:  # a proof is an extra: no failure of the prover may cost a verdict
        return None
    return found if isinstance(found, Proof) else None


def attempt_untaken(source: Source, proposal: Proposal, contract: Contract) -> Untaken | None:
    """Return the ways out of the source's conditions that nothing takes, or None where that is not known."""
    try:
        with _ONE_AT_A_TIME:
            clock = Clock(SECONDS)
            try:
                return untaken(original(source, proposal, contract), clock)
            except NotModelled:
                return _as_launched(source, proposal, contract, clock)
    except Exception:  # as above: a branch that is not shown to be out of reach counts
        return None


def _as_launched(source: Source, proposal: Proposal, contract: Contract, clock: Clock) -> Untaken:
    """Return the ways out of a kernel's conditions that nothing takes where it is launched as it is."""
    cursor, data = kernel(source, proposal)
    last = cursor.extent.end.line
    found = unreached_in_kernel(cursor, data, contract, clock, few=True)
    anyway = unreached_in_kernel(cursor, data, contract, clock) if found else found
    few = [_FEW] if anyway != found else []
    lines = {line - last: ways for line, ways in found.items()}
    lows = [f"{name} is at least {low}" for name, low in lows_of(contract)]
    lows += [f"{name} is a multiple of {number}" for name, number in multiples_of(contract).items()]
    shape = (f"{name} is {value}" for name, value in launch_of(contract).items())
    return Untaken(lines, (*lows, *shape, *few))


def attempt_unreached(text: Text, contract: Contract) -> Mapping[int, Ways]:
    """Return the ways out of a candidate's conditions that nothing takes, by line, as far as known."""
    try:
        with _ONE_AT_A_TIME:
            return unreached(text, contract, Clock(SECONDS))
    except Exception:  # as above
        return {}


@dataclass(slots=True)
class _Found:
    """What is shown for one signature: a claim has either assumptions or a reason why not."""

    assumed: dict[Claim, tuple[str, ...]] = field(default_factory=dict)
    reasons: dict[Claim, str] = field(default_factory=dict)
    lead: Mapping[str, int] = field(default_factory=dict)


def _signature(source: Source, proposal: Proposal, contract: Contract, clock: Clock) -> _Found:
    found = _Found()
    try:
        both = sides(source, proposal, contract)
    except NotModelled as reason:
        found.reasons = {claim: f"not modelled: {reason}" for claim in _CLAIMS}
        return found
    for claim, show in ((Claim.PARALLEL, _parallel), (Claim.AGREES, _agrees)):
        try:
            found.assumed[claim] = show(both, found, clock)
        except NotModelled as reason:
            found.reasons[claim] = f"not modelled: {reason}"
        except Unproven as reason:
            found.reasons[claim] = str(reason)
            found.lead = found.lead or reason.lead
    return found


def _parallel(both: Sides, found: _Found, clock: Clock) -> tuple[str, ...]:
    depth = nest.depth(nest.directive(both.candidate))
    if not depth:
        raise NotModelled("a translation that is not parallel")
    return (*_ALWAYS, *show_iterations(both, nest.nest(both.candidate, depth), clock))


def _agrees(both: Sides, found: _Found, clock: Clock) -> tuple[str, ...]:
    """Show agreement; a parallel translation must have been shown to be so."""
    if nest.directive(both.candidate) and Claim.PARALLEL in found.reasons:
        raise Unproven(found.reasons[Claim.PARALLEL])
    assumed = [*_ALWAYS, *found.assumed.get(Claim.PARALLEL, ())]
    assumed += show_threads(both, clock)
    assumed += show_agreement(both, clock)
    assumed += both.indices().assumptions
    nodes = list(walk((both.source.body, both.candidate.body)))
    assumed += [_FLOATING] if any(_is_floating(node) for node in nodes) else []
    assumed += [_FITTING] if any(_cuts(node) for node in nodes) else []
    assumed += [_LIBRARY] if any(isinstance(node, Call) for node in nodes) else []
    return tuple(dict.fromkeys([*assumed, *both.covering()]))


def _cuts(node: object) -> bool:
    return isinstance(node, Convert) and not node.type.floating and _is_floating(node.operand)


def _is_floating(node: object) -> bool:
    kind = getattr(node, "type", None)
    return kind is not None and kind.floating
