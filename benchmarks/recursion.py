"""Port recursive functions by rules, and time the port beside its source.

    python benchmarks/recursion.py [--threads 2] [--runs 5] [--jobs 1] [--cache DIR] [--out DIR]

The functions of `benchmarks/recursion/` are ours, of the kind that the Barcelona OpenMP Tasks Suite has. They
are ported as a user would. Source and port are built with gcc -O3 and run in turns. A line a function: what
became of it, whether both give the same, seconds of source and port (the smallest of the runs), and how many
times as fast the port is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from transpile import pipeline
from transpile.core import Level
from transpile.options import PortOptions, Silent

SOURCE = Path(__file__).parent / "recursion"
SIZES = {"fibonacci": 38, "queens": 13, "area": 30, "merge_sort": 10_000_000, "quick_sort": 10_000_000}
FLAGS = ("-O3", "-w", "-D_POSIX_C_SOURCE=199309L", "-std=c99")


def main() -> None:
    """Print a line a function."""
    arguments = parse()
    options = PortOptions(cache=arguments.cache, out=arguments.out / "port", jobs=arguments.jobs)
    port = pipeline.port(SOURCE, options, Silent())
    source = built(SOURCE, arguments.out / "source.program")
    ported = built(arguments.out / "port", arguments.out / "port.program", "-fopenmp")
    print(f"{'function':12} {'verdict':10} {'result':8} {'source':>8} {'port':>8} {'times':>6}")
    for evidence in port.evidence:
        if evidence.unit.name not in SIZES:
            continue
        verdict = "kept" if evidence.kept(Level.TESTED) else "not kept"
        runs = [
            [run(program, evidence.unit.name, arguments.threads) for program in (source, ported)]
            for _ in range(arguments.runs)
        ]
        same = len({result for pair in runs for result, _ in pair}) == 1
        before, after = (min(pair[side][1] for pair in runs) for side in (0, 1))
        print(
            f"{evidence.unit.name:12} {verdict:10} {'same' if same else 'DIFFERS':8} "
            f"{before:8.3f} {after:8.3f} {before / after:6.2f}",
            flush=True,
        )


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--out", type=Path, default=Path("build/recursion"))
    return parser.parse_args()


def built(folder: Path, program: Path, *flags: str) -> Path:
    """Return the program of a folder's files, for this machine."""
    files = [folder / name for name in ("main.c", "recursion.c")]
    subprocess.run(["gcc", *FLAGS, *flags, *files, "-o", program, "-lm"], check=True)
    return program.resolve()


def run(program: Path, name: str, threads: int) -> tuple[str, float]:
    """Return what a function gives, and its seconds."""
    command = [program, name, str(SIZES[name])]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    result, seconds = done.stdout.split()
    return result, float(seconds)


if __name__ == "__main__":
    main()
