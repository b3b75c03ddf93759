"""Translate ParEval's serial functions to OpenMP by rules, judge them, and run its driver on what is kept.

    python benchmarks/pareval.py FOLDER [--only TEXT] [--threads 1 2] [--jobs N] [--cache DIR] [--no-times]
                                 [--show]

FOLDER is a checkout of ParEval (arXiv 2401.12554). A task of it is a serial function of C++ that is to become
one with OpenMP. The product sees that text alone, behind the usual headers. What is kept takes the place of a
model's answer afterwards: it is built with the task's driver and ParEval's flags, validated, and timed. So is
the serial text, since the driver's own sequential code may be quite another algorithm. A line a task with the
speedup over the serial text, and over the driver's code in parentheses, for each number of threads; then the
totals. A driver that refuses the serial text says nothing about its translation, and that is told.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from transpile import pipeline
from transpile.core import (
    Evidence,
    Falsified,
    Inconclusive,
    Level,
    Passed,
    Rejected,
    Source,
    UnitKind,
    Verdict,
)
from transpile.options import PortOptions, Silent
from transpile.stages import Work
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.sandbox import execute

PREAMBLE = "".join(
    f"#include <{name}>\n"
    for name in (
        *("algorithm", "array", "cfloat", "climits", "cmath", "complex", "limits", "map", "numeric"),
        *("queue", "stack", "stdexcept", "string", "utility", "vector"),
    )
)
"""Text that ParEval's drivers include in front of an answer, as far as serial texts use it."""
_FLAGS = ("-std=c++17", "-O3", "-fopenmp", "-DUSE_OMP")
_ENVIRONMENT = {"OMP_WAIT_POLICY": "passive"}
"""Threads that spin while others have the cores make times of milliseconds out of microseconds."""
_MEMORY = 16 << 30
_SECONDS = 240.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A serial function that is to become a parallel one."""

    name: str
    function: str
    text: str
    driver: Path
    size: str
    """The driver's problem size, as a macro."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one task."""

    outcome: str
    """kept, or the code of why it is not."""
    valid: bool = False
    serial: bool = False
    """The driver accepts the serial text."""
    speedups: tuple[tuple[float, float], ...] = ()
    """Over the serial text and over the driver's sequential code, for each number of threads."""


def main() -> None:
    """Print a line a task, then the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a part of the tasks' names")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--no-times", action="store_true", help="Translate and judge only.")
    parser.add_argument("--show", action="store_true", help="Print what is kept.")
    arguments = parser.parse_args()
    chosen = [task for task in tasks(arguments.folder.resolve()) if arguments.only in task.name]
    options = PortOptions(cache=arguments.cache.resolve())
    with ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        translated = pool.map(lambda task: translate(task, options), chosen)
        scores = [
            scored(task, text, why, [] if arguments.no_times else arguments.threads, show=arguments.show)
            for task, (text, why) in zip(chosen, translated, strict=True)
        ]
    report(scores, [] if arguments.no_times else arguments.threads)


def tasks(folder: Path) -> list[Task]:
    """Return the tasks from serial C++ to OpenMP, in the order of their numbers."""
    prompts: list[dict[str, Any]] = json.loads((folder / "prompts/translation-prompts.json").read_text())
    sizes: Mapping[str, Mapping[str, str]] = json.loads((folder / "drivers/problem-sizes.json").read_text())
    found = [
        Task(
            name=item["name"],
            function=item["translation_function_name"],
            text=item["translation_src_example"],
            driver=folder / "drivers/cpp/benchmarks" / item["problem_type"] / item["name"] / "cpu.cc",
            size=sizes[item["name"]]["omp"],
        )
        for item in prompts
        if (item["translation_src_model"], item["translation_dst_model"]) == ("serial", "omp")
    ]
    return sorted(found, key=lambda task: task.name)


def translate(task: Task, options: PortOptions) -> tuple[str, str]:
    """Return a task's text with its function translated, empty where none is kept, and why not."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "task.cpp").write_text(f"{PREAMBLE}\n{task.text}\n")
        source = pipeline.read(root, options)
        work = Work(workshop=pipeline.make_workshop(options), source=source, options=options)
        unit = next(unit for unit in source.units if unit.name == task.function)
        if unit.kind is not UnitKind.FUNCTION:
            return "", "glue"
        [evidence] = pipeline.judged_units(work, [unit], Silent())
    return ("", why) if (why := refused(evidence.verdict)) else (answer(task, source, evidence), "")


def refused(verdict: Verdict) -> str:
    """Return why a translation is not kept, its code first; nothing where it is."""
    match verdict:
        case Passed(level=level):
            return "" if level is not Level.BUILT else "built alone"
        case Falsified(counterexample=example):
            return f"falsified by {example.check} at {example.where}: {example.got}, not {example.expected}"
        case Rejected(diagnostics=found):
            return "; ".join(dict.fromkeys(f"{one.code} {one.message}" for one in found))
        case Inconclusive(reason=reason, code=code):
            return f"{code} {reason}"


