"""A kernel of CUDA and what it calls, as they stand in the source's port to HIP."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.core import (
    HIP,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Rejected,
    Replacement,
    Severity,
    Source,
    Unit,
)
from transpile.parsers.files.includes import read_by
from transpile.translators.targets.hip import collisions
from transpile.translators.targets.hip.leftovers import lacking_names, leftovers, missing
from transpile.translators.targets.hip.source import in_hip, is_ported
from transpile.translators.targets.hip.vendors import undecided


def propose(
    source: Source, unit: Unit, contracts: Sequence[Contract], target: Dialect = HIP
) -> Candidate | Rejected:
    """Return a kernel in HIP with the device functions that change with it, or what HIP has nothing for."""
    port = in_hip(source, single=target.also is not None)
    lacking = lacking_names(port)
    read = read_by(source, unit.translation_unit)
    unclear = tuple(item for item in (*collisions.told(source), *undecided(source)) if item.path in read)
    if unclear:
        return Rejected(stage="translate", diagnostics=unclear)
    parts = (unit, *source.closure(unit))
    lacks = tuple(
        missing(part.path, part.line + item.line - 1, item, Severity.ERROR)
        for part in parts
        if is_ported(part.path, source.files[part.path])
        for item in leftovers(port.unit(part.id).text, lacking)
    )
    if lacks:
        return Rejected(stage="translate", diagnostics=lacks)
    replacements = tuple(
        Replacement(unit=part.id, text=port.unit(part.id).text, same_signature=True)
        for part in parts
        if part is unit or (not part.member and port.unit(part.id).text != part.text)
    )
    signature = contracts[0].signature if contracts else None
    names = signature.names if signature else ()
    return Candidate(
        unit=unit.id,
        replacements=replacements,
        binding=Binding(name=unit.name, arguments=names, kernel=True),
        dialect=target,
        origin=ByRules(rules=("hip",)),
    )
