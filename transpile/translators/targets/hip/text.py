"""One file of CUDA becomes one of HIP."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from transpile.code.edits import Change, Edit, apply, disjoint
from transpile.code.lexer import every_word
from transpile.parsers.ptx.places import plain
from transpile.translators.targets.hip import (
    accesses,
    architecture,
    compatibility,
    either,
    helpers,
    names,
    runtime,
    tables,
    tiles,
    vendors,
    warps,
)

_IS_HIP = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<hip/", re.MULTILINE)
"""Who wrote for HIP meant warps as HIP has them."""
_BEGINS = re.compile(rb"^[ \t]*#[ \t]*(?:include|if)", re.MULTILINE)
_GUARD = re.compile(rb"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)\s*\n[ \t]*#[ \t]*define[ \t]+\1[^\n]*\n", re.MULTILINE)
_COMMENTS = re.compile(rb"(?:\s*(?://[^\n]*|/\*[\s\S]*?\*/)[ \t]*\n)*")


def edits(
    path: str,
    data: bytes,
    own: frozenset[bytes] = frozenset(),
    table: bytes = b"",
    taken: frozenset[bytes] = frozenset(),
    *,
    single: bool = False,
) -> list[Edit[bytes]]:
    """Return what has to change in a file; what HIP has no other name for stays as it is.

    Args:
        path: Where it stands below the root, where our helpers are. What nvcc includes of itself in a ``.cu``
            is written out.
        data: The file.
        own: Names in quotes that lead to other files of the source.
        table: Rows of the source's own (see ``tables.OWN``).
        taken: Names of HIP that are the program's own.
        single: CUDA is to take the text as well.
    """
    changes = _for_either(path, data, own, table) if single else _for_hip(path, data, own, table, taken)
    # Who chooses between the vendors has said what each of them is to read.
    found = disjoint(
        change for change in changes if not any(vendors.is_chosen(data, item.span) for item in change)
    )
    headers = []
    runtime_header = compatibility.quoted(compatibility.RUNTIME, path) if single else b"<%s>" % names.RUNTIME
    if path.endswith(".cu") and not _has(runtime_header, data, found):
        headers.append(runtime_header)
    if _has(warps.SPACE, b"", found) and helpers.WARPS.encode() not in data:
        headers.append(helpers.quoted(helpers.WARPS, path))
    if _has(tiles.SPACE, b"", found) and helpers.TILES.encode() not in data:
        headers.append(helpers.quoted(helpers.TILES, path))
    if helpers.PACKED.encode() not in data and any(
        word.text in helpers.OF_WORDS for word in every_word(data)
    ):
        headers.append(helpers.quoted(helpers.PACKED, path))
    place = _first_include(data)
    return [*(Edit(place, place, b"#include %s\n" % header) for header in headers), *found]


def ported(path: str, data: bytes, own: frozenset[bytes] = frozenset(), *, single: bool = False) -> bytes:
    """Return a file in HIP (see ``edits``)."""
    data = plain(data, vendors.is_chosen)
    return apply(data, edits(path, data, own, single=single))


def _for_hip(
    path: str, data: bytes, own: frozenset[bytes], table: bytes, taken: frozenset[bytes]
) -> Iterator[Change]:
    if not _IS_HIP.search(vendors.without_choices(data)):
        yield from warps.changes(data)
    yield from runtime.changes(data)
    yield from architecture.changes(data)
    yield from accesses.changes(data)
    yield from tiles.changes(data)
    yield from ((item,) for item in names.included(path, data, tables.headers(table), own))
    yield from ((item,) for item in names.renamed(data, tables.names(table, taken)))


def _for_either(path: str, data: bytes, own: frozenset[bytes], table: bytes) -> Iterator[Change]:
    yield from either.changes(data)
    yield from ((item,) for item in compatibility.included(path, data, tables.headers(table), own))


def _has(text: bytes, data: bytes, found: Sequence[Edit[bytes]]) -> bool:
    return text in data or any(text in item.text for item in found)


def _first_include(data: bytes) -> int:
    """Return where an include goes that is to come before all others, whatever the build."""
    first, guard = _BEGINS.search(data), _GUARD.search(data)
    if first is not None and guard is not None and guard.start() == first.start():
        return guard.end()
    if first is not None:
        return first.start()
    opening = _COMMENTS.match(data)
    return opening.end() if opening else 0
