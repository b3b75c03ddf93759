"""Values of names in a unit."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers
from transpile.code.trees import text
from transpile.contracts.text.constants import constants_for, constants_of

KERNEL = """
__global__ void {name}(int *a) {{ a[threadIdx.x] = TILE; }}
void go(int *a) {{ {name}<<<1, TILE>>>(a); }}
"""


def test_each_file_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "tiles.h").write_text("#define TILE 16\n#define WARP 32\n")
    (tmp_path / "a.cu").write_text(f'#include "tiles.h"\n{KERNEL.format(name="first")}')
    (tmp_path / "b.cu").write_text(f"#define TILE 8\n{KERNEL.format(name='second')}")
    source = parsers.read(tmp_path)
    found = {
        unit.name: {name: text(value).strip("()") for name, value in constants_for(source, unit).items()}
        for unit in source.units
        if unit.name in ("first", "second")
    }
    assert found == {"first": {"TILE": "16", "WARP": "32"}, "second": {"TILE": "8", "WARP": "32"}}


def test_constants_in_guards_are_of_the_file() -> None:
    file = b"""#ifndef SIZES_H
#define SIZES_H
constexpr int TILE = 16;
#ifdef LARGE
const int ROWS = 8;
#else
const int ROWS = 4;
#endif
#endif
"""
    found = {name: text(value) for name, value in constants_of((("a.cuh", file),)).items()}
    assert found == {"TILE": "16"}


def test_constants_in_namespaces_are_of_the_file() -> None:
    file = b"""namespace app { namespace { static constexpr int TILE = 16; }
extern "C" { const int ROWS = 4; }
void go() { const int INNER = 3; }
struct S { static const int MEMBER = 5; }; }
"""
    found = {name: text(value) for name, value in constants_of((("a.cu", file),)).items()}
    assert found == {"TILE": "16", "ROWS": "4"}
