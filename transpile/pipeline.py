"""The way of the data: ``port`` (a repository) -> ``decide`` (a batch of units) -> ``settle`` (the whole).

Read this first. Every stage is a function of another package; this module only orders them, stores what was
decided, and draws conclusions from verdicts.
"""

from __future__ import annotations

import fnmatch
import platform
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from transpile import __version__, parsers, testers, translators
from transpile.contracts import infer
from transpile.core import (
    Attempt,
    Candidate,
    Contract,
    Evidence,
    Falsified,
    Inconclusive,
    Port,
    RecordedLaunch,
    Rejected,
    Severity,
    Source,
    Trial,
    Unit,
    UnitKind,
    Verdict,
    digest,
)
from transpile.errors import UsageError
from transpile.options import Observer, PortOptions
from transpile.parsers.includes import closure as included
from transpile.parsers.includes import include_directories
from transpile.publish import publish
from transpile.settle import settle
from transpile.store import Store, own_code
from transpile.testers.carve import carve
from transpile.testers.program import record
from transpile.toolchains.beside import headers_beside
from transpile.toolchains.compilers import versions
from transpile.toolchains.workshop import Workshop
from transpile.translators.rules.sequential import sequential

BATCH = 8
"""Units judged together: one build of each flavour serves them, and a kill loses no more than these."""


def make_workshop(options: PortOptions) -> Workshop:
    """Return the place where everything of this command is built and run."""
    return Workshop(cache=options.cache / "builds", unsafe=options.unsafe)


def read(root: Path, options: PortOptions) -> Source:
    """Parse a repository or a file as the options say."""
    return parsers.read(root, exclude=options.exclude_files, flags=options.flags)


def chosen(
    source: Source, options: PortOptions, kinds: Sequence[UnitKind] = (UnitKind.KERNEL,)
) -> tuple[Unit, ...]:
    """Return the units of these kinds that the options name, callees first."""

    def matches(unit: Unit, patterns: Sequence[str]) -> bool:
        names = (unit.id, unit.name, unit.path)
        return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)

    return tuple(
        unit
        for unit in source.units
        if unit.kind in kinds
        and (not options.only or matches(unit, options.only))
        and not matches(unit, options.exclude)
    )


def port(root: Path, options: PortOptions, observer: Observer) -> Port:
    """Port a repository; write the result where ``options.out`` says."""
    source = read(root, options)
    observer.found(source)
    workshop = make_workshop(options)
    refuse_without_kernels(source)
    units = chosen(source, options)
    runs = options.runs or small_runs(source)
    observer.stage("record", 1)
    observed = record(workshop, source, runs)
    carvings = carve(workshop, source, options.carve)
    observer.stage("judge", len(units))
    decided = {
        item.unit.id: item
        for item in judged_units(workshop, source, units, options, observed, observer, carvings.trials)
    }
    observer.stage("settle", 1)
    settled = settle(workshop, source, tuple(decided[unit.id] for unit in units), runs, options)
    told = replace(source, diagnostics=(*source.diagnostics, *carvings.diagnostics))
    return publish(told, settled, options)


def refuse_without_kernels(source: Source) -> None:
    """Raise a UsageError where all that could be judged are functions, which no rule translates yet."""
    kinds = {unit.kind for unit in source.units}
    if UnitKind.FUNCTION in kinds and UnitKind.KERNEL not in kinds:
        raise UsageError(
            f"{source.root}: there is no CUDA kernel to port",
            hint="Functions of plain C and C++ have no translator yet; see `transpile contract`.",
        )


def small_runs(source: Source) -> tuple[tuple[str, ...], ...]:
    """Return the runs that the repository's build files name."""
    return tuple(run for program in source.programs for run in program.runs)


