"""Port CUDA programs to HIP text by text; run both on the emulator, and compile the port for an AMD device.

    python benchmarks/hip.py FOLDER [--only NAME ...] [--cache DIR] [--no-runs | --seconds S]
                             [--device gfx90a] [--hipify-perl SCRIPT]

FOLDER holds one folder a program: ``<name>-cuda``, and beside some of them ``<name>-hip``, written by hand.
For each program: the end of its run as CUDA on warps of 32 lanes and as HIP on warps of 64 (PASS and FAIL as
it prints them), and whether port and hand-written version compile with the headers of ROCm that are here.
With a copy of hipify-perl, what that makes is compiled as well, and both are timed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hecbench import ARGUMENTS, ended

from transpile import parsers
from transpile.core import ProgrammingModel
from transpile.errors import UsageError
from transpile.parsers.lowering.emulation import lower
from transpile.toolchains.beside import include_directories
from transpile.toolchains.build import BuildFailed, build_program
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.devices import DEVICE_COMPILERS
from transpile.toolchains.sandbox import execute
from transpile.toolchains.workshop import Workshop
from transpile.translators.targets.hip.helpers import HELPERS, text_of
from transpile.translators.targets.hip.text import ported

SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hh", ".hpp"))
WIDE = ("SIMT_HIP",)
MEMORY = 8 << 30


def main() -> None:
    """Print a line a program, then how many of each kind there are."""
    arguments = parse()
    workshop = Workshop(cache=arguments.cache)
    clock = Clock()
    ends: Counter[tuple[str, ...]] = Counter()
    compiled: Counter[tuple[str, ...]] = Counter()
    for folder in sorted(arguments.folder.glob("*-cuda")):
        name = folder.name.removesuffix("-cuda")
        if arguments.only and name not in arguments.only:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            port = write_port(folder, Path(scratch) / folder.name, clock)
            runs = (
                ()
                if arguments.no_runs
                else tuple(
                    run(workshop, place, name, defines, arguments.seconds)
                    for place, defines in ((folder, ()), (port, WIDE))
                )
            )
            by_hand = Path(scratch) / f"{name}-hip"
            made = [port, by_hand]
            if arguments.hipify_perl:
                made.append(hipified(folder, Path(scratch) / "hipified", arguments.hipify_perl, clock))
            builds = [compiles(place, neighbours(folder), arguments.device) for place in made]
        print(f"{name:22} {' | '.join((*runs, *builds))}", flush=True)
        ends[tuple(map(word, runs))] += 1
        compiled[tuple(map(word, builds))] += 1
    print(f"\nruns (CUDA at 32 lanes, HIP at 64): {dict(ends)}")
    print(f"compiled for {arguments.device} (port, by hand, by hipify-perl): {dict(compiled)}")
    for name, seconds in clock.seconds.items():
        print(f"{name}: {1000 * seconds / clock.lines:.2f} s for 1000 lines, of {clock.lines}")


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--no-runs", action="store_true", help="Only compile.")
    parser.add_argument("--seconds", type=float, default=60.0, help="What a run may take.")
    parser.add_argument("--device", default="gfx90a")
    parser.add_argument("--hipify-perl", type=Path)
    return parser.parse_args()


def word(text: str) -> str:
    """Return the first word of what became of something."""
    return text.partition(":")[0]


@dataclass(slots=True)
class Clock:
    """How long translations take."""

    lines: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Add the time of what is done inside."""
        begun = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun


def hipified(folder: Path, out: Path, script: Path, clock: Clock) -> Path:
    """Write what hipify-perl makes of a program, and return where."""
    shutil.copytree(folder, out)
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.suffix in SUFFIXES:
            with clock.of("hipify-perl"):
                done = subprocess.run(["perl", str(script), str(path)], capture_output=True, check=False)
            path.write_bytes(done.stdout)
    return out


def write_port(folder: Path, out: Path, clock: Clock) -> Path:
    """Write a program in HIP beside its other files, and return where."""
    for other in folder.parent.iterdir():
        if other.name != out.name:  # what Makefiles and runs find beside it
            (out.parent / other.name).symlink_to(other)
    shutil.copytree(folder, out)
    own = frozenset(path.name.encode() for path in folder.rglob("*"))
    for path in out.rglob("*"):
        if path.is_file() and path.suffix in SUFFIXES:
            data = path.read_bytes()
            clock.lines += data.count(b"\n")
            with clock.of("transpile"):
                text = ported(str(path.relative_to(out)), data, own)
            path.write_bytes(text)
    for name in HELPERS:
        (out / name).write_bytes(text_of(name))
    return out


def neighbours(folder: Path) -> list[Path]:
    """Return a program's folder and those beside it."""
    return [other.resolve() for other in folder.parent.iterdir()]


def run(workshop: Workshop, folder: Path, name: str, defines: Sequence[str], seconds: float) -> str:
    """Return how the program's small run on the emulator ends."""
    source = parsers.read(folder)
    if not source.programs:
        return "no program"
    program = source.programs[0]
    units = [unit for unit in source.translation_units if unit.path in program.translation_units]
    built = build_program(
        workshop, lower(source), units, link_flags=program.link_flags, emulated=True, defines=defines
    )
    if isinstance(built, BuildFailed):
        return f"no build: {first_error(built.output)}"
    finished = execute(
        [str(built.path), *(str(item) for item in ARGUMENTS.get(name, []))],
        profile=Profile.RUN,
        mounts=Mounts(cwd=folder.resolve(), readable=[*neighbours(folder), built.path.parent]),
        quota=Quota(timeout=seconds, memory=MEMORY),
        environment={"OMP_THREAD_LIMIT": "2"},
    )
    return ": ".join(filter(None, ended(finished)))


def compiles(folder: Path, beside: Sequence[Path], device: str) -> str:
    """Return whether every file compiles that the program's build names."""
    if not folder.exists():
        return "none"
    try:
        source = parsers.read(folder)
    except UsageError:
        return "none: its files are elsewhere"
    units = [unit for unit in source.translation_units if unit.path.endswith((".cu", ".cpp"))]
    for unit in units:
        own = [f"-I{folder / path}" for path in include_directories(unit.flags)]
        defines = [flag for flag in unit.flags if flag.startswith("-D")]
        command = ["hipcc", f"--offload-arch={device}", "-std=c++17", "-O1", "-w", *own, *defines]
        finished = execute(
            [*command, f"-I{folder.parent / 'include'}", "-c", unit.path, "-o", "made.o"],
            profile=Profile.BUILD,
            mounts=Mounts(cwd=folder, readable=beside, writable=[folder]),
            quota=Quota(timeout=240.0, memory=MEMORY),
            environment=DEVICE_COMPILERS[ProgrammingModel.HIP].environment,
        )
        if finished.status != 0:
            return f"no: {unit.path}: {first_error(finished.stderr.decode('utf-8', 'replace'))}"
    return "yes" if units else "no unit"


def first_error(output: str) -> str:
    """Return the first line of a compiler's output that tells of an error."""
    return next((line for line in output.splitlines() if "error" in line), output[-150:]).strip()[:180]


if __name__ == "__main__":
    main()
