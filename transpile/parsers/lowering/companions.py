"""Objects of other translation units to link with a library, made once for all candidates."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import Companion, Elsewhere, Source
from transpile.parsers.lowering.excerpts import Excerpt, excerpt_of
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
    wanted = Excerpt(headers=headers, functions=(*companion.symbols, *run))
    return excerpt_of(source.files, companion.unit, wanted)
