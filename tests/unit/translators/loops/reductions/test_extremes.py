"""Extreme numbers with their places: which loops look for one, and how the threads of a team agree on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import text, why_not
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import CUDA, OPENMP
from transpile.translators.loops.analysis.analysis import Known, nests
from transpile.translators.loops.reductions.extremes import Extremes

HEAD = "int f(int n, int m, float *x, float *y, double *z, const int *k)"
START = "float best = x[0]; int at = 0; "


def outermost(body: str) -> Known:
    function = Function(f"{HEAD} {{ {body} return at; }}")
    [nest] = nests(function, resolve(function))
    return nest.loops[0]


@pytest.mark.parametrize(
    "body",
    [
        START + "for (int i = 1; i < n; i++) if (x[i] > best) { best = x[i]; at = i; }",
        START + "for (int i = 1; i < n; i++) if (best > x[i]) { at = i; best = x[i]; }",
        START + "for (int i = 1; i < n; i++) if (x[i] >= best) best = x[i], at = i;",
        START + "for (int i = 0; i < n; i++) { float v = -x[i]; if (v < best) { best = v; at = i + 1; } }",
        START + "for (int i = n - 1; i > 0; i--) if (x[i] > best) { best = x[i]; at = i; }",
        START + "for (int i = 0; i < n; i++) if (k[i] == 0 && x[i] < best) { best = x[i]; at = i; }",
        START + "for (int i = 0; i < n; i++) { if (k[i]) if (x[i] < best) { best = x[i]; at = i; } }",
        "double best = 0; long at = -1; "
        "for (int i = 0; i < n; i++) if (fabs(x[i]) >= best) { best = fabs(x[i]); at = i; }",
        "int at = 0; for (int i = 1; i < n; i++) if (x[i] > x[at]) at = i;",
        "int at = 0; for (int i = 1; i < n; i++) if (x[at * m] <= x[i * m]) at = i;",
        START + "int c = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
        " if (x[i * m + j] > best) { best = x[i * m + j]; at = i; c = j; }",
    ],
)
def test_an_extreme_number_is_looked_for_with_its_place(body: str) -> None:
    found = outermost(body)
    extremes = found.found(Extremes)
    assert found.parallel and extremes is not None
    assert [one.place.name for one in extremes.all] == ["at"]


@pytest.mark.parametrize(
    "body",
    [
        # What is found so far is used.
        START + "for (int i = 1; i < n; i++) { if (x[i] > best) { best = x[i]; at = i; } y[i] = best; }",
        START + "for (int i = 1; i < n; i++) { if (x[i] > best) { best = x[i]; at = i; } y[i] = at; }",
        START + "for (int i = 1; i < n; i++) { best *= m; if (x[i] > best) { best = x[i]; at = i; } }",
        START + "for (int i = 1; i < n; i++) if (x[i] > best && x[i] > at) { best = x[i]; at = i; }",
        START
        + "float b = 0; for (int i = 0; i < n; i++) if (x[i] > best) { b = best; best = x[i]; at = i; }",
        # What is kept is not what was compared.
        START + "for (int i = 1; i < n; i++) if (x[i] > best) { best = x[i] + 1; at = i; }",
        START + "for (int i = 1; i < n; i++) if (x[i] > y[i]) { best = x[i]; at = i; }",
        START + "for (int i = 1; i < n; i++) if (z[i] > best) { best = z[i]; at = i; }",
        "int best = 0, at = 0; for (int i = 1; i < n; i++) if (x[i] > best) { best = x[i]; at = i; }",
        "int at = 0; for (int i = 1; i < n; i++) if (x[i] > y[at]) at = i;",
        "int at = 0; for (int i = 1; i < n; i++) if (x[i] > x[at]) at = i + 1;",
        "int at = 0; for (int i = 1; i < n; i++) { if (x[i] > x[at]) at = i; x[i] = 0; }",
        "int at = 0, j; for (int i = 1; i < n; i++) for (j = 0; j < m; j++)"
        " if (x[i * m + j] > x[at * m + j]) at = i;",
        # Places do not tell which iteration was first, or not of all that is kept.
        START + "for (int i = 1; i < n; i++) if (x[i] > best) { best = x[i]; at = n - i; }",
        START + "for (int i = 1; i < n; i++) if (x[i] > best) { best = x[i]; at = k[i]; }",
        START + "for (int i = 1; i < n; i++) { if (x[i] > best) best = x[i]; if (x[i] > 3) at = i; }",
        START + "for (int i = 1; i < n; i++) if (x[i] > best) { best = x[i]; at = i; } else at = 0;",
        START + "for (int i = 1; i < n; i++) if (x[i] > best || k[i]) { best = x[i]; at = i; }",
        START + "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
        " if (x[i * m + j] > best) { best = x[i * m + j]; at = j; }",
        "float best = 0; short at = 0; for (int i = 0; i < n; i++) if (x[i] > best) { best = x[i]; at = i; }",
        # One thread is done before others have begun.
        START + "for (int i = 1; i < 256; i++) if (x[i] > best) { best = x[i]; at = i; }",
        # Of equal elements the last counts, and the place from before the loop may be a later one.
        "float best = 0; int at = n; for (int i = 0; i < n; i++) if (x[i] >= best) { best = x[i]; at = i; }",
        "float best = 0; int at = 1; for (int i = 0; i < n; i++) if (x[i] >= best) { best = x[i]; at = i; }",
        "float best = 0; size_t at = -1;"
        " for (size_t i = 0; i < n; i++) if (x[i] >= best) { best = x[i]; at = i; }",
        START + "for (int i = n - 1; i >= 0; i--) if (x[i] >= best) { best = x[i]; at = i; }",
        START + "int c = 3; for (int i = 0; i < n; i++) if (x[i] >= best) { best = x[i]; at = i; c = k[i]; }",
        "T best = 0; int at = 0; for (int i = 0; i < n; i++) if ((T)x[i] > best) { best = (T)x[i]; at = i; }",
        "float best = 0; int at; for (int i = 0; i < n; i++) if (x[i] > best) { best = x[i]; at = i; }",
    ],
)
def test_what_only_looks_like_a_search_for_an_extreme_number_stays(body: str) -> None:
    found = outermost(body)
    assert not found.parallel and found.idiom is None


LARGEST = """\
    float best = x[0];
    int at = 0;
    for (int i = 1; i < n; i++) {
        if (x[i] {sign} best) {
            best = x[i];
            at = i;
        }
    }
    *y = at;
