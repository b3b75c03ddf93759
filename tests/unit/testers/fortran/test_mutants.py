"""Mistakes planted in translations of Fortran routines."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.testers.fortran.test_entries import routine
from transpile.testers.fortran.mutants import copies, copy_interfaces, plant

TEXT = """\
namespace other {
double f(int n) {
    return n;
}
}  // namespace other
namespace m {
double f(double *x_data, int n) {
    const fortran::ContiguousView<double, 2> x(x_data, {n, n});
    x(1, n) = x(n, 1) + 2.0;
    return x(1, n);
}
}  // namespace m

extern "C" [[gnu::weak]] double __m_MOD_f(double *x, int *n) {
    return m::f(x, *n);
}
"""
OWN = replace(routine(()), symbol="__m_MOD_f", target="m::f")
ORIGINS = [0] * 6 + [11, 12, 13, 14] + [0] * 8


def test_mistakes_stand_in_the_routine_of_that_module_alone() -> None:
    found = plant(TEXT, OWN, ORIGINS)
    assert found is not None and found.definition.startswith("double f(double *x_data")
    assert all(item.text.startswith("double f(double *x_data, int n) {\n    const") for item in found.mutants)
    made = {(item.operator, item.after) for item in found.mutants}
    assert {("swapped subscripts", "x(n, 1)"), ("index", "x(1 + 1, n)"), ("arithmetic", "-")} <= made
    assert not any("x(x_data, {n" in item.before for item in found.mutants)
    assert {item.line for item in found.mutants} == {13, 14}


def test_copies_have_names_of_their_own_for_trials() -> None:
    definitions = [f"double f(double *, int) {{ return {number}; }}" for number in range(2)]
    found = copies(TEXT, OWN, definitions)
    assert found.startswith(TEXT)
    assert [item.symbol for item in copy_interfaces(OWN, 2)] == ["__m_MOD_fcopy0", "__m_MOD_fcopy1"]
    assert "double __m_MOD_fcopy1(double *x, int *n) {\n    return m::" in found
    assert found.count("return m::f(x, *n);") == 1


def test_what_is_not_there_has_no_mistakes() -> None:
    assert plant(TEXT, replace(OWN, target="n::f"), ORIGINS) is None
