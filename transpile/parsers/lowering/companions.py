"""Objects of other translation units to link with a library, made once for all candidates."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import Companion, Elsewhere, Source
from transpile.parsers.lowering.declarations import Damage
from transpile.parsers.lowering.excerpts import cut_files, needed_by
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
    """Return the files that a companion is built from: of one that does not compile, what is seen of it."""
    path = companion.unit.path
    cut = dict.fromkeys(cut_files(source, path), ())
    if not cut and path not in source.absent:
        return source.files
    damage = Damage(headers=frozenset(source.absent.get(path, ())), errors=cut)
    run = (unit.name for unit in source.units if unit.id in companion.units)
    return needed_by(source.files, companion.unit, damage, (*companion.symbols, *run))
