"""Try learnt contracts of kernels by brute force: launches and scalars that they admit, on the emulator.

    python benchmarks/laws.py PATH [--rows N] [--cache DIR]

PATH is a source file or a folder of them. Scalars and launches are drawn without a look at the contract,
which then only says whether it admits them. What it admits must not race, must stay within its extents, and
under a law that covers must leave the same results whatever the launch. A line is printed for each call that
does not.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from transpile import parsers
from transpile.contracts import infer
from transpile.contracts.arrays.ranges import within
from transpile.contracts.probing.library import source_library
from transpile.contracts.probing.probe import Failed, Filling, Outcome, Probe, Values
from transpile.contracts.probing.subject import Subject, subject_of
from transpile.contracts.probing.trace import Tracer
from transpile.contracts.text.sites import sites_of
from transpile.core import (
    Contract,
    Covers,
    Inconclusive,
    Invariant,
    Launch,
    ShapeDependent,
    Source,
    TranslationUnit,
    Unit,
    UnitKind,
)
from transpile.parsers.lowering.emulation import lower
from transpile.testers.trials.launches import admissible, of_family
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.workshop import Workshop

_SIZES = (0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16, 24, 33, 65, 70, 131)
_THREADS = (1, 2, 3, 4, 7, 8, 16, 32, 33, 64, 96, 128, 256)
_BLOCKS = (1, 2, 3, 4, 5, 7, 12, 40)
_DRAWS = 40
"""Launches that are drawn for a row; as many as are admitted, up to a few, are tried."""
_TRIED = 5
_MOST = 1 << 14


def main() -> None:
    """Print what contracts admit and kernels do not bear, then how much was tried."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--rows", type=int, default=120, help="scalars that are drawn for each kernel")
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    arguments = parser.parse_args()
    workshop = Workshop(cache=arguments.cache)
    files = sorted(arguments.path.glob("*.cu")) if arguments.path.is_dir() else [arguments.path]
    tried = broken = 0
    for file in files:
        source = parsers.read(file)
        kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL]
        learnt = infer(workshop, source, kernels)
        for unit in kernels:
            known = learnt[unit.id]
            if isinstance(known, Inconclusive):
                print(f"-- {unit.name}: {known.reason}")
                continue
            calls, faults = attack(workshop, source, unit, known[0], arguments.rows)
            tried, broken = tried + calls, broken + bool(faults)
            print(f"{'ok' if not faults else 'WRONG'} {unit.name}: {calls} calls", *faults[:3], sep="\n     ")
    print(f"\n{tried} calls that contracts admit; {broken} kernels do not bear some of them")


def attack(
    workshop: Workshop, source: Source, unit: Unit, contract: Contract, rows: int
) -> tuple[int, list[str]]:
    """Return how many calls were made of what a contract admits, and what was wrong with some."""
    signature = contract.signature
    subject = subject_of(source, unit, signature, 0, sites_of(source, unit, signature))
    compiled = next((item for item in source.translation_units if item.path == unit.translation_unit), None)
    library = source_library(
        workshop,
        source,
        lower(source, rename_main=True),
        compiled or TranslationUnit(path=unit.translation_unit),
        [signature],
        Flavour.TRACE,
    )
    assert isinstance(subject, Subject) and not isinstance(library, BuildFailed)
    tracer = Tracer(workshop=workshop, library=library, checked=lambda: library)
    asked = list(_calls(subject, contract, rows))
    # What reaches further than any call before gives arrays other data from then on.
    tracer.run([(subject, probe) for probe in asked])
    outcomes = tracer.run([(subject, probe) for probe in asked])
    return len(asked), list(_faults(contract, asked, outcomes))


def _calls(subject: Subject, contract: Contract, rows: int) -> Iterator[Probe]:
    """Yield calls that the contract admits, of scalars and launches that it did not choose."""
    generator = Random(7)
    for _ in range(rows):
        scalars: dict[str, int | float] = {}
        few = generator.random() < 0.5
        for item in subject.scalars:
            low, high = item.ends or (0, 131)
            sizes = [size for size in (_SIZES[:9] if few else _SIZES) if low <= size <= high]
            scalars[item.name] = generator.choice(sizes) if item.integer else 0.5
        for fact in contract.relations:
            scalars = _met(scalars, fact)
        admitted = [
            launch
            for launch in _launches(subject, contract, scalars, generator)
            if admissible(contract, tuple(scalars.items()), launch, _MOST) and _ranged(contract, scalars)
        ]
        for launch in list(dict.fromkeys(admitted))[:_TRIED]:
            own = {fact.name: Values(low=0, high=1) for fact in contract.arrays if fact.values is not None}
            yield Probe(scalars=scalars, launch=launch, filling=Filling(seed=1, own=own))


def _met(scalars: dict[str, int | float], relation: str) -> dict[str, int | float]:
    """Return scalars that meet an equation, which none that are drawn would."""
    from transpile.contracts.probing.relations import repaired

    return repaired(scalars, [relation], 0) if "==" in relation else scalars


def _ranged(contract: Contract, scalars: dict[str, int | float]) -> bool:
    return all(
        int(fact.values.low) <= scalars[fact.name] <= int(fact.values.high)
        for fact in contract.scalars
        if fact.values.low.lstrip("-").isdigit() and fact.values.high.lstrip("-").isdigit()
    )


def _launches(
    subject: Subject, contract: Contract, scalars: dict[str, int | float], generator: Random
) -> Iterator[Launch]:
    law = contract.law
    for family in law.launches if isinstance(law, ShapeDependent) else ():
        launch = of_family(family, contract, tuple(scalars.items()))
        if launch is not None:
            yield replace(launch, shared=0)
    for _ in range(_DRAWS):
        grid, block = [1, 1, 1], [1, 1, 1]
        for axis in subject.axes:
            place = "xyz".index(axis.letter)
            grid[place] = generator.choice(_BLOCKS) if axis.grid else 1
            block[place] = generator.choice(_THREADS) if axis.block else 1
        yield Launch(grid=(grid[0], grid[1], grid[2]), block=(block[0], block[1], block[2]))


def _faults(contract: Contract, asked: list[Probe], outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the calls that race, fail, go beyond extents, or leave other results than another launch."""
    same = isinstance(contract.law, Covers | Invariant)
    left: dict[str, tuple[str, Launch]] = {}
    for probe, outcome in zip(asked, outcomes, strict=True):
        told = f"{dict(probe.scalars)} {probe.launch.grid} {probe.launch.block}"
        if isinstance(outcome, Failed) or not outcome.valid:
            yield f"{told}: {outcome.reason if isinstance(outcome, Failed) else outcome.race or 'poison'}"
            continue
        known = {name: int(value) for name, value in probe.scalars.items()}
        launch = {f"gridDim.{a}": n for a, n in zip("xyz", probe.launch.grid, strict=True)}
        launch |= {f"blockDim.{a}": n for a, n in zip("xyz", probe.launch.block, strict=True)}
        if not within(contract.arrays, {**known, **launch}, outcome):
            reached = {name: (item.low, item.high) for name, item in outcome.touched.items()}
            yield f"{told}: touches {reached}"
        before, other = left.setdefault(str(probe.scalars), (outcome.outputs, probe.launch))
        if same and before != outcome.outputs:
            yield f"{told}: leaves other results than {other.grid} {other.block}"


if __name__ == "__main__":
    main()
