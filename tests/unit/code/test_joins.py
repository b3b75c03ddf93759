"""Backslashes before comments."""

from __future__ import annotations

import pytest

from transpile.code.joins import without_joins


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a = b + \\ // more\n c;\n", b"a = b +   // more\n c;\n"),
        (b"a = b + \\ /* more */\n c;\n", b"a = b +   /* more */\n c;\n"),
        (b"a = b + \\  \n c;\n", b"a = b +    \n c;\n"),
        (b"#define A 1 \\ // more\nint x;\n", b"#define A 1 \\ // more\nint x;\n"),
        (b"a = b + \\\n c; // \\ \n", b"a = b + \\\n c; // \\ \n"),
        (b'char *s = "\\ // no";\n', b'char *s = "\\ // no";\n'),
    ],
)
def test_what_joins_nothing_but_lines_goes(text: bytes, expected: bytes) -> None:
    assert without_joins(text) == expected
