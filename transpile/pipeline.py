"""The way of the data: ``port`` (a repository) -> ``stages`` (its units) -> ``settle`` (the whole).

Read this first. Every stage is a function of another package; this module only orders them, stores what was
decided, and draws conclusions from verdicts.
"""

from __future__ import annotations

import fnmatch
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from transpile import cache, faults, machine, parsers, translators
from transpile.config import FILE, closest
from transpile.contracts import infer
from transpile.core import (
    NO_UNIT,
    Contract,
    Diagnostic,
    Dialect,
    Evidence,
    Inconclusive,
    Interface,
    Port,
    ProgrammingModel,
    RecordedLaunch,
    Rejected,
    Severity,
    Source,
    Spent,
    Unit,
    UnitKind,
)
from transpile.delivery import rehearsal
from transpile.errors import UsageError
from transpile.options import Observer, PortOptions
from transpile.parsers.extraction.restoring import as_written
from transpile.parsers.text.mains import with_stated_runs
from transpile.prune import prune
from transpile.publish import publish
from transpile.scope import concerned, of_interest
from transpile.settle import settle
from transpile.stages import (
    Decided,
    Stage,
    Work,
    by_models,
    by_rules,
    is_open,
    optimized,
    rivals,
    selected,
    with_calls,
    with_tests,
)
from transpile.testers.programs.carve import Carved, carve
from transpile.testers.programs.launch_records import record
from transpile.toolchains import compilers
from transpile.toolchains.workshop import Workshop

Value = TypeVar("Value")


def make_workshop(options: PortOptions) -> Workshop:
    """Return the place where everything of this command is built and run.

    Raises:
        MachineFault: Nothing can be kept there.
        ToolMissing: There is no compiler.
    """
    lacking = machine.shortage(options.cache)
    if lacking is not None:
        raise lacking
    compilers.find().require("g++")
    cache.use(options.cache)
    return Workshop(cache=options.cache / "builds", unsafe=options.unsafe)


def read(root: Path, options: PortOptions) -> Source:
    """Parse a repository or a file as the options say."""
    source = parsers.read(
        root,
        exclude=options.exclude_files,
        flags=options.flags,
        opened=options.opened,
        reader=parsers.IsolatedReader(opened=options.opened, unsafe=options.unsafe),
        chooser=_chooser(options),
        hip=ProgrammingModel.HIP in options.target.models,
    )
    programs = with_stated_runs(source.programs, options.runs)
    told = (*source.diagnostics, *of_nothing(source, options))
    return replace(source, programs=programs, diagnostics=told)


def _chooser(options: PortOptions) -> translators.LoopChooser | None:
    """Return what says which loops are to be functions; None where functions stay as they are.

    Models are shown whole functions, and only ports to OpenMP leave functions in their places.
    """
    asked = options.models.use or options.models.testers
    wanted = options.extract and not asked and options.target.model is ProgrammingModel.OPENMP
    return translators.LoopChooser(options.target) if wanted else None


def of_nothing(source: Source, options: PortOptions) -> Iterator[Diagnostic]:
    """Yield which corrections are of no unit of the source."""
    known = {name for unit in source.units for name in (unit.id, unit.name)}
    known |= {item.callable for signatures in source.signatures.values() for item in signatures}
    place = options.settings or source.root / FILE
    for name in sorted(options.units.keys() - known):
        yield Diagnostic(
            code="TP133",
            severity=Severity.WARNING,
            path=os.path.relpath(place, source.root),
            line=1,
            message=f'[units."{name}"] names no unit of the source, so it has no effect',
            hint=closest(name, tuple(sorted(known))) if known else "",
        )


def chosen(
    source: Source, options: PortOptions, kinds: Sequence[UnitKind] = (UnitKind.KERNEL,)
) -> tuple[Unit, ...]:
    """Return the units of these kinds that the options name and the target is not, callees first.

    Functions without a loop and without recursion are units where they are named.
    """
    return choice(source, options, kinds)[0]


def choice(
    source: Source, options: PortOptions, kinds: Sequence[UnitKind]
) -> tuple[tuple[Unit, ...], tuple[Diagnostic, ...]]:
    """Return those units, among them all on which we fail ourselves here, and on which we do."""
    callers = source.callers

    def matches(unit: Unit, patterns: Sequence[str]) -> bool:
        names = [unit.id, unit.name, unit.path]
        if unit.id in source.extracted:
            caller = source.unit(source.extracted[unit.id].caller)
            names += (caller.id, caller.name)
        return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)

    def concerns(unit: Unit) -> bool:
        return not translators.is_left(source, unit, options.target) and (
            bool(options.only) or not translators.is_idle(source, unit, options.target)
        )

    found: list[Unit] = []
    failed: list[Diagnostic] = []
    for unit in source.units:
        asked = (
            unit.kind in kinds
            and unit.id not in callers
            and (not options.only or matches(unit, options.only))
        )
        try:
            if asked and not matches(unit, options.exclude) and concerns(unit):
                found.append(unit)
        except Exception as error:
            found.append(unit)
            fault = faults.own(error, f"looking at {unit.id}")
            failed.append(faults.diagnostic(fault, unit.path, unit.line))
    return tuple(found), tuple(failed)


