"""A source in HIP: every file of code ported, every unit and launch where it stands then."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from functools import lru_cache

from transpile.core import HIP, Source
from transpile.parsers.discovery import is_code
from transpile.parsers.edits import Edit, apply, moved
from transpile.parsers.ptx.places import without_assembly
from transpile.translators.hip.helpers import HELPERS, text_of
from transpile.translators.hip.tables import OWN
from transpile.translators.hip.text import edits


class _Key:
    """A source as a key of a cache: that very one, since to compare all of it would take as long."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.source is other.source

    def __hash__(self) -> int:
        return id(self.source)


def in_hip(source: Source) -> Source:
    """Return a source with all its files in HIP; its units keep their ids. Made once a source."""
    return _in_hip(_Key(source))


@lru_cache(maxsize=4)
def _in_hip(key: _Key) -> Source:
    source = without_assembly(key.source)
    own = frozenset(posixpath.basename(path).encode() for path in source.files)
    table = source.files.get(OWN, b"")
    found = {path: _edits(path, data, own, table) for path, data in source.files.items() if is_code(path)}
    files = {path: apply(data, found.get(path, ())) for path, data in source.files.items()}
    for name in HELPERS:
        if any(name.encode() in data for data in files.values()):
            files.setdefault(name, text_of(name))
    units = []
    for unit in source.units:
        span = moved(unit.span, found.get(unit.path, ()))
        units.append(replace(unit, span=span, text=span.of(files[unit.path])))
    launches = tuple(
        replace(site, span=moved(site.span, found.get(site.path, ()))) for site in source.launches
    )
    return replace(source, files=files, units=tuple(units), launches=launches, dialect=HIP)


@lru_cache(maxsize=512)
def _edits(path: str, data: bytes, own: frozenset[bytes], table: bytes) -> tuple[Edit, ...]:
    return tuple(edits(path, data, own, table))
