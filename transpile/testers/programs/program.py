"""The program unit: whole runs of the source on the emulator against runs of the port.

Compared are the exit status, what is printed (see ``output``), the files that are written (see
``output_files``), and the buffers that the source copies back from the device (see ``buffers``). The source
runs under several schedules first, so that what it does not determine itself is not asked of the port.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from transpile.assemble import Assembly
from transpile.core import (
    Counterexample,
    Falsified,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    ProgramTarget,
    ProgramVerdict,
    Source,
    Trial,
    Verdict,
    arguments_of,
)
from transpile.parsers.lowering.emulation import lower
from transpile.testers.programs import buffers, output, output_files
from transpile.testers.programs.boundaries import (
    blamed,
    instrumented,
    is_of_functions,
    unrecorded,
    with_variables,
)
from transpile.testers.programs.output import comparable
from transpile.testers.programs.output_files import Incomparable
from transpile.testers.programs.runs import (
    COUNT,
    QUICK,
    SEEDS,
    Run,
    asked,
    broken_off,
    build_source,
    built_from,
    last_words,
    named_by,
    run_program,
)
from transpile.testers.programs.unset import depends_on_unset, is_unasked
from transpile.toolchains.build import BuildFailed, Built, Flavour, build_program
from transpile.toolchains.recipes import LANES
from transpile.toolchains.workshop import Workshop

_THREADS = ({COUNT: "2"}, {COUNT: "3"})
"""Environments in which a port is run."""
_WARPS = ({LANES: "64"}, {LANES: "32", "SIMT_SEED": SEEDS[1]})
"""Those of a port to HIP, on the emulator."""
_PATIENCE = 4
"""Times the usual limit that a run gets before it is said not to end."""
_UNSET = "its output depends on variables that it never set"
_UNLOADED = b"error while loading shared libraries"
_BOUNDS = "halt_on_error=0:detect_leaks=0:detect_stack_use_after_return=0:max_malloc_fill_size=1073741824"
"""Objects have their bounds; nothing ends the run, and fresh memory is the same every time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """How a run went whose calls are carved."""

    failure: str
    """Empty where it came to its end, or to that of its time."""
    refused: tuple[str, ...] = ()
    """Functions that do not tell what they are called with, and why."""
    cut: str = ""
    """The end of its time, in words. Calls before it are whole: each is written down when it has ended."""


def run_to_carve(workshop: Workshop, source: Source, command: Sequence[str], file: Path) -> Tried:
    """Run the program of a command, what its units are called with carved into a file."""
    named = named_by(source, command)
    chosen = named or (list(source.programs) if len(source.programs) == 1 else [])
    if not chosen:
        return Tried(failure="no program of the source has that name")
    refused: tuple[str, ...] = ()
    if is_of_functions(source, chosen[0]):
        built, refused = _build_functions(workshop, source, chosen[0])
    else:
        refused = unrecorded(source, chosen[0])
        built = build_source(workshop, source, chosen[0], with_variables(source, lower(source)))
    if isinstance(built, BuildFailed):
        return Tried(failure=f"the source does not build to be carved: {built.complaint}")
    environment = {"SIMT_SEED": SEEDS[0], "ASAN_OPTIONS": _BOUNDS}
    run = run_program(workshop, source, built.path, command, environment, workshop.timeout, file)
    broken = broken_off(run.finished)
    if run.finished.timed_out:
        return Tried(failure="", refused=refused, cut=broken)
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
        commands = asked(source, program, runs)
        if not commands:
            verdict: Verdict = Inconclusive(reason="no run of the program is known", code="TP511")
            verdicts.append(ProgramVerdict(command=program.name, verdict=verdict))
        for arguments in commands:
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
        for arguments in asked(source, program, runs):
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
) -> list[Run] | Inconclusive:
    """Run a program of the source under several schedules; Inconclusive where they do not agree."""
    built = build_source(workshop, source, program, built_from(source))
    if isinstance(built, BuildFailed):
        return Inconclusive(
            reason=f"the source does not build on the emulator: {built.complaint}", code="TP511"
        )
    found: list[Run] = []
    for seed in SEEDS:
        pace = QUICK if seed == SEEDS[-1] else {}
        run = partial(run_program, workshop, source, built.path, arguments, timeout=workshop.timeout)
        found.append(run(environment={"SIMT_SEED": seed, **pace}))
        if pace and (broken_off(found[-1].finished) or _disagreement(found)):
            found[-1] = run(environment={"SIMT_SEED": seed})  # It waits for a clock, or counts by it.
        broken = broken_off(found[-1].finished)
        if broken:
            return Inconclusive(reason=f"the source's own run {broken}", code="TP511")
    differ = _disagreement(found)
    if differ:
        return Inconclusive(reason=differ, code="TP511")
    unasked = is_unasked(program, arguments)
    idle = _idle(source, program, found, unasked=unasked)
    if not idle and unasked and depends_on_unset(workshop, source, program, arguments, found[0]):
        idle = f"no run of the program is known, and without arguments {_UNSET}"
    return Inconclusive(reason=idle, code="TP511") if idle else found


