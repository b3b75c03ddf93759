"""The code in a text, without comments and strings."""

from __future__ import annotations

import re

_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def code(text: str) -> str:
    """Return a text with its comments and strings blanked; everything else keeps its place."""
    return _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
