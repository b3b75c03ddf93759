"""Judge the same units on a machine at rest and on a busy one, and compare contracts and verdicts.

    python benchmarks/load.py [--loads 1,8] [--units N] [--only TEXT] [--jobs N] [--cache DIR]

The units are the kernels of tests/cases (to OpenMP) and the functions of benchmarks/load (to CUDA and OpenMP
in turn). At load L, L - 1 processes that never wait run beside the one that judges. Exit status 1 where
anything differs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
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
    ProgrammingModel,
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
    """What was found of a unit, without what is random or a time."""

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
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    arguments = parser.parse_args()
    loads = [int(load) for load in arguments.loads.split(",")]
    tasks = [task for task in all_tasks() if arguments.only in task.name][: arguments.units]
    workshop = Workshop(cache=arguments.cache)
    runs = [run(workshop, tasks, load, arguments.jobs) for load in loads]
    sys.exit(report(tasks, loads, runs))


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
    plain = source.dialect.model is ProgrammingModel.NONE
    judged = (unit for unit in source.units if unit.kind in (UnitKind.KERNEL, UnitKind.FUNCTION))
    for number, unit in enumerate(judged):
        yield Task(source, unit, TARGETS[number % len(TARGETS)] if plain else OPENMP)


def run(workshop: Workshop, tasks: Sequence[Task], load: int, jobs: int) -> list[Result]:
    """Judge all units beside as many busy processes as the load asks for."""
    begun = time.monotonic()
    results: list[Result] = []
    with crowd(load - 1), ThreadPoolExecutor(max_workers=jobs) as pool:
        print(f"load {load}: limits of time are multiplied by {slowdown(workshop.cache):.2f}", flush=True)
        for task, result in zip(tasks, pool.map(lambda task: judged(workshop, task), tasks), strict=True):
            results.append(result)
            print(
                f"  load {load} {len(results)}/{len(tasks)} {task.name}: {result.verdict[:110]}", flush=True
            )
        found = os.getloadavg()[0]
    print(f"load {load}: {len(tasks)} units in {time.monotonic() - begun:.0f} s; {found:.1f} ran or waited")
    return results


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


def judged(workshop: Workshop, task: Task) -> Result:
    """Learn, translate and judge one unit."""
    known = infer(workshop, task.source, [task.unit])[task.unit.id]
    if isinstance(known, Inconclusive):
        return Result(contracts="", verdict=told(known))
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
    return Result(contracts="\n".join(map(repr, known)), verdict=" | ".join((*refused, *verdicts)))


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


def report(tasks: Sequence[Task], loads: Sequence[int], runs: Sequence[Sequence[Result]]) -> int:
    """Print what differs from the first run and the totals; return the exit status."""
    different = 0
    for number, task in enumerate(tasks):
        first, *others = (results[number] for results in runs)
        for load, other in zip(loads[1:], others, strict=True):
            if first == other:
                continue
            different += 1
            print(f"{task.name} at load {load}: {other.verdict}, at load {loads[0]}: {first.verdict}")
            if first.contracts != other.contracts:
                print(f"  contract {other.contracts}\n  instead of {first.contracts}")
    kinds = Counter(result.verdict.partition(" ")[0] for result in runs[0])
    print(f"\n{len(tasks)} units, of which {different} differ between loads {loads}: {dict(kinds)}")
    return int(different > 0)


if __name__ == "__main__":
    main()
