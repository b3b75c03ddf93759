"""Launch sites: what the host writes becomes expressions of the kernel's scalars, or stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts.text.sites import Site, _sizes, plainer, sites_of
from transpile.core import (
    CUDA,
    ElementType,
    LaunchSite,
    Leaf,
    Parameter,
    Scalar,
    Signature,
    Source,
    Span,
    Unit,
    UnitKind,
)
from transpile.expressions import evaluate

INT = ElementType(spelling="int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.INT32),))
UNIT = Unit(
    id="a.cu::k", kind=UnitKind.KERNEL, path="a.cu", name="k", span=Span(start=0, end=0), line=1, text=b""
)


def site(
    host: str,
    grid: str,
    block: str,
    shared: str = "0",
    arguments: str = "d_x, width, h",
    before: str = "",
) -> Site:
    text = f"{before}void host() {{\n{host}\n".encode()
    launch = LaunchSite(
        path="a.cu",
        span=Span(start=len(text), end=len(text)),
        line=2,
        kernel="k",
        configuration=(grid, block, shared),
        arguments=tuple(part.strip() for part in arguments.split(",")),
        unit=UNIT.id,
    )
    parameters = [
        Parameter(name="x", spelling="int *", element=INT, pointer=True),
        Parameter(name="n", spelling="int", element=INT, pointer=False),
        Parameter(name="m", spelling="int", element=INT, pointer=False),
    ]
    signature = Signature(name="k", parameters=tuple(parameters))
    source = Source(
        root=Path("."),
        files={"a.cu": text + b"k<<<>>>();}\n", "b.h": b"#define BLOCK 64 // threads\nconst int ROWS = 8;\n"},
        dialect=CUDA,
        translation_units=(),
        units=(UNIT,),
        signatures={UNIT.id: (signature,)},
        launches=(launch,),
    )
    (found,) = sites_of(source, UNIT, signature)
    return found


@pytest.mark.parametrize(
    ("host", "grid", "block", "values"),
    [
        ("", "(width + 255) / 256", "256", (4, 1, 1, 256, 1, 1)),
        ("int blocks = (width + BLOCK - 1) / BLOCK;", "blocks", "BLOCK", (16, 1, 1, 64, 1, 1)),
        (
            "dim3 grid((width+15)/16, (h+ROWS-1)/ROWS), block(16, ROWS);",
            "grid",
            "block",
            (63, 3, 1, 16, 8, 1),
        ),
        ("dim3 g = dim3(h, 2, 3);", "g", "dim3(32, 2)", (20, 2, 3, 32, 2, 1)),
        ("unsigned int b = 128u; int g = (int)ceil((float)width / b);", "g", "b", (8, 1, 1, 128, 1, 1)),
        ("int g = 1; g = std::min(width, 7);", "g", "32", (7, 1, 1, 32, 1, 1)),
        ("dim3 g {(unsigned)h};", "g", "1", (20, 1, 1, 1, 1, 1)),
        (
            "constexpr int B{16}; constexpr int N{B}; dim3 const b{B, B, 1U}, g{(width + b.x - 1) / b.y};",
            "g",
            "b",
            (63, 1, 1, 16, 16, 1),
        ),
        ("dim3 b; b.x = 32; b.y = h; dim3 g = b;", "g", "b", (32, 20, 1, 32, 20, 1)),
        ("dim3 b(64, 4), g(2, 3, 4); b.y = 2; g.x = b.x;", "g", "b", (64, 3, 4, 64, 2, 1)),
        ("int bits = 5, b = 1 << bits, g = (width + b - 1) >> bits;", "g", "b", (32, 1, 1, 32, 1, 1)),
        ("int g = width / 128; if (width % 128 != 0) g += 1;", "g", "128", (8, 1, 1, 128, 1, 1)),
        ("int b = 2 * BLOCK, g = width / b; if (width % b) { ++g; }", "g", "b", (8, 1, 1, 128, 1, 1)),
        ("int g = (int)width / 300;\nif ((width % 300) > 0) g = g + 1;", "g", "1", (4, 1, 1, 1, 1, 1)),
        ("int g = (width + 9) / 10; if (g > 64) g = 64;", "g", "32", (64, 1, 1, 32, 1, 1)),
        ("int g = width / 2000; if (g == 0) g = 1;", "g", "32", (1, 1, 1, 32, 1, 1)),
        ("int g = width; g *= 2; g++;", "g", "32", (2001, 1, 1, 32, 1, 1)),
        ("int b = 8; if (h) { b = 16; } else { b = 32;", "h", "b", (20, 1, 1, 32, 1, 1)),
        ("for (int i = 0; i < 3; i++) { int g = width / 2;", "g", "32", (500, 1, 1, 32, 1, 1)),
        (
            "int g = 5; } int other(int g) { g = 3; } void more(int width, int h) { int g = h;",
            "g",
            "1",
            (20, 1, 1, 1, 1, 1),
        ),
    ],
)
def test_reads(host: str, grid: str, block: str, values: tuple[int, ...]) -> None:
    found = site(host, grid, block)
    assert found.family is not None
    assert tuple(evaluate(part, {"n": 1000, "m": 20}) for part in found.family[:6]) == values


@pytest.mark.parametrize(
    "other",
    [
        "__global__ void other(float *a) { __shared__ float s[WIDE][WIDE + 1]; s[0][0] = a[0]; }",
        "void other(int (&a)[WIDE], const int b[WIDE]);",
    ],
)
def test_constants_that_arrays_are_declared_with_keep_their_value(other: str) -> None:
    found = site(
        "dim3 b(WIDE);", "(width + WIDE - 1) / WIDE", "b", before=f"static const int WIDE = 32;\n{other}\n"
    )
    assert found.fixed_block == (32, 1, 1)
    assert found.grid[0] is not None and evaluate(found.grid[0], {"n": 65}) == 3


@pytest.mark.parametrize("grid", ["blocks", "f(width)", "width ? 1 : 2", "props.count", "1 << h", "x[0]"])
def test_does_not_guess(grid: str) -> None:
    found = site("", grid, "256")
    assert found.grid[0] is None and found.family is None
    assert found.fixed_block == (256, 1, 1)


@pytest.mark.parametrize(
    "host",
    [
        "int g = width / 128; if (h % 128 != 0) g += 1;",
        "int g = width / 128; if (width % 64 != 0) g += 1;",
        "int g = width / 128; if (width % 128 == 0) g += 1;",
        "int g = width / 128; if (width % 128 != 0) g += 2;",
        "int g = width / 128; if (width % 128 != 0 && h) g += 1;",
        "int g = width / 128; if (h > 7) g = 5;",
        "int g = width; if (g < 64) g = 5;",
        "int g = width; if (h) { } else g = 5;",
        "int g = width; while (g > 64) g /= 2;",
        "int g = width; for (int i = 0; i < h; i++) { g /= 2;",
        "for (int g = width; g > 0; g /= 2) {",
        "int g = 1; cudaOccupancyMaxPotentialBlockSize(&g, &h, k, 0, 0);",
        "int g = 1; std::cin >> g;",
        "int g = 1; std::swap(g, h);",
        "int g = 1; int &alias = g; alias = 5;",
        "int g = 1; int &alias{g}; alias = 5;",
        "int g = 1; int &alias(g); alias = 5;",
        "dim3 g(4); if (h) g.x = 5;",
        "dim3 g; std::swap(g, h);",
        "dim3 g = made();",
        "int3 made{1, 2, 3}; dim3 g(made.y);",
        "dim3 g; dim3 &alias = g; alias.x = 5;",
        "int a = width, g = a; a = 5; g = a + g; a = 7;",
        "int g[2] = {3, 4};",
        "} int g = 3; void change() { g = 4; } void more(int width, int h) {",
        "int g = 5; } void more(int width, int h, int g) {",
    ],
)
def test_what_may_have_another_value_is_unknown(host: str) -> None:
    assert site(host, "g", "256").grid[0] is None


UP = "#define UP(a, b) ( (a) + \\\n  (b) - 1 ) / (b) // rounded up\n"
FUNCTION = "template <class T> static inline T up(T a, const T &b) { return (a + b - 1) / b; }\n"


@pytest.mark.parametrize(
    ("before", "grid"),
    [
        (UP, "UP(width, 32)"),
        (UP, "UP( UP(width,4), 8 )"),
        (UP + "#define BLOCKS(n) UP(n, WIDTH)\n#define WIDTH 32\n", "BLOCKS(width)"),
        (FUNCTION, "up(width, 32)"),
        (FUNCTION, "up<int>((int)width, 32)"),
        ("namespace sizes { constexpr int up(int n) { return (n + 31) / 32; } }\n", "sizes::up(width)"),
        ("int up(int n) { return ceil(n / 32.0); }\n", "up(width)"),
        ("int up(int n, int size = 32) { return (n + size - 1) / size; }\n", "up(width)"),
        ("int up(int n, int size = 64) { return (n + size - 1) / size; }\n", "up(width, 32)"),
        (UP + "#ifdef X\n#define UP(x, y) ((x)  + (y) - 1) / (y)\n#endif\n", "UP(width, 32)"),
    ],
)
def test_helpers_are_written_out(before: str, grid: str) -> None:
    found = site("", grid, "256", before=before).grid[0]
    assert found is not None and evaluate(found, {"n": 1000, "m": 20}) == 32


@pytest.mark.parametrize(
    ("before", "grid"),
    [
        (UP + "#ifdef X\n#define UP(a, b) ((a) / (b))\n#endif\n", "UP(width, 32)"),
        ("int up(int n) { n++; return n / 32; }\n", "up(width)"),
        ("int up(int n) { return n > 5 ? n : 7; }\n", "up(width)"),
        ("#define UP(a) UP((a) + 1)\n", "UP(width)"),
        (UP, "UP(width)"),
        ("int up(int n, int size, int more = 1) { return n / size + more; }\n", "up(width)"),
    ],
    ids=["two meanings", "statements", "a condition", "endless", "too few", "too few for its defaults"],
)
def test_helpers_that_are_no_expressions_stay_unknown(before: str, grid: str) -> None:
    assert site("", grid, "256", before=before).grid[0] is None


def test_a_later_definition_counts() -> None:
    assert site("int b = 32; b = 64;", "1", "b").fixed_block == (64, 1, 1)


def test_a_shape_that_callers_give_is_not_known() -> None:
    found = site("}\nvoid launch(dim3 b) {\ndim3 g((width + b.x - 1) / b.x);", "g", "b")
    assert found.block == (None, None, None)
    assert found.fixed_block is None and found.grid[0] is None


def test_shared_bytes() -> None:
    assert site("", "1", "64", "2 * h * sizeof(float)").shared == "2 * m * 4"


def test_a_macro_that_is_a_statement_by_itself_hides_nothing() -> None:
    host = "    int b = 32;\n    START\n    float *y;\n    STOP\n    int grid = (h + b - 1) / b;\n"
    host += "    unsigned\n    c = 2;"
    found = site(host, "grid", "b", "c * b")
    assert found.family == ("(m + 32 - 1) / 32", "1", "1", "32", "1", "1", "2 * 32")


def test_a_type_that_parameters_point_to_has_a_size() -> None:
    signature = Signature(
        name="k",
        parameters=(
            Parameter(name="x", spelling="const real *", element=INT, pointer=True),
            Parameter(name="y", spelling="pixel **", element=INT, pointer=True),
            Parameter(name="z", spelling="unsigned int", element=INT, pointer=False),
        ),
    )
    assert _sizes(signature).items() >= {"real": 4, "unsigned": 4, "int": 4}.items()
    assert "pixel" not in _sizes(signature)


def test_types_of_the_source_have_sizes() -> None:
    assert plainer("2 * sizeof(struct Part) + sizeof(Pair)", {"Part": 12, "Pair": 8}) == "2 * 12 + 8"
    assert plainer("sizeof(Other)", {"Part": 12}) is None


def test_a_definition_of_itself_ends() -> None:
    assert site("int b = b + 1;", "b", "1").grid[0] is None


def of_template(launched: list[str], instances: list[str]) -> list[int]:
    """Return how many launches are read as those of each instantiation."""
    text = b"void host() { const int TILE = 16;\n"
    launches = tuple(
        LaunchSite(
            path="a.cu",
            span=Span(start=len(text), end=len(text)),
            line=number,
            kernel=f"k<{given}>",
            configuration=("1", str(32 + number)),
            arguments=("d_x", "1", "1"),
            unit=UNIT.id,
        )
        for number, given in enumerate(launched)
    )
    parameters = (Parameter(name="x", spelling="int *", element=INT, pointer=True),)
    signatures = tuple(
        Signature(name="k", template_arguments=item, parameters=parameters) for item in instances
    )
    source = Source(
        root=Path("."),
        files={"a.cu": text + b"k<<<>>>();}\n"},
        dialect=CUDA,
        translation_units=(),
        units=(UNIT,),
        signatures={UNIT.id: signatures},
        launches=launches,
    )
    return [len(sites_of(source, UNIT, item)) for item in signatures]


@pytest.mark.parametrize(
    ("launched", "instances", "counts"),
    [
        (["TILE"], ["16"], [1]),
        (["T, TILE"], ["float, 16"], [1]),
        (["T"], ["float", "double"], [1, 1]),
        (["TILE", "WIDE"], ["16"], [2]),
        (["TILE", "WIDE"], ["16", "32"], [1, 0]),
        (["DEEP", "WIDE"], ["16", "32"], [0, 0]),
        (["TILE"], ["8"], [0]),
        (["16", "WIDE"], ["16", "32"], [1, 0]),
        (["16", "32"], ["32", "16"], [1, 1]),
        (["32"], ["16"], [0]),
        (["unsigned int"], ["int"], [0]),
        (["TILE, 2"], ["16, 4"], [0]),
    ],
)
def test_launches_by_names_are_read_where_there_is_no_choice(
    launched: list[str], instances: list[str], counts: list[int]
) -> None:
    assert of_template(launched, instances) == counts


def test_parameters_of_the_launching_template_are_what_the_instance_has(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        """#include <cuda_runtime.h>
template <typename T, int WIDTH> __global__ void k(T *x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] = WIDTH;
}
template <int W, typename S> void host(S *x, int n) {
    const int share = 64 * W;
    k<S, W><<<(n + share - 1) / share, 64>>>(x, n);
    k<S, W><<<(n + share - 1) / share, 64>>>(x, n);
    k<S, 7><<<1, 32>>>(x, n);
}
void all(int *x, float *y, int n) { host<4>(x, n); host<8>(y, n); }
"""
    )
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "k"]
    found = {
        item.template_arguments: {
            (evaluate(site.grid[0] or "0", {"n": 1000}), evaluate(site.block[0] or "0", {}))
            for site in sites_of(source, unit, item)
        }
        for item in source.signatures[unit.id]
    }
    assert found == {
        "int, 4": {(4, 64)},
        "float, 8": {(2, 64)},
        "int, 7": {(1, 32), (3, 64)},  # W may be 7, for all that is looked at
        "float, 7": {(1, 32), (3, 64)},
    }


def test_local_constants_tell_which_instance_a_launch_is_of(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        """#include <cuda_runtime.h>
#define SMALL 8
template <int TILE, typename T> __global__ void k(T *x, int n) { x[threadIdx.x] = TILE; }
void host(float *x, double *y, int n) {
    if (n >= 128) {
        const int TILE = 32;
        k<TILE, float><<<n / TILE, TILE>>>(x, n);
    } else {
        const int TILE = 16;
        k<TILE, float><<<n / TILE, 2 * TILE>>>(x, n);
    }
    k<SMALL * 2, double><<<1, SMALL>>>(y, n);
}
"""
    )
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "k"]
    found = {
        item.template_arguments: [site.fixed_block for site in sites_of(source, unit, item)]
        for item in source.signatures[unit.id]
    }
    assert found == {"32, float": [(32, 1, 1)], "16, float": [(32, 1, 1)], "16, double": [(8, 1, 1)]}


def test_what_scripts_say_of_a_constant_is_no_value_of_it(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(
        "const int THREADS = 64;\n__global__ void k(float *x) { x[threadIdx.x] = 1; }\n"
    )
    (tmp_path / "a.cu").write_text('#include "k.cuh"\nvoid host(float *x) { k<<<1, THREADS>>>(x); }\n')
    (tmp_path / "Makefile").write_text(
        "tune:\n\tsed -i 's/const int THREADS = .*/const int THREADS = 32;/' k.cuh\n"
    )
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "k"]
    [site] = sites_of(source, unit, source.signatures[unit.id][0])
    assert site.fixed_block == (64, 1, 1)
