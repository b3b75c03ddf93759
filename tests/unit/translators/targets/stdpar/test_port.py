"""Calls of parallel algorithms in the places of loops, and what keeps them from being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import LARGEST, proposed, text, why_not
from transpile import parsers, translators
from transpile.core import STDPAR, Candidate, Rejected
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE, index_range

LOOP = "    for (int i = 0; i < n; i++)\n        y[i] = x[i];\n"


def test_a_loop_is_a_call_where_arrays_lie_apart(tmp_path: Path) -> None:
    assert """
    if (y + n <= x || x + n <= y) {
        const index_range<int> i_range(0, n);
        std::for_each(std::execution::par_unseq, i_range.begin(), i_range.end(), [=](int i) {
            y[i] = x[i];
        });
    } else {
        for (int i = 0; i < n; i++)
            y[i] = x[i];
    }
""" in text(tmp_path, LOOP, STDPAR)


def test_what_a_call_needs_is_included(tmp_path: Path) -> None:
    found = proposed(tmp_path, LOOP, STDPAR)
    assert isinstance(found, Candidate)
    assert found.headers == ("<algorithm>", "<execution>", f"<{INDEX_RANGE}>")


def test_each_iteration_has_its_own_scalars(tmp_path: Path) -> None:
    body = (
        "    int i, j;\n    float low = 9;\n    for (i = 0; i < n; i++) {\n"
        "        // the smallest\n        low = 1;\n"
        "        for (j = 0; j < 3; j++) low = low / 2;\n        y[i] = low;\n    }\n"
    )
    found = text(tmp_path, body, STDPAR)
    assert (
        "[=](int i) {\n        int j;\n        float low;\n        // the smallest\n        low = 1;\n"
        in found
    )


@pytest.mark.parametrize(
    ("head", "given"),
    [
        ("int i = 2; i <= n - 1; i++", "<int> i_range(2, n)"),
        ("int i = n - 1; i >= 0; i--", "<int, -1> i_range(n - 1, -1)"),
        ("long i = 0; i < n; i += 3", "<long, 3> i_range(0, n)"),
        ("int i = 0; i <= (n > 4 ? 4 : n); i++", "<int> i_range(0, (n > 4 ? 4 : n) + 1)"),
    ],
)
def test_a_range_goes_as_the_loop_does(head: str, given: str, tmp_path: Path) -> None:
    assert f"const index_range{given};" in text(tmp_path, f"    for ({head}) y[i] = 1;\n", STDPAR)


def test_a_sum_begins_with_the_value_before_the_loop(tmp_path: Path) -> None:
    body = "    float s = 1;\n    for (int i = 0; i < n; i++)\n        s -= x[i];\n    *y = s;\n"
    assert """
    s = std::transform_reduce(
        std::execution::par, i_range.begin(), i_range.end(), s, std::plus<>(),
        [=](int i) -> float { return -(x[i]); });
""" in text(tmp_path, body, STDPAR)


def test_a_nan_before_the_loop_stays_out_of_the_call(tmp_path: Path) -> None:
    found = text(tmp_path, LARGEST, STDPAR)
    assert "i_range.end(), float(-INFINITY),\n" in found and "    float s = -INFINITY;\n" in found
    assert "    if (s_found > s) s = s_found;\n" in found


def test_an_iteration_that_ends_early_gives_what_it_has(tmp_path: Path) -> None:
    body = (
        "    int some = 0;\n    double all = 0;\n    for (int i = 0; i < n; i++) {\n"
        "        if (x[i] < 0) continue;\n        some++;\n        all += x[i];\n    }\n    *y = all;\n"
    )
    found = text(tmp_path, body, STDPAR)
    assert "std::tie(some, all) = std::transform_reduce(\n" in found
    assert "if (x[i] < 0) return std::tuple<int, double>(some, all);\n" in found
    assert "std::get<0>(one) + std::get<0>(other), std::get<1>(one) + std::get<1>(other)" in found


def test_updates_that_meet_are_atomic_and_not_unsequenced(tmp_path: Path) -> None:
    found = text(tmp_path, "    for (int i = 0; i < n; i++)\n        y[(int)x[i]] -= x[i] + 1;\n", STDPAR)
    assert "std::for_each(std::execution::par, " in found
    assert "std::atomic_ref(y[(int)x[i]]).fetch_add(-(x[i] + 1));" in found


def test_arrays_of_the_function_are_not_copied(tmp_path: Path) -> None:
    body = "    float t[4];\n    for (int i = 0; i < 4; i++) t[i] = 1;\n    y[0] = t[0];\n"
    assert "[=, &t](int i) {" in text(tmp_path, body, STDPAR)


def test_a_loop_without_a_block_around_it_gets_one(tmp_path: Path) -> None:
    found = text(
        tmp_path, "    for (int t = 0; t < 9; t++)\n        for (int i = 0; i < n; i++) y[i] /= 2;\n", STDPAR
    )
    assert "t++)\n        {\n            const index_range<int> i_range(0, n);\n" in found


def test_memory_that_was_allocated_has_the_type_that_it_is_for(tmp_path: Path) -> None:
    body = (
        "    float *s = malloc(n), **rows;\n    rows = calloc(n, 8);\n    char *own = (char *)malloc(n);\n"
        "    for (int i = 0; i < n; i++) s[i] = 1;\n"
    )
    found = text(tmp_path, body, STDPAR)
    assert "float *s = (float *)malloc(n), **rows;\n    rows = (float **)calloc(n, 8);\n" in found
    assert "char *own = (char *)malloc(n);\n" in found


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "    float s = 0;\n    for (int i = 0; i < n; i++) { y[i] = 1; s += x[i]; }\n    *y = s;\n",
            "also writes `y[i]`",
        ),
        ("    for (int i = 0; i < n; i++) y[(int)x[i]] *= 2;\n", "no atomic operation"),
    ],
)
def test_what_no_call_does_stays_a_loop(body: str, reason: str, tmp_path: Path) -> None:
    assert reason in why_not(tmp_path, body, STDPAR)


@pytest.mark.parametrize("rows", ["double a[n][m]", "double a[static 4]", "double a[n]"])
def test_arrays_that_only_c_has_are_named(rows: str, tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++) b[i] = m;"
    (tmp_path / "a.c").write_text(f"void f(int n, int m, {rows}, double *b) {{ {loop} }}\n")
    source = parsers.read(tmp_path)
    [unit] = source.units
    found = translators.propose(source, unit, (), STDPAR)
    assert isinstance(found, Rejected)
    assert f"the parameter `{rows}`" in found.diagnostics[0].message


def test_a_header_of_the_source_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / INDEX_RANGE).write_text("#define ROWS 3\n")
    assert f"a file {INDEX_RANGE} of its own" in why_not(tmp_path, LOOP, STDPAR)
    (tmp_path / INDEX_RANGE).write_bytes(index_range())  # as in a port that is ported again
    assert "std::for_each" in text(tmp_path, LOOP, STDPAR)
