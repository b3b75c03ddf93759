"""The program unit: whole runs of the source on the emulator against runs of the port.

Compared are the exit status, what is printed (see ``output``), the files that are written (see
``output_files``), and the buffers that the source copies back from the device (see ``buffers``). The source
runs under several schedules first, so that what it does not determine itself is not asked of the port.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path, PurePosixPath

import numpy as np

from transpile import foreign
from transpile.assemble import Assembly
from transpile.core import (
    Counterexample,
    Falsified,
    Guarantee,
    Inconclusive,
    Launch,
    Level,
    Parameter,
    Passed,
    ProgramTarget,
    ProgramVerdict,
    RecordedLaunch,
    Source,
    Trial,
    Verdict,
    arguments_of,
)
from transpile.parsers.lowering.emulation import lower
from transpile.parsers.text.launches import bare_name
from transpile.testers.programs import buffers, output, output_files
from transpile.testers.programs.boundaries import (
    blamed,
    instrumented,
    is_of_functions,
    unrecorded,
    with_variables,
)
from transpile.testers.programs.buffers import Recording, read_recording
from transpile.testers.programs.output import comparable
from transpile.testers.programs.output_files import Incomparable, Written
from transpile.testers.trials.layout import numbers
from transpile.toolchains import sandbox, speed
from transpile.toolchains.build import BuildFailed, Built, Flavour, build_program
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.process import Finished
from transpile.toolchains.recipes import LANES
from transpile.toolchains.workshop import Workshop

_SEEDS = ("0", "1", "2")
_COUNT = "OMP_NUM_THREADS"
_THREADS = ({_COUNT: "2"}, {_COUNT: "3"})
"""Environments in which a port is run."""
_WARPS = ({LANES: "64"}, {LANES: "32", "SIMT_SEED": _SEEDS[1]})
"""Those of a port to HIP, on the emulator."""
_PATIENCE = 4
"""Times the usual limit that a run gets before it is said not to end."""
_RECORD = "recorded"
_UNLOADED = b"error while loading shared libraries"
_CARVE = "carving"
_CARVED = {"": 256 << 20, ".bytes": sandbox.FILE_LIMIT}
"""Endings of the files that a carved run leaves behind, and how many bytes of them are taken."""
_BOUNDS = "halt_on_error=0:detect_leaks=0:detect_stack_use_after_return=0:max_malloc_fill_size=1073741824"
"""Objects have their bounds; nothing ends the run, and fresh memory is the same every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """How a run went whose calls are carved."""

    failure: str
    """Empty where it came to its end."""
    refused: tuple[str, ...] = ()
    """Functions that do not tell what they are called with, and why."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A run, what it recorded, and the files that it wrote."""

    finished: Finished
    recording: Recording
    files: Mapping[str, Written]


def record(workshop: Workshop, source: Source, runs: Sequence[tuple[str, ...]]) -> tuple[RecordedLaunch, ...]:
    """Return the launches that small runs of the source make; none where it does not build or run."""
    parameters = _parameters(source)
    found: dict[RecordedLaunch, None] = {}
    for program in source.programs:
        for arguments in _asked(source, program, runs):
            built = _built(workshop, source, program, built_from(source))
            if isinstance(built, BuildFailed):
                break
            run = _run(workshop, source, built.path, arguments, {"SIMT_SEED": _SEEDS[0]}, workshop.timeout)
            for row in run.recording.launches:
                launch = _recorded(row, parameters)
                if launch is not None:
                    found[launch] = None
    return tuple(found)


def run_to_carve(workshop: Workshop, source: Source, command: Sequence[str], file: Path) -> Tried:
    """Run the program of a command, what its units are called with carved into a file."""
    named = _run_by(source, command)
    chosen = named or (list(source.programs) if len(source.programs) == 1 else [])
    if not chosen:
        return Tried(failure="no program of the source has that name")
    refused: tuple[str, ...] = ()
    if is_of_functions(source, chosen[0]):
        built, refused = _build_functions(workshop, source, chosen[0])
    else:
        refused = unrecorded(source, chosen[0])
        built = _built(workshop, source, chosen[0], with_variables(source, lower(source)))
    if isinstance(built, BuildFailed):
        return Tried(failure=f"the source does not build to be carved: {built.complaint}")
    environment = {"SIMT_SEED": _SEEDS[0], "ASAN_OPTIONS": _BOUNDS}
    run = _run(workshop, source, built.path, command, environment, workshop.timeout, file)
    broken = _broken(run.finished)
    if not broken and run.finished.status:
        broken = f"exits with status {run.finished.status}"
    return Tried(failure=f"it {broken}" if broken else "", refused=refused)


