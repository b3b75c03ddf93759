"""Contracts of the launches that a program makes itself, for kernels that bear no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.contracts.launches.launch_families import QUANTITIES, launch_by
from transpile.contracts.launches.launch_ladder import quantities
from transpile.contracts.learn import learn
from transpile.contracts.probing.batches import TooMuchWork
from transpile.contracts.probing.probe import Asking, unknown
from transpile.contracts.probing.relations import holds, repaired
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.contracts.recorded_launches import Row, as_recorded, contradicting, is_broken, reached
from transpile.contracts.spare_blocks import with_spare_blocks
from transpile.contracts.text.sites import Block
from transpile.core import PRINTED, Contract, Covers, Inconclusive, ShapeDependent, Unbounded
from transpile.expressions import names as names_of

_ROWS = 64
_SIZES = (
    1, 2, 3, 5, 7, 8, 16, 31, 32, 33, 64, 100, 127, 128, 129, 255, 256, 257, 300, 512, 1000, 1024, 1025, 4099,
    20_011, 100_003, 1_000_003, 20_000_003, 2_000_000_011
)  # fmt: skip
"""The last ones lie beyond what hosts limit their grids to."""
_MOST_THREADS = 1 << 40
"""No launch is made."""


def learn_as_launched(
    subject: Subject, pinned: Scalars, seed: int, hints: Sequence[Block], rows: Sequence[Row] = ()
) -> Asking[Contract | Inconclusive]:
    """Learn a contract as ``learn`` does; where there is none, one that holds at the program's launches.

    One that launches of the program's runs do not keep to is none. Launches may have spare blocks where these
    do nothing.

    Args:
        subject: The kernel.
        pinned: Scalars that keep their value.
        seed: Of every random choice.
        hints: Shapes of blocks that launch sites and recorded runs use.
        rows: Launches that were recorded, and their scalars.
    """
    found = yield from _learnt_as_launched(subject, pinned, seed, hints, rows)
    if isinstance(found, Contract) and is_for_lone_threads(subject, found, rows):
        return unknown(
            "in blocks of several threads the source races, and no launch is known to have one thread"
        )
    if isinstance(found, Inconclusive) or subject.stated is not None:
        return found
    try:
        return (yield from with_spare_blocks(subject, found))
    except TooMuchWork:
        return found


def _learnt_as_launched(
    subject: Subject, pinned: Scalars, seed: int, hints: Sequence[Block], rows: Sequence[Row] = ()
) -> Asking[Contract | Inconclusive]:
    """Learn a contract, of the program's launches where there is no other."""
    others = [*as_launched(subject), *as_recorded(subject, rows)]
    try:
        learnt = told_apart(subject, single_axes(subject, (yield from learn(subject, pinned, seed, hints))))
    except TooMuchWork:
        if not others:
            raise
        learnt = unknown("traced calls of the source take too long")
    found = _of_all_sites(subject, _keeping(learnt, rows))
    if isinstance(found, Contract):
        return counted(subject, found)
    if isinstance(learnt, Contract) and isinstance(learnt.law, Covers):
        short = _keeping(replace(learnt, law=Unbounded()), rows)
        if isinstance(short, Contract):
            return short
    for closer in others:
        again = _keeping((yield from learn(closer, pinned, seed, hints)), rows)
        if isinstance(again, Contract):
            return again
    return found


def counted(subject: Subject, found: Contract) -> Contract:
    """Return a contract by which threads count, where a launch of the program may have too few of them.

    A kernel does as much of its work as its launch has threads for: so has a translation to.
    """
    law = found.law
    if not isinstance(law, Covers):
        return found
    needs = tuple(reached(law))
    short = any(_is_short(subject, found, needs, family) for family in subject.families)
    return replace(found, law=Unbounded()) if short or _is_unseen(subject, needs) else found


def _is_unseen(subject: Subject, needs: Sequence[str]) -> bool:
    """Tell whether a launch is not known to have threads for a number that the host does not pass with it.

    The host may have set the variable for another launch.
    """
    held = {item.name for item in subject.signature.held}
    known = len({site.family for site in subject.sites}) == len(subject.families)
    return not known and any(not held.isdisjoint(names_of(text)) for text in needs)


def _is_short(subject: Subject, found: Contract, needs: Sequence[str], family: tuple[str, ...]) -> bool:
    """Tell whether a launch has too few threads for some scalars that the contract allows."""
    for known in _launched(subject, found, family):
        outside = any(is_broken(text, known) for text in found.relations)
        if not outside and any(is_broken(text, known) for text in needs):
            return True
    return False


