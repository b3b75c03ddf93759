"""Translate whole Fortran programs to C++ and compare what they print with what is expected.

    python benchmarks/fortran_programs.py FILE.jsonl [--threads 1 2 4] [--only ID] [--keep DIR] [--unsafe]

A line of FILE is an item: `id`, `source` (a Fortran program in free form) and `tests`, each with what the
program is given and must print. A program is translated, built with g++ -std=c++17 in the sandbox, and run
there, with each number of threads where OpenMP is in it. What is printed is compared word by word, numbers
within a relative tolerance of 1e-5 (1e-12 absolute). Where it differs with some number of threads, the
Fortran is built and run with as many: some programs print how many there are. A line an item that is not
equal, with the reason; then the totals.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.units import parse
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.toolchains.sandbox import execute
from transpile.translators.fortran.headers import HEADERS
from transpile.translators.fortran.program import translate

FLAGS = ("-std=c++17", "-O1", "-ffp-contract=off", "-fopenmp", "-pipe")
BUILD = ("g++", *FLAGS, f"-I{HEADERS}", "program.cpp", "-o", "program")
RELATIVE, ABSOLUTE = 1e-5, 1e-12
_MEMORY = 4 << 30
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD]?[-+]?\d+)?$")


def main() -> None:
    """Print a line an item that is not equal, then the totals."""
    arguments = parsed()
    items = [json.loads(line) for line in arguments.file.read_text().splitlines()]
    outcomes: Counter[str] = Counter()
    for item in items:
        if arguments.only and item["id"] not in arguments.only:
            continue
        outcome, reason = judged(item, arguments)
        outcomes[outcome] += 1
        if outcome != "equal":
            print(f"{item['id']:16} {outcome:14} {reason}", flush=True)
    total = sum(outcomes.values())
    compiled = total - outcomes["not translated"] - outcomes["not compiled"]
    translated = total - outcomes["not translated"]
    print(f"{total} programs: {translated} translated, {compiled} compiled, {outcomes['equal']} equal")
    sys.exit(0 if outcomes["equal"] == total else 1)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1, 4])
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--keep", type=Path, help="where the C++ of each item is left")
    parser.add_argument("--unsafe", action="store_true", help="build and run without the sandbox")
    return parser.parse_args()


def judged(item: dict[str, Any], arguments: argparse.Namespace) -> tuple[str, str]:
    """Return what became of an item, and why."""
    try:
        text = translate([parse(item["source"], f"{item['id']}.f90")])
    except Refused as refusal:
        return "not translated", str(refusal)
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        (arguments.keep / f"{item['id']}.cpp").write_text(text)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "program.cpp").write_text(text)
        complaint = built(folder, unsafe=arguments.unsafe)
        if complaint:
            return "not compiled", complaint
        counts = arguments.threads if "#pragma omp" in text or "omp.h" in text else arguments.threads[:1]
        for threads in counts:
            for test in item["tests"]:
                reason = difference(folder, test, threads, unsafe=arguments.unsafe)
                if reason and len(counts) > 1 and threads != counts[0]:
                    reason = beside(item["source"], folder, test, threads, unsafe=arguments.unsafe)
                if reason:
                    return "different", f"with {threads} threads: {reason}"
    return "equal", ""


def beside(source: str, folder: Path, test: dict[str, Any], threads: int, *, unsafe: bool) -> str:
    """Return how the program differs from the Fortran with as many threads, or nothing."""
    (folder / "source.f90").write_text(source)
    command = ["gfortran", "-O1", "-fopenmp", "-ffree-line-length-none", "source.f90", "-o", "source"]
    complaint = built(folder, command, unsafe=unsafe)
    if complaint:
        return f"gfortran: {complaint}"
    printed = ran(folder, "source", test, threads, unsafe=unsafe).stdout.decode(errors="replace")
    return difference(folder, {**test, "stdout": printed}, threads, unsafe=unsafe)


def built(folder: Path, command: Sequence[str] = BUILD, *, unsafe: bool) -> str:
    """Build a program in a folder; return what the compiler complains about, or nothing."""
    finished = execute(
        [*command],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=folder, readable=[HEADERS], writable=[folder]),
        quota=Quota(timeout=120, memory=_MEMORY),
        unsafe=unsafe,
    )
    errors = [line for line in finished.stderr.decode(errors="replace").splitlines() if "error" in line]
    return "" if finished.status == 0 else (errors or ["the compiler failed"])[0][:200]


def difference(folder: Path, test: dict[str, Any], threads: int, *, unsafe: bool) -> str:
    """Run the program on one test; return how what it prints differs, or nothing."""
    finished = ran(folder, "program", test, threads, unsafe=unsafe)
    if finished.timed_out:
        return "it takes too long"
    if finished.status != test["rc"]:
        return f"exit status {finished.status}, not {test['rc']}"
    return compared(finished.stdout.decode(errors="replace").split(), test["stdout"].split())


def ran(folder: Path, program: str, test: dict[str, Any], threads: int, *, unsafe: bool) -> Finished:
    """Run a program of a folder."""
    return execute(
        [str(folder / program), *test["args"]],
        profile=Profile.RUN,
        mounts=Mounts(cwd=folder, readable=[folder], writable=[folder]),
        quota=Quota(timeout=30, memory=_MEMORY),
        environment={"OMP_NUM_THREADS": str(threads)},
        unsafe=unsafe,
    )


def compared(printed: list[str], expected: list[str]) -> str:
    """Return the first word that differs, or nothing."""
    for at, (ours, theirs) in enumerate(zip(printed, expected, strict=False)):
        if ours != theirs and not close(ours, theirs):
            return f"word {at + 1} is {ours}, not {theirs}"
    if len(printed) != len(expected):
        return f"{len(printed)} words, not {len(expected)}"
    return ""


def close(ours: str, theirs: str) -> bool:
    """Tell whether two words are numbers that hardly differ."""
    if not (_NUMBER.match(ours) and _NUMBER.match(theirs)):
        return False
    first, second = (float(re.sub(r"[dD]", "e", word)) for word in (ours, theirs))
    return abs(first - second) <= max(RELATIVE * abs(second), ABSOLUTE)


if __name__ == "__main__":
    main()