def _build_functions(
    workshop: Workshop, source: Source, program: ProgramTarget
) -> tuple[Built | BuildFailed, tuple[str, ...]]:
    """Build a program whose functions tell what they are called with, and say which do not."""
    without: frozenset[str] = frozenset()
    while True:
        made = instrumented(source, program, without)
        built = build_program(
            workshop,
            made.files,
            made.translation_units,
            link_flags=program.link_flags,
            emulated=False,
            flavour=Flavour.CARVE,
        )
        if isinstance(built, Built):
            return built, made.refused
        guilty = blamed(built.output, source) - without
        if not guilty:
            return built, ()
        without |= guilty


def judge_programs(
    workshop: Workshop, source: Source, assembly: Assembly, runs: Sequence[tuple[str, ...]]
) -> tuple[ProgramVerdict, ...]:
    """Judge every run of every program, source against port."""
    verdicts = []
    for program, ported in zip(source.programs, assembly.programs, strict=True):
        asked = _asked(source, program, runs)
        if not asked:
            verdict: Verdict = Inconclusive(reason="no run of the program is known", code="TP511")
            verdicts.append(ProgramVerdict(command=program.name, verdict=verdict))
        for arguments in asked:
            verdict = _judged(workshop, source, assembly, program, ported, arguments)
            verdicts.append(ProgramVerdict(command=_command(program, arguments), verdict=verdict))
    return tuple(verdicts)


def _command(program: ProgramTarget, arguments: Sequence[str]) -> str:
    return " ".join((f"./{program.name}", *arguments_of(arguments)))


def _judged(
    workshop: Workshop,
    source: Source,
    assembly: Assembly,
    program: ProgramTarget,
    ported: ProgramTarget,
    arguments: tuple[str, ...],
) -> Verdict:
    left = assembly.left.intersection(program.translation_units)
    if left:
        return Inconclusive(reason=f"{min(left)} is already HIP, so it does not run as CUDA", code="TP511")
    expected = _source_runs(workshop, source, program, arguments)
    if isinstance(expected, Inconclusive):
        return expected
    compared = _Compared(workshop, source, arguments, expected, assembly.paths)
    trials = 0
    for defines in assembly.emulators:
        port = _build_port(workshop, assembly, ported, defines)
        if isinstance(port, BuildFailed):
            return Inconclusive(
                reason=f"the port does not build for a compared run: {port.complaint}", code="TP511"
            )
        manners = _WARPS if defines else _THREADS
        found = compared.first_difference(port.path, manners, with_buffers=not source.dialect.is_plain)
        if found is not None:
            return found
        trials += len(manners)
    return _passed(trials, _checks(expected))


def judge_products(
    workshop: Workshop,
    source: Source,
    assembly: Assembly,
    runs: Sequence[tuple[str, ...]],
    products: Mapping[str, Path],
    passed: Collection[str],
) -> Iterator[ProgramVerdict]:
    """Judge the programs that a port's own build made, on the runs that the port passed.

    Args:
        workshop: Where to run.
        source: What the port was made of.
        assembly: The port.
        runs: As the user or the build files name them.
        products: Programs of the port's own build, by the name of the source's program.
        passed: Commands of the runs that the port passed as it is built here.
    """
    built = [(program, products[program.name]) for program in source.programs if program.name in products]
    for program, product in built:
        for arguments in _asked(source, program, runs):
            command = _command(program, arguments)
            if command not in passed:
                continue
            expected = _source_runs(workshop, source, program, arguments)
            if isinstance(expected, Inconclusive):
                yield ProgramVerdict(command=command, verdict=expected)
                continue
            compared = _Compared(workshop, source, arguments, expected, assembly.paths)
            found = compared.first_difference(product, _THREADS, with_buffers=False)
            checks = ("exit status", "output", *_files_checked(expected))
            yield ProgramVerdict(command=command, verdict=found or _passed(len(_THREADS), checks))


def _source_runs(
    workshop: Workshop, source: Source, program: ProgramTarget, arguments: Sequence[str]
) -> list[_Run] | Inconclusive:
    """Run a program of the source under several schedules; Inconclusive where they do not agree."""
    built = _built(workshop, source, program, built_from(source))
    if isinstance(built, BuildFailed):
        return Inconclusive(
            reason=f"the source does not build on the emulator: {built.complaint}", code="TP511"
        )
    found: list[_Run] = []
    for seed in _SEEDS:
        found.append(_run(workshop, source, built.path, arguments, {"SIMT_SEED": seed}, workshop.timeout))
        broken = _broken(found[-1].finished)
        if broken:
            return Inconclusive(reason=f"the source's own run {broken}", code="TP511")
    status = found[0].finished.status
    if program.unasked and status:
        return Inconclusive(
            reason=f"no run of the program is known, and without arguments it exits with status {status}",
            code="TP511",
        )
    if len({run.finished.status for run in found}) > 1 or not comparable(
        [run.finished.stdout for run in found]
    ):
        return Inconclusive(
            reason="two runs of the source differ in their output or exit status", code="TP511"
        )
    return found


