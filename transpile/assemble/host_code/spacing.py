"""Blank lines, after lines around them have gone."""

from __future__ import annotations

import re

_GAP = re.compile(rb"([^\n]*)\n(?:[ \t]*\r?\n){2,}([^\n]*)")
_OPENED = re.compile(rb"([^\n]*\{[ \t]*)\n(?:[ \t]*\r?\n)+([^\n]*)")
_CLOSED = re.compile(rb"([^\n]*)\n(?:[ \t]*\r?\n)+([ \t]*\}[^\n]*)")


def spaced(data: bytes, before: bytes) -> bytes:
    """Return the text with one blank line where passes left several, none inside of braces they left bare."""
    if data == before:
        return data
    data = _GAP.sub(lambda gap: gap.group() if gap.group() in before else gap.expand(rb"\1\n\n\2"), data)
    for pattern in (_OPENED, _CLOSED):
        data = pattern.sub(lambda gap: gap.group() if gap.group() in before else gap.expand(rb"\1\n\2"), data)
    return data
