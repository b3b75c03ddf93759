"""Words of C in the first brackets of a parameter: ``a[restrict]``, ``a[static 8]`` (C11 6.7.6.3)."""

from __future__ import annotations

import re

_SAID = re.compile(rb"\[\s*(?:(?:static|restrict|const|volatile)\b\s*)+[^\]]*\]")


def without(text: bytes) -> bytes:
    """Return a text of C whose parameters C++ reads as well: promises of their brackets are left out."""
    return _SAID.sub(b"[]", text)
