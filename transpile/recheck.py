"""The trials of what changed since a port was made, once more, on source and port as they are now."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile import foreign, pipeline, testers
from transpile.assemble import assemble
from transpile.assemble.excerpts import Excerpt, excerpts
from transpile.core import (
    OPENMP,
    Candidate,
    Evidence,
    Inconclusive,
    Passed,
    ProgrammingModel,
    Source,
    TranslationUnit,
    Trial,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.edits import Edits
from transpile.errors import UsageError
from transpile.lock import AROUND, Change, Lock
from transpile.options import PortOptions
from transpile.store import Store
from transpile.testers.programs.carve import carve


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
    excerpts: Mapping[str, Excerpt]
    emulators: tuple[tuple[str, ...], ...]
    edits: Edits
    """Differences from the port that would be made now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A translation that was kept when the port was made."""

    unit: Unit
    evidence: Evidence
    candidate: Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class _Now:
    """A translation as it is now."""

    proposal: testers.Proposal
    pool: tuple[Trial, ...]
    """Trials to make within the port."""
    new: bool
    """Nobody has judged this translation of this source."""


def rerun(
    lock: Lock, changes: Sequence[Change], *, source: Path, port: Path, options: PortOptions
) -> list[Standing]:
    """Return what the trials say of each unit that a change may have reached.

    A translation that somebody changed is judged as a new one is, and so is one whose source changed, by what
    is learnt of that anew. Then, and of all others, trials are made within the port as it is. A unit that is
    not kept, and code that only program runs judge, have no trials: those changes stay open.
    """
    found = pipeline.read(source, options)
    store = Store(options.cache / "evidence")
    ready = {name: _ready(lock, name, found, store) for name in lock.units}
    there = _on_disk(found, port, [item for item in ready.values() if isinstance(item, _Kept)])
    verdicts: dict[str, Verdict] = {}
    concerned: list[_Kept] = []
    for name in affected(lock, changes):
        item = ready[name]
        if isinstance(item, Inconclusive):
            verdicts[name] = item
        else:
            concerned.append(item)
    now: dict[str, _Now] = {}
    for name, standing in _as_they_are(found, concerned, there.edits, changes, options).items():
        if isinstance(standing, Inconclusive):
            verdicts[name] = standing
        else:
            now[name] = standing
    judged = _judged(found, lock, now, options)
    verdicts |= {name: item.verdict for name, item in judged.items()}
    left = [name for name in now if name not in judged or isinstance(verdicts[name], Passed)]
    confirmed = testers.confirm(
        pipeline.make_workshop(options),
        found,
        there,
        [now[name].proposal for name in left],
        [_within(now[name], judged.get(name)) for name in left],
    )
    for name, verdict in zip(left, confirmed, strict=True):
        if name not in judged or not isinstance(verdict, Passed):
            verdicts[name] = verdict
    return [Standing(unit=name, verdict=verdicts[name]) for name in sorted(verdicts)]


def _as_they_are(
    source: Source,
    concerned: Sequence[_Kept],
    edits: Edits,
    changes: Sequence[Change],
    options: PortOptions,
) -> dict[str, _Now | Inconclusive]:
    """Return the translations with their text of now, and with contracts of the source of now."""
    workshop = pipeline.make_workshop(options)
    carved = carve(workshop, source, _carved_from([item.evidence for item in concerned])).trials
    moved = [item.unit for item in concerned if _is_moved(item.unit, changes)]
    learnt = pipeline.learnt(workshop, source, moved, options)
    found: dict[str, _Now | Inconclusive] = {}
    for item in concerned:
        name = item.unit.id
        known, candidate = learnt.get(name, item.evidence.contracts), edits.applied(item.candidate)
        if isinstance(known, Inconclusive):
            found[name] = known
        elif isinstance(candidate, Inconclusive):
            found[name] = candidate
        else:
            pool = _pool(item.evidence, carved.get(name, ()))
            given = tuple(trial for trial in pool if not trial.generated)
            found[name] = _Now(
                proposal=testers.Proposal(unit=item.unit, contracts=known, candidate=candidate, given=given),
                pool=pool,
                new=name in learnt or candidate != item.candidate,
            )
    return found


def _is_moved(unit: Unit, changes: Sequence[Change]) -> bool:
    """Tell whether a change of the source may be one of what a unit does."""
    return any(item.side == "source" and item.unit in ("", unit.id) for item in changes)


def _judged(
    source: Source, lock: Lock, now: Mapping[str, _Now], options: PortOptions
) -> dict[str, testers.Judged]:
    """Return what the testers make of translations that nobody has judged."""
    new = {name: item.proposal for name, item in now.items() if item.new}
    workshop = pipeline.make_workshop(options)
    found = testers.judge(workshop, source, list(new.values()), seed=options.seed, level=lock.require)
    return dict(zip(new, found, strict=True))


def _within(now: _Now, judged: testers.Judged | None) -> tuple[Trial, ...]:
    """Return the trials to make within the port: those of now, and what the program calls it with."""
    if judged is None:
        return now.pool
    return (*judged.pool, *(trial for trial in now.pool if trial.carved and trial not in judged.pool))


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


def _ready(lock: Lock, name: str, source: Source, store: Store) -> _Kept | Inconclusive:
    """Return what a unit's trials need, or why they cannot be run."""
    locked = lock.units[name]
    unit = next((item for item in source.units if item.id == name), None)
    if unit is None:
        return Inconclusive(reason="it is no longer in the source", code="TP513")
    if not locked.target_path:
        return Inconclusive(reason="its lock names no translation", code="TP513")
    try:
        evidence = store.get(locked.evidence)
    except UsageError:
        return Inconclusive(reason=f"evidence {locked.evidence} is not on this machine", code="TP513")
    if evidence.candidate is None:
        return Inconclusive(reason=f"evidence {locked.evidence} holds no translation", code="TP513")
    return _Kept(unit=unit, evidence=evidence, candidate=evidence.candidate)


def _on_disk(source: Source, port: Path, kept: Sequence[_Kept]) -> _AsItIs:
    """Return the port's own texts, to be compiled as an assembly of this source would be."""
    candidates = {item.unit.id: item.candidate for item in kept}
    dialects = (item.dialect for item in candidates.values())
    target = next((item for item in dialects if item.model is ProgrammingModel.HIP), OPENMP)
    assembly = assemble(source, candidates, target=target)
    files = {path: data for path in assembly.files if (data := foreign.found(port, path)) is not None}
    return _AsItIs(
        files=files,
        translation_units=assembly.translation_units,
        paths=assembly.paths,
        excerpts=excerpts(source, assembly.paths, candidates),
        emulators=assembly.emulators,
        edits=Edits.between(assembly.files, files),
    )
