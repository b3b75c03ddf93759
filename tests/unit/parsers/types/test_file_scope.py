"""Numbers and pointers at file scope that functions find set are parameters of theirs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile.core import Signature
from transpile.parsers import read

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")

TEXT = """
static int n, count, counter, hidden;
static const int fixed = 3;
static double (*rows)[4][2], *line, factor;
static double *const still = 0;
static double **table;
static char *names[3];
static void more(void) { counter++; }
void set(double *a) { for (int i = 0; i < n; i++) a[i] = factor * rows[i][0][1] * fixed; }
void add(double *a) { more(); for (int i = 0; i < counter; i++) a[i] = line[i]; }
void own(double *line) { int n = hidden && 1; for (int i = 0; i < n; i++) line[i] = still[i] + table[i][0]; }
static double at(int i) { return line[i]; }
void call(int n, double *a) { for (int i = 0; i < n; i++) a[i] = at(i) + (names[0] != 0); }
"""


ELEMENTS = """
static int sizes[3];
void reads(double *a) { for (int i = sizes[0]; i < sizes[ 2 ] && sizes[0] == sizes[i]; i++) a[i] = 0; }
void first(double *a) { for (int i = *sizes; i < 2**sizes && i <=*sizes; i++) a[i] = 0; }
void sets_first(double *a) { for (int i = sizes[1]; i < 9; i++) a[i] = *sizes = 2; }
void adds_first(double *a) { for (int i = sizes[1]; i < 9; i++) a[i] = (*sizes) += 2; }
void counts_first(double *a) { for (int i = sizes[1]; i < 9; i++) a[i] = (*sizes)++; }
void counts_down_first(double *a) { for (int i = sizes[1]; i < 9; i++) a[i] = --*sizes; }
void beyond(double *a) { for (int i = 0; i < sizes[3]; i++) a[i] = 0; }
void by_name(double *a) { for (int i = 0; i < sizes[a[0] > 0]; i++) a[i] = 0; }
void sets(double *a) { for (int i = 0; i < sizes[0]; i++) a[i] = sizes[1] = 0; }
void adds(double *a) { for (int i = 0; i < sizes[0]; i++) a[i] = sizes[1] += 2; }
void counts(double *a) { for (int i = 0; i < sizes[0]; i++) a[i] = sizes[1]++; }
void counts_down(double *a) { for (int i = 0; i < sizes[0]; i++) a[i] = --sizes[1]; }
void leads(double *a) { int *p = &sizes[1]; for (int i = 0; i < sizes[0]; i++) a[i] = *p = 2; }
void decays(double *a) { int *p = sizes; for (int i = 0; i < sizes[0]; i++) a[i] = *p = 2; }
static void hidden(void) { sizes[0] = 2; }
void calls(double *a) { for (int i = 0; i < sizes[0]; i++) a[i] = 0; hidden(); }
"""


@pytest.mark.parametrize(
    ("function", "elements"),
    [("reads", ["sizes[0]", "sizes[2]"]), ("first", ["sizes[0]"])]
    + [(name, []) for name in ("sets_first", "adds_first", "counts_first", "counts_down_first")]
    + [
        (name, [])
        for name in ("beyond", "by_name", "sets", "adds", "counts", "counts_down", "leads", "decays", "calls")
    ],
)
def test_elements_that_go_by_a_number_are_parameters_where_nothing_else_is_done_to_the_array(
    elements_found: dict[str, Signature], function: str, elements: list[str]
) -> None:
    signature = elements_found[function]
    assert [item.name for item in signature.parameters if item.outside] == elements
    assert [item.name for item in signature.globals] == ["sizes"]
    before = signature.assembly.before if signature.assembly is not None else ()
    assert before == tuple(f"{name} = sizes__{name[-2]}__outside;" for name in elements)


@pytest.fixture(scope="module")
def elements_found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Signature]:
    place = tmp_path_factory.mktemp("source")
    (place / "a.c").write_text(ELEMENTS)
    return {item.name: item for items in read(place).signatures.values() for item in items}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Signature]:
    place = tmp_path_factory.mktemp("source")
    (place / "a.c").write_text(TEXT)
    return {item.name: item for items in read(place).signatures.values() for item in items}


@pytest.mark.parametrize(
    ("function", "outside", "variables"),
    [
        ("set", {"n": "int", "rows": "double (*)[4][2]"}, ["factor", "n"]),
        ("add", {"line": "double *"}, ["counter"]),
        ("own", {"hidden": "int"}, ["hidden", "table"]),
        ("call", {"line": "double *"}, ["names"]),
    ],
    ids=["numbers", "written", "shadowed", "called"],
)
def test_what_a_function_finds_set_is_a_parameter(
    found: dict[str, Signature], function: str, outside: dict[str, str], variables: list[str]
) -> None:
    signature = found[function]
    assert {item.name: item.spelling for item in signature.parameters if item.outside} == outside
    assert [item.name for item in signature.globals] == variables


def test_entries_set_the_variables_and_look_where_pointers_lead_afterwards(
    found: dict[str, Signature],
) -> None:
    assembly = found["set"].assembly
    assert assembly is not None
    assert [name for name, _ in assembly.arguments] == ["a"]
    assert assembly.taken == ("a", "n", "rows")
    assert assembly.before == ("n = n__outside;", "rows = (__typeof__(rows))rows__outside;")
    assert assembly.after == ("if ((const void *)rows != rows__outside) __builtin_trap();",)


KERNELS = """
struct Grid { int columns, rows; double step; short taps[2]; };
__constant__ Grid grid;
__constant__ int width, weights[4];
__constant__ const int fixed = 3;
__device__ int ticket, limit, *places;
__device__ Grid changing;
namespace inner { __constant__ int hidden; }
__device__ int last() { return limit; }
__global__ void reads(int *x, int n) {
    if (n < width) x[n * grid.columns] = weights[3] + last() + fixed + inner::hidden + grid.taps[1];
}
__global__ void writes(int *x) {
    x[ticket] = changing.rows;
    ticket = 2;
    changing.columns += atomicAdd(&limit, 1);
}
#define FAST 3
__device__ int flag, mode, level, least;
__global__ void asks(int *x, int n) {  // the mode counts
    if (flag || n == least) return;
    if (n > 3 && !flag) x[mode == 7 ? n : 0] = mode != FAST;
    switch (mode) { case 1: x[0] = level; }
    if (level) x[1] = 2;
}
__global__ void own(int width) { int limit = 2; places[width] = limit; }
"""


@pytest.mark.parametrize(
    ("kernel", "parameters"),
    [
        ("reads", ["x", "n", "limit", "weights[3]", "width", "grid.columns"]),
        ("writes", ["x", "changing.rows"]),
        ("asks", ["x", "n", "least", "level"]),
        ("own", ["width"]),
    ],
)
def test_whole_numbers_that_a_kernel_finds_in_variables_are_parameters(
    tmp_path: Path, kernel: str, parameters: list[str]
) -> None:
    (tmp_path / "a.cu").write_text(KERNELS)
    found = {item.name: item for items in read(tmp_path).signatures.values() for item in items}
    assert [item.name for item in found[kernel].parameters] == parameters
    assert all(item.outside for item in found[kernel].parameters[len(found[kernel].names) :])
