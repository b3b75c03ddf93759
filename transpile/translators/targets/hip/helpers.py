"""Headers of ours that ports include: what HIP lacks, in HIP."""

from __future__ import annotations

import posixpath
from importlib import resources

WARPS = "warp32.h"
TILES = "tile_algorithms.h"
PACKED = "packed.h"
HELPERS = (WARPS, TILES, PACKED)
"""They stand at the root of a port."""
_OPERATIONS = (
    "add sub maxs maxu mins minu absdiffs absdiffu avgu cmpeq cmpne cmpgts"
    " cmpgtu cmpltu cmplts cmpges cmpgeu cmples cmpleu haddu seteq setne sads sadu"
)
OF_WORDS = frozenset(f"__v{name}{parts}".encode() for name in _OPERATIONS.split() for parts in (2, 4))
"""Functions in ``packed.h``."""


def quoted(name: str, path: str) -> bytes:
    """Return how a file at that path below the root includes a helper."""
    return b'"%s"' % posixpath.relpath(name, posixpath.dirname(path) or ".").encode()


def is_ours(path: str, data: bytes) -> bool:
    """Tell whether a file is a helper that an earlier port brought along."""
    return path in HELPERS and data == text_of(path)


def text_of(name: str) -> bytes:
    """Return a helper's text."""
    return (resources.files("transpile.translators.targets.hip") / "include" / name).read_bytes()
