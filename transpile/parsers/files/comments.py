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


def without_comments(text: bytes) -> bytes:
    """Return a text with its comments blanked; everything else stays and keeps its place."""

    def blanked(found: re.Match[bytes]) -> bytes:
        literal = not found.group().startswith(b"/")
        return found.group() if literal else _NOT_LINES.sub(b" ", found.group())

    return _SKIPPED.sub(blanked, text)