def judged_units(
    workshop: Workshop,
    source: Source,
    units: Sequence[Unit],
    options: PortOptions,
    observed: Sequence[RecordedLaunch],
    observer: Observer,
    carved: Mapping[str, tuple[Trial, ...]] = MappingProxyType({}),
) -> Iterator[Evidence]:
    """Yield the evidence of every unit as it is decided, what the store knows first."""
    store = Store(options.cache / "evidence")
    keys = keys_of(source, units, options, carved)
    fresh: list[Unit] = []
    for unit in units:
        known = store.find(keys[unit.id])
        if known is None:
            fresh.append(unit)
        else:
            known = replace(known, unit=unit)
            observer.decided(known, known=True)
            yield known
    groups = batches(fresh)
    shared = replace(workshop, jobs=max(options.jobs // max(len(groups), 1), 1))
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for batch in pool.map(
            lambda batch: _decide_and_save(
                shared, source, batch, options, observed, store, keys, observer, carved
            ),
            groups,
        ):
            yield from batch


def _decide_and_save(
    workshop: Workshop,
    source: Source,
    batch: Sequence[Unit],
    options: PortOptions,
    observed: Sequence[RecordedLaunch],
    store: Store,
    keys: Mapping[str, str],
    observer: Observer,
    carved: Mapping[str, tuple[Trial, ...]],
) -> tuple[Evidence, ...]:
    """Decide a batch and put each verdict on disk before anyone hears of it."""
    decided = decide(workshop, source, batch, options, observed, carved)
    saved = tuple(store.save(keys[item.unit.id], item) for item in decided)
    for item in saved:
        observer.decided(item, known=False)
    return saved


def batches(units: Sequence[Unit]) -> list[tuple[Unit, ...]]:
    """Group units by translation unit, a bounded number at a time."""
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.translation_unit, []).append(unit)
    return [
        tuple(group[start : start + BATCH])
        for group in groups.values()
        for start in range(0, len(group), BATCH)
    ]


def decide(
    workshop: Workshop,
    source: Source,
    units: Sequence[Unit],
    options: PortOptions,
    observed: Sequence[RecordedLaunch] = (),
    carved: Mapping[str, tuple[Trial, ...]] = MappingProxyType({}),
) -> tuple[Evidence, ...]:
    """Take units of one translation unit from text to verdict: contract, proposal, judgement."""
    begun = time.monotonic()
    refused = {
        unit.id: refusal
        for unit in units
        if (refusal := refusal_of(source, unit) or translators.foreseen(source, unit, options.target))
    }
    able = [unit for unit in units if unit.id not in refused]
    contracts = infer(workshop, source, able, observed=observed, seed=options.seed, corrections=options.units)
    attempts = {unit: (Attempt(candidate=None, verdict=why),) for unit, why in refused.items()}
    proposals: list[testers.Proposal] = []
    learnt: dict[str, tuple[Contract, ...]] = {}
    for unit in able:
        known = contracts[unit.id]
        if isinstance(known, Inconclusive):
            attempts[unit.id] = (Attempt(candidate=None, verdict=known),)
            continue
        learnt[unit.id] = known
        proposed = translators.propose(source, unit, known, options.target)
        if isinstance(proposed, Candidate):
            own = carved.get(unit.id, ())
            proposals.append(testers.Proposal(unit=unit, contracts=known, candidate=proposed, carved=own))
        else:
            attempts[unit.id] = (Attempt(candidate=None, verdict=proposed),)
    pools: dict[str, tuple[Trial, ...]] = {}
    for proposal, result in judged_with_repair(workshop, source, proposals, options):
        earlier = attempts.get(proposal.unit.id, ())
        attempts[proposal.unit.id] = (*earlier, Attempt(candidate=proposal.candidate, verdict=result.verdict))
        pools[proposal.unit.id] = result.pool
        learnt[proposal.unit.id] = result.contracts or learnt[proposal.unit.id]
    share = (time.monotonic() - begun) / max(len(units), 1)
    return tuple(
        Evidence(
            unit=unit,
            closure=source.closure(unit),
            contracts=learnt.get(unit.id, ()),
            attempts=attempts[unit.id],
            pool=pools.get(unit.id, ()),
            seconds=share,
            provenance=(*provenance(options), *whereabouts(source, options)),
        )
        for unit in units
    )


def judged_with_repair(
    workshop: Workshop, source: Source, proposals: Sequence[testers.Proposal], options: PortOptions
) -> Iterator[tuple[testers.Proposal, testers.Judged]]:
    """Yield every judgement; what falls for its parallelism alone is tried once more without."""
    judged = testers.judge(
        workshop, source, proposals, seed=options.seed, level=options.required, prove=options.prove
    )
    again: list[testers.Proposal] = []
    for proposal, result in zip(proposals, judged, strict=True):
        yield proposal, result
        if races(result.verdict):
            again.append(replace(proposal, candidate=sequential(proposal.candidate)))
    once_more = testers.judge(
        workshop, source, again, seed=options.seed, level=options.required, prove=options.prove
    )
    yield from zip(again, once_more, strict=True)


def races(verdict: Verdict) -> bool:
    """Tell whether threads of a candidate were seen to race."""
    return isinstance(verdict, Falsified) and verdict.counterexample.check == "race"


def refusal_of(source: Source, unit: Unit) -> Inconclusive | Rejected | None:
    """Return why a unit cannot be judged at all, or None."""
    if not unit.active:
        return Inconclusive(reason="inactive in this build (#if)", code="TP402")
    found = tuple(
        item
        for part in (unit, *source.closure(unit))
        for item in source.diagnostics
        if item.severity is Severity.ERROR
        and item.path == part.path
        and part.line <= item.line <= last_line(part)
    )
    return Rejected(stage="parse", diagnostics=found) if found else None


def last_line(unit: Unit) -> int:
    """Return the number of the line on which a unit ends."""
    return unit.line + unit.text.count(b"\n")


def keys_of(
    source: Source,
    units: Sequence[Unit],
    options: PortOptions,
    carved: Mapping[str, tuple[Trial, ...]] = MappingProxyType({}),
) -> dict[str, str]:
    """Return, by unit id, the digest of all that its verdict depends on.

    Of what is carved it is the data that count: a program that is given other data is other trials.
    """
    compiled = {unit.path: unit for unit in source.translation_units}
    shared = digest(
        *(part for path in sorted(source.files.keys() - compiled) for part in (path, source.files[path]))
    )
    # All corrections, since one may name the unit by its id, its name or an instantiation.
    asked = repr((sorted(options.units.items()), options.required, options.prove, provenance(options)))

    def key(unit: Unit) -> str:
        own = compiled.get(unit.translation_unit)
        flags = own.flags if own else ()
        # The unit's own translation unit with all that it includes, and whatever else may be read by name.
        paths = included(source.files, unit.translation_unit, include_directories(flags))
        read = {path: source.files[path] for path in paths}
        read |= headers_beside(read, flags)
        if unit.kind is UnitKind.FUNCTION:
            # Whoever calls a function tells how long its arrays are.
            name = unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape")
            read |= {path: data for path, data in source.files.items() if name in data}
        texts = (part for path in sorted(read) for part in (path, read[path]))
        return digest(unit.id, unit.text, *texts, shared, *flags, asked, repr(carved.get(unit.id, ())))

    return {unit.id: key(unit) for unit in units}


def provenance(options: PortOptions) -> tuple[tuple[str, str], ...]:
    """Return what made the verdict: seed, versions, machine."""
    own = f"{__version__}+{own_code()[:12]}"
    return (("transpile", own), ("seed", str(options.seed)), ("machine", platform.machine()), *versions())


def whereabouts(source: Source, options: PortOptions) -> tuple[tuple[str, str], ...]:
    """Return what it takes to read the source, and to run its program, again; no verdict depends on it."""
    return (
        ("source", str(source.root)),
        ("flags", shlex.join(options.flags)),
        ("exclude", shlex.join(options.exclude_files)),
        *(("carve", shlex.join(command)) for command in options.carve),
    )
