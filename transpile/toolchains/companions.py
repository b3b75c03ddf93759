"""What a library of one translation unit is linked with: objects of others, made once for all candidates."""

from __future__ import annotations

from transpile.core import Source
from transpile.toolchains.build import Built, Flavour, build_object
from transpile.toolchains.workshop import Workshop


def companion_objects(workshop: Workshop, source: Source, path: str, flavour: Flavour) -> tuple[Built, ...]:
    """Return the objects for libraries of a translation unit; what cannot be built stays unknown to them."""
    made = (
        build_object(workshop, source.files, item.unit, item.symbols, flavour)
        for item in source.companions.get(path, ())
    )
    return tuple(item for item in made if isinstance(item, Built))
