"""Elements of arrays at file scope that bound loops: those that nothing may change while a function runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile import parsers
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import nests
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="libclang reads g++'s headers")

HEAD = "#include <stdio.h>\nstatic int n[3];\nstatic int *kept;\n"
USER = "void f(int m, double *a) { for (int i = 0; i < n[1] - 1; i++) a[i] = m; }\n"
READS = 'void input(FILE *from) { int last = fscanf(from, "(%d) = %d;", &n[0], &n[1]); n[2] = last; }\n'
OWN = "int fscanf(FILE *from, const char *text, int *p, int *q) { kept = p; return *q; }\n"


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ("", True),
        ("void set(int k) { n[1] = k; n[k] = 2; }", True),
        (READS, True),
        (
            f"int fscanf(FILE *from, const char *text, int *p, int *q) {{ kept = p; return *q; }}\n{READS}",
            False,
        ),
        ('void input(void) { scanf("%d", kept = &n[1]); }', False),
        ('int *also(int *p); void input(void) { scanf("%d", also(&n[1])); }', False),
        ("void keep(void) { kept = &n[1]; }", False),
        ("void keep(void) { kept = n; }", False),
        ("void keep(void) { kept = n + 1; }", False),
        ("void keep(void) { int &r = n[1]; r = 2; }", False),
        ("void change(int &k) { k = 2; } void keep(void) { change(n[1]); }", False),
        ("void keep(double *b, int n[2]) { n[1] = b[0] > 0; }", True),
    ],
    ids=[
        *(
            "alone",
            "set elsewhere",
            "read from a file",
            "read by another one",
            "kept on the way",
            "passed on",
        ),
        *("address", "whole", "moved", "reference", "by reference", "another one of the name"),
    ],
)
def test_an_element_bounds_a_loop_where_nothing_leads_to_its_array(
    tmp_path: Path, others: str, expected: bool
) -> None:
    (tmp_path / "a.cpp").write_text(HEAD + USER + others)
    source = parsers.read(tmp_path)
    unit = next(item for item in source.units if item.name == "f")
    around = enclosing_scope(source, unit)
    assert (around.settled == {"n[1]"}) is expected
    function = Function(unit.text.decode())
    [nest] = nests(function, resolve(function, around.refers), around=around)
    assert bool(nest.loops) is expected