def port(root: Path, options: PortOptions, observer: Observer) -> Port:
    """Port a repository; write the result where ``options.out`` says."""
    workshop = make_workshop(options)
    if options.out is not None and (lacking := machine.shortage(options.out)) is not None:
        raise lacking
    source = read(root, options)
    observer.found(source)
    refuse_without_translator(source, options)
    kinds = judged_kinds(source)
    units, unseen = choice(source, options, kinds)
    refuse_without_units(source, options, units)
    source = of_interest(concerned(source, units), kinds)
    runs = known_runs(source, options)
    observer.stage("record", 1)
    nothing: tuple[RecordedLaunch, ...] = ()
    observed, unrecorded = _or_else(
        source, lambda: record(workshop, source, runs), nothing, "running the source"
    )
    carvings, uncarved = _or_else(
        source, lambda: carve(workshop, source, options.carve), Carved(trials={}), "carving calls"
    )
    work = Work(workshop=workshop, source=source, options=options, observed=observed, given=carvings.trials)
    silent: tuple[Diagnostic, ...] = ()
    if options.models.testers:
        observer.stage("tests", 1)
        without = (work, silent)
        (work, silent), untested = _or_else(
            source, lambda: with_tests(without[0], units), without, "asking for tests"
        )
        silent = (*silent, *untested)
    observer.stage("judge", len(units))
    decided = {item.unit.id: item for item in judged_units(work, units, observer)}
    notes = (*unseen, *unrecorded, *uncarved, *carvings.diagnostics, *silent, *_unported(source, units))
    told = replace(source, diagnostics=(*source.diagnostics, *notes))
    evidence = tuple(decided[unit.id] for unit in units)
    return delivered(workshop, told, evidence, runs, options, observer, work.asked.spent)


def known_runs(source: Source, options: PortOptions) -> tuple[tuple[str, ...], ...]:
    """Return the runs of programs that the user names, else those that the build files name."""
    return options.runs or source.runs


def _unported(source: Source, units: Sequence[Unit]) -> Iterator[Diagnostic]:
    """Yield that nothing of plain C or C++ is ported, where that is so."""
    if not units and source.dialect.is_plain:
        yield Diagnostic(
            code=NO_UNIT,
            severity=Severity.ERROR,
            path=str(source.root),
            line=1,
            message="nothing is ported: no function with loops can be called by itself",
        )


def delivered(
    workshop: Workshop,
    source: Source,
    evidence: tuple[Evidence, ...],
    runs: Sequence[tuple[str, ...]],
    options: PortOptions,
    observer: Observer,
    spent: Spent | None,
) -> Port:
    """Settle and publish a port; a unit on which we fail there ourselves is left out of it."""

    def made(evidence: tuple[Evidence, ...], options: PortOptions) -> Port:
        observer.stage("settle", 1)
        settled = settle(workshop, source, evidence, runs, options)
        found = settled.evidence
        notes = (*slower_than_source(found), *not_optimized(found), *kept_despite(found, options))
        told = replace(source, diagnostics=(*source.diagnostics, *notes))
        observer.stage("rehearse", 1)
        shown = rehearsal(workshop, as_written(source), settled, runs, options)
        return publish(told, settled, shown.own_build, shown.programs, options, spent)

    def but_for(units: Sequence[str]) -> tuple[Evidence, ...]:
        return tuple(item if item.unit.id in units else item.given_up(fault) for item in evidence)

    def rehearsed(units: Sequence[str]) -> bool:
        with tempfile.TemporaryDirectory(dir=workshop.scratch(), prefix="port-") as scratch:
            out = Path(scratch) / "port" if options.out is not None else None
            try:
                made(but_for(units), replace(options, out=out, cache=Path(scratch)))
            except Exception as error:
                faults.raise_others(error)
                return False
        return True

    try:
        return made(evidence, options)
    except Exception as error:
        fault, first = faults.own(error, "assembling the port"), error
    good = prune(tuple(item.unit.id for item in evidence), rehearsed)
    if good is None:
        raise first
    return made(but_for(good), options)


