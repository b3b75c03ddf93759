"""Dependencies of a verdict: its key in the store, and its provenance in the evidence."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from transpile import __version__
from transpile.core import (
    Attempt,
    Evidence,
    RecordedLaunch,
    Source,
    TranslationUnit,
    Trial,
    Unit,
    UnitKind,
    digest,
)
from transpile.options import PortOptions
from transpile.parsers.files.includes import closure as included
from transpile.store import own_code
from transpile.toolchains.beside import headers_beside, include_directories
from transpile.toolchains.compilers import versions


def keys_of(
    source: Source,
    units: Sequence[Unit],
    options: PortOptions,
    given: Mapping[str, tuple[Trial, ...]] = MappingProxyType({}),
    stages: Sequence[str] = ("rules",),
) -> dict[str, str]:
    """Return, by unit id, the digest of all that its verdict depends on.

    Of what is carved it is the data that count: a program that is given other data is other trials.

    Args:
        source: What the units are of.
        units: Whose keys are wanted.
        options: What was asked for.
        given: Trials beside those that are generated, by unit id.
        stages: Which translators had their turn, in order.
    """
    # All corrections, since one may name the unit by its id, its name or an instantiation.
    asked = repr(
        (
            sorted(options.units.items()),
            options.required,
            options.prove,
            options.sequential,
            provenance(options),
        )
    )
    by_models = bool({"models", "tests"} & set(stages))
    asked += repr((options.target, tuple(stages), options.models if by_models else None))

    texts = _Texts.of(source)
    return {unit.id: digest(*texts.of_unit(unit), asked, repr(given.get(unit.id, ()))) for unit in units}


def contract_keys(
    source: Source, units: Sequence[Unit], options: PortOptions, observed: Sequence[RecordedLaunch]
) -> dict[str, str]:
    """Return, by unit id, the digest of all that the contracts of a unit depend on: no target is among it."""
    asked = repr((sorted(options.units.items()), provenance(options), tuple(observed)))
    texts = _Texts.of(source)
    return {unit.id: digest("contracts", *texts.of_unit(unit), asked) for unit in units}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Texts:
    """The texts and flags of a source, as far as single units depend on them."""

    source: Source
    compiled: Mapping[str, TranslationUnit]
    shared: str
    """Digest of the files that are compiled within others."""

    @classmethod
    def of(cls, source: Source) -> _Texts:
        """Read what all units share."""
        compiled = {unit.path: unit for unit in source.translation_units}
        others = sorted(source.files.keys() - compiled)
        shared = digest(*(part for path in others for part in (path, source.files[path])))
        return cls(source=source, compiled=compiled, shared=shared)

    def of_unit(self, unit: Unit) -> tuple[str | bytes, ...]:
        """Return what a unit depends on, flags last."""
        source = self.source
        own = self.compiled.get(unit.translation_unit)
        flags = own.flags if own else ()
        # The unit's own translation unit with all that it includes, and whatever else may be read by name.
        paths = set(included(source.files, unit.translation_unit, include_directories(flags)))
        for companion in source.companions(unit.translation_unit):
            directories = include_directories(companion.unit.flags)
            paths.update(included(source.files, companion.unit.path, directories))
            flags = (*flags, *companion.unit.flags)
        read = {path: source.files[path] for path in paths}
        read |= headers_beside(read, flags)
        if unit.kind is UnitKind.FUNCTION:
            # Whoever calls a function tells how long its arrays are.
            name = unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape")
            read |= {path: data for path, data in source.files.items() if name in data}
        texts = (part for path in sorted(read) for part in (path, read[path]))
        return (unit.id, unit.text, *texts, self.shared, *flags)


def selected_key(evidence: Evidence, rivals: Sequence[Attempt]) -> str:
    """Return the digest of all that choosing between translations of a unit by clocks depends on."""
    return digest("selected", evidence.id, repr(rivals), str(len(os.sched_getaffinity(0))))


def optimized_key(evidence: Evidence, options: PortOptions) -> str:
    """Return the digest of all that optimising a kept translation depends on."""
    asked = (evidence.candidate, options.optimize, options.models, len(os.sched_getaffinity(0)))
    return digest("optimized", evidence.id, repr(asked))


def provenance(options: PortOptions) -> tuple[tuple[str, str], ...]:
    """Return what made the verdict: seed, versions, machine."""
    own = f"{__version__}+{own_code()[:12]}"
    return (("transpile", own), ("seed", str(options.seed)), ("machine", platform.machine()), *versions())


def whereabouts(source: Source, options: PortOptions) -> tuple[tuple[str, str], ...]:
    """Return what it takes to read the source, and to run its program, again; no verdict depends on it."""
    return (
        ("source", str(source.root)),
        ("flags", shlex.join(options.flags)),
        ("opened", shlex.join(map(str, options.opened))),
        ("exclude", shlex.join(options.exclude_files)),
        *(("carve", shlex.join(command)) for command in options.carve),
    )