@dataclass(frozen=True, slots=True)
class _Compared:
    """Runs of a source's program, to compare runs of a port's with."""

    workshop: Workshop
    source: Source
    arguments: Sequence[str]
    expected: Sequence[_Run]
    paths: Mapping[str, str]
    """The port's path of each file of the source."""

    def first_difference(
        self, program: Path, manners: Sequence[Mapping[str, str]], *, with_buffers: bool
    ) -> Falsified | Inconclusive | None:
        """Return how a program differs from the source's in its first run that does; None where none does."""
        patience = max(self.workshop.timeout, 10 * max(run.finished.charged for run in self.expected))
        for trials, manner in enumerate(manners, 1):
            environment = {"SIMT_SEED": _SEEDS[0], **manner}
            run = self._run(program, environment, patience)
            if run.finished.timed_out:  # Once more, alone and with far more time: the machine may be busy.
                run = self._run(program, environment, _PATIENCE * patience)
            run = _as_source(run, self.paths)
            try:
                found = _difference(self.expected, run, with_buffers=with_buffers)
            except Incomparable as error:
                return Inconclusive(reason=str(error), code="TP511")
            if found is not None:
                return _falsified(found, trials)
        return None

    def _run(self, program: Path, environment: dict[str, str], patience: float) -> _Run:
        return _run(self.workshop, self.source, program, self.arguments, environment, patience)


def _passed(trials: int, checks: tuple[str, ...]) -> Passed:
    return Passed(guarantee=Guarantee(level=Level.TESTED, trials=trials, checks=checks, built_by="g++"))


def _build_port(
    workshop: Workshop, assembly: Assembly, program: ProgramTarget, defines: tuple[str, ...]
) -> Built | BuildFailed:
    flags = {unit.path: unit for unit in assembly.translation_units}
    return build_program(
        workshop,
        assembly.probed,
        [flags[path] for path in program.translation_units],
        link_flags=program.link_flags,
        emulated=assembly.emulated,
        flavour=Flavour.SHIPPED,
        defines=defines,
    )


def _as_source(run: _Run, paths: Mapping[str, str]) -> _Run:
    """Return a run of a port with the source's names of files in what it prints, such as ``__FILE__``."""
    printed = run.finished.stdout
    for old, new in paths.items():
        if old != new:
            name = rb"(?<![\w.])" + re.escape(new.encode()) + rb"(?![\w.])"
            printed = re.sub(name, old.encode().replace(b"\\", rb"\\"), printed)
    return replace(run, finished=replace(run.finished, stdout=printed))


def _difference(expected: Sequence[_Run], run: _Run, *, with_buffers: bool) -> tuple[str, str, str] | None:
    if _UNLOADED in run.finished.stderr:
        raise Incomparable("a library that its own build made is not found where it runs")
    broken = _broken(run.finished)
    if broken:
        return "the run", "ends", broken
    if run.finished.status != expected[0].finished.status:
        return "exit status", str(expected[0].finished.status), str(run.finished.status)
    found = output.difference([one.finished.stdout for one in expected], run.finished.stdout)
    if found is None and with_buffers:  # In a port of plain code, copies back to the host are its own.
        found = buffers.difference([one.recording for one in expected], run.recording)
    return found or output_files.difference([one.files for one in expected], run.files)


def _checks(expected: Sequence[_Run]) -> tuple[str, ...]:
    """Return what was compared, in words."""
    buffers_checked = f"{len(expected[0].recording.buffers)} buffers"
    return "exit status", "output", *_files_checked(expected), buffers_checked


def _files_checked(expected: Sequence[_Run]) -> tuple[str, ...]:
    files = len(output_files.compared([run.files for run in expected]))
    return (f"{files} file{'s' * (files > 1)}",) if files else ()


def _falsified(found: tuple[str, str, str], trials: int) -> Falsified:
    where, wanted, got = found
    trial = Trial(seed=0, fill="real", scalars=())
    return Falsified(
        counterexample=Counterexample(trial=trial, where=where, expected=wanted, got=got, check="program"),
        trials=trials,
    )


