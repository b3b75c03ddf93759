"""A build is given what it may read: no file less, and only those that it may name."""

from __future__ import annotations

import pytest

from transpile.core import TranslationUnit
from transpile.toolchains.needed import needed

FILES = {
    "a/main.c": b'#include "own.h"\n#include <stdio.h>\n',
    "a/own.h": b'#  include "../common/types.h" // of all\n',
    "b/own.h": b"int other;\n",
    "common/types.h": b"typedef int number;\n",
    "c/main.c": b"int main(void) { return 0; }\n",
    "c/data.h": b"int data;\n",
}


def paths(text: bytes, *flags: str) -> set[str]:
    """Return what a file of this text needs of the files."""
    return set(needed({**FILES, "x.c": text}, [TranslationUnit(path="x.c", flags=flags)]))


def test_names_lead_to_all_files_that_they_may_mean() -> None:
    found = needed(FILES, [TranslationUnit(path="a/main.c", flags=())])
    assert set(found) == {"a/main.c", "a/own.h", "b/own.h", "common/types.h"}
    assert all(found[path] == FILES[path] for path in found)


@pytest.mark.parametrize(
    "text",
    [
        b'#include "c/data.h"\n',
        b"#include <data.h>\n",
        b'  # include_next "data.h"\n',
        b'#import "data.h"\n',
        b'#inc\\\nlude "data.h"\n',
        b'#if 0\n#include "data.h"\n#endif\n',
    ],
)
def test_every_way_to_include_is_seen(text: bytes) -> None:
    assert paths(text) == {"x.c", "c/data.h"}


@pytest.mark.parametrize(
    "text",
    [
        b'#define NAME "c/data.h"\n#include NAME\n',
        b'%: include "c/data.h"\n',
        b'??=include "c/data.h"\n',
        b'#/* of */include "c/data.h"\n',
        b'#if __has_include("c/data.h")\n#endif\n',
        b'#embed "c/data.h"\n',
        b'__asm__(".incbin \\"c/data.h\\"");\n',
    ],
)
def test_where_names_are_hidden_nothing_is_left_out(text: bytes) -> None:
    assert paths(text) == {*FILES, "x.c"}


def test_flags_name_files_too() -> None:
    assert paths(b"", "-include", "c/data.h") == {*FILES, "x.c"}
    assert paths(b"", "-Ic") == {"x.c", "c/data.h"}
    assert paths(b"", "-I", ".") == {"x.c", "a/own.h", "b/own.h", "common/types.h", "c/data.h"}
