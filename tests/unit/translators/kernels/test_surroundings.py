"""Definitions that a unit may refer to: of several with one name, those that its own file reads."""

from __future__ import annotations

from pathlib import Path

from tests.unit.translators.gallery import read
from transpile.translators.kernels.surroundings import surroundings

_FILES = {
    "a.cu": '#include "shared.h"\n#define STEP 2\n__device__ int next(int x) { return x + STEP; }\n',
    "b.cu": '#include "shared.h"\n#define STEP 3\n__device__ int next(int x) { return x * STEP; }\n',
    "shared.h": "#pragma once\n#define SIZE 8\n__device__ int both(int x) { return x; }\n",
}


def test_names_mean_what_they_mean_in_the_file(tmp_path: Path) -> None:
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text)
        if name != "shared.h":
            with (tmp_path / name).open("a") as file:
                file.write(f"__global__ void {name[0]}(int *x) {{ x[0] = next(both(x[0])); }}\n")
    source = read(tmp_path)
    for path, step, body in (("a.cu", "2", "x + STEP"), ("b.cu", "3", "x * STEP")):
        unit = next(item for item in source.units if item.path == path and item.name == path[0])
        around = surroundings(source, unit)
        assert [body in text for text in around.functions["next"]] == [True]
        assert len(around.functions["both"]) == 1
        assert (around.macros["STEP"].strip(), around.macros["SIZE"].strip()) == (step, "8")


def test_numbers_have_names(tmp_path: Path) -> None:
    text = """#define LANES 32 // of a warp
#define SAY(x) printf("// %d", x) /* said */
namespace apart { constexpr int width = 16; }
static const unsigned size = 32u, twice = 2 * size;
int changing = 5;
__device__ void f() { const int inner = 7; }
__global__ void k(int *x) { x[0] = LANES; }
"""
    (tmp_path / "a.cu").write_text(text)
    source = read(tmp_path)
    around = surroundings(source, next(unit for unit in source.units if unit.name == "k"))
    assert around.constants == {"width": "16", "size": "32"}
    assert around.macros["LANES"].strip() == "32"
    assert around.macros["SAY"].strip() == '(x)\nprintf("// %d", x)'


def test_numbers_of_a_guarded_header_have_names_too(tmp_path: Path) -> None:
    header = "#ifndef H\n#define H\nconstexpr int   WARP = 32;\n#ifdef WIDE\nconst int TILE = 8;\n#else\n"
    (tmp_path / "h.h").write_text(f"{header}const int TILE = 4;\n#endif\n#endif\n")
    (tmp_path / "a.cu").write_text('#include "h.h"\n__global__ void k(int *x) { x[0] = WARP; }\n')
    source = read(tmp_path)
    assert surroundings(source, source.units[0]).constants == {"WARP": "32"}


def test_variables_at_file_scope_have_types(tmp_path: Path) -> None:
    text = """__device__ int done = 0, *where;
namespace apart { __device__ volatile unsigned long long counts[4], total(1); }
static __constant__ float grid[3][3];
int twice(int x);
#ifdef SMALL
__device__ short cell;
#else
__device__ long cell;
#endif
__global__ void k(int *x) { int inner = done; x[0] = inner; }
"""
    (tmp_path / "a.cu").write_text(text)
    source = read(tmp_path)
    found = surroundings(source, next(unit for unit in source.units if unit.name == "k")).types
    numbers = {"done": "int", "total": "unsigned long long"}
    assert found == {**numbers, "counts": "unsigned long long[]", "grid": "float[]"}
