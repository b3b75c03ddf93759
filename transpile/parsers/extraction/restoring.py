"""A source with extracted loops back where they were."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from transpile.code.edits import Edit, edited
from transpile.core import Source


def restored(source: Source, kept: Collection[str]) -> Source:
    """Return a source in which only the loops of these units are functions of their own."""
    gone = {unit: loop for unit, loop in source.extracted.items() if unit not in kept}
    if not gone:
        return source
    edits: dict[str, list[Edit[bytes]]] = {}
    for loop in gone.values():
        edits.setdefault(loop.path, []).extend(
            (
                Edit(loop.function.start, loop.function.end, b""),
                Edit(loop.call.start, loop.call.end, loop.text),
            )
        )
    ordered = {path: sorted(some, key=lambda edit: edit.start) for path, some in edits.items()}
    units = tuple(unit for unit in source.units if unit.id not in gone)
    left = {unit: loop for unit, loop in source.extracted.items() if unit not in gone}
    callers = {loop.caller for loop in gone.values()}
    units = tuple(
        replace(unit, callees=tuple(name for name in unit.callees if name not in gone))
        if unit.id in callers
        else unit
        for unit in units
    )
    return edited(replace(source, units=units, extracted=left), ordered)


def as_written(source: Source) -> Source:
    """Return a source as it is on disk."""
    return restored(source, ())
