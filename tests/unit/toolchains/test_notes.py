"""gcc's notes, in which functions that the compiler made become functions like others."""

from __future__ import annotations

import struct

from transpile.toolchains.notes import with_made_functions


def string(text: str) -> bytes:
    return struct.pack("<I", len(text) + 1) + text.encode() + b"\0"


def function(name: str, made: int) -> bytes:
    body = struct.pack("<3I", 1, 2, 3) + string(name) + struct.pack("<I", made) + string("a.c")
    return struct.pack("<2I", 0x01000000, len(body)) + body


def notes(*functions: bytes, version: bytes = b"*22B") -> bytes:
    head = b"oncg" + version + struct.pack("<2I", 9, 0) + string("/tmp") + struct.pack("<I", 1)
    other = struct.pack("<2I", 0x01410000, 4) + struct.pack("<I", 1)
    return head + other + b"".join(functions)


def test_made_functions_are_functions_like_others() -> None:
    before = notes(function("f", 0), function("f._omp_fn.0", 1))
    assert with_made_functions(before) == notes(function("f", 0), function("f._omp_fn.0", 0))


def test_notes_of_other_layouts_are_left_alone() -> None:
    for data in (b"", b"other", notes(function("g", 1), version=b"*10A")):
        assert with_made_functions(data) == data
