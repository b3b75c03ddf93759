"""Programs of PolyBench/C: built in several ways, and run, in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from transpile.assemble.stdpar import SUFFIX
from transpile.testers.text.thresholds import lowered
from transpile.toolchains import compilers
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.sandbox import Finished, execute

PLAIN = ("gcc", "-O3", "-march=native")
POLLY = ("-mllvm", "-polly", "-mllvm", "-polly-parallel", "-lgomp")
PARALLEL = {
    "openmp": ("-fopenmp",),
    "openmp-target": ("-fopenmp",),
    "stdpar": ("-std=c++20", "-lstdc++", "-ltbb"),
}
"""Flags that a port is built with."""
_RACING = ("clang-19", "-O1", "-g", "-fopenmp", "-fsanitize=thread")
_RACED = 66
"""The exit status of a program in which threads raced."""


@dataclass(frozen=True, slots=True)
class Build:
    """One way to make a program of a source or of its port."""

    name: str
    command: tuple[str, ...]
    ported: bool = False


def builds(threads: int, target: str) -> tuple[Build, ...]:
    """Return the builds that are timed; the first one is the measure."""
    polly = (*POLLY, "-mllvm", f"-polly-num-threads={threads}")
    return (
        Build("gcc", PLAIN),
        Build("autopar", (*PLAIN, f"-ftree-parallelize-loops={threads}")),
        Build("polly", ("clang-19", "-O3", "-march=native", *polly)),
        Build("port", (*PLAIN, *PARALLEL[target]), ported=True),
    )


def made(place: Path, name: str, build: Build, *flags: str) -> Path:
    """Return the program that a build makes of what is in a folder."""
    program = place / f"{name}.{build.name}"
    files = (f"{name}.c", "polybench.c", f"{name}{SUFFIX}")
    command = [*build.command, "-w", "-I.", *flags, *(file for file in files if (place / file).exists())]
    done = execute(
        [*command, "-o", program.name, "-lm", *(word for word in build.command if word.startswith("-l"))],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=place.resolve(), writable=[place.resolve()]),
        quota=Quota(timeout=120, memory=4 << 30),
    )
    if done.status != 0:
        raise SystemExit(f"{name}: {build.name} does not build it:\n{done.stderr.decode()}")
    return program


def run(program: Path, threads: int) -> tuple[str, str]:
    """Return what a program writes to its two outputs."""
    done = _ran(program, {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"})
    if done.status != 0:
        raise SystemExit(f"{program}: status {done.status}: {done.stderr.decode()[-500:]}")
    return done.stdout.decode(), done.stderr.decode()


def races(port: Path, name: str, dataset: str, threads: int) -> bool:
    """Tell whether threads of a port race, as ThreadSanitizer and archer see it.

    Loops that run in parallel from a size on do so at once, so that small data do.
    """
    place = port / "racing"
    place.mkdir(exist_ok=True)
    for file in port.glob("*.[ch]"):
        (place / file.name).write_bytes(lowered(file.read_bytes()))
    program = made(place, name, Build("racing", _RACING), f"-D{dataset}_DATASET")
    archer = compilers.find().require("libarcher").path
    options = f"exitcode={_RACED}:ignore_noninstrumented_modules=1:report_signal_unsafe=0"
    asked = {"OMP_NUM_THREADS": str(threads), "OMP_TOOL_LIBRARIES": str(archer), "TSAN_OPTIONS": options}
    done = _ran(program, asked, sanitized=True)
    if done.status not in (0, _RACED):
        raise SystemExit(f"{program}: status {done.status}: {done.stderr.decode()[-500:]}")
    return done.status == _RACED


def _ran(program: Path, environment: Mapping[str, str], *, sanitized: bool = False) -> Finished:
    place = program.resolve().parent
    return execute(
        [str(program.resolve())],
        profile=Profile.RUN,
        mounts=Mounts(cwd=place, readable=[place]),
        quota=Quota(timeout=600, memory=8 << 30, resident=sanitized),
        environment=environment,
        fixed_addresses=sanitized,
    )