def _disagreement(runs: Sequence[Run]) -> str:
    """Say how runs of a source differ, each with threads in another order and other bytes in new memory."""
    changing = "when only the order of threads and the contents of memory that nothing set change"
    statuses = list(dict.fromkeys(str(run.finished.status) for run in runs))
    if len(statuses) > 1:
        odd = next(run for run in runs if run.finished.status != runs[0].finished.status)
        return f"the source's runs end with status {' and '.join(statuses)} {changing}{last_words(odd)}"
    if comparable([run.finished.stdout for run in runs]):
        return ""
    return f"the source's runs print different numbers of words {changing}"


def _idle(source: Source, program: ProgramTarget, runs: Sequence[Run], *, unasked: bool) -> str:
    """Say why runs of a source show nothing of its program; empty where they do.

    Args:
        source: The repository.
        program: Its program.
        runs: All of one command.
        unasked: Nobody says that the program is run like this.
    """
    status = runs[0].finished.status
    launches = any(run.recording.launches for run in runs)
    if unasked and status:
        unknown = f"no run of the program is known, and without arguments it exits with status {status}"
        return f"{unknown}{last_words(runs[0])}"
    if source.dialect.is_plain or launches:
        return ""
    if unasked and any(site.path in program.translation_units for site in source.launches):
        return "no run of the program is known, and without arguments it launches no kernel"
    early = f"the source's own run exits with status {status} before it launches a kernel"
    return f"{early}{last_words(runs[0])}" if status else ""


@dataclass(frozen=True, slots=True)
class _Compared:
    """Runs of a source's program, to compare runs of a port's with."""

    workshop: Workshop
    source: Source
    arguments: Sequence[str]
    expected: Sequence[Run]
    paths: Mapping[str, str]
    """The port's path of each file of the source."""

    def first_difference(
        self, program: Path, manners: Sequence[Mapping[str, str]], *, with_buffers: bool
    ) -> Falsified | Inconclusive | None:
        """Return how a program differs from the source's in its first run that does; None where none does."""
        patience = max(self.workshop.timeout, 10 * max(run.finished.charged for run in self.expected))
        for trials, manner in enumerate(manners, 1):
            environment = {"SIMT_SEED": SEEDS[0], **manner}
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

    def _run(self, program: Path, environment: dict[str, str], patience: float) -> Run:
        return run_program(self.workshop, self.source, program, self.arguments, environment, patience)


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


def _as_source(run: Run, paths: Mapping[str, str]) -> Run:
    """Return a run of a port with the source's names of files in what it prints, such as ``__FILE__``."""
    printed = run.finished.stdout
    for old, new in paths.items():
        if old != new:
            name = rb"(?<![\w.])" + re.escape(new.encode()) + rb"(?![\w.])"
            printed = re.sub(name, old.encode().replace(b"\\", rb"\\"), printed)
    return replace(run, finished=replace(run.finished, stdout=printed))


def _difference(expected: Sequence[Run], run: Run, *, with_buffers: bool) -> tuple[str, str, str] | None:
    if _UNLOADED in run.finished.stderr:
        raise Incomparable("a library that its own build made is not found where it runs")
    broken = broken_off(run.finished)
    if broken:
        return "the run", "ends", broken
    if run.finished.status != expected[0].finished.status:
        return "exit status", str(expected[0].finished.status), str(run.finished.status)
    printed = [one.finished.stdout for one in expected]
    found = output.difference(printed, run.finished.stdout)
    if found is not None and output.reordered(printed):
        found = output.unordered_difference(printed, run.finished.stdout)
    if found is None and with_buffers:  # In a port of plain code, copies back to the host are its own.
        found = buffers.difference([one.recording for one in expected], run.recording)
    return found or output_files.difference([one.files for one in expected], run.files)


def _checks(expected: Sequence[Run]) -> tuple[str, ...]:
    """Return what was compared, in words."""
    buffers_checked = f"{len(expected[0].recording.buffers)} buffers"
    return "exit status", "output", *_files_checked(expected), buffers_checked


def _files_checked(expected: Sequence[Run]) -> tuple[str, ...]:
    files = len(output_files.compared([run.files for run in expected]))
    return (f"{files} file{'s' * (files > 1)}",) if files else ()


def _falsified(found: tuple[str, str, str], trials: int) -> Falsified:
    where, wanted, got = found
    trial = Trial(seed=0, fill="real", scalars=())
    return Falsified(
        counterexample=Counterexample(trial=trial, where=where, expected=wanted, got=got, check="program"),
        trials=trials,
    )
