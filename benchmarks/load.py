"""Judge the same units on a machine at rest and on a busy one, and compare contracts and verdicts.

    python benchmarks/load.py [--loads 1,8] [--units N] [--only TEXT] [--contracts] [--jobs N] [--cache DIR]

The units are the kernels of tests/cases (to OpenMP) and the functions of benchmarks/load (to CUDA and OpenMP
in turn). At load L, L - 1 processes that never wait run beside the one that judges. Exit status 1 where
anything differs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from transpile import parsers, translators
from transpile.contracts import infer
from transpile.core import (
    CUDA,
    OPENMP,
    Candidate,
    Dialect,
    Inconclusive,
    Passed,
    Rejected,
    Source,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.speed import slowdown
from transpile.toolchains.workshop import Workshop

ROOT = Path(__file__).parents[1]
PLACES = ("benchmarks/load", "tests/cases/gallery", "tests/cases/hip")
TARGETS = (CUDA, OPENMP)


@dataclass(frozen=True, slots=True)
class Task:
    """One unit and what it becomes."""

    source: Source
    unit: Unit
    target: Dialect

    @property
    def name(self) -> str:
        """Return what it is called in both runs."""
        return f"{Path(self.unit.path).stem}.{self.unit.name} to {self.target.model}"


@dataclass(frozen=True, slots=True)
class Result:
    """Findings of a unit without times and random numbers."""

    contracts: str
    verdict: str


def main() -> None:
    """Print what differs, a unit a line, then the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--loads", default="1,8")
    parser.add_argument("--units", type=int, default=None)
    parser.add_argument("--only", default="", help="a part of the units' names")
    parser.add_argument("--contracts", action="store_true", help="learn the units alone")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    arguments = parser.parse_args()
    loads = [int(load) for load in arguments.loads.split(",")]
    tasks = [task for task in all_tasks() if arguments.only in task.name][: arguments.units]
    workshop = Workshop(cache=arguments.cache)
    print(f"limits of time are multiplied by {slowdown(workshop.cache):.2f}", flush=True)
    with ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        found = pool.map(lambda task: compared(workshop, task, loads, judging=not arguments.contracts), tasks)
        results = [show(task, loads, one) for task, one in zip(tasks, found, strict=True)]
    sys.exit(report(results, loads))


def all_tasks() -> list[Task]:
    """Return the units of our own files."""
    found: list[Task] = []
    for place in PLACES:
        for path in sorted((ROOT / place).iterdir()):
            if path.suffix in (".c", ".cu"):
                found += tasks_of(path)
    return found


def tasks_of(path: Path) -> Iterator[Task]:
    """Yield the units of one file, which is read alone."""
    source = parsers.read(path)
    plain = source.dialect.is_plain
    judged = (unit for unit in source.units if unit.kind in (UnitKind.KERNEL, UnitKind.FUNCTION))
    for number, unit in enumerate(judged):
        yield Task(source, unit, TARGETS[number % len(TARGETS)] if plain else OPENMP)


def compared(
    workshop: Workshop, task: Task, loads: Sequence[int], *, judging: bool
) -> tuple[tuple[Result, float], ...]:
    """Return what is found of a unit at each load, with how many processes ran or waited then."""
    found: list[tuple[Result, float]] = []
    for load in loads:
        with crowd(load - 1):
            result = judged(workshop, task, judging=judging)
            found.append((result, running()))
    return tuple(found)


def running() -> float:
    """Return how many processes run or wait just now."""
    return float(Path("/proc/loadavg").read_text().split()[3].partition("/")[0])


def show(task: Task, loads: Sequence[int], found: Sequence[tuple[Result, float]]) -> tuple[Result, ...]:
    """Print what a unit came to, and where loads differ in that."""
    (first, _), *others = found
    counts = ", ".join(f"{number:.0f}" for _, number in found)
    print(f"{task.name}: {first.verdict[:100] or 'learnt'} (running: {counts})", flush=True)
    for load, (other, _) in zip(loads[1:], others, strict=True):
        if first.verdict != other.verdict:
            print(f"  DIFFERS at load {load}: {other.verdict}, at load {loads[0]}: {first.verdict}")
        if first.contracts != other.contracts:
            print(f"  DIFFERS at load {load}: {other.contracts}\n  at load {loads[0]}: {first.contracts}")
    return tuple(result for result, _ in found)


@contextmanager
def crowd(count: int) -> Iterator[None]:
    """Keep processors busy with so many processes."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


def judged(workshop: Workshop, task: Task, *, judging: bool) -> Result:
    """Learn one unit, translate and judge it."""
    known = infer(workshop, task.source, [task.unit])[task.unit.id]
    if isinstance(known, Inconclusive):
        return Result(contracts="", verdict=told(known))
    contracts = "\n".join(map(repr, known))
    if not judging:
        return Result(contracts=contracts, verdict="")
    candidates = [
        translators.propose(task.source, task.unit, known, task.target),
        *translators.variants(task.source, task.unit, known, task.target),
    ]
    proposals = [
        Proposal(unit=task.unit, contracts=known, candidate=item)
        for item in candidates
        if isinstance(item, Candidate)
    ]
    refused = [told(item) for item in candidates if isinstance(item, Rejected)]
    verdicts = [told(item.verdict) for item in judge(workshop, task.source, proposals)]
    return Result(contracts=contracts, verdict=" | ".join((*refused, *verdicts)))


def told(verdict: Verdict) -> str:
    """Return a verdict in a line, without what depends on trials, which are drawn anew each time."""
    match verdict:
        case Passed(guarantee=guarantee):
            return f"passed {guarantee.level}"
        case Inconclusive(code=code, reason=reason):
            return f"inconclusive {code}: {reason}"
        case Rejected(stage=stage, diagnostics=found):
            return f"rejected by {stage}: {' '.join(item.code for item in found)}"
        case falsified:
            return f"falsified by {falsified.counterexample.check}"


def report(results: Sequence[Sequence[Result]], loads: Sequence[int]) -> int:
    """Print the totals and return the exit status."""
    different = sum(len(set(found)) > 1 for found in results)
    kinds = Counter(first.verdict.partition(" ")[0] for first, *_ in results)
    print(f"\n{len(results)} units, of which {different} differ between loads {loads}: {dict(kinds)}")
    return int(different > 0)


if __name__ == "__main__":
    main()