"""


@pytest.mark.parametrize(("sign", "nearer"), [(">", "<"), (">=", ">")])
def test_of_equal_numbers_threads_take_the_one_that_the_source_does(
    sign: str, nearer: str, tmp_path: Path
) -> None:
    found = text(tmp_path, LARGEST.replace("{sign}", sign), OPENMP)
    assert found.endswith(f"""\
    float best_overall = best;
    int at_overall = at;
    #pragma omp parallel firstprivate(best, at)
    {{
        #pragma omp for nowait
        for (int i = 1; i < n; i++) {{
            if (x[i] {sign} best) {{
                best = x[i];
                at = i;
            }}
        }}
        #pragma omp critical
        if (best > best_overall || (best == best_overall && at {nearer} at_overall)) {{
            best_overall = best;
            at_overall = at;
        }}
    }}
    best = best_overall;
    at = at_overall;
    *y = at;
}}""")


def test_a_place_alone_is_compared_only_where_an_element_was_found(tmp_path: Path) -> None:
    body = "    int at = 0;\n    for (int i = 1; i < n; i++) if (x[i] < x[at]) at = i;\n    *y = at;\n"
    nearer = "x[at] < x[at_overall] || (x[at] == x[at_overall] && at < at_overall)"
    assert f"        if (at != at_overall && ({nearer})) {{\n" in text(tmp_path, body, OPENMP)


@pytest.mark.parametrize(("sign", "nearer"), [(">", "<"), (">=", ">")])
def test_of_equal_numbers_a_device_takes_the_one_that_the_source_does(
    sign: str, nearer: str, tmp_path: Path
) -> None:
    found = text(tmp_path, LARGEST.replace("{sign}", sign), CUDA)
    assert f"    if (other.best == own.best) return other.at {nearer} own.at ? other : own;\n" in found
    assert (
        "__global__ void f_kernel(const float *x, int n, float best, int at, f_kernel_at *at_found)" in found
    )
    assert "        best = at_overall.best;\n        at = at_overall.at;\n" in found


def test_a_device_compares_no_place_at_which_nothing_was_found(tmp_path: Path) -> None:
    body = "    int at = -1;\n    for (int i = 1; i < n; i++) if (k > 0 && x[i * k] < x[at * k]) at = i;\n"
    found = text(tmp_path, f"    const int k = n / 2;\n{body}    *y = at;\n", CUDA)
    first, second = "if (other.at == own.at) return own;", "if (x[other.at * k] == x[own.at * k]) return"
    assert found.index(first) < found.index(second)
    assert "f_kernel_at own, f_kernel_at other, const float *x, const int k)" in found
    assert "f_kernel_at_merge<<<1, 256>>>(at_found, blocks, x_device, k);" in found


def test_a_device_hands_on_numbers_alone(tmp_path: Path) -> None:
    search = "if (x[i] > best) { best = x[i]; at = i; which = i; }"
    body = (
        f"    float best = 0; int at = 0; long double which = 0;\n    for (int i = 1; i < n; i++) {search}\n"
    )
    assert "`which` is a `long double`" in why_not(tmp_path, f"{body}\n    *y = best + at + which;\n", CUDA)


def test_where_the_host_has_to_reach_arrays_a_device_does_not_look_for_places(tmp_path: Path) -> None:
    search = "int at = j; for (int i = j; i < n; i++) if (x[i] > x[at]) at = i;"
    body = f"    for (int j = 1; j < n; j++) {{ {search} y[j] = y[j - 1] + at; }}\n"
    assert "// One thread alone" in text(tmp_path, body, CUDA)
    assert "#pragma omp critical" in text(tmp_path, body, OPENMP)
