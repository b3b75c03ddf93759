"""Variables at file scope in ports to CUDA: arrays have copies, numbers are parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, CUDA_ON_DEVICE, ArrayFact, Candidate, Contract, Dialect, Rejected, Role

MACROS = """#ifdef WIDE
#define ROW 128
#else
#define ROW 64
#endif
#define FACTOR factor
static double table[64], factor, *behind;
double grid[8][ROW];
static int length;
static const double weights[64] = { 1 };
static volatile double sensed;
void other(void);
double half(double v) { return v / 2; }
"""


def proposed(body: str, root: Path, target: Dialect = CUDA) -> Candidate | Rejected:
    (root / "a.c").write_text(f"{MACROS}void f(int n, double *b)\n{{\n{body}}}\n")
    source = parsers.read(root)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = (ArrayFact(name="b", role=Role.INOUT, extent="n"),)
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def text(body: str, root: Path) -> str:
    found = proposed(body, root)
    assert isinstance(found, Candidate), found.diagnostics
    return found.replacements[0].shown


def why_not(body: str, root: Path, target: Dialect = CUDA) -> str:
    found = proposed(body, root, target)
    assert isinstance(found, Rejected)
    return found.diagnostics[0].message


def adding(value: str) -> str:
    return f"    for (int i = 0; i < n; i++)\n        b[i] += {value};\n"


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ("table[i]", "double *table"),
        ("grid[1][i]", "double (*grid)[ROW]"),
        ("weights[i]", "const double *weights"),
        ("factor", "double factor"),
        ("2 * FACTOR", "double factor"),
        ("length", "int length"),
    ],
)
def test_kernels_are_given_what_they_name(value: str, given: str, tmp_path: Path) -> None:
    shown = text(adding(value), tmp_path)
    assert given in shown[: shown.index("\n{")]


def test_where_they_are_declared_is_no_place_in_the_function(tmp_path: Path) -> None:
    assert "double *b, int n, double factor)" in text(adding(" + ".join(["factor"] * 40)), tmp_path)


def test_arrays_are_as_long_as_their_declaration_says(tmp_path: Path) -> None:
    shown = text("    for (int i = 0; i < 64; i++) table[i] += grid[0][i] * weights[i];\n", tmp_path)
    assert "const size_t grid_size = sizeof(grid);\n    double (*grid_device)[ROW];" in shown
    assert "cudaMemcpy(table, table_device, table_size, cudaMemcpyDeviceToHost)" in shown
    assert "double *weights_device;" in shown and "cudaMemcpy(weights," not in shown


def test_they_may_be_what_a_parameter_leads_to(tmp_path: Path) -> None:
    assert "b + n <= table" in text(adding("table[i]"), tmp_path)


def test_arrays_of_the_function_alone_are_not_copied(tmp_path: Path) -> None:
    loops = (
        "    for (int i = 0; i < 64; i++) t[i] = b[i];\n    for (int i = 0; i < 64; i++) b[i] = t[63 - i];\n"
    )
    shown = text(f"    double t[64];\n{loops}", tmp_path)
    assert "cudaMalloc(&t_device, t_size)" in shown and "cudaMemcpy(t" not in shown
    shown = text(f"    double t[64];\n    t[0] = 1;\n{loops}    b[0] = t[0];\n", tmp_path)
    assert "cudaMemcpy(t_device, t," in shown and "cudaMemcpy(t, t_device," in shown


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (adding("behind[i]"), "`behind`, a variable at file scope"),
        (adding("sensed"), "`sensed`, a variable at file scope"),
        (
            f"{adding('table[i]')}    other();\n{adding('table[i]')}",
            "a call between two parallel loops may reach",
        ),
        (f"{adding('table[i]')}    factor = behind[0];\n{adding('table[i]')}", "accesses arrays"),
        (f"    double t[n][n];\n{adding('t[1][i]')}", "the length of the array `t` is not a constant"),
        (
            "    for (int i = 0; i < n; i++) { double t[n]; t[0] = i; b[i] = t[0]; }\n",
            "the length of the array `t` is not a constant",
        ),
        (f"    static double t[64];\n{adding('t[i]')}", "`t` is host memory"),
    ],
)
def test_what_else_leads_to_memory_of_the_host_is_refused(body: str, reason: str, tmp_path: Path) -> None:
    assert reason in why_not(body, tmp_path)


@pytest.mark.parametrize("value", ["table[i]", "factor", "weights[i]", "length"])
def test_functions_that_take_memory_of_the_device_name_none(value: str, tmp_path: Path) -> None:
    assert "a variable at file scope" in why_not(adding(value), tmp_path, CUDA_ON_DEVICE)


def test_what_each_file_has_of_a_header_stays_there(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("static double shared[64];\n")
    body = adding("shared[i]")
    (tmp_path / "b.c").write_text(f'#include "own.h"\nvoid g(int n, double *b)\n{{\n{body}}}\n')
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "g"]
    facts = (ArrayFact(name="b", role=Role.INOUT, extent="n"),)
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=(), law=None)
    assert isinstance(translators.propose(source, unit, (contract,), CUDA), Rejected)
