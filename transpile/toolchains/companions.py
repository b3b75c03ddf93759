"""Objects of other translation units to link with a library, made once for all candidates."""

from __future__ import annotations

from transpile.core import Elsewhere, Source
from transpile.toolchains.build import Beside, Built, Flavour, build_object
from transpile.toolchains.workshop import Workshop


def beside(workshop: Workshop, source: Source, path: str, flavour: Flavour) -> Beside:
    """Return what is beside libraries of a translation unit; what cannot be built stays unknown to them."""
    known = source.elsewhere.get(path, Elsewhere())
    made = (
        build_object(workshop, source.files, item.unit, item.symbols, flavour) for item in known.companions
    )
    return Beside(objects=tuple(item for item in made if isinstance(item, Built)), variables=known.variables)
