"""Contracts of many kernels: one traced build a translation unit, the probes of all in shared batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.contracts.own_launches import learn_as_launched
from transpile.contracts.probing.batches import Task, drive
from transpile.contracts.probing.callability import refusal
from transpile.contracts.probing.library import source_library
from transpile.contracts.probing.meanings import several_meanings
from transpile.contracts.probing.probe import unknown
from transpile.contracts.probing.subject import subject_of
from transpile.contracts.probing.trace import CALL_TIMEOUT, Tracer
from transpile.contracts.recorded_launches import made_of, rows_of
from transpile.contracts.text.sites import Block, Site, sites_of
from transpile.contracts.user import UnitSettings, apply, settings_for, stated_by, unknown_names
from transpile.core import (
    Contract,
    Inconclusive,
    RecordedLaunch,
    Signature,
    Source,
    TranslationUnit,
    Unit,
)
from transpile.faults import isolated
from transpile.parsers.lowering.copies import watched_copies
from transpile.parsers.lowering.emulation import lower
from transpile.toolchains.build import BuildFailed, Built, Flavour
from transpile.toolchains.devices import missing_header
from transpile.toolchains.workshop import Workshop

_HINTS = 4

Learnt = tuple[Contract, ...] | Inconclusive


def infer(
    workshop: Workshop,
    source: Source,
    units: Sequence[Unit],
    *,
    observed: Sequence[RecordedLaunch] = (),
    seed: int = 0,
    corrections: Mapping[str, UnitSettings] | None = None,
) -> dict[str, Learnt]:
    """Return the contracts of each unit's instantiations, or why there are none, by unit id.

    Args:
        workshop: Where to build and run.
        source: The repository.
        units: Kernels of it.
        observed: Launches seen while its own program ran.
        seed: Of every random choice.
        corrections: What the user says, by callable name, unit id or name.
    """
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.translation_unit, []).append(unit)
    result: dict[str, Learnt] = {}
    for path, group in groups.items():
        file = _File(workshop, source, path, observed, seed, corrections or {})
        learnt = isolated(group, file.corrected, lambda _, why: why, f"learning contracts in {path}")
        result |= zip((unit.id for unit in group), learnt, strict=True)
    return result


@dataclass(frozen=True, slots=True)
class _File:
    """A translation unit whose kernels are learnt together."""

    workshop: Workshop
    source: Source
    path: str
    observed: Sequence[RecordedLaunch]
    seed: int
    corrections: Mapping[str, UnitSettings]

    def corrected(self, units: Sequence[Unit]) -> list[Learnt]:
        """Return what is learnt of each unit, and what the user says in its place."""
        learnt = self.learn(units)
        return [_corrected(unit, learnt[unit.id], self.corrections) for unit in units]

    def learn(self, units: Sequence[Unit]) -> dict[str, Learnt]:
        """Build the units for tracing and learn; where they do not build as a whole, each alone."""
        result: dict[str, Learnt] = {
            unit.id: refused
            for unit in units
            if (refused := refusal(self.source, unit) or several_meanings(self.source, unit)) is not None
        }
        return result | self._learn([unit for unit in units if unit.id not in result])

    def _learn(self, units: Sequence[Unit]) -> dict[str, Learnt]:
        """Learn units of which nothing is known against it."""
        signatures = [
            (unit, signature) for unit in units for signature in self.source.signatures.get(unit.id, ())
        ]
        if not signatures:
            return {unit.id: _together([]) for unit in units}
        built = self._build([signature for _, signature in signatures], Flavour.TRACE)
        if isinstance(built, BuildFailed):
            if len(units) > 1:
                return {key: value for unit in units for key, value in self._learn([unit]).items()}
            return {units[0].id: Inconclusive(reason=_unbuilt(built), code="TP403")}
        tracer = Tracer(
            workshop=replace(self.workshop, timeout=min(self.workshop.timeout, CALL_TIMEOUT)),
            library=built,
            checked=lambda: self._build([signature for _, signature in signatures], Flavour.ADDRESS),
        )
        entries: dict[str, list[int]] = {unit.id: [] for unit in units}
        for entry, (unit, _) in enumerate(signatures):
            entries[unit.id].append(entry)

        def learn(chosen: Sequence[int]) -> dict[int, Contract | Inconclusive]:
            tasks = [self._task(*signatures[entry], entry) for entry in chosen]
            return dict(zip(chosen, drive(tracer, tasks), strict=True))

        # A template may have dozens of instances, which the first one speaks for where it has no contract.
        learnt = learn([own[0] for own in entries.values() if own])
        known = (own for own in entries.values() if own and isinstance(learnt[own[0]], Contract))
        learnt |= learn([entry for own in known for entry in own[1:]])
        return {
            unit.id: _together([learnt[entry] for entry in entries[unit.id] if entry in learnt])
            for unit in units
        }

    def _build(self, signatures: Sequence[Signature], flavour: Flavour) -> Built | BuildFailed:
        known = (item for item in self.source.translation_units if item.path == self.path)
        unit = next(known, TranslationUnit(path=self.path))
        files = lower(self.source, rename_main=True)
        watched = watched_copies(files, signatures, branching=True)
        built = source_library(self.workshop, self.source, watched, unit, signatures, flavour)
        if isinstance(built, BuildFailed) and watched != files:  # What is inlined may be recursive after all.
            return source_library(self.workshop, self.source, files, unit, signatures, flavour)
        return built

    def _task(self, unit: Unit, signature: Signature, entry: int) -> Task:
        sites = sites_of(self.source, unit, signature)
        subject = subject_of(self.source, unit, signature, entry, sites)
        if isinstance(subject, Inconclusive):
            return subject
        settings = settings_for(self.corrections, unit, signature)
        subject = replace(subject, stated=stated_by(settings))
        rows = signature.assembly.rows if signature.assembly else ()
        # Whether rows may differ in length is asked at the end.
        pinned = {item.ragged: 0 for item in rows}
        hints, recorded = self._hints(unit, signature, sites), rows_of(unit, subject, self.observed)
        return subject, learn_as_launched(subject, pinned, self.seed, hints, recorded)

    def _hints(self, unit: Unit, signature: Signature, sites: Sequence[Site]) -> tuple[Block, ...]:
        """Return the block shapes that the repository uses for a kernel, at most a few."""
        recorded = [item.launch.block for item in made_of(unit, signature, self.observed)]
        blocks = [*(site.fixed_block for site in sites), *recorded]
        return tuple(dict.fromkeys(block for block in blocks if block is not None))[:_HINTS]


def _unbuilt(failed: BuildFailed) -> str:
    """Return why a source does not build; of a header above it, also what to do."""
    header, reason = (
        missing_header(failed.output),
        f"the source does not build for tracing: {failed.complaint}",
    )
    above = f"; port the folder that holds `{header.lstrip('./')}` as well"
    return f"{reason}{above}" if header.startswith("../") else reason


def _together(learnt: Sequence[Contract | Inconclusive]) -> Learnt:
    """Return the contracts of all instantiations; one that has none speaks for the unit."""
    if not learnt:
        return unknown("it has no instance with a known signature: nothing in the source launches it")
    for item in learnt:
        if isinstance(item, Inconclusive):
            return item
    return tuple(item for item in learnt if isinstance(item, Contract))


def _corrected(unit: Unit, learnt: Learnt, corrections: Mapping[str, UnitSettings]) -> Learnt:
    """Put the user's word over what was inferred."""
    if isinstance(learnt, Inconclusive):
        return learnt
    result: list[Contract] = []
    for contract in learnt:
        settings = settings_for(corrections, unit, contract.signature)
        if settings is None:
            result.append(contract)
            continue
        strange = unknown_names(contract, settings)
        if strange:
            names = ", ".join(strange)
            return unknown(f"transpile.toml names {names}, but `{unit.name}` has no such parameter")
        result.append(apply(contract, settings))
    return tuple(result)
