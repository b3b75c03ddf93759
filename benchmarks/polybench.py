"""Port PolyBench/C by rules, and time the ports beside compilers that parallelise by themselves.

    python benchmarks/polybench.py FOLDER [--to openmp|openmp-target|stdpar|cuda|hip] [--only NAME ...]
                                   [--judged MINI] [--dataset LARGE] [--no-clocks] [--threads 2] [--runs 5]
                                   [--jobs 2] [--cache DIR] [--out DIR] [--no-times] [--races]

FOLDER is a copy of PolyBench/C 4.2. Each program is ported as a user would, judged with its smallest data or
those of --judged: arrays of that size are also what clocks choose between translations by. What source and
port write for other data is compared. Then the source is built by gcc, by gcc with -ftree-parallelize-loops,
and by clang with Polly, the port by gcc, all with -O3 for this machine, and they are timed in turns. A line
a program: seconds of each, the smallest of the runs, and what part of the port's time the machine would need
at least (``polybench_work.toml``: operations at the rate of BLAS, arrays once at that of STREAM's triad);
then geometric means of the speedup over gcc. With `--races` each whole port also runs with the small data on
three threads under ThreadSanitizer and archer. The data of gramschmidt is so close to singular that its last
columns are rounding errors of the sums before: any other order of a sum gives others.

Ports to CUDA and HIP are not timed: their programs run on the emulator, with the data of --judged.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterator, Sequence
from math import exp, isclose, log
from pathlib import Path

from limits import measured
from polybench_builds import PARALLEL, Build, builds, made, races, run

from transpile import pipeline
from transpile.core import CUDA, HIP, OPENMP, OPENMP_TARGET, STDPAR, Evidence, Level, Passed, Port
from transpile.options import PortOptions, Silent

MAKEFILE = """CC = gcc
CFLAGS = -O2 -I. -D{data}_DATASET -DPOLYBENCH_DUMP_ARRAYS
{name}: {name}.c polybench.c
\t$(CC) $(CFLAGS) -o {name} {name}.c polybench.c -lm
run: {name}
\t./{name}
"""


DEVICES = {"cuda": CUDA, "hip": HIP}
TARGETS = {"openmp": OPENMP, "openmp-target": OPENMP_TARGET, "stdpar": STDPAR, **DEVICES}


def main() -> None:
    """Print a line a program, then the means."""
    arguments = parse()
    compared = [] if arguments.to in DEVICES else builds(arguments.threads, arguments.to)
    speedups: dict[str, list[float]] = {build.name: [] for build in compared}
    kept = right = raced = 0
    limits = measured(arguments.threads, arguments.out) if compared and not arguments.no_times else None
    columns = [*(build.name for build in compared), "limit"]
    print(f"{'program':16} {'kernel':30} {'output':9} " + " ".join(f"{name:>9}" for name in columns))
    for path in sources(arguments.folder, arguments.only):
        name = path.stem
        source, out = arguments.out / "source" / name, arguments.out / "port" / name
        write_source(arguments.folder, path, source, arguments.judged)
        options = PortOptions(
            cache=arguments.cache,
            out=out,
            jobs=arguments.jobs,
            clocks=not arguments.no_clocks,
            target=TARGETS[arguments.to],
        )
        port = pipeline.port(source, options, Silent())
        [evidence] = [item for item in port.evidence if item.unit.name.startswith("kernel_")]
        kept += evidence.kept(Level.TESTED)
        same = agrees(source, out, name, arguments.to) if compared else runs_alike(port)
        right += same
        racing = bool(compared) and arguments.races and races(out, name, "SMALL", 3)
        raced += racing
        seconds = timed(source, out, name, compared, arguments) if limits is not None else {}
        for build in compared:
            if build.name in seconds:
                speedups[build.name].append(seconds["gcc"] / seconds[build.name])
        times = " ".join(f"{seconds.get(build.name, 0):9.3f}" for build in compared)
        if limits is not None:
            least = limits.seconds(name, path.with_suffix(".h").read_text(), arguments.dataset)
            times += f" {least / seconds['port']:9.0%}" if seconds["port"] else ""
        output = "RACES" if racing else "same" if same else "DIFFERS"
        print(f"{name:16} {said(port, evidence):30} {output:9} {times}", flush=True)
    print(
        f"\nkernels kept {kept}, outputs the same {right}" + (f", racing {raced}" if arguments.races else "")
    )
    for name, found in speedups.items():
        if found:
            mean = exp(sum(map(log, found)) / len(found))
            print(f"{name:9} {mean:6.2f} times gcc, over {len(found)} programs")


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", choices=TARGETS, default="openmp")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--judged", default="MINI")
    parser.add_argument("--dataset", default="LARGE")
    parser.add_argument("--no-clocks", action="store_true", help="Keep what should be fastest by estimate.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--out", type=Path, default=Path("build/polybench"))
    parser.add_argument("--no-times", action="store_true", help="Port and compare outputs only.")
    parser.add_argument("--races", action="store_true", help="Run the ports under ThreadSanitizer as well.")
    return parser.parse_args()


def sources(folder: Path, only: Sequence[str]) -> Iterator[Path]:
    """Yield the programs' files, as the distribution lists them."""
    for line in (folder / "utilities" / "benchmark_list").read_text().split():
        path = folder / line
        if not only or path.stem in only:
            yield path


