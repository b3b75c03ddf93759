"""One file of CUDA becomes one of HIP."""

from __future__ import annotations

import re

from transpile.parsers.edits import apply, disjoint
from transpile.translators.hip import names, runtime, tables, warps

HELPERS = "warp32.h"
"""Stands beside every file that includes it (see ``include/``)."""

_RUNTIME = "hip/hip_runtime.h"
_IS_HIP = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<hip/", re.MULTILINE)
"""Who wrote for HIP meant warps as HIP has them."""
_BEGINS = re.compile(rb"^[ \t]*#[ \t]*(?:include|if)", re.MULTILINE)
_GUARD = re.compile(rb"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)\s*\n[ \t]*#[ \t]*define[ \t]+\1[^\n]*\n", re.MULTILINE)
_COMMENTS = re.compile(rb"(?:\s*(?://[^\n]*|/\*[\s\S]*?\*/)[ \t]*\n)*")


def ported(path: str, data: bytes, own: frozenset[bytes] = frozenset()) -> bytes:
    """Return a file in HIP; what HIP has no other name for stays as it is.

    Args:
        path: Where it stands: what nvcc includes of itself in a ``.cu``, others say.
        data: The file.
        own: Names in quotes that lead to other files of the source.
    """
    changes = (
        *(() if _IS_HIP.search(data) else warps.changes(data)),
        *runtime.changes(data),
        *((item,) for item in names.included(data, tables.headers(), own)),
        *((item,) for item in names.renamed(data, tables.names())),
    )
    text = apply(data, disjoint(changes))
    if warps.needs_helpers(text) and HELPERS.encode() not in text:
        text = _including(text, b'"%s"' % HELPERS.encode())
    if path.endswith(".cu") and _RUNTIME.encode() not in text:
        text = _including(text, b"<%s>" % _RUNTIME.encode())
    return text


def _including(text: bytes, header: bytes) -> bytes:
    """Return a text that includes a header before all others, whatever the build."""
    first, guard = _BEGINS.search(text), _GUARD.search(text)
    if first is not None and guard is not None and guard.start() == first.start():
        place = guard.end()
    elif first is not None:
        place = first.start()
    else:
        opening = _COMMENTS.match(text)
        place = opening.end() if opening else 0
    return text[:place] + b"#include %s\n" % header + text[place:]
