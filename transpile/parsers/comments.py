"""The code in a text, without comments and literals of characters."""

from __future__ import annotations

import re

_SKIPPED = re.compile(
    rb"""//(?:[^\n\\]|\\\r?\n|\\)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""", re.DOTALL
)
_NOT_LINES = re.compile(rb"[^\n]")


def code(text: bytes) -> bytes:
    """Return a text with its comments, strings and characters blanked; everything else keeps its place."""
    return _SKIPPED.sub(lambda found: _NOT_LINES.sub(b" ", found.group()), text)
