"""Runs of programs in the sandbox: those of a source on the emulator, and those of a port."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from transpile import foreign, machine
from transpile.core import ProgramTarget, Source, TranslationUnit, arguments_of
from transpile.parsers.lowering.emulation import lower
from transpile.parsers.text.hip_words import INCLUDES_CUDA, INCLUDES_HIP
from transpile.parsers.text.hosts import is_c
from transpile.testers.programs import data_files, output_files
from transpile.testers.programs.buffers import Recording, read_recording
from transpile.testers.programs.output_files import Written
from transpile.toolchains import native, sandbox, speed
from transpile.toolchains.build import BuildFailed, Built, build_program
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.needed import needed
from transpile.toolchains.process import Finished
from transpile.toolchains.workshop import Workshop
from transpile.visible import one_line

SEEDS = ("0", "1", "2")
QUICK = {"TRANSPILE_PACE": "1021"}
"""Environment in which clocks go faster: what a program prints otherwise is a measurement."""
COUNT = "OMP_NUM_THREADS"
_RECORD = "recorded"
_CARVE = "carving"
_CARVED = {"": 256 << 20, ".bytes": sandbox.FILE_LIMIT}
"""Endings of the files that a carved run leaves behind, and how many bytes of them are taken."""
_LONGEST = 120
_UNREAD = 2
"""The status of a shell that cannot open what a command reads."""
_REDIRECTION = re.compile(r"[\d&]?(<|>>?)(.*)", re.DOTALL)
_SHARED = ("-std=c++17", "-O1", "-shared", "-fPIC")


@dataclass(frozen=True, slots=True)
class Typed:
    """The words of a run as a shell takes them apart."""

    arguments: tuple[str, ...]
    stdin: str = ""
    """The file that it reads as its input; empty for none."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run, what it recorded, and the files that it wrote."""

    finished: Finished
    recording: Recording
    files: Mapping[str, Written]


def typed(command: Sequence[str]) -> Typed:
    """Return the arguments of a run, and what it reads; where its output goes is not followed."""
    arguments: list[str] = []
    stdin = ""
    words = iter(arguments_of(command))
    for word in words:
        if word == "|":
            break
        redirected = _REDIRECTION.fullmatch(word)
        if redirected is None:
            arguments.append(word)
            continue
        file = redirected[2] or next(words, "")
        stdin = file if redirected[1] == "<" else stdin
    return Typed(tuple(arguments), stdin)


def run_program(
    workshop: Workshop,
    source: Source,
    program: Path,
    command: Sequence[str],
    environment: dict[str, str],
    timeout: float,
    carving: Path | None = None,
) -> Run:
    """Run a program in a directory of its own that holds the repository's files.

    What the run carved is moved to the file ``carving``, and ``.bytes`` beside it.
    """
    scratch = workshop.scratch()
    with tempfile.TemporaryDirectory(dir=scratch, prefix="run-", ignore_cleanup_errors=True) as directory:
        root = Path(directory)
        tree = root / "tree"
        for path, data in source.files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_bytes(data)
        placed = data_files.place(source, tree)
        if carving is not None:
            environment = {**environment, "SIMT_CARVE": str(root / _CARVE)}
        seconds = timeout * speed.slowdown(workshop.cache) * int(environment.get(COUNT, "1"))
        # With bounds or addresses of its own a run is not timed or compared, and nothing may be preloaded.
        carved = carving is not None
        clock = native.executable(workshop.cache, "clock.so", ("clock.cpp",), "g++", _SHARED)
        line = typed(command)
        execute = partial(
            sandbox.execute,
            [str(program), *line.arguments],
            profile=Profile.RUN,
            mounts=Mounts(cwd=tree, readable=[root, program.parent, clock], writable=[root]),
            quota=Quota(timeout=seconds, memory=workshop.memory, resident=carved),
            environment={
                "SIMT_RECORD": str(root / _RECORD),
                "LD_LIBRARY_PATH": str(program.parent),
                **({} if carved else {"LD_PRELOAD": str(clock)}),
                **environment,
            },
            fixed_addresses=carved,
            unsafe=workshop.unsafe,
        )
        finished = _fed(execute, tree, line.stdin) if line.stdin else execute()
        if carving is not None:
            for ending, most in _CARVED.items():
                with suppress(foreign.Refused, FileNotFoundError):
                    foreign.move(root, _CARVE + ending, carving.with_name(carving.name + ending), most=most)
        # What it was called as is where it was built: no part of its output.
        printed = finished.stdout.replace(str(program).encode(), b"./" + program.name.encode())
        return Run(
            finished=replace(finished, stdout=printed),
            recording=read_recording(root, _RECORD),
            files=output_files.written(tree, source.files, placed),
        )


