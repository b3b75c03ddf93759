"""Code without comments and literals."""

from __future__ import annotations

import pytest

from transpile.parsers.files.comments import code, without_comments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a; // threadIdx\nb;", b"a;             \nb;"),
        (b"a /* x\ny */ b", b"a     \n     b"),
        (b"// joined \\\n too\nb", b"           \n    \nb"),
        (b'f("// no comment", x); // one', b"f(" + b" " * 15 + b", x);       "),
        (b"c = '\"'; a = b / c; // \"", b"c =    ; a = b / c;     "),
        (b"1'000 / 2", b"1'000 / 2"),
        (b"a \\ b", b"a \\ b"),
    ],
)
def test_what_is_no_code_is_blank(text: bytes, expected: bytes) -> None:
    assert code(text) == expected


def test_literals_stay_where_only_comments_go() -> None:
    assert without_comments(b'f("// %d", x); // one') == b'f("// %d", x);       '
