"""Build and run a bundle of `oracle_items.py` on this machine: nvcc, a device and Python are all it needs.

    python3 run.py [--jobs N] [--sanitize memcheck|racecheck|initcheck|synccheck] [--step N]

Prints a line for each port, and the totals.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT = 240
"""Seconds of the calls of a port."""
_OUTCOME = re.compile(r"^\d+ (ok|differs .*|fault .*)$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """Outcomes of the calls of one port."""

    item: str
    outcomes: tuple[str, ...]
    """Of each call: ``ok``, or what is wrong."""
    note: str = ""
    """Why it was not run."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return what is wrong."""
        return tuple(item for item in self.outcomes if item != "ok")


def main() -> None:
    """Print a line for each port, and the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--sanitize", choices=("memcheck", "racecheck", "initcheck", "synccheck"))
    parser.add_argument("--step", type=int, default=1, help="run every Nth call of a port only")
    arguments = parser.parse_args()
    compiled("nvcc", "-O2", "-arch=native", "-c", "device.cu", "-o", "device.o", place=HERE)
    items = sorted((HERE / "items").iterdir())
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = []
        for result in pool.map(lambda item: examined(item, arguments.sanitize, arguments.step), items):
            results.append(result)
            print(told(result), flush=True)
    ran = [result for result in results if not result.note]
    calls = sum(len(result.outcomes) for result in ran)
    wrong = [result.item for result in ran if result.wrong]
    print(
        f"{len(ran)} of {len(results)} ports ran, {calls} calls, {len(wrong)} ports wrong: {' '.join(wrong)}"
    )


def told(result: Result) -> str:
    """Return what is printed of a port."""
    first = f"{result.item}: {len(result.wrong)} of {len(result.outcomes)} calls wrong {result.note}"
    common = Counter(result.wrong).most_common(3)
    return "\n".join([first.rstrip(), *(f"    {times} x {text}" for text, times in common)])


def examined(item: Path, tool: str | None, step: int) -> Result:
    """Build a port beside its source, and run all calls."""
    try:
        build(item)
    except subprocess.CalledProcessError as error:
        return Result(item.name, (), f"does not build: {error.stderr.decode('utf-8', 'replace')[:600]}")
    report = item / "sanitizer.log"
    checker = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", "--log-file", str(report)]
    outcomes: list[str] = []
    while True:
        first = step * len(outcomes)
        command = [*(checker if tool else ()), *map(str, (item / "program", item / "calls", first, step))]
        try:
            finished = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return Result(item.name, (*outcomes, "does not end"))
        found = _OUTCOME.findall(finished.stdout.decode("utf-8", "replace"))
        outcomes += found
        if finished.returncode == 0:
            return Result(item.name, tuple(outcomes))
        if finished.returncode == 9:
            return Result(item.name, (*outcomes, f"{tool}: {objection(report)}"))
        if not found or not found[-1].startswith("fault"):
            outcomes.append(f"died with status {finished.returncode}")


def objection(report: Path) -> str:
    """Return the first that the sanitizer has found."""
    lines = [line.strip("= ") for line in report.read_text(errors="replace").splitlines()]
    return "; ".join([line for line in lines if line and not line.startswith("COMPUTE")][:4])[:400]


def build(item: Path) -> None:
    """Compile and link a port beside its source."""
    place = ("-I", str(HERE))
    compiled("gcc", "-std=gnu11", "-O1", "-w", "-c", "source.c", "-o", "source.o", place=item)
    compiled("g++", "-std=gnu++17", "-w", *place, "-c", "table.cpp", "-o", "table.o", place=item)
    compiled(
        "nvcc", "-O2", "-w", "-arch=native", "-lineinfo", *place, "-c", "port.cu", "-o", "port.o", place=item
    )
    objects = ("source.o", "table.o", "port.o", str(HERE / "device.o"))
    compiled("nvcc", "-arch=native", *objects, "-o", "program", "-lm", place=item)


def compiled(*command: str, place: Path) -> None:
    """Run a compiler, and raise what it says where it fails."""
    subprocess.run(command, cwd=place, check=True, capture_output=True)


if __name__ == "__main__":
    main()
