"""Port CloverLeaf's Fortran to C++, run both, and compare what they print and how long they take.

    python benchmarks/fortran_cloverleaf.py CHECKOUT [--cells 240] [--steps 40] [--repeat 3]

CHECKOUT is that of CloverLeaf_Serial. Its calls of C are left out first, since a program has to be all
Fortran: of its kernels in C, which its input does not ask for, and of its clock, for which CPU_TIME
stands in. Both sides are built with -O3 -ffp-contract=off; lines with times are not compared.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from transpile.core import Diagnostic
from transpile.fortran.programs import headers
from transpile.fortran.translation import Translated, translated

_CALL = re.compile(r"\s*CALL\s+\w+_c\s*(?:\(|&)", re.IGNORECASE)
_CLOCK = re.compile(r"\s*CALL\s+timer_c\b", re.IGNORECASE)
_TIMES = re.compile(rb"wall clock|time per cell|overhead", re.IGNORECASE)
_FLAGS = ("-O3", "-ffp-contract=off")
_INPUT = """*clover
 state 1 density=0.2 energy=1.0
 state 2 density=1.0 energy=2.5 geometry=rectangle xmin=0.0 xmax=5.0 ymin=0.0 ymax=2.0
 x_cells={cells}
 y_cells={cells}
 xmin=0.0
 ymin=0.0
 xmax=10.0
 ymax=10.0
 initial_timestep=0.04
 timestep_rise=1.5
 max_timestep=0.04
 end_step={steps}
 test_problem 2
*endclover
"""


def main() -> None:
    """Print what is equal and what each side takes."""
    arguments = parsed()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        source = place / "source"
        source.mkdir()
        for path in sorted(arguments.checkout.glob("*.f90")):
            (source / path.name).write_text(without_c(path.read_text("latin-1")), "latin-1")
        found = translated(source, sorted(path.name for path in source.iterdir()))
        if isinstance(found, Diagnostic):
            sys.exit(f"{found.path}:{found.line}: {found.message}")
        lines = sum(text.count("\n") for text in found.sources.values())
        print(f"{len(found.sources)} files, {lines} lines of Fortran translated", flush=True)
        build(place, source, found)
        compared(place, arguments)


def without_c(text: str) -> str:
    """Return a Fortran text without its calls of C."""
    kept, inside = [], False
    for line in text.split("\n"):
        goes_on = line.split("!")[0].rstrip().endswith("&")
        if inside:
            inside = goes_on
        elif _CLOCK.match(line):
            kept.append("  CALL CPU_TIME(timer)")
        elif _CALL.match(line):
            inside = goes_on
        else:
            kept.append(line)
    return "\n".join(kept)


def build(place: Path, source: Path, found: Translated) -> None:
    """Build both sides."""
    for name, data in headers().items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    (place / "program.cpp").write_bytes(found.text.encode("latin-1", "replace"))
    files = [str(source / name) for name in found.sources]
    subprocess.run(["gfortran", *_FLAGS, "-w", "-o", "fortran-side", *files], cwd=place, check=True)
    command = ["g++", "-std=c++17", *_FLAGS, "-I.", "program.cpp", "-o", "cpp-side"]
    subprocess.run(command, cwd=place, check=True)


def compared(place: Path, arguments: argparse.Namespace) -> None:
    """Run both sides in turn, and print what they have in common."""
    results, best = {}, {}
    for _ in range(arguments.repeat):
        for side in ("fortran-side", "cpp-side"):
            folder = place / f"run-{side}"
            folder.mkdir(exist_ok=True)
            (folder / "clover.in").write_text(_INPUT.format(cells=arguments.cells, steps=arguments.steps))
            began = time.monotonic()
            subprocess.run([place / side], cwd=folder, check=True, capture_output=True)
            seconds = time.monotonic() - began
            best[side] = min(seconds, best.get(side, seconds))
            printed = (folder / "clover.out").read_bytes().split(b"\n")
            results[side] = [line for line in printed if not _TIMES.search(line)]
    one, other = results.values()
    same = sum(left == right for left, right in zip(one, other, strict=False))
    print(f"{same} of {max(len(one), len(other))} lines are the same (without those of times)")
    fortran, cpp = best.values()
    print(f"best of {arguments.repeat}: Fortran {fortran:.2f} s, C++ {cpp:.2f} s ({cpp / fortran:.2f}x)")
    sys.exit(0 if one == other else 1)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--cells", type=int, default=240)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
