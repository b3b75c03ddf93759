"""Target regions: which arrays the device holds, how much of them, and for how long."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    OPENMP_TARGET,
    ArrayFact,
    Candidate,
    Contract,
    Origin,
    Range,
    Rejected,
    Role,
    ScalarFact,
)

HEAD = """#define M 8
static double table[4][4];
static double *const far = 0;
void told(int n);
"""
LOOP = "for (int i = 0; i < n; i++)"
TARGET = "#pragma omp target teams distribute parallel for"


def proposed(
    place: Path,
    body: str,
    parameters: str = "const double *restrict x, double *restrict y",
    extent: str = "n",
    origin: Origin = Origin.TRACE,
    *,
    stated: bool = False,
) -> Candidate | Rejected:
    (place / "a.c").write_text(f"{HEAD}void f(int n, int m, {parameters})\n{{\n{body}\n}}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    contract = Contract(
        signature=signature,
        arrays=tuple(
            ArrayFact(name=item.name, role=Role.INOUT, extent=extent, origin=origin, stated=stated)
            for item in signature.parameters
            if item.pointer
        ),
        scalars=tuple(ScalarFact(name=name, values=Range(low="0", high="99")) for name in "nm"),
        law=None,
    )
    return translators.propose(source, unit, (contract,), OPENMP_TARGET)


def text(place: Path, body: str, *more: str, stated: bool = False) -> str:
    found = proposed(place, body, *more, stated=stated)
    assert isinstance(found, Candidate), found
    return found.replacements[0].shown.replace("\\\n", "")


def why_not(found: Candidate | Rejected) -> str:
    assert isinstance(found, Rejected), found
    return found.diagnostics[0].message


def clauses(found: str) -> list[str]:
    """Return what is copied by each directive, in their order."""
    lines = [line for line in found.splitlines() if "#pragma omp target" in line]
    return [" ".join(line[line.index("map(") :].split()) for line in lines]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"{LOOP} y[i] = x[i];", "map(to: x[0:n]) map(from: y[0:n])"),
        (f"{LOOP} y[i] += x[i];", "map(to: x[0:n]) map(tofrom: y[0:n])"),
        (f"{LOOP} if (x[i] > 0) y[i] = 1;", "map(to: x[0:n]) map(tofrom: y[0:n])"),
        (f"{LOOP} {{ if (x[i] > 0) continue; y[i] = 1; }}", "map(to: x[0:n]) map(tofrom: y[0:n])"),
        ("for (int i = 1; i < n; i++) y[i] = 1;", "map(tofrom: y[0:n])"),
        ("for (int i = 0; i < m; i++) y[i] = 1;", "map(tofrom: y[0:n])"),
        ("for (int i = 0; i < n; i += 2) y[i] = 1;", "map(tofrom: y[0:n])"),
        (f"{LOOP} for (int k = 0; k < m; k++) y[i] = x[k];", "map(to: x[0:n]) map(tofrom: y[0:n])"),
        (f"{LOOP} for (int k = m; k > 1; k /= 2) y[i] = 1;", "map(tofrom: y[0:n])"),
        (f"{LOOP} y[i + 1] = 1;", "map(tofrom: y[0:n])"),
        (f"double s = 0; {LOOP} s += x[i]; y[0] = s;", "map(to: x[0:n]) map(tofrom: s)"),
        (f"double own[M]; {LOOP} y[i] = own[i % M];", "map(to: own) map(from: y[0:n])"),
        (f"{LOOP} y[i] = table[i % 4][1];", "map(to: table) map(from: y[0:n])"),
    ],
)
def test_arrays_are_copied_back_alone_only_where_all_of_them_is_made(
    body: str, wanted: str, tmp_path: Path
) -> None:
    assert clauses(text(tmp_path, body, stated=True)) == [wanted]


def test_rows_and_columns_are_one_array(tmp_path: Path) -> None:
    body = f"{LOOP} for (int j = 0; j < m; j++) y[i * m + j] = x[i * m + j];"
    found = text(tmp_path, body, "const double *restrict x, double *restrict y", "n * m")
    assert f"{TARGET} collapse(2)" in found
    assert clauses(found) == ["map(to: x[0:(long long)n * m]) map(from: y[0:(long long)n * m])"]


def test_rows_are_copied_whole(tmp_path: Path) -> None:
    body = f"{LOOP} for (int j = 1; j < M - 1; j++) y[i][j] = 1;"
    assert clauses(text(tmp_path, body, "double (*y)[M]", "8 * n - 1")) == ["map(tofrom: y[0:n])"]


def test_no_length_is_below_nothing(tmp_path: Path) -> None:
    found = text(tmp_path, "for (int i = 0; i < n - 2; i++) y[i] = 1;", "double *y", "n - 2")
    assert "const long long y_length = (long long)n - 2 > 0 ? (long long)n - 2 : 0;" in found
    assert clauses(found) == ["map(from: y[0:y_length])"]


def test_lengths_of_rows_are_of_64_bits(tmp_path: Path) -> None:
    found = text(tmp_path, "for (int i = 0; i < n - 2; i++) y[i][0] = 1;", "double (*y)[M]", "8 * n - 16")
    assert "const long long y_length = (long long)n - 2 > 0 ? (long long)n - 2 : 0;" in found


def test_a_row_that_is_not_begun_is_not_copied(tmp_path: Path) -> None:
    body = f"{LOOP} for (int j = 0; j < m; j++) y[i][j] = 1;"
    found = text(tmp_path, body, "double (*y)[M]", "8 * (n - 1) + m")
    assert "const long long y_length = (long long)n - (m < 1) > 0 ? (long long)n - (m < 1) : 0;" in found
    assert clauses(found) == ["map(tofrom: y[0:y_length])"]


STEPS = f"for (int t = 0; t < m; t++) {{ {LOOP} y[i] = x[i] - y[i]; BETWEEN }}"


def test_arrays_stay_on_the_device_while_a_loop_goes_around(tmp_path: Path) -> None:
    found = text(tmp_path, STEPS.replace("BETWEEN", ""))
    assert clauses(found) == ["map(to: x[0:n]) map(tofrom: y[0:n])"] * 2
    assert found.index("#pragma omp target data") < found.rindex("for (int t") < found.index(TARGET)


def test_a_loop_that_goes_around_may_not_run_at_all(tmp_path: Path) -> None:
    found = clauses(text(tmp_path, f"for (int t = 0; t < m; t++) {{ {LOOP} y[i] = t; }}"))
    assert found == ["map(tofrom: y[0:n])", "map(from: y[0:n])"]


@pytest.mark.parametrize(
    "between", ["y[0] = t;", "if (t > 3) return;", "if (y[t] > 1) return;", "double z = *x; y[0] = z;"]
)
def test_arrays_that_the_host_touches_do_not_stay(between: str, tmp_path: Path) -> None:
    found = proposed(tmp_path, STEPS.replace("BETWEEN", between))
    assert isinstance(found, Rejected) or "target data" not in found.replacements[0].shown


def test_arrays_of_what_is_not_always_run_do_not_stay(tmp_path: Path) -> None:
    found = text(tmp_path, STEPS.replace("BETWEEN", "").replace(LOOP, f"if (n > 9) {LOOP}"))
    assert clauses(found) == ["map(to: x[0:n]) map(tofrom: y[0:n])"]


def test_arrays_stay_from_one_loop_to_the_next(tmp_path: Path) -> None:
    found = text(tmp_path, f"    {LOOP} y[i] = 1;\n    m = 2 * m;\n    {LOOP} y[i] *= x[i];")
    assert clauses(found)[0] == "map(to: x[0:n]) map(from: y[0:n])"
    lines = found.splitlines()
    first = next(number for number, line in enumerate(lines) if "target data" in line)
    assert lines[first + 1] == "    {" and lines[-2] == "    }" and "        m = 2 * m;" in lines


@pytest.mark.parametrize("between", ["y[0] = 1;", "told(n);", "int k = n; y[k - 1] = 0;"])
def test_arrays_do_not_stay_where_the_host_goes_between(between: str, tmp_path: Path) -> None:
    assert "target data" not in text(tmp_path, f"{LOOP} y[i] = 1; {between} {LOOP} y[i] *= x[i];")


@pytest.mark.parametrize(
    ("parameters", "body", "asked"),
    [
        ("const double *x, double *y", f"{LOOP} y[i] = x[i];", True),
        ("const double *restrict x, double *restrict y", f"{LOOP} y[i] = x[i];", False),
        # ``restrict`` says nothing of elements that nobody touches, and of none where nothing is written.
        (
            "const double *restrict x, double *restrict y",
            "for (int i = 0; i < n; i += 2) y[i] = x[i];",
            True,
        ),
        (
            "const double *restrict x, const double *restrict y",
            f"double s = 0; {LOOP} s += x[i] * y[i]; m = s;",
            True,
        ),
    ],
)
def test_what_a_device_holds_lies_apart(parameters: str, body: str, asked: bool, tmp_path: Path) -> None:
    found = text(tmp_path, body, parameters)
    assert ("static void f_sequential(" in found) == asked
    if asked:
        assert found.index("f_sequential(n, m, x, y);") < found.index("#pragma")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"{LOOP} y[i] = far[i];", "the length of `far` is not known"),
        (f"{LOOP} y[i] = x[(int)y[i]];", "the length of `x` depends on data"),
        (f"{LOOP} {{ int k = (int)x[i]; y[i] = x[k]; }}", "the length of `x` depends on data"),
        (f"const double *z = x + 1; {LOOP} y[i] = z[i];", "`z` points into host memory"),
        (f"{LOOP} y[i] = x ? x[i] : 1;", "`x` may be null"),
        (f"n /= 2; {LOOP} y[i] = x[i];", "the length of `y` depends on data"),
        (f"{{ int n = m / 2; {LOOP} y[i] = 1; }}", "the length of `y` depends on data"),
    ],
)
def test_what_no_clause_can_say_is_refused(body: str, why: str, tmp_path: Path) -> None:
    assert why in why_not(proposed(tmp_path, body))


def test_rows_as_long_as_a_parameter_says_are_refused(tmp_path: Path) -> None:
    found = proposed(tmp_path, f"{LOOP} y[i][0] = 1;", "double y[restrict n][m]", "n * m")
    assert "`y` has rows whose length is not a constant" in why_not(found)


def test_a_length_that_is_only_bounded_is_not_known(tmp_path: Path) -> None:
    found = proposed(tmp_path, f"{LOOP} y[i] = 1;", "double *y", "n", Origin.BOUND)
    assert "the length of `y` is not known" in why_not(found)


def test_a_length_that_is_stated_may_follow_data(tmp_path: Path) -> None:
    body = f"{LOOP} y[i] = x[(int)x[i]];"
    found = proposed(tmp_path, body, "const double *x, double *y", "n", Origin.USER)
    assert isinstance(found, Candidate)


def test_names_of_lengths_are_free(tmp_path: Path) -> None:
    body = "int y_length = 3; for (int i = 0; i < n - 2; i++) y[i] = y_length;"
    assert "map(from: y[0:y_length2])" in clauses(text(tmp_path, body, "double *y", "n - 2"))
