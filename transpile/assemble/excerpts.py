"""Excerpts of a port's files that do not compile here as a whole, since those of the source do not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from transpile.core import Source, TranslationUnit
from transpile.parsers.lowering.declarations import Damage
from transpile.parsers.lowering.excerpts import cut_files, needed_by
from transpile.parsers.text.hosts import is_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The part of a translation unit of a port that is compiled here."""

    damage: Damage
    functions: tuple[str, ...]
    """The translations, by name."""
    of_kernels: bool
    """They were kernels, which call nothing of the host."""

    def of(self, files: Mapping[str, bytes], unit: TranslationUnit) -> dict[str, bytes]:
        """Return the files of the port with just what the translations need."""
        return needed_by(files, unit, self.damage, self.functions, emulated=self.of_kernels)


def excerpts(source: Source, paths: Mapping[str, str], kept: Collection[str]) -> dict[str, Excerpt]:
    """Return what is compiled of such translation units of a port, by path there.

    Args:
        source: What is ported.
        paths: The port's path of each file of the source.
        kept: Ids of the units whose translations are in the port.
    """
    return {
        paths[path]: Excerpt(
            damage=Damage(
                headers=frozenset(headers),
                errors={paths[item]: () for item in cut_files(source, path)},
            ),
            functions=tuple(
                item.name for item in source.units if item.id in kept and item.translation_unit == path
            ),
            of_kernels=not is_plain(source.units, path),
        )
        for path, headers in source.absent.items()
    }
