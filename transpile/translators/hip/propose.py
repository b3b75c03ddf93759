"""A kernel of CUDA and what it calls, as they stand in the source's port to HIP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from transpile.core import (
    HIP,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Diagnostic,
    Rejected,
    Replacement,
    Severity,
    Source,
    Unit,
)
from transpile.translators.hip import tables
from transpile.translators.hip.leftovers import defined, leftovers
from transpile.translators.hip.source import in_hip


def propose(source: Source, unit: Unit, contracts: Sequence[Contract]) -> Candidate | Rejected:
    """Return a kernel in HIP with the device functions that change with it, or what HIP has nothing for."""
    port = in_hip(source)
    parts = (unit, *source.closure(unit))
    lacks = tuple(found for part in parts for found in diagnosed(source, part.path, port.unit(part.id), part))
    if lacks:
        return Rejected(stage="translate", diagnostics=lacks)
    replacements = tuple(
        Replacement(unit=part.id, text=port.unit(part.id).text, same_signature=True)
        for part in parts
        if part is unit or (not part.member and port.unit(part.id).text != part.text)
    )
    signature = contracts[0].signature if contracts else None
    names = tuple(item.name for item in signature.parameters) if signature else ()
    return Candidate(
        unit=unit.id,
        replacements=replacements,
        binding=Binding(name=unit.name, arguments=names, kernel=True),
        dialect=HIP,
        origin=ByRules(rules=("hip",)),
    )


def diagnosed(source: Source, path: str, text: Unit, unit: Unit) -> Iterator[Diagnostic]:
    """Yield what of a unit HIP has nothing for."""
    for item in leftovers(text.text, own_names(source)):
        yield lacking(path, unit.line + item.line - 1, item.name)


def lacking(path: str, line: int, name: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    """Return that HIP has nothing for a name."""
    return Diagnostic(
        code="TP212", severity=severity, path=path, line=line, message=f"HIP has nothing for {name}: it stays"
    )


def own_names(source: Source) -> frozenset[bytes]:
    """Return the names that a source defines itself, or has a row for, though CUDA has them too."""
    units = frozenset(unit.name.rpartition("::")[2].encode() for unit in source.units)
    rows = frozenset(tables.names(source.files.get(tables.OWN, b"")))
    return units.union(rows, *map(_defined, source.files.values()))


_defined = lru_cache(maxsize=512)(defined)
