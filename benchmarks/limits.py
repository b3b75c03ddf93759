"""Limits of a machine: products of matrices by BLAS, and the triad of STREAM."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
WORK = tomllib.loads((HERE / "polybench_work.toml").read_text())
_DGEMM = """
import time, numpy
a = numpy.ones((2000, 2000))
def once():
    begun = time.perf_counter()
    a @ a
    return time.perf_counter() - begun
print(2 * 2000**3 / min(once() for _ in range(5)))
"""
_SIZE = re.compile(r"#\s*define\s+(\w+)\s+(\d+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Rates that nothing on a machine exceeds by much."""

    operations: float
    """A second, of numbers of 64 bits."""
    bytes: float
    """A second, from and to memory."""

    def seconds(self, name: str, header: str, dataset: str) -> float:
        """Return what a kernel needs at least: its operations, or its arrays once through memory.

        Args:
            name: A program of PolyBench/C.
            header: The text of its header, which has its sizes.
            dataset: Which of them, such as ``LARGE``.
        """
        sizes = _sizes(header, dataset)
        operations, moved = (eval(WORK[name][what], {}, sizes) for what in ("operations", "bytes"))
        return float(max(operations / self.operations, moved / self.bytes))


def measured(threads: int, place: Path) -> Limits:
    """Measure this machine with some threads; ``place`` takes the program that does so."""
    place.mkdir(parents=True, exist_ok=True)
    program = place / "triad"
    built = ["gcc", "-O3", "-march=native", "-fopenmp", HERE / "triad.c", "-o", program]
    subprocess.run(built, check=True)
    asked = {f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "OPENBLAS", "MKL")}
    ran = ([sys.executable, "-c", _DGEMM], [program.resolve()])
    rates = [
        float(subprocess.run(one, check=True, capture_output=True, text=True, env=asked).stdout)
        for one in ran
    ]
    return Limits(*rates)


def _sizes(header: str, dataset: str) -> dict[str, int]:
    part = header.partition(f"ifdef {dataset}_DATASET")[2].partition("endif")[0]
    return {name: int(value) for name, value in _SIZE.findall(part)}
