"""Parts of the loops that an inspector keeps: pointers, cases, and each condition with all under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.lengths.test_resolution import proposed, shown
from transpile.core import CUDA, Candidate, Origin, Rejected

HEAD = "void f(int n, int m, int mode, const int *at, const float *x, float *y)\n"
LOOP = "for (int i = 0; i < n; i++)"


def inspected(place: Path, body: str, array: str = "x") -> list[str]:
    """Return the lines of the inspector of an array."""
    port = shown(place, f"{HEAD}{{ {body} }}\n")
    begin = port.index(f"{array}_reach = [=]")
    return [line.strip() for line in port[begin : port.index("}();", begin)].splitlines()[2:-1]]


@pytest.mark.parametrize(
    ("pointer", "element"),
    [
        ("const float *row = x + at[i] * m;", "row[k]"),
        ("const float *row = &x[at[i] * m];", "row[k]"),
        ("const float *first = x + m, *row = first + at[i];", "*(row + k)"),
    ],
)
def test_a_pointer_into_an_array_is_followed(tmp_path: Path, pointer: str, element: str) -> None:
    body = f"{LOOP} {{ {pointer} for (int k = 0; k < m; k++) y[i * m + k] = {element}; }}"
    lines = inspected(tmp_path, body)
    assert pointer in lines
    assert "reach = std::max<long long>(reach, row - x + k + 1LL);" in lines
    assert "if (row - x + k < 0) return -1LL;" in lines


def test_a_pointer_to_indices_is_followed(tmp_path: Path) -> None:
    body = f"{LOOP} {{ const int *own = at + i * m; for (int k = 0; k < m; k++) y[i * m + k] = x[own[k]]; }}"
    assert "const int *own = at + i * m;" in inspected(tmp_path, body)


@pytest.mark.parametrize(
    "pointer", ["const int *row = (const int *)x + at[i];", "const float *row = mode ? x : x + at[i];"]
)
def test_a_pointer_that_is_counted_otherwise_is_not_followed(tmp_path: Path, pointer: str) -> None:
    found = proposed(tmp_path, f"{HEAD}{{ {LOOP} {{ {pointer} y[i] = row[i]; }} }}\n")
    assert isinstance(found, Rejected)


def test_indices_that_the_loops_write_are_none_by_another_name(tmp_path: Path) -> None:
    head = "void f(int n, int m, int *at, float *x)\n"
    own = "int *own = at + i * m; own[0] = i; x[own[0]] = 1;"
    assert isinstance(proposed(tmp_path, f"{head}{{ {LOOP} {{ {own} }} }}\n"), Rejected)


def test_a_condition_on_a_place_in_a_row_is_none_on_the_array(tmp_path: Path) -> None:
    row = "const float *row = x + i * m; int c = at[i]; if (c >= 0 && c < m) y[i] = row[c];"
    lines = inspected(tmp_path, f"{LOOP} {{ {row} }}")
    assert "reach = std::max<long long>(reach, row - x + c + 1LL);" in lines


def test_a_condition_says_nothing_of_what_is_changed_under_it(tmp_path: Path) -> None:
    # What the loops write keeps an inspector away, so the text alone could tell the length.
    head = "void f(int n, int m, int *at, float *x)\n"
    body = "int k = at[i]; at[i] = 0; if (k < m) { k = k + n; x[k] += 1; }"
    found = proposed(tmp_path, f"{head}{{ {LOOP} {{ {body} }} }}\n")
    assert isinstance(found, Rejected)


def test_each_condition_keeps_what_is_under_it(tmp_path: Path) -> None:
    value = "(at[i] > 0 ? x[i * 2 + 9] : 0) + (at[i] > m ? x[i * 2 + 9] : 0)"
    lines = inspected(tmp_path, f"{LOOP} y[i] = {value};")
    reached = "reach = std::max<long long>(reach, i * 2 + 9 + 1LL);"
    for test in ("if (at[i] > 0)", "if (at[i] > m)"):
        assert lines[lines.index(test) + 1] == reached


def test_conditions_are_closed(tmp_path: Path) -> None:
    lines = inspected(tmp_path, f"{LOOP} y[i] = mode ? x[m * i - 1] : x[i - m];")
    assert sum(line.endswith("{") for line in lines) == lines.count("}")


def test_a_switch_is_kept(tmp_path: Path) -> None:
    cases = "case 0: y[i] = x[i]; break; case 1: y[i] = 0; break; default: y[i] = x[2 * i]; break;"
    lines = inspected(tmp_path, f"{LOOP} switch (mode) {{ {cases} }}")
    kept = "reach = std::max<long long>(reach, {} + 1LL);"
    at = lines.index("switch (mode) {")
    case = ["case 0: {", kept.format("i"), "break;", "}", "case 1: {", "break;", "}"]
    assert lines[at + 1 : at + 1 + len(case)] == case
    assert kept.format("2 * i") in lines


def test_a_case_is_a_condition_on_the_call(tmp_path: Path) -> None:
    cases = "case 0: case 3: y[i] = x[i]; break; default: y[i] = 0;"
    port = shown(tmp_path, f"{HEAD}{{ {LOOP} switch (mode) {{ {cases} }} }}\n")
    assert "((mode) == 0 || (mode) == 3) && n > 0 ?" in port
    cases = "case 0: y[i] = 0; break; default: y[i] = x[i]; break;"
    port = shown(tmp_path, f"{HEAD}{{ {LOOP} switch (mode) {{ {cases} }} }}\n")
    assert "!((mode) == 0) && n > 0 ?" in port


def test_what_is_only_bounded_is_inspected(tmp_path: Path) -> None:
    text = f"{HEAD}{{ for (int i = 1; i < n; i += 3) y[i] = x[i - 1]; }}\n"
    found = proposed(tmp_path, text, CUDA, extent="n", origin=Origin.BOUND)
    assert isinstance(found, Candidate)
    assert "y_size = sizeof(float) * y_reach;" in found.replacements[0].shown


def test_a_loop_that_begins_at_a_remainder_by_its_step_is_read(tmp_path: Path) -> None:
    tail = "int first = n % 4; for (int i = first; i < n; i += 4) y[i] = x[i];"
    assert "i += 4" in shown(tmp_path, f"{HEAD}{{ {tail} }}\n")


@pytest.mark.parametrize(
    "ahead",
    [
        "int most = at[0]; if (most > m) most = m;",
        "int most = (int)sqrt((double)m);",
    ],
)
def test_what_only_sets_variables_may_be_done_before_arrays_are_asked(tmp_path: Path, ahead: str) -> None:
    port = shown(
        tmp_path, f"#include <math.h>\n{HEAD}{{ {ahead} for (int i = 0; i < most; i++) y[i] = x[i]; }}\n"
    )
    assert "x_size = most > 0 ? sizeof(float) * most : 0;" in port


@pytest.mark.parametrize("ahead", ["int most = at[0]; m = 3;", "int most = at[0]; y[0] = 1;"])
def test_what_the_loops_in_order_would_do_again_is_refused(tmp_path: Path, ahead: str) -> None:
    found = proposed(tmp_path, f"{HEAD}{{ {ahead} for (int i = 0; i < most; i++) y[i] = x[i] + m; }}\n")
    assert isinstance(found, Rejected)