def kept_despite(evidence: Sequence[Evidence], options: PortOptions) -> Iterator[Diagnostic]:
    """Yield what we failed on ourselves at units that are kept all the same."""
    for item in evidence:
        for fault in item.faults if item.kept(options.required) else ():
            yield faults.diagnostic(fault, item.unit.path, item.unit.line)


def _or_else(
    source: Source, make: Callable[[], Value], otherwise: Value, doing: str
) -> tuple[Value, tuple[Diagnostic, ...]]:
    """Return what is made; where we fail at it ourselves, what does without it, and that we did."""
    try:
        return make(), ()
    except Exception as error:
        path = source.translation_units[0].path if source.translation_units else ""
        return otherwise, (faults.diagnostic(faults.own(error, doing), path),)


def slower_than_source(evidence: Sequence[Evidence]) -> Iterator[Diagnostic]:
    """Yield which units are slower than their source for certain, where they were timed."""
    for item in evidence:
        source = item.selection.source if item.selection is not None else None
        optimized = item.optimization is not None and item.optimization.applied
        if source is not None and source.faster and not optimized:
            sizes = f" with {'; '.join(source.inputs)}" if any(source.inputs) else ""
            yield item.unit.diagnostic(
                "TP441",
                f"`{item.unit.name}` takes {source.ratio:.2f} times as long as its source{sizes}",
                severity=Severity.WARNING,
            )


def not_optimized(evidence: Sequence[Evidence]) -> Iterator[Diagnostic]:
    """Yield why nothing could be done for the speed of units that are kept."""
    for item in evidence:
        if item.optimization is not None and item.optimization.reason and not item.optimization.steps:
            yield item.unit.diagnostic(
                "TP440",
                f"`{item.unit.name}` is not optimised: {item.optimization.reason}",
                severity=Severity.NOTE,
            )


def judged_kinds(source: Source) -> tuple[UnitKind, ...]:
    """Return what is translated and judged: kernels where there are any, else functions."""
    kinds = {unit.kind for unit in source.units}
    return (UnitKind.FUNCTION,) if UnitKind.KERNEL not in kinds else (UnitKind.KERNEL,)


def refuse_without_translator(source: Source, options: PortOptions) -> None:
    """Raise a UsageError where nobody translates what is there to the target."""
    if not translators.leads(source.dialect, options.target):
        raise UsageError(
            f"{source.root}: nothing leads from {source.dialect.name} to {asked(options.target)}",
            hint="CUDA goes to openmp, cpp and hip (also --single-source), C and C++ go to openmp,"
            " openmp-target, stdpar, cuda and hip (these two also --interface device).",
        )
    if options.models.use and not options.target.traits.prompt:
        raise UsageError(
            f"models do not translate to {options.target.name} yet", hint="Without --model, rules do."
        )
    if (
        options.models.use
        and options.target.models[0] is ProgrammingModel.HIP
        and not source.dialect.is_plain
    ):
        raise UsageError(
            "models do not translate CUDA to HIP: rules rewrite it name by name", hint="Leave out --model."
        )
    if options.models.use and options.target.interface is Interface.DEVICE:
        raise UsageError(
            "models do not write functions that take memory of the device", hint="Without --model, rules do."
        )


def refuse_without_units(source: Source, options: PortOptions, units: Sequence[Unit]) -> None:
    """Raise a UsageError where units are named, and none that is judged."""
    if options.only and not units:
        raise UsageError(
            f"{source.root}: no unit that is judged is called {', '.join(options.only)}",
            hint="`transpile units SRC` lists them. Beside CUDA, functions of C and C++ are none: port these"
            " from a folder of their own.",
        )


def asked(target: Dialect) -> str:
    """Return a target as the command line names it."""
    single = " --single-source" if target.also is not None else ""
    return target.name + single + (" --interface device" if target.interface is Interface.DEVICE else "")


def judged_units(work: Work, units: Sequence[Unit], observer: Observer) -> Iterator[Evidence]:
    """Yield the evidence of every unit as it is decided, timed and optimised where that is asked for."""
    options = work.options

    def open_still(evidence: Evidence) -> bool:
        by_rules_too = not options.carve and not options.models.only
        return by_rules_too and is_open(evidence) and bool(known_runs(work.source, options))

    def timed(evidence: Evidence) -> bool:
        return options.clocks and bool(rivals(evidence, options))

    def improved(evidence: Evidence) -> bool:
        return bool(options.optimize) and evidence.kept(options.required)

    def carved(left: Sequence[Evidence]) -> Iterator[Decided]:
        observer.stage("carve", len(left))
        return on_own_calls(work, left)

    def select(several: Sequence[Evidence]) -> Iterator[Decided]:
        observer.stage("select", len(several))
        return selected(work, several)

    def optimize(kept: Sequence[Evidence]) -> Iterator[Decided]:
        observer.stage("optimize", len(kept))
        return optimized(work, kept)

    def told(decided: Decided) -> None:
        observer.judged(decided.evidence, known=decided.known)

    shown = behind(translated(work, units), open_still, carved, told)
    stages = behind(shown, timed, select, told)
    for decided in behind(stages, improved, optimize, told):
        observer.decided(decided.evidence, known=decided.known)
        yield decided.evidence