def write_source(folder: Path, path: Path, place: Path, data: str) -> None:
    """Write a program with what it needs and a Makefile into a folder of its own."""
    place.mkdir(parents=True, exist_ok=True)
    for file in (path, path.with_suffix(".h"), *(folder / "utilities").glob("polybench.[ch]")):
        shutil.copy(file, place)
    (place / "Makefile").write_text(MAKEFILE.format(name=path.stem, data=data))


def said(port: Port, evidence: Evidence) -> str:
    """Return what became of the kernel in a few words."""
    if evidence.kept(Level.TESTED):
        return "kept" if port.built else "kept, no build"
    found = getattr(evidence.verdict, "diagnostics", ())
    return f"not kept ({found[0].code if found else type(evidence.verdict).__name__})"


def runs_alike(port: Port) -> bool:
    """Tell whether the port's program prints what the source's prints, as the product has seen it."""
    return bool(port.programs) and all(isinstance(item.verdict, Passed) for item in port.programs)


def agrees(source: Path, out: Path, name: str, target: str) -> bool:
    """Tell whether the port's arrays are the source's, number by number.

    No operations are fused, whose results differ from loop to loop.
    """
    plain = ("gcc", "-O2")
    compared = (Build("plain", plain), Build("plain", (*plain, *PARALLEL[target]), ported=True))
    flags = ("-DSMALL_DATASET", "-DPOLYBENCH_DUMP_ARRAYS")
    ends = [
        run(made(out if build.ported else source, name, build, *flags), 2)[1].split() for build in compared
    ]
    return len(ends[0]) == len(ends[1]) and all(map(close, *ends))


def close(one: str, other: str) -> bool:
    """Tell whether two words are the same, or numbers that the order of a sum may tell apart."""
    number = re.compile(r"-?\d+\.\d+|-?inf|-?nan")
    if not (number.fullmatch(one) and number.fullmatch(other)):
        return one == other
    return one == other or isclose(float(one), float(other), rel_tol=1e-6, abs_tol=0.011)


def timed(
    source: Path, out: Path, name: str, compared: Sequence[Build], arguments: argparse.Namespace
) -> dict[str, float]:
    """Return the smallest time of each build, run in turns."""
    flags = (f"-D{arguments.dataset}_DATASET", "-DPOLYBENCH_TIME")
    programs = {build.name: made(out if build.ported else source, name, build, *flags) for build in compared}
    times: dict[str, list[float]] = {build: [] for build in programs}
    for _ in range(arguments.runs):
        for build, program in programs.items():
            times[build].append(float(run(program, arguments.threads)[0].split()[-1]))
    return {build: min(found) for build, found in times.items()}


if __name__ == "__main__":
    main()
