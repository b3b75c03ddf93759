"""Launches by macros: what the use gives is known, what the macro sets for itself is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts.text.sites import Site, sites_of

KERNEL = """__global__ void k(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}"""


CHANGING = "void change(int &size) { size *= 2; }"


def site(macro: str, host: str, root: Path) -> Site:
    (root / "a.cu").write_text(
        f"{KERNEL}\n{CHANGING}\n#define {macro}\nvoid host(float *x, int n) {{ {host} }}\n"
    )
    source = parsers.read(root)
    [unit] = [item for item in source.units if item.name == "k"]
    [signature] = source.signatures[unit.id]
    [found] = sites_of(source, unit, signature)
    return found


@pytest.mark.parametrize(
    ("macro", "host", "grid", "block"),
    [
        ("RUN(f, g) f<<<g, 64>>>(x, n)", "RUN(k, n / 64);", "n / 64", "64"),
        ("RUN(f, g) f<<<g, B>>>(x, n)", "const int B = 32; RUN(k, n / B);", "n / 32", "32"),
        ("RUN(f, ...) f<<<8, 64>>>(__VA_ARGS__)", "RUN(k, x, n);", "8", "64"),
        ("RUN(m, g) k<<<g, 64>>>(x, m)", "RUN(n, n / 64);", "n / 64", "64"),
        ("RUN k<<<n / 64, 64>>>(x, n)", "RUN;", "n / 64", "64"),
        ("RUN(f) { int b = n / 4; f<<<b, 64>>>(x, n); }", "int b = 7; RUN(k);", None, "64"),
        ("RUN(f) b *= 2; f<<<b, 64>>>(x, n)", "int b = 7; RUN(k);", None, "64"),
        ("RUN(f) ask(&b); f<<<b, 64>>>(x, n)", "int b = 7; RUN(k);", None, "64"),
        ("RUN(f) change(b); f<<<b, 64>>>(x, n)", "int b = 7; RUN(k);", None, "64"),
        ("RUN(f) show(b); f<<<b, 64>>>(x, n)", "int b = 7; RUN(k);", "7", "64"),
    ],
)
def test_a_use_says_what_is_launched(
    macro: str, host: str, grid: str | None, block: str, tmp_path: Path
) -> None:
    found = site(macro, host, tmp_path)
    assert (found.grid[0], found.block[0]) == (grid, block)


def test_a_parameter_of_a_macro_is_no_constant_of_the_file(tmp_path: Path) -> None:
    found = site("RUN(m) k<<<m, 64>>>(x, m)\nconst int m = 5;", "RUN(n);", tmp_path)
    assert found.relations == () and found.passed == () and found.grid[0] == "n"


def test_a_size_that_the_macro_makes_is_no_constant(tmp_path: Path) -> None:
    found = site("RUN(f) { int m = 2 * n; f<<<m, 64>>>(x, m); }", "int m = 16; RUN(k);", tmp_path)
    assert found.relations == () and found.passed == () and found.grid[0] == "n"
