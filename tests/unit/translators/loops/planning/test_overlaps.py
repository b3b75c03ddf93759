"""Which arrays a translation has to ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Role
from transpile.translators.loops.symbols.members import spelled

TEXT = """static double here[64][8], there[64][8];
void f(int n, double *x)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 8; j++)
            %s;
}
"""


ROWS = """void f(int n, int m, double x[n][m], const double y[][m])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i][j] = y[i - 1][j];
}
"""


def asked(text: str, root: Path, name: str = "a.c", /, **lengths: str) -> str:
    """Return the line above the loops."""
    (root / name).write_text(text)
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    read = [item.name for item in signature.parameters if item.const]
    facts = tuple(
        ArrayFact(name=name, role=Role.IN if name in read else Role.INOUT, extent=extent, stated=True)
        for name, extent in lengths.items()
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown.split("{\n", 1)[1].split("    for")[0].strip()


def test_two_arrays_at_file_scope_lie_apart(tmp_path: Path) -> None:
    text = TEXT % "here[i][j] = there[i - 1][j]"
    assert asked(text, tmp_path) == "#pragma omp parallel for collapse(2)"


def test_an_array_at_file_scope_may_be_what_a_caller_hands_over(tmp_path: Path) -> None:
    found = asked(TEXT % "x[i * 8 + j] = there[i - 1][j]", tmp_path, x="8 * n")
    assert "(const void *)(there + 64) <= (const void *)x" in found


def test_rows_as_long_as_a_parameter_says_are_asked_by_elements(tmp_path: Path) -> None:
    found = asked(ROWS, tmp_path, x="n * m", y="n * m - m")
    assert "if (x[0] + ((long long)n * m) <= y[0] || y[0] + ((long long)n * m - m) <= x[0])" in found


def test_a_length_divides_by_no_zero(tmp_path: Path) -> None:
    head = "void f(int n, int m, float *x, const float *s)\n{\n"
    found = asked(
        f"{head}    for (int i = 0; i < n; i++) x[i] = s[i / m];\n}}\n", tmp_path, x="n", s="(n + m - 1) / m"
    )
    assert "if (m != 0 && (x + n <= s || " in found


def test_an_array_is_asked_by_the_furthest_of_several_loops(tmp_path: Path) -> None:
    text = ROWS.replace("double x[n][m], const double y[][m]", "double x[][64], const double *y")
    lengths = {"x": "max(64 * n, 64 * m - 3)", "y": "max(m, n + 1)"}
    found = asked(text.replace("y[i - 1][j]", "y[j]"), tmp_path, **lengths)
    assert "(const void *)(x + (((long long)n > m ? (long long)n : m))) <= (const void *)y" in found
    assert "(y + ((m > ((long long)n + 1) ? m : ((long long)n + 1)))) <= (const void *)x" in found


BEHIND = """void f(const int *n, T *y, const double *x)
{
    int last = *n;
    for (int i = 0; i < last; i++)
        y[i] = x[i];
}
"""


def test_a_length_behind_a_pointer_is_read_there(tmp_path: Path) -> None:
    found = asked(BEHIND.replace("T", "double"), tmp_path, n="1", y="n.value", x="n.value")
    assert "#pragma omp parallel for if (y + (*n) <= x || x + (*n) <= y)" in found


def test_a_length_that_may_be_an_element_is_not_asked(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        asked(BEHIND.replace("T", "int"), tmp_path, n="1", y="n.value", x="n.value")


def test_a_length_behind_a_reference_is_read_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(
        "void f(int &n, int *m, double *x) { for (int i = 0; i < n; i++) x[i] = *m; }"
    )
    [[signature]] = parsers.read(tmp_path).signatures.values()
    contract = Contract(signature=signature, arrays=(), scalars=(), law=None)
    assert spelled("2 * n.value + m.value", contract) == "2 * n + *m"


def test_what_macros_compute_changes_no_number_behind_a_pointer(tmp_path: Path) -> None:
    text = "#define LEAST(a, b) ((a) < (b) ? (a) : (b))\n" + BEHIND.replace("T", "double")
    found = asked(text.replace("= x[i]", "= LEAST(x[i], 1)"), tmp_path, n="1", y="n.value", x="n.value")
    assert "y + (*n) <= x" in found
