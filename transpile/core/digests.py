"""Digests of content."""

from __future__ import annotations

import hashlib


def digest(*parts: bytes | str) -> str:
    """Return the SHA-256 of the parts, each prefixed by its length so that boundaries count."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()
