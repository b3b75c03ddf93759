"""Objects of other translation units to link with a library, made once for all candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transpile.core import Companion, Elsewhere, Source
from transpile.parsers.lowering.declarations import Damage
from transpile.parsers.lowering.emulation import lowered
from transpile.parsers.lowering.excerpts import cut_files, needed_by
from transpile.parsers.text.hosts import is_plain
from transpile.toolchains.build import Beside, BuildFailed, Built, Flavour, build_object
from transpile.toolchains.needed import needed
from transpile.toolchains.workshop import Workshop


def beside(
    workshop: Workshop, source: Source, path: str, flavour: Flavour, defines: Sequence[str] = ()
) -> Beside:
    """Return what is beside libraries of a translation unit; what cannot be built stays unknown to them.

    Args:
        workshop: Where to build.
        source: What the translation unit is of.
        path: Of its file.
        flavour: What the libraries are for.
        defines: Macros by which they choose an emulator, without ``-D``.
    """
    known = source.elsewhere.get(path, Elsewhere())
    made = (_built(workshop, source, item, flavour, defines) for item in known.companions)
    return Beside(objects=tuple(item for item in made if isinstance(item, Built)), variables=known.variables)


def _built(
    workshop: Workshop, source: Source, companion: Companion, flavour: Flavour, defines: Sequence[str]
) -> Built | BuildFailed:
    """Build a companion: what is of the device on the emulator."""
    files, unit = _files(source, companion), companion.unit
    if is_plain(source.units, unit.path):
        return build_object(workshop, files, unit, companion.symbols, flavour)
    files = lowered(needed(files, [unit]))
    return build_object(workshop, files, unit, companion.symbols, flavour, emulated=True, defines=defines)


def _files(source: Source, companion: Companion) -> Mapping[str, bytes]:
    """Return the files that a companion is built from: of one that does not compile, what is seen of it."""
    path = companion.unit.path
    cut = dict.fromkeys(cut_files(source, path), ())
    if not cut and path not in source.absent:
        return source.files
    damage = Damage(headers=frozenset(source.absent.get(path, ())), errors=cut)
    run = (unit.name for unit in source.units if unit.id in companion.units)
    return needed_by(source.files, companion.unit, damage, (*companion.symbols, *run))
