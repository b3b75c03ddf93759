"""Names, wherever in a file: text, macros, conditional lines, branches that no build sees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from transpile.code.edits import Edit
from transpile.code.lexer import every_word
from transpile.toolchains.beside import INCLUDE
from transpile.translators.targets.hip import helpers
from transpile.translators.targets.hip.tables import Row

_SCOPE = re.compile(rb"\s*::")
_NAMESPACE = re.compile(rb"\bnamespace\s+(?:\w+\s*=\s*)?$")
RUNTIME = b"hip/hip_runtime.h"
"""Holds what headers without a row of their own held."""
_OF_CUB = re.compile(rb"cub/\S+\.cuh")


def renamed(data: bytes, names: Mapping[bytes, Row]) -> Iterator[Edit[bytes]]:
    """Yield an edit for each name of CUDA that HIP calls something else."""
    for token in every_word(data):
        row = names.get(token.text)
        if row is None and token.text + b"::" in names and _is_namespace(data, token.start, token.end):
            row = names[token.text + b"::"]
        if row is not None and row.hip != row.cuda:
            yield Edit(token.start, token.end, row.hip.removesuffix("::").encode())


def _is_namespace(data: bytes, start: int, end: int) -> bool:
    """Tell whether a word names a namespace, and not a variable that is called so."""
    line = data.rfind(b"\n", 0, start) + 1
    return _SCOPE.match(data, end) is not None or _NAMESPACE.search(data, line, start) is not None


def included(
    path: str, data: bytes, headers: Mapping[bytes, Row], own: frozenset[bytes]
) -> Iterator[Edit[bytes]]:
    """Yield the edits of lines that include a header of CUDA.

    Args:
        path: Where the file stands below the root.
        data: The file.
        headers: HIP's headers, by CUDA's.
        own: Names in quotes that lead to a file of the source.
    """
    for found in INCLUDE.finditer(data):
        row = row_of(found, headers, own)
        if row is not None:
            ours = row.hip in helpers.HELPERS
            header = helpers.quoted(row.hip, path) if ours else b"<%s>" % (row.hip.encode() or RUNTIME)
            yield Edit(found.start(), found.end(), b"#include " + header)


def row_of(found: re.Match[bytes], headers: Mapping[bytes, Row], own: frozenset[bytes]) -> Row | None:
    """Return the row of the header that a line includes; None where it is none of CUDA's."""
    quoted, angled = found.groups()
    name = (quoted or angled).strip()
    return None if quoted and name in own else row_named(name, headers)


def row_named(name: bytes, headers: Mapping[bytes, Row]) -> Row | None:
    """Return the row of a header; all of cub's are in one of HIP's."""
    return headers.get(b"cub/cub.cuh" if _OF_CUB.fullmatch(name) else name)
