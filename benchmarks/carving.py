"""Carve launches of program folders and say how many of them count as trials.

    python benchmarks/carving.py FOLDER [--only NAME ...] [--limit N] [--cache DIR]

FOLDER holds one folder a program (``<name>-cuda``), run with the arguments of ``hecbench_arguments.toml``. A
carved launch counts where the source alone behaves on it and leaves what it left in the program; whether a
contract is known of the kernel plays no part in that.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from transpile import parsers
from transpile.core import Contract, Source, Trial, Unbounded, Unit
from transpile.testers.oracle.carved import CARVED
from transpile.testers.oracle.validity import Examiner, Invalid, Reference
from transpile.testers.programs.carve import carve
from transpile.testers.programs.program import record
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.verdict.session import translation_unit
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.workshop import Workshop

ARGUMENTS = tomllib.loads((Path(__file__).parent / "hecbench_arguments.toml").read_text())


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one program gave."""

    kernels: int
    launches: int
    """Different in configuration or numbers."""
    carved: int
    valid: int
    kernels_with_valid: int
    size: int
    """Bytes on disk."""
    seconds: float
    flaws: tuple[str, ...]
    notes: tuple[str, ...]


def main() -> None:
    """Print a line a program, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    arguments = parser.parse_args()
    rows = []
    for name, folder in list(_programs(arguments.folder, arguments.only))[: arguments.limit]:
        row = measure(arguments.cache, folder, ARGUMENTS.get(name, []))
        rows.append(row)
        print(
            f"{name:22} kernels {row.kernels_with_valid}/{row.kernels} launches {row.launches:4}"
            f" carved {row.carved:3} valid {row.valid:3} {row.size:9} bytes {row.seconds:6.1f} s",
            flush=True,
        )
        for text, count in Counter((*row.flaws, *row.notes)).items():
            print(f"    {count} x {text}", flush=True)
    print(
        f"\n{len(rows)} programs: {sum(row.kernels_with_valid for row in rows)} of"
        f" {sum(row.kernels for row in rows)} kernels have carved trials that count;"
        f" {sum(row.launches for row in rows)} launches, {sum(row.carved for row in rows)} carved,"
        f" {sum(row.valid for row in rows)} valid, {sum(row.size for row in rows)} bytes,"
        f" {sum(row.seconds for row in rows):.0f} s"
    )


def measure(cache: Path, folder: Path, small: Sequence[object]) -> Row:
    """Carve one run of a program and examine what it gave."""
    begun = time.monotonic()
    workshop = Workshop(cache=cache)
    source = parsers.read(folder)
    run = ("./main", *(str(word) for word in small))
    launches = record(workshop, source, [run])
    carved = carve(workshop, source, [run])
    valid, with_valid, flaws = 0, 0, []
    for identifier, trials in carved.trials.items():
        found = list(examined(workshop, source, source.unit(identifier), trials))
        flaws += [f"{identifier}: {item}" for item in found if isinstance(item, str)]
        own = sum(not isinstance(item, str) for item in found)
        valid += own
        with_valid += own > 0
    kept = [trial.carved for trials in carved.trials.values() for trial in trials]
    return Row(
        kernels=len({item.unit for item in source.launches if item.unit is not None}),
        launches=len(launches),
        carved=len(kept),
        valid=valid,
        kernels_with_valid=with_valid,
        size=sum((workshop.cache / CARVED / name).stat().st_size for name in set(kept)),
        seconds=time.monotonic() - begun,
        flaws=tuple(flaws),
        notes=tuple(item.message for item in carved.diagnostics),
    )


def examined(
    workshop: Workshop, source: Source, unit: Unit, trials: Sequence[Trial]
) -> Iterator[Reference | str]:
    """Yield for each trial what the source made of it, or why it does not count."""
    place = translation_unit(source, unit.translation_unit)
    for signature in source.signatures[unit.id]:
        own = [trial for trial in trials if trial.template_arguments == signature.template_arguments]
        contract = Contract(signature=signature, arrays=(), scalars=(), law=Unbounded())
        with closing(SourceBench(workshop, source, place, [(signature,)])) as bench:
            found = Examiner(workshop, bench, contract).examine(own) if own else []
        if isinstance(found, BuildFailed):
            yield from ["the source does not build on the emulator"] * len(own)
            continue
        for item in found:
            yield f"{item.flaw.value} {item.detail}" if isinstance(item, Invalid) else item


def _programs(folder: Path, only: Sequence[str]) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.iterdir()):
        name = path.name.removesuffix("-cuda")
        if path.name.endswith("-cuda") and (not only or name in only):
            yield name, path


if __name__ == "__main__":
    main()
