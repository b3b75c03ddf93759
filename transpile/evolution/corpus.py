"""CORPUS: repositories on disk, their units, and what calls of those must respect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from transpile import config, pipeline, translators
from transpile.core import Contract, Inconclusive, Rejected, Unit, digest
from transpile.errors import UsageError
from transpile.evolution.records import Chronicle, Subject
from transpile.options import PortOptions
from transpile.parsers.building.given import configured
from transpile.parsers.files.discovery import file_names, is_code
from transpile.stages import Work
from transpile.stages.models import contracts_of
from transpile.stages.rules import batches
from transpile.testers.programs.carve import carve
from transpile.testers.programs.launch_records import record
from transpile.translators.llm.answer import refused
from transpile.translators.llm.form import form_of

_BUILDS = frozenset(("Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "compile_commands.json"))
_KEY = 16
"""Hexadecimal digits of a unit's key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One repository of a corpus."""

    name: str
    """Its path below the corpus."""
    work: Work
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A unit that can be judged."""

    key: str
    entry: str
    work: Work
    unit: Unit
    contracts: tuple[Contract, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unasked:
    """A unit that nobody is asked of."""

    entry: str
    unit: str
    why: Inconclusive | Rejected


def roots(corpus: Path) -> tuple[Path, ...]:
    """Return the repositories of a corpus.

    A file, and a directory with code or a build file at its top, are one; of any other directory each one in
    it that holds code is one of its own.
    """
    if not corpus.is_dir() or any(is_code(item.name) or item.name in _BUILDS for item in corpus.iterdir()):
        return (corpus,)
    visible = (item for item in corpus.iterdir() if item.is_dir() and not item.name.startswith("."))
    found = sorted(item for item in visible if any(is_code(name) for name in file_names(item)))
    if not found:
        raise UsageError(f"{corpus}: there is no code in it", hint="A corpus is repositories side by side.")
    return tuple(found)


def entries(corpus: Path, options: PortOptions) -> Iterator[Entry]:
    """Yield the repositories of a corpus that lead to the target and hold something to judge."""
    for root in roots(corpus):
        settings = config.find(root)
        own = replace(
            options,
            units=settings.units,
            settings=settings.path,
            exclude_files=settings.exclude,
            flags=configured(settings.flags, settings.path, root, options.opened),
            runs=settings.commands,
            carve=settings.carvings,
        )
        source = pipeline.read(root, own)
        units = pipeline.chosen(source, own, pipeline.judged_kinds(source))
        leads = translators.leads(source.dialect, own.target)
        if units and leads and own.target.traits.prompt:
            workshop = pipeline.make_workshop(own)
            given = carve(workshop, source, own.carve).trials
            work = Work(workshop=workshop, source=source, options=own, given=given)
            yield Entry(name=root.name, work=work, units=units)


def mark(found: Sequence[Entry]) -> str:
    """Return the digest of all that is in a corpus."""
    parts = (
        part
        for entry in found
        for name, data in ((entry.name, b""), *sorted(entry.work.source.files.items()))
        for part in (name, data)
    )
    return digest(*parts)


def key_of(entry: str, unit: str) -> str:
    """Return the name of a unit's files."""
    return digest(entry, unit)[:_KEY]


def learnt(found: Sequence[Entry], chronicle: Chronicle, jobs: int) -> list[Member | Unasked]:
    """Return all units with their contracts, from disk where they are known."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        return [item for group in pool.map(lambda entry: _learnt(entry, chronicle), found) for item in group]


def _learnt(entry: Entry, chronicle: Chronicle) -> list[Member | Unasked]:
    keys = {unit.id: key_of(entry.name, unit.id) for unit in entry.units}
    known = {unit.id: chronicle.subject(keys[unit.id]) for unit in entry.units}
    fresh = [unit for unit in entry.units if known[unit.id] is None]
    work = _observed(entry.work) if fresh else entry.work
    for group in batches(fresh):
        refusals, contracts = contracts_of(work, group, {})
        for unit in group:
            why = refusals.get(unit.id) or _formless(work, unit, contracts[unit.id])
            subject = Subject(
                entry=entry.name, unit=unit.id, contracts=contracts.get(unit.id, ()), refusal=why
            )
            chronicle.learn(keys[unit.id], subject)
            known[unit.id] = subject
    return [_member(entry, unit, keys[unit.id], known[unit.id]) for unit in entry.units]


def _member(entry: Entry, unit: Unit, key: str, subject: Subject | None) -> Member | Unasked:
    assert subject is not None
    if subject.refusal is not None:
        return Unasked(entry=entry.name, unit=unit.id, why=subject.refusal)
    return Member(key=key, entry=entry.name, work=entry.work, unit=unit, contracts=subject.contracts)


def _formless(work: Work, unit: Unit, contracts: tuple[Contract, ...]) -> Rejected | None:
    if form_of(unit, contracts, work.options.target) is not None:
        return None
    return refused(unit, "answer", "TP520", "its declaration cannot be read, so no model is asked")


def _observed(work: Work) -> Work:
    """Return the work with what the repository's own programs do."""
    source, options = work.source, work.options
    runs = pipeline.known_runs(source, options)
    return replace(work, observed=record(work.workshop, source, runs))
