"""Legality of a port: the results of dependence analysis, and the facts that they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.core import SUPPOSED, Claim, Contract, Proof
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.planning.choice import Choice
from transpile.translators.loops.planning.facts import Part
from transpile.translators.loops.planning.overlaps import apart, by_type
from transpile.translators.loops.reductions.compactions import Compaction
from transpile.translators.loops.reductions.scans import Scan
from transpile.translators.loops.symbols.types import is_whole, signed
from transpile.translators.refusal import Refused

_ALWAYS = (
    "no signed integer operation overflows",
    "no subscript of an array of several dimensions leaves its row",
)
_LENGTHS = "where arrays are asked whether they overlap, none is longer than the contract says"
_RESTRICT = "what `restrict` points to is reached in no other way"
_TYPES = "numbers of one type are not written as those of another (C11 6.5p7)"
_INSTANCES = "the template has no instance but those that this source makes"
_SUMMING = frozenset(("reordered", "vectors"))
"""Rules that may take sums in another order."""
_ZEROS = "of 0.0 and -0.0, which are equal, either may be the extreme number"
_COUNTERS = "no counter of what is appended comes to its largest number"
_SUMS = "sums of floating numbers may be taken in another order"


def legality(choice: Choice, contract: Contract | None, rules: Sequence[str]) -> Proof | None:
    """Return that the order of a port's iterations is legal; None where it is the source's.

    Args:
        choice: The form of the function that was ported.
        contract: What is known of its calls.
        rules: What put loops into another order, beside those that run in parallel as they stand.
    """
    if not rules and not any(isinstance(part, Band) for part in choice.parts):
        return None
    assumed = tuple(dict.fromkeys((*_ALWAYS, *_assumed(choice, contract, rules))))
    return Proof(claims=(Claim.LEGAL,), of="step", assumptions=assumed, method="dependence analysis with isl")


def _assumed(choice: Choice, contract: Contract | None, rules: Sequence[str]) -> Iterator[str]:
    if any("restrict" in item.spelling for item in (contract.signature.parameters if contract else ())):
        yield _RESTRICT
    if contract is not None and contract.signature.template_arguments is not None:
        yield _INSTANCES
    bands = [part for part in choice.parts if isinstance(part, Band)]
    moved = choice.parts if rules else bands
    if any(_asks(part, contract, choice) for part in moved):
        yield _LENGTHS
    if any(by_type(part, contract, choice.variables) for part in moved):
        yield _TYPES
    if not _SUMMING.isdisjoint(rules) or any(_adds_up(band) for band in bands):
        yield _SUMS
    if any(_may_find_either_zero(band) for band in bands):
        yield _ZEROS
    if any(_may_wrap(band) for band in bands):
        yield _COUNTERS
    yield from (rule.removeprefix(SUPPOSED) for rule in choice.rules if rule.startswith(SUPPOSED))


def _asks(part: Part, contract: Contract | None, choice: Choice) -> bool:
    """Tell whether a part runs in parallel only where arrays lie apart."""
    try:
        return bool(apart(part, contract, choice.variables))
    except Refused:
        return False


def _may_find_either_zero(band: Band) -> bool:
    """Tell whether a band gathers an extreme floating number: of equal ones, any part's may be kept."""
    return any(item.extreme and not is_whole(item.variable.bare) for item in band.loops[0].reductions)


def _may_wrap(band: Band) -> bool:
    """Tell whether a band appends elements behind a counter that is an unsigned number."""
    found = band.loops[0].found(Compaction)
    return found is not None and not all(signed(item.bare) for item in found.counters)


def _adds_up(band: Band) -> bool:
    """Tell whether a band gathers floating numbers by an operation whose result depends on the order."""
    known = band.loops[0]
    scalars = [item.variable for item in known.reductions if not item.extreme]
    running = known.found(Scan)
    scalars += [running.variable] if running is not None else []
    elements = (item.variable for item in band.nest.accesses if item.base in known.updated and item.update)
    return any(not is_whole(item.bare) for item in scalars) or any(
        variable is None or not is_whole(variable.bare) for variable in elements
    )
