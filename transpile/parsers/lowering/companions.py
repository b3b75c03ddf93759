"""Objects of other translation units to link with a library, made once for all candidates."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import Companion, Elsewhere, Source
from transpile.parsers.files.includes import read_by
from transpile.parsers.lowering.declarations import Damage
from transpile.parsers.lowering.excerpts import needed_by
from transpile.toolchains.build import Beside, Built, Flavour, build_object
from transpile.toolchains.workshop import Workshop


def beside(workshop: Workshop, source: Source, path: str, flavour: Flavour) -> Beside:
    """Return what is beside libraries of a translation unit; what cannot be built stays unknown to them."""
    known = source.elsewhere.get(path, Elsewhere())
    made = (
        build_object(workshop, _files(source, item), item.unit, item.symbols, flavour)
        for item in known.companions
    )
    return Beside(objects=tuple(item for item in made if isinstance(item, Built)), variables=known.variables)


def _files(source: Source, companion: Companion) -> Mapping[str, bytes]:
    """Return the files that a companion is built from: of one that lacks headers, what is seen of it."""
    headers = source.absent.get(companion.unit.path)
    if headers is None:
        return source.files
    run = (unit.name for unit in source.units if unit.id in companion.units)
    cut = (path for path in read_by(source, companion.unit.path) if path in source.left_out)
    damage = Damage(headers=frozenset(headers), errors=dict.fromkeys(cut, ()))
    return needed_by(source.files, companion.unit, damage, (*companion.symbols, *run))
