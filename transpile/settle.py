"""From evidence to a port: assemble, build, run the trials again on what was assembled, run the programs.

What fails here is taken out of the port, with the reason as its last attempt, and the rest is tried again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from transpile import testers
from transpile.assemble import Assembly, Style, assemble
from transpile.assemble.excerpts import excerpts
from transpile.broken import OBJECTS, complaint, in_part, without_broken
from transpile.core import (
    Candidate,
    Diagnostic,
    Dialect,
    Evidence,
    Falsified,
    Inconclusive,
    Passed,
    ProgramTarget,
    ProgramVerdict,
    Rejected,
    Severity,
    Source,
    TranslationUnit,
    Verdict,
)
from transpile.options import PortOptions
from transpile.parsers.extraction.restoring import as_written
from transpile.prune import prune
from transpile.testers.checks.case import rejected
from transpile.testers.programs.device_build import device_build
from transpile.testers.programs.program import judge_programs
from transpile.testers.programs.runs import built_from
from transpile.toolchains.build import BuildFailed, build_program
from transpile.toolchains.workshop import Workshop
from transpile.undeclared import complaints, of_source

_LIBRARY = ("-r",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A port that stands: its files, the evidence as it is now, and what its programs showed."""

    assembly: Assembly
    evidence: tuple[Evidence, ...]
    programs: tuple[ProgramVerdict, ...]
    failure: BuildFailed | None = None
    """Why the port does not build, where it does not."""
    lacking: tuple[str, ...] = ()
    """Headers that some of its files include and that are not found."""
    built_by: str = ""
    """The compiler of devices that took it, or why none was asked; empty where it is for none."""
    notes: tuple[Diagnostic, ...] = ()
    """What of the source does not build as it stands, and what of the port that compiler could not read."""

    @property
    def built(self) -> bool:
        """Tell whether the port builds."""
        return self.failure is None


def settle(
    workshop: Workshop,
    source: Source,
    evidence: tuple[Evidence, ...],
    runs: Sequence[tuple[str, ...]],
    options: PortOptions,
) -> Settled:
    """Return the largest port that builds, passes its trials as assembled, and runs like its source.

    Host code is rewritten as boldly as holds: a bolder style is given up before any unit is. Of files that do
    not compile here, only their names tell whether it holds.
    """
    styles = list(Style)
    source, notes = in_part(workshop, source, built_from(source))
    named = of_source(workshop, source, built_from(source)) if source.absent else {}
    into_one: tuple[str, ...] = _LIBRARY
    while True:
        kept = kept_candidates(evidence, options)
        reasons = {item.unit.id: why_not(item.verdict) for item in evidence if item.unit.id not in kept}
        assembler = Assembler(source=source, kept=kept, reasons=reasons, options=options, style=styles[0])
        assembly = assembler(tuple(kept))
        known = {assembly.paths[path]: said for path, said in named.items()}
        failure = build_failure(workshop, assembly, options.target, into_one, known)
        if failure is not None:
            if len(styles) > 1:
                del styles[0]
                continue
            good = prune(
                tuple(kept),
                lambda units: (
                    build_failure(workshop, assembler(units), options.target, into_one, known)  # noqa: B023
                    is None
                ),
            )
            if good is None:
                less, broken = without_broken(workshop, source, built_from(source))
                if less == source:
                    return _unbuilt(assembly, evidence, failure)
                source, notes, into_one = less, (*notes, *broken), OBJECTS
                continue
            refusal = Rejected(stage="assemble", diagnostics=(_build_diagnostic(source, failure),))
            evidence = revised(evidence, {unit: refusal for unit in kept if unit not in good})
            continue
        device = device_build(workshop, assembly, options.target, assembly.device or assembly.files)
        refused = _refused_on_device(evidence, assembly, device.failures, kept)
        if refused:
            evidence = revised(evidence, refused)
            continue
        if device.failures:
            failure = next(iter(device.failures.values()))
            return _unbuilt(assembly, evidence, failure)
        refused = confirmation_failures(workshop, source, assembly, evidence, kept)
        if refused:
            evidence = revised(evidence, refused)
            continue
        written = as_written(source)
        programs = judge_programs(workshop, written, assembly, runs)
        if not _falsified(programs):
            return Settled(
                assembly=assembly,
                evidence=evidence,
                programs=programs,
                failure=_shipped_failure(workshop, assembly, options.target),
                lacking=tuple(sorted({name for names in source.absent.values() for name in names})),
                built_by=device.told,
                notes=(*notes, *device.notes),
            )
        if len(styles) > 1:
            del styles[0]
            continue
        good = prune(
            tuple(kept),
            lambda units: not _falsified(judge_programs(workshop, written, assembler(units), runs)),  # noqa: B023
        )
        if good is None:
            return Settled(assembly=assembly, evidence=evidence, programs=programs, notes=notes)
        wrong = next(item.command for item in programs if isinstance(item.verdict, Falsified))
        reason = f"with it in the port, `{wrong}` behaves differently from the source's program"
        doubt = Inconclusive(reason=reason, code="TP405")
        evidence = revised(evidence, {unit: doubt for unit in kept if unit not in good})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembler:
    """Assembles the port that holds a choice of the kept units."""

    source: Source
    kept: Mapping[str, Candidate]
    reasons: Mapping[str, str]
    options: PortOptions
    style: Style

    def __call__(self, units: Sequence[str]) -> Assembly:
        """Return the port with just these units translated."""
        made = assemble(
            self.source,
            {unit: self.kept[unit] for unit in units},
            fallback=self.options.fallback,
            style=self.style,
            reasons=self.reasons,
            target=self.options.target,
            unproven=self.options.unproven,
        )
        return replace(made, excerpts=excerpts(self.source, made.paths, units))


