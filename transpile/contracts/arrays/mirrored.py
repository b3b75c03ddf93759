"""Steps that may lead backwards: a number that arrays are as long below zero as above it.

``x[i * step]`` that begins at ``(1 - n) * step`` where the step is negative, as BLAS has it, touches the same
elements under -3 as under 3. Extents are fitted under positive numbers, and would be said to end at zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from transpile.contracts.arrays.extents import fillings, launched, with_shared
from transpile.contracts.arrays.ranges import BITS, Facts
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.launches.law import Law
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.probe import Asking, Observed, Outcome, Probe
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars, numbers_of
from transpile.contracts.probing.subject import Subject
from transpile.core import ArrayFact, Covers, Launch, Origin
from transpile.expressions import ExpressionError, evaluate, substitute
from transpile.expressions import names as names_of

_SIZES = (1, 2, 5)
"""Of a step, each of either sign."""
_FILLS = 2


def with_mirrored(subject: Subject, known: Pilot, facts: Facts) -> Asking[Facts]:
    """Return the facts with extents that hold for a number of either sign, where the source bears both."""
    names = [name for name in _asked(subject, facts) if any(_follows(name, fact) for fact in facts.arrays)]
    pairs: list[tuple[str, Scalars, Launch, Scalars]] = []
    for name in names:
        for size in _SIZES:
            wanted, below = (repaired({**known.scalars, name: n}, facts.relations, 1) for n in (size, -size))
            if wanted[name] == size and below == {**wanted, name: -size}:
                pairs += [(name, *pair, below) for pair in launched(subject, facts.law, [wanted], 5)[:1]]
    outcomes = yield [
        Probe(scalars=scalars, launch=with_shared(launch, known), filling=fill)
        for _, row, launch, below in pairs
        for fill in fillings(subject, known, facts.intervals(subject, known, row))[:_FILLS]
        for scalars in (row, below)
    ]
    found: dict[str, list[bool]] = {}
    for turn, (name, row, launch, _) in enumerate(pairs):
        environment = {**numbers_of(subject, row), **quantities(launch)}
        own = outcomes[2 * _FILLS * turn : 2 * _FILLS * (turn + 1)]
        for above, under in zip(own[::2], own[1::2], strict=True):
            found.setdefault(name, []).append(_alike(name, facts.arrays, environment, above, under))
    mirrored = frozenset(name for name, alike in found.items() if len(alike) > _FILLS and all(alike))
    return _of_either_sign(facts, mirrored)


def _asked(subject: Subject, facts: Facts) -> Iterator[str]:
    """Yield the sizes whose sign the text asks for, and no launch depends on."""
    launching = _launching(facts.law)
    for item in subject.scalars:
        signed = item.integer and item.ends is None and BITS[item.scalar][0] < 0
        plain = item.name in facts.sizes and facts.law.multiple_of(item.name) == 1
        if signed and plain and item.name in subject.signs and item.name not in launching:
            yield item.name


def _launching(law: Law) -> frozenset[str]:
    texts = [*law.relations, *law.family, *law.grid.values()]
    if isinstance(law.law, Covers):
        texts += [law.law.x, law.law.y, law.law.z]
    return frozenset(name for text in texts for name in names_of(text))


def _follows(name: str, fact: ArrayFact) -> bool:
    return name in names_of(fact.extent) and fact.origin is not Origin.BOUND


def _alike(
    name: str, arrays: tuple[ArrayFact, ...], environment: Mapping[str, int], above: Outcome, under: Outcome
) -> bool:
    """Tell whether a call with the number below zero touches what its extents say of it above."""
    if not all(isinstance(item, Observed) and item.valid for item in (above, under)):
        return False
    assert isinstance(above, Observed) and isinstance(under, Observed)
    spans = [
        {array: (item.low, item.high, item.written) for array, item in one.touched.items()}
        for one in (above, under)
    ]
    followed = [fact for fact in arrays if _follows(name, fact) and fact.name in above.touched]
    try:
        ends = [evaluate(fact.extent, environment) for fact in followed]
    except ExpressionError:
        return False
    exact = all(above.touched[fact.name].high == end for fact, end in zip(followed, ends, strict=True))
    return bool(followed) and exact and spans[0] == spans[1]


def _of_either_sign(facts: Facts, names: frozenset[str]) -> Facts:
    if not names:
        return facts
    sizes = {name: f"max({name}, 0 - {name})" for name in names}
    arrays = tuple(
        replace(fact, extent=substitute(fact.extent, sizes), before=substitute(fact.before, sizes))
        for fact in facts.arrays
    )
    return replace(facts, arrays=arrays, mirrored=names)