def answer(task: Task, source: Source, evidence: Evidence) -> str:
    """Return a task's text with the function that was kept in it."""
    candidate, unit = evidence.candidate, evidence.unit
    assert candidate is not None
    included = "".join(f"#include {header}\n" for header in candidate.headers)
    [replacement] = candidate.replacements
    whole = source.files[unit.path]
    text = whole[: unit.span.start] + replacement.text + whole[unit.span.end :]
    return included + text.decode()


def scored(task: Task, text: str, why: str, threads: Sequence[int], *, show: bool) -> Score:
    """Run the driver on what is kept, and print a line."""
    if not text:
        print(f"{task.name:44} not kept: {why}", flush=True)
        return Score(outcome=why.split()[0])
    if show:
        print(text)
    if not threads:
        print(f"{task.name:44} kept", flush=True)
        return Score(outcome="kept")
    [before] = driven(task, f"{PREAMBLE}\n{task.text}\n", [1])
    printed = driven(task, text, threads)
    valid, serial = all(map(is_valid, printed)), is_valid(before)
    speedups = tuple(speedup(before, one) for one in printed) if valid and serial else ()
    times = " ".join(f"{own:6.2f}x ({driver:.2f}x)" for own, driver in speedups)
    said = "PASS" if valid else f"FAIL: {printed[0].strip()[-200:]}"
    print(f"{task.name:44} kept      {said}{'' if serial else ', its source FAILS'} {times}", flush=True)
    return Score(outcome="kept", valid=valid, serial=serial, speedups=speedups)


def driven(task: Task, text: str, threads: Sequence[int]) -> list[str]:
    """Return what a task's driver prints with a text as the answer, for each number of threads."""
    drivers = task.driver.parents[3]
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "generated-code.hpp").write_text(text)
        built = execute(
            [
                *("g++", *_FLAGS, "-w", f"-DDRIVER_PROBLEM_SIZE={task.size}"),
                *(f"-I{folder}" for folder in (root, drivers, drivers / "models")),
                *(str(drivers / "models/omp-driver.cc"), str(task.driver), "-o", "driver"),
            ],
            profile=Profile.BUILD,
            mounts=Mounts(cwd=root, readable=[drivers], writable=[root]),
            quota=Quota(timeout=_SECONDS, memory=_MEMORY),
        )
        if built.status != 0:
            return [f"does not build: {built.stderr.decode(errors='replace')}"] * len(threads)
        return [ran(root, number) for number in threads]


def ran(root: Path, threads: int) -> str:
    """Return what a driver prints."""
    done = execute(
        [str(root / "driver"), str(threads)],
        profile=Profile.RUN,
        mounts=Mounts(cwd=root, readable=[root]),
        quota=Quota(timeout=_SECONDS, memory=_MEMORY),
        environment=_ENVIRONMENT,
    )
    printed = done.stdout.decode(errors="replace")
    return printed if done.status == 0 else f"{printed} ends with status {done.status}"


def is_valid(printed: str) -> bool:
    """Tell whether a driver accepts an answer."""
    return "Validation: PASS" in printed


def speedup(before: str, printed: str) -> tuple[float, float]:
    """Return how many times faster an answer is than the serial text, and than the driver's own code."""
    own, serial = seconds(printed, "Time"), seconds(before, "Time")
    return serial / own, seconds(printed, "BestSequential") / own


def seconds(printed: str, name: str) -> float:
    """Return a time of a driver's printout, more than nothing."""
    found = re.search(rf"\b{name}: ([\d.]+)", printed)
    return max(float(found[1]), 1e-9) if found else 1e-9


def report(scores: Sequence[Score], threads: Sequence[int]) -> None:
    """Print the totals."""
    kept = [one for one in scores if one.outcome == "kept"]
    print(f"\n{len(scores)} tasks: {dict(Counter(one.outcome for one in scores).most_common())}")
    print(f"kept {len(kept)} ({len(kept) / max(len(scores), 1):.1%})")
    if not threads:
        return
    told = [one for one in kept if one.serial]
    print(f"of {len(told)} whose serial text the driver accepts {sum(one.valid for one in told)} pass")
    for at, number in enumerate(threads):
        found = [one.speedups[at] for one in kept if one.speedups]
        if found:
            own, driver = (exp(sum(map(log, column)) / len(found)) for column in zip(*found, strict=True))
            print(
                f"{number} threads: geometric mean {own:.2f} times the serial text,"
                f" {driver:.2f} times the driver's sequential code, over {len(found)} tasks"
            )


if __name__ == "__main__":
    main()
