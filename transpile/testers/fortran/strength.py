"""Strength of a routine's trials: they have to notice mistakes that are planted in its translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from transpile.core import Strength
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.lowering.emulation import candidate_namespace
from transpile.testers.fortran import libraries
from transpile.testers.fortran.calls import Trial
from transpile.testers.fortran.compare import difference
from transpile.testers.fortran.entries import entries
from transpile.testers.fortran.libraries import Failed, Side, Texts
from transpile.testers.fortran.mutants import Mutant, Planting, copies, copy_interfaces, plant
from transpile.testers.mutation.instructions import alike
from transpile.toolchains import worker
from transpile.toolchains.build import Built
from transpile.toolchains.calls import Placement
from transpile.toolchains.worker import RestartPolicy
from transpile.toolchains.workshop import Workshop

_MOST_BUILDS = 4
_SECONDS = 0.3
"""Of a processor, for a call: many a mistake makes a loop endless."""
_FIRST = 1
"""Trials of the first calls; four times as many follow for mistakes that none has noticed, and so on."""
_CONTROL = 0


@dataclass(slots=True)
class _Campaign:
    """A routine's copies with mistakes, behind one without."""

    workshop: Workshop
    interface: Interface
    mutants: Sequence[Mutant]
    library: Built
    live: list[int] = field(default_factory=list)
    sound: bool = True
    """Tells whether the copy without a mistake does what the source does."""

    def attack(self, tried: Sequence[Trial]) -> None:
        """Call all live copies with trials, in their order."""
        numbers = [_CONTROL, *self.live]
        calls = [replace(item.call, entry=number) for number in numbers for item in tried]
        got = worker.run(
            self.workshop,
            self.library,
            calls,
            placement=Placement.GUARD_HIGH,
            restarts=RestartPolicy(deaths=len(calls) + 1, timeouts=len(calls) + 1),
        )
        for place, number in enumerate(numbers):
            results = got[place * len(tried) : (place + 1) * len(tried)]
            rows = zip(tried, results, strict=True)
            if any(difference(self.interface, trial.expected, result) is not None for trial, result in rows):
                if number == _CONTROL:
                    self.sound = False
                    return
                self.live.remove(number)


def measure(
    workshop: Workshop,
    texts: Texts,
    interface: Interface,
    origins: Sequence[int],
    rounds: Sequence[Sequence[Trial]],
    folder: Path,
) -> Strength | str:
    """Return how many planted mistakes trials notice, or why nothing is known of that.

    Args:
        workshop: Where copies are called.
        texts: What libraries are made of.
        interface: The routine, whose translation passed all of these trials.
        origins: Of each line of the translation the line of Fortran that it comes from.
        rounds: Its trials; those of a round are made in one process.
        folder: An empty one, in which copies are built.
    """
    planting = plant(texts.candidate, interface, origins)
    if planting is None:
        return "its translation is not found"
    built = _built(texts, interface, planting, folder, unsafe=workshop.unsafe)
    if built is None:
        return "copies of it with mistakes do not build"
    mutants, library = built
    quick = replace(workshop, timeout=_SECONDS)
    campaign = _Campaign(quick, interface, mutants, library, live=[*range(1, len(mutants) + 1)])
    for tried in _parts(rounds):
        if not campaign.live:
            break
        campaign.attack(tried)
    if not campaign.sound:  # It keeps something between calls: every copy has to have all of them.
        campaign = _Campaign(workshop, interface, mutants, library, live=[*range(1, len(mutants) + 1)])
        for tried in rounds:
            campaign.attack(tried)
    if not campaign.sound:
        return "a copy of it without a mistake does something else"
    same = _equivalent(texts, interface, planting, campaign, folder, unsafe=workshop.unsafe)
    survivors = [mutants[number - 1] for number in campaign.live if number not in same]
    return Strength(
        mutants=len(mutants),
        killed=len(mutants) - len(campaign.live),
        equivalent=len(same),
        survivors=tuple(map(str, survivors)),
        possible=planting.possible,
    )


def _parts(rounds: Sequence[Sequence[Trial]]) -> Iterator[Sequence[Trial]]:
    """Yield few trials, then more: most mistakes show at once."""
    everything = [item for tried in rounds for item in tried]
    start, count = 0, _FIRST
    while start < len(everything):
        yield everything[start : start + count]
        start, count = start + count, count * 4


def _built(
    texts: Texts, interface: Interface, planting: Planting, folder: Path, *, unsafe: bool
) -> tuple[tuple[Mutant, ...], Built] | None:
    """Return the mistakes that compile, and a library with a copy for each behind one without."""
    mutants = planting.mutants
    for turn in range(_MOST_BUILDS):
        place = folder / str(turn)
        place.mkdir()
        definitions = [planting.definition, *(item.text for item in mutants)]
        candidate = copies(texts.candidate, interface, definitions)
        called = entries(copy_interfaces(interface, len(definitions)))
        found = libraries.build(
            place, replace(texts, candidate=candidate, entries=called), Side.CANDIDATE, unsafe=unsafe
        )
        if not isinstance(found, Failed):
            return mutants, found
        bad = {_copy_at(candidate, planting, line) for line in found.candidate_lines}
        if not bad - {None, _CONTROL}:
            return None
        mutants = tuple(item for number, item in enumerate(mutants, 1) if number not in bad)
    return None


def _copy_at(candidate: str, planting: Planting, line: int) -> int | None:
    """Return the number of the copy that a line stands in."""
    number = None
    for text in candidate.split("\n")[:line]:
        if text.startswith(f"namespace {candidate_namespace(0)}"):
            number = 0 if number is None else number + 1
    return number


def _equivalent(
    texts: Texts,
    interface: Interface,
    planting: Planting,
    campaign: _Campaign,
    folder: Path,
    *,
    unsafe: bool,
) -> frozenset[int]:
    """Return the live copies that the compiler turns into the instructions of the one without a mistake."""
    numbers = list(campaign.live)
    if not numbers:
        return frozenset()
    definitions = [planting.definition, *(campaign.mutants[number - 1].text for number in numbers)]
    candidate = copies(texts.candidate, interface, definitions)
    assembly = libraries.assembly(folder, replace(texts, candidate=candidate), unsafe=unsafe)
    same = alike(assembly, len(definitions), interface.target.rpartition("::")[2])
    return frozenset(number for place, number in enumerate(numbers, 1) if place in same)
