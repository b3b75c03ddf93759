"""The header of ours that calls of parallel algorithms include: a range of indices."""

from __future__ import annotations

from importlib import resources

INDEX_RANGE = "index_range.h"
"""It stands at the root of a port."""


def index_range() -> bytes:
    """Return the header's text."""
    return (resources.files("transpile.translators.targets.stdpar") / "include" / INDEX_RANGE).read_bytes()