def _broken(finished: Finished) -> str:
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


def _built(
    workshop: Workshop, source: Source, program: ProgramTarget, files: Mapping[str, bytes]
) -> Built | BuildFailed:
    units = [unit for unit in source.translation_units if unit.path in program.translation_units]
    emulated = not source.dialect.is_plain
    return build_program(workshop, files, units, link_flags=program.link_flags, emulated=emulated)


def _run(
    workshop: Workshop,
    source: Source,
    program: Path,
    command: Sequence[str],
    environment: dict[str, str],
    timeout: float,
    carving: Path | None = None,
) -> _Run:
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
        if carving is not None:
            environment = {**environment, "SIMT_CARVE": str(root / _CARVE)}
        seconds = timeout * speed.slowdown(workshop.cache) * int(environment.get(_COUNT, "1"))
        # With bounds or addresses of its own a run is not what is timed or compared.
        carved = carving is not None
        finished = sandbox.execute(
            [str(program), *arguments_of(command)],
            profile=Profile.RUN,
            mounts=Mounts(cwd=tree, readable=[root, program.parent], writable=[root]),
            quota=Quota(timeout=seconds, memory=workshop.memory, resident=carved),
            environment={
                "SIMT_RECORD": str(root / _RECORD),
                "LD_LIBRARY_PATH": str(program.parent),
                **environment,
            },
            fixed_addresses=carved,
            unsafe=workshop.unsafe,
        )
        if carving is not None:
            for ending, most in _CARVED.items():
                with suppress(foreign.Refused, FileNotFoundError):
                    foreign.move(root, _CARVE + ending, carving.with_name(carving.name + ending), most=most)
        # What it was called as is where it was built: no part of its output.
        printed = finished.stdout.replace(str(program).encode(), b"./" + program.name.encode())
        return _Run(
            finished=replace(finished, stdout=printed),
            recording=read_recording(root, _RECORD),
            files=output_files.written(tree, source.files),
        )


def _run_by(source: Source, command: Sequence[str]) -> list[ProgramTarget]:
    """Return the programs that a command names: the one of its path, else all of its name in any folder."""
    path = PurePosixPath(command[0] if command else "")
    exact = [program for program in source.programs if PurePosixPath(program.name) == path]
    return exact or [program for program in source.programs if PurePosixPath(program.name).name == path.name]


def _asked(
    source: Source, program: ProgramTarget, runs: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return the runs of one program: those that name it, all where it is alone, or what its build says."""
    named = tuple(dict.fromkeys(run for run in runs if program in _run_by(source, run)))
    return named or (tuple(runs) if len(source.programs) == 1 else ()) or program.runs


def _parameters(source: Source) -> dict[str, tuple[Parameter, ...]]:
    """Return each kernel's parameters, by its plain name."""
    return {
        signature.name.rpartition("::")[2]: signature.parameters
        for signatures in source.signatures.values()
        for signature in signatures
    }


def recorded_numbers(parameter: Parameter, value: object) -> Iterator[tuple[str, float]]:
    """Yield the numbers that an argument was recorded with, those of a struct by their members.

    What is no such record yields nothing: the code that runs may write what it likes.
    """
    if isinstance(value, int | float):
        yield parameter.name, float(value)
        return
    prefix, _, digits = str(value).partition(":")
    element = parameter.element
    if prefix != "bytes" or element is None or not re.fullmatch(r"(?:[0-9a-f]{2})+", digits):
        return
    data = np.frombuffer(bytes.fromhex(digits), dtype=np.uint8)
    if element.size == len(data):
        for leaf in element.leaves:
            yield parameter.part(leaf), float(numbers(data, element, leaf)[0])


def _recorded(
    row: dict[str, object], parameters: Mapping[str, tuple[Parameter, ...]]
) -> RecordedLaunch | None:
    kernel, grid, block, scalars = row.get("kernel"), row.get("grid"), row.get("block"), row.get("scalars")
    if not (
        isinstance(kernel, str)
        and isinstance(grid, list)
        and isinstance(block, list)
        and isinstance(scalars, list)
    ):
        return None
    known = parameters.get(bare_name(kernel), ())
    shared = row.get("shared")
    values = tuple(
        item
        for index, value in scalars
        if index < len(known)
        for item in recorded_numbers(known[index], value)
        if isfinite(item[1])
    )
    return RecordedLaunch(
        kernel=kernel,
        launch=Launch(
            grid=(grid[0], grid[1], grid[2]),
            block=(block[0], block[1], block[2]),
            shared=shared if isinstance(shared, int) else 0,
        ),
        scalars=values,
    )
