"""Lines that a backslash joins although a comment stands behind it: nvcc takes out comments first."""

from __future__ import annotations

import re

from transpile.code.edits import Edit, apply
from transpile.code.lexer import tokenize

_LIKELY = re.compile(rb"\\[ \t]*(?:[ \t]\r?\n|//|/\*)")


def without_joins(data: bytes) -> bytes:
    """Return a text with blanks in place of such backslashes; directives stay as they are."""
    if not _LIKELY.search(data):
        return data
    stray = (token for token in tokenize(data).text if token.text == b"\\")
    return apply(data, [Edit(token.start, token.end, b" ") for token in stray])
