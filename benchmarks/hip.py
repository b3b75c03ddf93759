"""Port CUDA programs to HIP text by text; run both on the emulator, and compile the port for an AMD device.

    python benchmarks/hip.py FOLDER [--only NAME ...] [--cache DIR] [--no-runs] [--device gfx90a]

FOLDER holds one folder a program: ``<name>-cuda``, and beside some of them ``<name>-hip``, written by hand.
For each program: the end of its run as CUDA on warps of 32 lanes and as HIP on warps of 64 (PASS and FAIL as
it prints them), and whether port and hand-written version compile with the headers of ROCm that are here.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from hecbench import ARGUMENTS, ended

from transpile import parsers
from transpile.errors import UsageError
from transpile.parsers.emulation import lower
from transpile.parsers.includes import include_directories
from transpile.toolchains.build import BuildFailed, build_program
from transpile.toolchains.sandbox import Profile, execute
from transpile.toolchains.workshop import Workshop
from transpile.translators.hip.helpers import HELPERS, text_of
from transpile.translators.hip.text import ported

SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".hh", ".hpp"))
WIDE = ("SIMT_HIP",)
ROCM = "/usr"
LIBRARIES = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
SECONDS = 60.0
MEMORY = 8 << 30


def main() -> None:
    """Print a line a program, then how many of each kind there are."""
    arguments = parse()
    workshop = Workshop(cache=arguments.cache)
    ends: Counter[tuple[str, ...]] = Counter()
    compiled: Counter[tuple[str, ...]] = Counter()
    for folder in sorted(arguments.folder.glob("*-cuda")):
        name = folder.name.removesuffix("-cuda")
        if arguments.only and name not in arguments.only:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            port = write_port(folder, Path(scratch) / folder.name)
            runs = (
                ()
                if arguments.no_runs
                else (run(workshop, folder, name, ()), run(workshop, port, name, WIDE))
            )
            by_hand = Path(scratch) / f"{name}-hip"
            builds = [compiles(place, neighbours(folder), arguments.device) for place in (port, by_hand)]
        print(f"{name:22} {' | '.join((*runs, *builds))}", flush=True)
        ends[tuple(map(word, runs))] += 1
        compiled[tuple(map(word, builds))] += 1
    print(f"\nruns (CUDA at 32 lanes, HIP at 64): {dict(ends)}")
    print(f"compiled for {arguments.device} (port, by hand): {dict(compiled)}")


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--no-runs", action="store_true", help="Only compile.")
    parser.add_argument("--device", default="gfx90a")
    return parser.parse_args()


def word(text: str) -> str:
    """Return the first word of what became of something."""
    return text.partition(":")[0]


def write_port(folder: Path, out: Path) -> Path:
    """Write a program in HIP beside its other files, and return where."""
    for other in folder.parent.iterdir():
        if other.name != out.name:  # what Makefiles and runs find beside it
            (out.parent / other.name).symlink_to(other)
    shutil.copytree(folder, out)
    own = frozenset(path.name.encode() for path in folder.rglob("*"))
    for path in out.rglob("*"):
        if path.is_file() and path.suffix in SUFFIXES:
            path.write_bytes(ported(str(path.relative_to(out)), path.read_bytes(), own))
    for name in HELPERS:
        (out / name).write_bytes(text_of(name))
    return out


def neighbours(folder: Path) -> list[Path]:
    """Return a program's folder and those beside it."""
    return [other.resolve() for other in folder.parent.iterdir()]


def run(workshop: Workshop, folder: Path, name: str, defines: Sequence[str]) -> str:
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
        readable=[*neighbours(folder), built.path.parent],
        writable=[],
        cwd=folder.resolve(),
        timeout=SECONDS,
        memory=MEMORY,
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
        finished = execute(
            [
                "clang++-15", "-x", "hip", f"--offload-arch={device}", f"--rocm-path={ROCM}",
                f"--rocm-device-lib-path={LIBRARIES}", "-std=c++17", "-O1", "-w", "-D__HIP_PLATFORM_AMD__",
                *own, *defines, f"-I{folder.parent / 'include'}", "-c", unit.path, "-o", "made.o",
            ],
            profile=Profile.BUILD,
            readable=beside,
            writable=[folder],
            cwd=folder,
            timeout=4 * SECONDS,
            memory=MEMORY,
        )  # fmt: skip
        if finished.status != 0:
            return f"no: {unit.path}: {first_error(finished.stderr.decode('utf-8', 'replace'))}"
    return "yes" if units else "no unit"


def first_error(output: str) -> str:
    """Return the first line of a compiler's output that tells of an error."""
    return next((line for line in output.splitlines() if "error" in line), output[-150:]).strip()[:180]


if __name__ == "__main__":
    main()
