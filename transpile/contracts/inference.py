"""Contracts of many kernels: one traced build a translation unit, the probes of all in shared batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from transpile.contracts.drive import drive
from transpile.contracts.learn import learn
from transpile.contracts.subject import subject_of
from transpile.contracts.trace import Tracer
from transpile.contracts.user import UnitSettings, apply, settings_for, unknown_names
from transpile.core import Contract, Inconclusive, RecordedLaunch, Source, TranslationUnit, Unit
from transpile.parsers.emulation import lower
from transpile.toolchains.build import BuildFailed, Flavour, build_library
from transpile.toolchains.entry import source_entries
from transpile.toolchains.workshop import Workshop

_CALL_TIMEOUT = 2.0
"""Seconds: calls are small, so one that takes longer does not end."""

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
        result |= _translation_unit(workshop, source, path, group, seed)
    return {unit.id: _corrected(unit, result[unit.id], corrections or {}) for unit in units}


def _translation_unit(
    workshop: Workshop, source: Source, path: str, units: Sequence[Unit], seed: int
) -> dict[str, Learnt]:
    """Build the units of one file for tracing; where that fails as a whole, each alone."""
    signatures = [(unit, signature) for unit in units for signature in source.signatures.get(unit.id, ())]
    where = next((item for item in source.translation_units if item.path == path), TranslationUnit(path=path))
    shim = source_entries([signature for _, signature in signatures])
    built = build_library(workshop, lower(source, rename_main=True), where, shim, Flavour.TRACE)
    if isinstance(built, BuildFailed):
        if len(units) > 1:
            alone = [_translation_unit(workshop, source, path, [unit], seed) for unit in units]
            return {key: value for part in alone for key, value in part.items()}
        reason = f"the source does not build for the emulator: {_last_error(built.output)}"
        return {units[0].id: Inconclusive(reason=reason, code="TP403")}
    tracer = Tracer(workshop=replace(workshop, timeout=min(workshop.timeout, _CALL_TIMEOUT)), library=built)
    subjects = [
        subject_of(source, unit, signature, entry) for entry, (unit, signature) in enumerate(signatures)
    ]
    learnt = drive(
        tracer,
        [item if isinstance(item, Inconclusive) else (item, learn(item, {}, seed)) for item in subjects],
    )
    result: dict[str, Learnt] = {}
    for unit in units:
        own = [item for (other, _), item in zip(signatures, learnt, strict=True) if other.id == unit.id]
        result[unit.id] = _together(own)
    return result


def _last_error(output: str) -> str:
    errors = [line for line in output.splitlines() if "error" in line]
    return (errors or output.splitlines() or ["no message"])[0].strip()[:300]


def _together(learnt: Sequence[Contract | Inconclusive]) -> Learnt:
    """Return the contracts of all instantiations; one that has none speaks for the unit."""
    if not learnt:
        return Inconclusive(
            reason="no instantiation with a known signature: nothing in the source launches it"
        )
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
        settings = settings_for(corrections, unit, contract)
        if settings is None:
            result.append(contract)
            continue
        unknown = unknown_names(contract, settings)
        if unknown:
            names = ", ".join(unknown)
            return Inconclusive(reason=f"the corrections name {names}: no such parameter of {unit.name}")
        result.append(apply(contract, settings))
    return tuple(result)
