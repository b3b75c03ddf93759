"""Data that every stage of a port works on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from transpile.contracts import infer
from transpile.core import (
    OUR_FAULT,
    Attempt,
    Contract,
    Evidence,
    Inconclusive,
    RecordedLaunch,
    Rejected,
    Severity,
    Source,
    Trial,
    Unit,
    digest,
)
from transpile.keys import contract_keys, keys_of, provenance, whereabouts
from transpile.options import PortOptions
from transpile.stages.asked import Asked
from transpile.store import Contracts, Store
from transpile.toolchains.workshop import Workshop
from transpile.translators.llm.context import definitions_of, headers_of


def never(_: Evidence) -> bool:
    """Return false: nothing of an earlier run is stale."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A source, what was asked for, and what was seen of it before anything is translated."""

    workshop: Workshop
    source: Source
    options: PortOptions
    observed: Sequence[RecordedLaunch] = ()
    given: Mapping[str, tuple[Trial, ...]] = field(default_factory=dict)
    """Trials beside those that are generated, by unit id: calls of the source's own program, and written."""
    contracts: Mapping[str, tuple[Contract, ...] | Inconclusive] = field(default_factory=dict)
    """What was learnt before, by unit id."""
    tests: Mapping[str, str] = field(default_factory=dict)
    """Where the tests that models wrote are told of (see ``testing``), by unit id."""
    asked: Asked = field(default_factory=Asked)

    def learnt(self, units: Sequence[Unit]) -> dict[str, tuple[Contract, ...] | Inconclusive]:
        """Return what calls of units must respect, or why that is not known; files are run side by side."""
        found = {unit.id: self.contracts[unit.id] for unit in units if unit.id in self.contracts}
        keys = contract_keys(
            self.source, [u for u in units if u.id not in found], self.options, self.observed
        )
        found |= self._kept(keys)
        groups: dict[str, list[Unit]] = {}
        for unit in units:
            if unit.id not in found:
                groups.setdefault(unit.translation_unit, []).append(unit)
        # One file alone keeps the share of the machine that whoever asks has.
        shared = self.sharing(len(groups)) if len(groups) > 1 else self

        def inferred(units: Sequence[Unit]) -> dict[str, tuple[Contract, ...] | Inconclusive]:
            return shared._inferred(units, keys)

        with ThreadPoolExecutor(max_workers=self.options.jobs) as pool:
            for known in pool.map(inferred, groups.values()):
                found |= known
        return found

    def _kept(self, keys: Mapping[str, str]) -> Iterator[tuple[str, tuple[Contract, ...]]]:
        """Yield what earlier runs have learnt, unless all is to be judged afresh."""
        for name, key in keys.items():
            known = None if self.options.afresh else self._contracts.find(key)
            if known is not None:
                yield name, known

    def _inferred(
        self, units: Sequence[Unit], keys: Mapping[str, str]
    ) -> dict[str, tuple[Contract, ...] | Inconclusive]:
        """Return the contracts of units of one translation unit, which are on disk then."""
        found = infer(
            self.workshop,
            self.source,
            units,
            observed=self.observed,
            seed=self.options.seed,
            corrections=self.options.units,
        )
        for name, known in found.items():
            if isinstance(known, tuple):
                self._contracts.save(keys[name], known)
        return found

    @property
    def _contracts(self) -> Contracts:
        return Contracts(self.options.cache / "contracts")

    @property
    def store(self) -> Store:
        """Return where evidence is kept."""
        return Store(self.options.cache / "evidence")

    def keys(self, units: Sequence[Unit], stages: Sequence[str]) -> dict[str, str]:
        """Return the key of each unit's evidence behind these stages, by unit id."""
        found = keys_of(self.source, units, self.options, self.given, stages)
        # Evidence says which tests were written, also where none of them counts.
        return {
            name: digest(key, self.tests[name]) if name in self.tests else key for name, key in found.items()
        }

    def known(self, key: str) -> Evidence | None:
        """Return what an earlier run has stored under a key, unless all is to be judged afresh."""
        return None if self.options.afresh else self.store.find(key)

    def recalled(
        self,
        units: Sequence[Unit],
        keys: Mapping[str, str],
        stale: Callable[[Evidence], bool] = never,
    ) -> tuple[list[Decided], list[Unit]]:
        """Return what an earlier run found that is not stale, and the units that are left."""
        found: list[Decided] = []
        left: list[Unit] = []
        for unit in units:
            known = self.known(keys[unit.id])
            # What we failed on ourselves is tried again: another day we may not.
            if known is None or known.faults or stale(known):
                left.append(unit)
            else:
                found.append(Decided(evidence=replace(known, unit=unit), known=True))
        return found, left

    def sharing(self, groups: int) -> Work:
        """Return the work with the share of the machine that each of some groups has."""
        jobs = max(self.options.jobs // max(groups, 1), 1)
        return replace(self, workshop=replace(self.workshop, jobs=jobs))

    def failed(self, earlier: Mapping[str, Evidence], unit: Unit, why: Inconclusive) -> Evidence:
        """Return that nothing is shown of a unit, behind what earlier stages found."""
        before = earlier.get(unit.id)
        attempts = (*(before.attempts if before else ()), Attempt(candidate=None, verdict=why))
        contracts, context = (before.contracts, before.context) if before else ((), ())
        # What its text names is not read again: that may be what we fail at.
        return self._evidence(unit, contracts, attempts, (), 0.0, context)

    def evidence(
        self,
        unit: Unit,
        contracts: tuple[Contract, ...],
        attempts: tuple[Attempt, ...],
        pool: tuple[Trial, ...],
        seconds: float,
    ) -> Evidence:
        """Return all that is known of a unit."""
        context = (*headers_of(self.source, unit), *definitions_of(self.source, unit))
        return self._evidence(unit, contracts, attempts, pool, seconds, context)

    def _evidence(
        self,
        unit: Unit,
        contracts: tuple[Contract, ...],
        attempts: tuple[Attempt, ...],
        pool: tuple[Trial, ...],
        seconds: float,
        context: tuple[str, ...] | None,
    ) -> Evidence:
        return Evidence(
            unit=unit,
            closure=self.source.closure(unit),
            context=context,
            contracts=contracts,
            attempts=attempts,
            pool=pool,
            seconds=seconds,
            provenance=(
                *provenance(self.options),
                *whereabouts(self.source, self.options),
                *((("tests", self.tests[unit.id]),) if unit.id in self.tests else ()),
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What a stage found of a unit; known where an earlier run had found it."""

    evidence: Evidence
    known: bool = False


Stage = Callable[[Work, Sequence[Unit], Mapping[str, Evidence]], Iterator[Decided]]
"""Takes units, and by unit id what earlier stages found; yields evidence that holds their attempts too."""


def refusal_of(source: Source, unit: Unit) -> Inconclusive | Rejected | None:
    """Return why a unit cannot be judged at all, or None."""
    if not unit.active:
        return Inconclusive(reason="the preprocessor removes it in this build (`#if`)", code="TP402")
    found = tuple(
        item
        for part in (unit, *source.closure(unit))
        for item in source.diagnostics
        if item.severity is Severity.ERROR
        and item.path == part.path
        and part.line <= item.line <= last_line(part)
    )
    for item in found:
        if item.code == OUR_FAULT:
            return Inconclusive(reason=item.message, code=OUR_FAULT)
    return Rejected(stage="parse", diagnostics=found) if found else None


def last_line(unit: Unit) -> int:
    """Return the number of the line on which a unit ends."""
    return unit.line + unit.text.count(b"\n")
