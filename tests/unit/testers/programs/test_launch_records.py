"""Records that a program's run leaves of its launches."""

from __future__ import annotations

import struct

import pytest

from tests.unit.testers.making import PAIR, value
from transpile.testers.programs.launch_records import recorded_numbers

GIVEN = value("given", PAIR)
BYTES = struct.pack("<i4xd", 7, 2.5).hex()


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        (3, [("given", 3.0)]),
        (0.5, [("given", 0.5)]),
        (f"bytes:{BYTES}", [("given.key", 7.0), ("given.value", 2.5)]),
        (f"bytes:{BYTES}00", []),
        (f"bytes:{BYTES[:-1]}g", []),
        ("bytes:", []),
        ("nan", []),
        ([1], []),
        (None, []),
    ],
)
def test_numbers_and_structs_are_read_and_nothing_else(
    written: object, numbers: list[tuple[str, float]]
) -> None:
    assert list(recorded_numbers(GIVEN, written)) == numbers
