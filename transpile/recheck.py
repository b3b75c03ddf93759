"""The trials of what changed since a port was made, once more, on source and port as they are now."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile import pipeline, testers
from transpile.assemble import assemble
from transpile.core import (
    OPENMP,
    Candidate,
    Evidence,
    Inconclusive,
    ProgrammingModel,
    Source,
    TranslationUnit,
    Trial,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.errors import UsageError
from transpile.lock import AROUND, Change, Lock
from transpile.options import PortOptions
from transpile.store import Store
from transpile.testers.carve import carve


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the trials say of a unit now."""

    unit: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _AsItIs:
    """A port as it lies on disk."""

    files: Mapping[str, bytes]
    translation_units: tuple[TranslationUnit, ...]
    paths: Mapping[str, str]
    emulators: tuple[tuple[str, ...], ...]


def rerun(
    lock: Lock, changes: Sequence[Change], *, source: Path, port: Path, options: PortOptions
) -> list[Standing]:
    """Return what the trials say of each unit that a change may have reached.

    A unit that is not kept, and code that only program runs judge, have no trials: those changes stay open.
    """
    found = pipeline.read(source, options)
    store = Store(options.cache / "evidence")
    known: list[tuple[Unit, Evidence, Candidate]] = []
    standings: list[Standing] = []
    for name in affected(lock, changes):
        ready = _ready(lock, name, found, store)
        if isinstance(ready, Inconclusive):
            standings.append(Standing(unit=name, verdict=ready))
        else:
            known.append(ready)
    proposals = [
        testers.Proposal(unit=unit, contracts=evidence.contracts, candidate=candidate)
        for unit, evidence, candidate in known
    ]
    assembly = _on_disk(found, port, {unit.id: candidate for unit, _, candidate in known})
    workshop = pipeline.make_workshop(options)
    carved = carve(workshop, found, _carved_from([evidence for _, evidence, _ in known])).trials
    pools = [_pool(evidence, carved.get(unit.id, ())) for unit, evidence, _ in known]
    verdicts = testers.confirm(workshop, found, assembly, proposals, pools)
    standings += [
        Standing(unit=unit.id, verdict=verdict) for (unit, _, _), verdict in zip(known, verdicts, strict=True)
    ]
    return sorted(standings, key=lambda item: item.unit)


def _carved_from(known: Sequence[Evidence]) -> tuple[tuple[str, ...], ...]:
    """Return the runs of the program that the units were judged on."""
    commands = (value for evidence in known for name, value in evidence.provenance if name == "carve")
    return tuple(tuple(shlex.split(command)) for command in dict.fromkeys(commands))


def _pool(evidence: Evidence, carved: Sequence[Trial]) -> tuple[Trial, ...]:
    """Return the trials of a unit with what its program calls it with now, where that could be carved."""
    if not carved:
        return evidence.pool
    return (*(trial for trial in evidence.pool if not trial.carved), *carved)


def affected(lock: Lock, changes: Sequence[Change]) -> tuple[str, ...]:
    """Return the units that have to be looked at.

    Those that are named, and all kept ones where a file changed around its units. A device function is
    looked at through the kernels that call it.
    """
    named = {change.unit for change in changes if change.unit}
    around = any(change.reason == AROUND for change in changes)
    return tuple(
        name
        for name, unit in lock.units.items()
        if (name in named and unit.kind is not UnitKind.DEVICE) or (around and unit.target_path)
    )


def _ready(
    lock: Lock, name: str, source: Source, store: Store
) -> tuple[Unit, Evidence, Candidate] | Inconclusive:
    """Return what a unit's trials need, or why they cannot be run."""
    locked = lock.units[name]
    unit = next((item for item in source.units if item.id == name), None)
    if unit is None:
        return Inconclusive(reason="it is no longer in the source", code="TP513")
    if not locked.target_path:
        return Inconclusive(reason="it has no translation that trials could judge", code="TP513")
    try:
        evidence = store.get(locked.evidence)
    except UsageError:
        return Inconclusive(reason=f"evidence {locked.evidence} is not on this machine", code="TP513")
    if evidence.candidate is None:
        return Inconclusive(reason=f"evidence {locked.evidence} holds no translation", code="TP513")
    return unit, evidence, evidence.candidate


def _on_disk(source: Source, port: Path, kept: Mapping[str, Candidate]) -> _AsItIs:
    """Return the port's own texts, to be compiled as an assembly of this source would be."""
    dialects = (item.dialect for item in kept.values())
    target = next((item for item in dialects if item.model is ProgrammingModel.HIP), OPENMP)
    assembly = assemble(source, kept, target=target)
    texts = {path: port / path for path in assembly.files}
    return _AsItIs(
        files={path: place.read_bytes() for path, place in texts.items() if place.is_file()},
        translation_units=assembly.translation_units,
        paths=assembly.paths,
        emulators=assembly.emulators,
    )