def why_not(verdict: Verdict) -> str:
    """Say in a line why a unit is not kept."""
    match verdict:
        case Passed(guarantee=guarantee):
            return f"only {guarantee.level} was reached"
        case Falsified(counterexample=example):
            return f"falsified ({example.check}) at {example.where}"
        case Rejected(stage=stage, diagnostics=found):
            return "; ".join(f"{item.code}: {item.message}" for item in found) or f"refused ({stage})"
        case Inconclusive(reason=reason):
            return reason


def kept_candidates(evidence: Sequence[Evidence], options: PortOptions) -> dict[str, Candidate]:
    """Return the candidates that go into the port, by unit id."""
    return {
        item.unit.id: item.candidate
        for item in evidence
        if item.candidate is not None and item.kept(options.required)
    }


def build_failure(
    workshop: Workshop,
    assembly: Assembly,
    target: Dialect,
    into_one: Sequence[str] = _LIBRARY,
    known: Mapping[str, frozenset[str]] | None = None,
) -> BuildFailed | None:
    """Return the first failure among the port's programs, or None where all build.

    Where no file is left, there is nothing to build. A compiler of devices has its word here, unless it is to
    judge the units of each file apart.

    Args:
        workshop: Where to build.
        assembly: The port.
        target: What it is ported to.
        into_one: Flags that link the objects of a library, which has no program, into one.
        known: What is said of the names in files that do not compile before they are ported, by path there.
    """
    flags = {unit.path: unit for unit in assembly.translation_units}
    if not flags:
        return None
    whole = tuple(path for path in flags if path not in assembly.excerpts)
    library = ProgramTarget(name="library", translation_units=whole, link_flags=tuple(into_one))
    linked = assembly.programs or ((library,) if whole else ())
    for program, defines in product(linked, assembly.emulators):
        units = [flags[path] for path in program.translation_units]
        built = build_program(
            workshop,
            assembly.probed if assembly.emulated else assembly.files,
            units,
            link_flags=program.link_flags,
            emulated=assembly.emulated,
            defines=defines,
        )
        if isinstance(built, BuildFailed):
            return built
    translated = [item for item in assembly.excerpts.items() if item[1].functions]
    for (path, wanted), defines in product(translated, assembly.emulators):
        built = build_program(
            workshop,
            wanted.of(assembly.probed if assembly.emulated else assembly.files, flags[path]),
            [flags[path]],
            link_flags=_LIBRARY,
            emulated=assembly.emulated,
            defines=defines,
        )
        if isinstance(built, BuildFailed):
            return built
    for path, said in (known or {}).items():
        failure = _lost_names(workshop, assembly, flags[path], said) if path in flags else None
        if failure is not None:
            return failure
    if assembly.device:
        return None
    failures = device_build(workshop, assembly, target, assembly.files).failures
    return next(iter(failures.values()), None)


