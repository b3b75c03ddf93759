"""Arrays of arrays, and what macros name and declare, in ports to CUDA."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, CUDA_ON_DEVICE, ArrayFact, Candidate, Contract, Dialect, Rejected, Role
from transpile.translators.loops.symbols.extents import in_rows

MACROS = """#ifdef WIDE
#define COLUMNS 128
#define FIRST(x, y) x
#else
#define COLUMNS 64
#define FIRST(x, y) y
#endif
#define REAL double
#define ROWS FIRST(COLUMNS, n)
#define MATRIX(a, columns) a[FIRST(1, 2)][columns]
static double table[64], factor, *behind;
static int length;
static const double weights[64] = { 1 };
"""
SWEEP = """    for (int i = 0; i < {rows}; i++)
        for (int j = 0; j < m; j++)
            b[i][j] *= 2;
"""


def proposed(
    body: str,
    given: str,
    root: Path,
    target: Dialect = CUDA,
    extent: str = "64 * n",
) -> Candidate | Rejected:
    (root / "a.c").write_text(f"{MACROS}\nvoid f({given})\n{{\n{body}}}\n")
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = (ArrayFact(name="b", role=Role.INOUT, extent=extent),)
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def text(body: str, given: str, root: Path, target: Dialect = CUDA, extent: str = "64 * n") -> str:
    found = proposed(body, given, root, target, extent)
    assert isinstance(found, Candidate), found.diagnostics
    return found.replacements[0].shown


@pytest.mark.parametrize(
    ("given", "declared"),
    [
        ("double b[][COLUMNS]", "double (*{})[COLUMNS]"),
        ("double (*b)[COLUMNS]", "double (*{})[COLUMNS]"),
        ("double (*restrict b)[64]", "double (*{})[64]"),
        ("double b[restrict][64]", "double (*{})[64]"),
        ("double b[static 8][64]", "double (*{})[64]"),
    ],
)
def test_kernels_are_given_rows(given: str, declared: str, tmp_path: Path) -> None:
    found = text(SWEEP.format(rows="n"), f"int n, int m, {given}", tmp_path, extent="64 * n - 64 + m")
    assert f"f_kernel({declared.format('b')}, int n, int m)" in found
    assert f"    {declared.format('b_device')};\n" in found
    assert "const long long b_bytes = sizeof(*b) * ((long long)n - 1) + sizeof(**b) * m;" in found
    assert "[restrict]" not in found and "[static" not in found


def test_lengths_of_rows_may_be_sums(tmp_path: Path) -> None:
    found = text(SWEEP.format(rows="n"), "int n, int m, double b[][COLUMNS + 1]", tmp_path, extent="65 * n")
    assert "f_kernel(double (*b)[COLUMNS+1], int n, int m)" in found and "sizeof(*b) * n;" in found


def test_kernels_on_memory_of_the_device_are_given_rows(tmp_path: Path) -> None:
    given = "int n, int m, double b[][COLUMNS]"
    assert "f_kernel(double (*b)[COLUMNS], int n, int m)" in text(
        SWEEP.format(rows="n"), given, tmp_path, CUDA_ON_DEVICE
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("double **b", "which may overlap what is written"),
        ("double *b[64]", "not one of its own name"),
        ("double b[][m]", "not a constant"),
    ],
)
def test_other_arrays_of_arrays_stay_on_the_host(given: str, why: str, tmp_path: Path) -> None:
    found = proposed(SWEEP.format(rows="n"), f"int n, int m, {given}", tmp_path)
    assert isinstance(found, Rejected) and why in found.diagnostics[0].message


def test_what_a_macro_names_comes_along(tmp_path: Path) -> None:
    found = text(SWEEP.format(rows="ROWS"), "int n, int m, double b[][64]", tmp_path)
    assert "f_kernel(double (*b)[64], int m, int n)" in found and "i < ROWS" in found


def test_a_local_variable_hides_what_a_macro_names(tmp_path: Path) -> None:
    body = f"    {{ const int n = 3;\n{SWEEP.format(rows='ROWS')}    }}\n"
    assert "f_kernel(double (*b)[64], int m, const int n)" in text(
        body, "int n, int m, double b[][64]", tmp_path, extent="192"
    )


def test_a_parameter_may_be_declared_by_a_macro(tmp_path: Path) -> None:
    given = "int n, int m, REAL MATRIX(b, COLUMNS)"
    found = text(SWEEP.format(rows="n"), given, tmp_path)
    assert f"void f({given})\n" in found
    assert "f_kernel(REAL MATRIX(b, COLUMNS), int n, int m)" in found
    assert "decltype(b) b_device;" in found and "sizeof(*b) * n" in found
    assert "64" not in found


@pytest.mark.parametrize(
    ("rows", "extent", "counts"),
    [
        ((64,), "64 * n", ({("n",): 1}, {})),
        ((64,), "64 * n - 65", ({("n",): 1, (): -1}, {(): -1})),
        ((64,), "m + 64 * n - 64", ({("n",): 1, (): -1}, {("m",): 1})),
        ((64,), "63 * n", ({("n",): 1}, {("n",): -1})),
        ((64,), "65 * n", ({("n",): 1}, {("n",): 1})),
        ((8, 64), "512 * n + 64 * m - 3", ({("n",): 1}, {("m",): 1}, {(): -3})),
        ((64,), "70", ({(): 1}, {(): 6})),
    ],
)
def test_lengths_are_counted_in_rows(
    rows: tuple[int, ...], extent: str, counts: tuple[dict[tuple[str, ...], int], ...]
) -> None:
    assert in_rows(rows, extent) == counts


@pytest.mark.parametrize("extent", ["40 * n", "max(n, m)", "n / 2"])
def test_rows_that_are_not_clear_are_not_counted(extent: str) -> None:
    assert in_rows((64,), extent) is None
