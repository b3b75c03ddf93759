"""Numbers and pointers at file scope that functions find set are parameters of theirs."""

from __future__ import annotations

import shutil

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