def _lost_names(
    workshop: Workshop, assembly: Assembly, unit: TranslationUnit, known: frozenset[str]
) -> BuildFailed | None:
    """Return what is said of names in a ported file that does not compile, and was not said of its source."""
    for defines in assembly.emulators:
        said = complaints(
            workshop,
            assembly.probed if assembly.emulated else assembly.files,
            unit,
            assembly.excerpts[unit.path].damage.headers,
            emulated=assembly.emulated,
            defines=defines,
        )
        if new := sorted(said - known):
            return BuildFailed(command="", output="\n".join(f"{unit.path}: error: {item}" for item in new))
    return None


def _shipped_failure(workshop: Workshop, assembly: Assembly, target: Dialect) -> BuildFailed | None:
    """Return why a device's compiler refuses what is delivered, where that is more than what was judged."""
    if not assembly.device or assembly.device == assembly.files:
        return None
    failures = device_build(workshop, assembly, target, assembly.files).failures
    return next(iter(failures.values()), None)


def _refused_on_device(
    evidence: Sequence[Evidence],
    assembly: Assembly,
    failures: Mapping[str, BuildFailed],
    kept: Mapping[str, Candidate],
) -> dict[str, Verdict]:
    """Return the refusal of each kept unit whose file the compiler of the devices does not take."""
    found: dict[str, Verdict] = {}
    for item in evidence:
        failed = failures.get(assembly.paths.get(item.unit.translation_unit, ""))
        if failed is not None and item.unit.id in kept:
            found[item.unit.id] = rejected(item.unit, failed)
    return found


def confirmation_failures(
    workshop: Workshop,
    source: Source,
    assembly: Assembly,
    evidence: Sequence[Evidence],
    kept: Mapping[str, Candidate],
) -> dict[str, Verdict]:
    """Run the pools again on the assembled files; return the verdicts that are not a pass."""
    items = [item for item in evidence if item.unit.id in kept]
    proposals = [
        testers.Proposal(unit=item.unit, contracts=item.contracts, candidate=kept[item.unit.id])
        for item in items
    ]
    verdicts = testers.confirm(workshop, source, assembly, proposals, [item.pool for item in items])
    return {
        item.unit.id: verdict
        for item, verdict in zip(items, verdicts, strict=True)
        if not isinstance(verdict, Passed)
    }


def revised(evidence: Sequence[Evidence], verdicts: Mapping[str, Verdict]) -> tuple[Evidence, ...]:
    """Return the evidence with a later verdict on each unit that has one."""
    return tuple(
        item.fallen(verdicts[item.unit.id]) if item.unit.id in verdicts else item for item in evidence
    )


def _falsified(programs: Sequence[ProgramVerdict]) -> bool:
    return any(isinstance(program.verdict, Falsified) for program in programs)


def _unbuilt(assembly: Assembly, evidence: tuple[Evidence, ...], failure: BuildFailed) -> Settled:
    """Return a port that does not build whatever is translated, and where a compiler stopped."""
    hint = "the other files are ported; what is kept of them was shown before"
    notes = complaint(failure, "the file does not compile", hint)
    return Settled(assembly=assembly, evidence=evidence, programs=(), failure=failure, notes=notes)


def _build_diagnostic(source: Source, failure: BuildFailed) -> Diagnostic:
    return Diagnostic(
        code="TP501",
        severity=Severity.ERROR,
        path=str(source.root),
        line=1,
        message=f"the port does not build with this unit's translation: {failure.complaint}",
        hint=failure.output[-500:],
    )
