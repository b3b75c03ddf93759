"""Records that a program's run leaves of its launches."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest

from tests.unit.testers.making import PAIR, value
from transpile.parsers import read
from transpile.testers.programs.launch_records import _recorded, _signatures, recorded_numbers

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


@pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")
def test_kernels_of_one_name_are_told_apart_by_their_arguments(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "struct Wide { double of[100]; };\n"
        "__global__ void sort(int *keys, int length, int step) {}\n"
        "__global__ void sort(int *keys, int *values, int length, int step) {}\n"
        "__global__ void sort(int *keys, int length, int step, Wide all) {}\n"
        "__global__ void alone(int *keys, int length) {}\n"
    )
    known = _signatures(read(tmp_path))

    def told(name: str, count: int, *scalars: list[int]) -> tuple[list[str], dict[str, float]]:
        row: dict[str, object] = {"kernel": f"{name}<n>", "grid": [1, 1, 1], "block": [1, 1, 1]}
        found = _recorded({**row, "shared": 0, "scalars": [*scalars], "arguments": count}, known)
        assert found is not None
        return [unit.partition("(")[2] for unit in found.units], dict(found.scalars)

    both = {"length": 8.0, "step": 2.0}
    assert told("sort", 3, [1, 8], [2, 2]) == (["int*,int,int)"], both)
    assert told("sort", 4, [2, 8], [3, 2]) == (["int*,int*,int,int)"], both)
    assert told("sort", 4, [1, 0], [2, 8], [3, 2]) == (["int*,int*,int,int)"], {"values": 0.0, **both})
    assert told("sort", 4, [1, 8], [2, 2]) == (["int*,int,int,Wide)"], both)
    assert told("sort", 5, [1, 8], [2, 2]) == ([], {})
    assert told("alone", 2, [1, 8]) == (["int*,int)"], {"length": 8.0})


@pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")
def test_numbers_in_variables_are_scalars_of_a_launch(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "struct Grid { double step; int columns, rows; };\n"
        "__constant__ Grid grid;\n"
        "__constant__ int width, taps[3];\n"
        "__global__ void k(int *x, int n) { x[n] = grid.rows + width + taps[2]; }\n"
    )
    known = _signatures(read(tmp_path))
    held = {
        "grid": struct.pack("<dii", 0.5, 7, 6).hex(),
        "taps": struct.pack("<iii", 1, 2, 3).hex(),
        "width": struct.pack("<i", 9).hex(),
    }
    row: dict[str, object] = {"kernel": "k", "grid": [1, 1, 1], "block": [1, 1, 1], "shared": 0}
    row |= {"scalars": [[1, 5]], "arguments": 2}

    def told(*variables: list[object]) -> dict[str, float]:
        found = _recorded({**row, "variables": [*variables]}, known)
        assert found is not None
        return dict(found.scalars)

    pairs: list[list[object]] = [[name, f"bytes:{digits}"] for name, digits in held.items()]
    assert told(*pairs) == {"n": 5.0, "grid.rows": 6.0, "taps[2]": 3.0, "width": 9.0}
    # Two translation units may have one each of that name.
    assert told(*pairs, ["width", f"bytes:{held['width']}"]) == {"n": 5.0, "grid.rows": 6.0, "taps[2]": 3.0}
    assert told(["width", "bytes:09"], ["taps", 3], ["grid"]) == {"n": 5.0}