def on_own_calls(work: Work, left: Sequence[Evidence]) -> Iterator[Decided]:
    """Yield what is decided of units on what known runs of the source call them with; others as they were."""
    runs = known_runs(work.source, work.options)
    nothing = Carved(trials={})
    calls, _ = _or_else(
        work.source, lambda: carve(work.workshop, work.source, runs), nothing, "carving calls"
    )
    before = {item.unit.id: item for item in left}
    again = tuple(item.unit for item in left if calls.trials.get(item.unit.id))
    yield from (Decided(evidence=item) for item in left if item.unit not in again)
    # Rules come last: what models made before is kept beside what they make now.
    earlier = before if work.options.models.use else {}
    for decided in undisturbed(by_rules, with_calls(work, runs, calls.trials), again, earlier):
        failed = isinstance(decided.evidence.verdict, Inconclusive) and decided.evidence.verdict.ours
        yield Decided(evidence=before[decided.evidence.unit.id]) if failed else decided


def behind(
    decided: Iterator[Decided],
    concerns: Callable[[Evidence], bool],
    stage: Callable[[Sequence[Evidence]], Iterator[Decided]],
    told: Callable[[Decided], None],
) -> Iterator[Decided]:
    """Yield what was decided, and behind all of it what a stage makes of the units that concern it.

    Nothing else is done then: clocks need a quiet machine. Who is told hears of these units at once.
    """
    held: list[Evidence] = []
    for item in decided:
        if concerns(item.evidence):
            told(item)
            held.append(item.evidence)
        else:
            yield item
    if held:
        yield from stage(held)


def translated(work: Work, units: Sequence[Unit]) -> Iterator[Decided]:
    """Yield what was decided of every unit; what one stage leaves goes to the next."""
    stages = stages_of(work.options)
    left, earlier = tuple(units), dict[str, Evidence]()
    for number, stage in enumerate(stages):
        again = []
        for decided in undisturbed(stage, work, left, earlier) if left else ():
            evidence = decided.evidence
            if number + 1 < len(stages) and worth_another(evidence, work.options):
                again.append(evidence)
                continue
            yield decided
        left, earlier = tuple(item.unit for item in again), {item.unit.id: item for item in again}


def undisturbed(
    stage: Stage, work: Work, units: Sequence[Unit], earlier: Mapping[str, Evidence]
) -> Iterator[Decided]:
    """Yield what a stage finds; where we fail in its midst, it takes each unit that is left alone."""
    left = {unit.id: unit for unit in units}
    try:
        for decided in stage(work, units, earlier):
            del left[decided.evidence.unit.id]
            yield decided
        return
    except Exception as error:
        fault = faults.own(error, "deciding")
    for unit in left.values():
        if len(units) > 1:
            yield from undisturbed(stage, work, (unit,), earlier)
        else:
            # Nothing is saved: that may be what we fail at.
            yield Decided(evidence=work.failed(earlier, unit, fault))


def stages_of(options: PortOptions) -> tuple[Stage, ...]:
    """Return who translates, in turn."""
    if not options.models.use:
        return (by_rules,)
    if options.models.only:
        return (by_models,)
    return (by_models, by_rules) if options.models.first else (by_rules, by_models)


def worth_another(evidence: Evidence, options: PortOptions) -> bool:
    """Tell whether another translator may do better: not where nothing about the source could be shown."""
    verdict = evidence.verdict
    hopeless = (isinstance(verdict, Inconclusive) and not verdict.ours) or (
        isinstance(verdict, Rejected) and verdict.stage == "parse"
    )
    return not evidence.kept(options.required) and not hopeless


def learnt(
    workshop: Workshop, source: Source, units: Sequence[Unit], options: PortOptions
) -> Mapping[str, tuple[Contract, ...] | Inconclusive]:
    """Return the contracts of units, learnt with the launches that small runs of the source make."""
    if not units:
        return {}
    observed = record(workshop, source, known_runs(source, options))
    return infer(workshop, source, units, observed=observed, seed=options.seed, corrections=options.units)