def _launched(subject: Subject, found: Contract, family: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Yield scalars that the contract allows, with what a launch of a family is then."""
    for row in _rows(subject, found):
        launch = launch_by(family, subject, row, _MOST_THREADS)
        if launch is not None:
            yield {**{name: int(row[name]) for name in subject.integers}, **quantities(launch)}


def _rows(subject: Subject, found: Contract) -> Iterator[Scalars]:
    """Yield scalars unlike each other that keep to what the contract and every launch site say of them."""
    multiples = (
        f"{fact.name} % {fact.multiple_of} == 0" for fact in found.scalars if fact.multiple_of != "1"
    )
    kept = [*multiples, *found.relations, *_common(subject.passed, subject)]
    # What is said of a launch is no matter of the scalars alone.
    kept = [text for text in kept if names_of(text) <= set(subject.integers)]
    for index in range(_ROWS):
        sizes = {
            name: _SIZES[(index * (place + 1) + place) % len(_SIZES)]
            for place, name in enumerate(subject.integers)
        }
        row = repaired(dict(sizes), kept, 0)
        if all(holds(text, row) for text in kept):
            yield row


def told_apart(subject: Subject, found: Contract | Inconclusive) -> Contract | Inconclusive:
    """Return a contract unless a kernel that adds is launched with several along an axis of no use to it.

    Each element would be added as often as there are blocks along it.
    """
    axes = {axis.letter for axis in subject.axes}
    if not isinstance(found, Contract) or not isinstance(found.law, Covers | Unbounded) or not axes:
        return found
    if not any(fact.atomic for fact in found.arrays) and PRINTED not in subject.signature.globals:
        return found
    for site in subject.sites:
        for letter, *parts in zip("xyz", site.grid, site.block, strict=True):
            if letter not in axes and any(map(_is_several, parts, (site.grid, site.block))):
                return unknown(
                    f"its own program launches it with several along {letter}, which it does not tell apart"
                )
    return found


def _is_several(part: str | None, shape: tuple[str | None, ...]) -> bool:
    """Tell whether a component is written that is not 1; one of a shape that is not known at all is not."""
    return part != "1" and any(item is not None for item in shape)


def single_axes(subject: Subject, found: Contract | Inconclusive) -> Contract | Inconclusive:
    """Return a contract that says on which axes all launches that it was learnt at have one block, or thread.

    What a kernel does with several there was never seen.
    """
    law = found.law if isinstance(found, Contract) else None
    if not isinstance(found, Contract) or not isinstance(law, ShapeDependent) or not law.launches:
        return found
    single = [
        f"{name} == 1"
        for place, name in enumerate(QUANTITIES)
        if (axis := subject.axis(name[-1])) is not None
        and (axis.grid if name.startswith("gridDim") else axis.block)
        and all(family[place] == "1" for family in law.launches)
    ]
    return replace(found, law=replace(law, relations=tuple(dict.fromkeys((*law.relations, *single)))))


def _keeping(found: Contract | Inconclusive, rows: Sequence[Row]) -> Contract | Inconclusive:
    """Return a contract unless a recorded launch says that it is too narrow."""
    broken = contradicting(found, rows) if isinstance(found, Contract) else ""
    return unknown(f"its own program launches it where `{broken}` does not hold") if broken else found


def is_for_lone_threads(subject: Subject, found: Contract, rows: Sequence[Row]) -> bool:
    """Tell whether a contract is of blocks of one thread, which no launch of a program that has some is."""
    law = found.law
    if subject.stated is not None or not isinstance(law, ShapeDependent) or not subject.sites:
        return False
    alone = bool(law.launches) and all(family[3:6] == ("1", "1", "1") for family in law.launches)
    told = any(site.fixed_block == (1, 1, 1) for site in subject.sites)
    ran = any(all(row.get(f"blockDim.{axis}") == 1 for axis in "xyz") for row in rows)
    return alone and not told and not ran


def _of_all_sites(subject: Subject, found: Contract | Inconclusive) -> Contract | Inconclusive:
    """Return a contract unless a launch of the text is none of those that its law has relations for."""
    law = found.law if isinstance(found, Contract) else None
    if not isinstance(found, Contract) or not isinstance(law, ShapeDependent) or len(subject.families) < 2:
        return found
    for family in subject.families:
        for known in _launched(subject, found, family):
            broken = next((text for text in law.relations if is_broken(text, known)), "")
            if broken:
                return unknown(f"its own program launches it where `{broken}` does not hold")
    return found


def as_launched(subject: Subject) -> Iterator[Subject]:
    """Yield the subject under what scalars keep to at each launch site, then under the launches as well.

    Nothing where the user states launches, and where there are no sites.
    """
    families = {site.family for site in subject.sites}
    if subject.stated is not None or not families:
        return
    products = _common([site.products for site in subject.sites], subject)
    if products:
        yield replace(subject, kept=products)
    if families <= {*subject.families}:
        kept = _common(subject.passed, subject)
        yield replace(subject, stated=ShapeDependent(launches=subject.families), kept=kept)


def _common(sets: Sequence[tuple[str, ...]], subject: Subject) -> tuple[str, ...]:
    """Return the relations between scalars that are used which stand in all sets."""
    first, *others = sets or ((),)
    common = (text for text in first if all(text in other for other in others))
    return tuple(text for text in common if names_of(text) <= {*subject.used})