def _fed(execute: Callable[..., Finished], tree: Path, name: str) -> Finished:
    """Run a command with a file of its directory as its input; without that file nothing is run."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(foreign.opened(tree, name))
        except OSError as error:
            machine.raise_shortage(error)
            complaint = f"{name}: {error.strerror}".encode()
            return Finished(
                status=_UNREAD,
                signal=None,
                timed_out=False,
                out_of_memory=False,
                stdout=b"",
                stderr=complaint,
                seconds=0.0,
            )
        return execute(stdin=file.fileno())


def last_words(run: Run) -> str:
    """Return the last line that a run printed, as the end of a sentence."""
    for stream in (run.finished.stderr, run.finished.stdout):
        lines = stream.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if last:
            return f": {one_line(last[:_LONGEST])}"
    return ""


def broken_off(finished: Finished) -> str:
    """Say how a run failed to come to its own end; empty where it did."""
    if finished.timed_out:
        return f"takes more than {finished.charged:.0f} s"
    if finished.out_of_memory:
        return "needs too much memory"
    if finished.exceeded:
        return f"makes {finished.exceeded}"
    return f"is ended by signal {finished.signal}" if finished.signal is not None else ""


def built_from(source: Source) -> Mapping[str, bytes]:
    """Return the files of a source as its programs are built from them."""
    return source.files if source.dialect.is_plain else lower(source)


def build_source(
    workshop: Workshop, source: Source, program: ProgramTarget, files: Mapping[str, bytes]
) -> Built | BuildFailed:
    """Build a program of the source from these texts of its files."""
    units = [unit for unit in source.translation_units if unit.path in program.translation_units]
    return build_units(workshop, source, files, units, program.link_flags)


def build_units(
    workshop: Workshop,
    source: Source,
    files: Mapping[str, bytes],
    units: Sequence[TranslationUnit],
    flags: Sequence[str],
) -> Built | BuildFailed:
    """Build files of the source from these texts, and link them with these flags.

    Files of C beside CUDA are C, or C++ where that does not link: some builds compile them by g++.
    """
    build = partial(build_program, workshop, files, units, link_flags=flags)
    if source.dialect.is_plain:
        return build(emulated=False)
    of_cuda = frozenset(unit.path for unit in units if _is_cuda(files, unit))
    built = build(emulated=of_cuda)
    if isinstance(built, Built) or len(of_cuda) == len(units):
        return built
    otherwise = build(emulated=True)
    return otherwise if isinstance(otherwise, Built) else built


def _is_cuda(files: Mapping[str, bytes], unit: TranslationUnit) -> bool:
    """Tell whether a unit is CUDA: C is, where it may include a header of CUDA's or HIP's."""
    if not is_c(unit.path):
        return True
    read = needed(files, [unit]).values()
    return any(INCLUDES_CUDA.search(data) or INCLUDES_HIP.search(data) for data in read)


def named_by(source: Source, command: Sequence[str]) -> list[ProgramTarget]:
    """Return the programs that a command names: the one of its path, else all of its name in any folder."""
    path = PurePosixPath(command[0] if command else "")
    exact = [program for program in source.programs if PurePosixPath(program.name) == path]
    return exact or [program for program in source.programs if PurePosixPath(program.name).name == path.name]


def asked(
    source: Source, program: ProgramTarget, runs: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return the runs of one program: those that name it, all where it is alone, or what its build says.

    A path is called as it stands, as by a shell: ``src/heat 64`` is ``./src/heat 64``.
    """
    runs = [_called(program, run) for run in runs]
    named = tuple(dict.fromkeys(run for run in runs if program in named_by(source, run)))
    return named or (tuple(runs) if len(source.programs) == 1 else ()) or program.runs


def _called(program: ProgramTarget, run: tuple[str, ...]) -> tuple[str, ...]:
    """Return a run that names the path of a program in a folder as a run of that path."""
    inside = bool(run) and "/" in run[0] and run[0] == program.name
    return (f"./{run[0]}", *run[1:]) if inside else run
