"""Statements between parallel loops that access arrays: one thread of the device runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import proposed, text, why_not
from transpile.core import CUDA, Candidate

LOOP = "    for (int i = 0; i < n; i++) y[i] += x[i];\n"
ALONE = "// One thread alone: this stands between parallel loops.\n__global__ void f_kernel2("


def between(statement: str, place: Path, start: str = "    float v = 0;\n    int k = 0;\n") -> str:
    return text(place, f"{start}{LOOP}    {statement}\n{LOOP}    fill(0, v + k);\n", CUDA)


@pytest.mark.parametrize(
    "statement",
    [
        *("y[0] = 1;", "*y = 1;", "y[k]++;", "y[0] = half(y[0]);", "if (n > 3) { y[1] = y[2]; y[2] = 0; }"),
        *(
            "for (int j = 1; j < n; j++) y[j] = y[j - 1] * y[j];",
            "{ float t = y[0]; y[0] = y[1]; y[1] = t; }",
        ),
    ],
)
def test_one_thread_does_it(statement: str, tmp_path: Path) -> None:
    shown = between(statement, tmp_path)
    kernel = shown[shown.index("// One thread alone: ") :]
    assert statement.replace("half(", "f_half(") in kernel[: kernel.index("\n}\n")]
    assert shown.index("f_kernel1<<<") < shown.index("f_kernel2<<<1, 1>>>(") < shown.index("f_kernel3<<<")


def test_scalars_that_it_needs_are_parameters(tmp_path: Path) -> None:
    assert f"{ALONE}float *y, int k, float v)" in between("y[k] = v;", tmp_path)


def test_scalars_that_it_computes_come_back(tmp_path: Path) -> None:
    shown = between("v = y[(int)x[k]];", tmp_path)
    assert f"{ALONE}float *y, const float *x, int k, float *v_total)" in shown
    assert "    *v_total = v;\n}" in shown
    assert "check(cudaMemcpy(&v, v_total, sizeof(float), cudaMemcpyDeviceToHost));" in shown


def test_what_only_it_needs_is_its_own(tmp_path: Path) -> None:
    shown = between(
        "for (k = 1; k < n; k++) y[k] *= y[k - 1];", tmp_path, "    float v = 0;\n    int k;\n    k = 0;\n"
    )
    assert "*k_total" in shown  # which is read behind the loops
    body = f"    int k;\n{LOOP}    for (k = 1; k < n; k++) y[k] *= y[k - 1];\n{LOOP}"
    assert "f_kernel2(float *y, int n)\n{\n    int k;\n" in text(tmp_path, body, CUDA)


def test_what_outlives_a_call_comes_back_though_nothing_reads_it(tmp_path: Path) -> None:
    shown = between("y[0] = last++;", tmp_path, "    static int last;\n    float v = 0;\n    int k = 0;\n")
    assert "*last_total = last;" in shown


def test_the_outer_loop_stays_on_the_host_and_may_end_early(tmp_path: Path) -> None:
    body = (
        "    for (int t = 0; t < n; t++) {\n        float s = 0;\n"
        "        for (int i = 0; i < n; i++) s += x[i] * y[i];\n"
        "        y[t] = s;\n        if (s < 1) break;\n"
        "        for (int i = 0; i < n; i++) y[i] /= s;\n    }\n"
    )
    shown = text(tmp_path, body, CUDA)
    host = shown[shown.rindex("\nvoid f(") :]
    order = ["for (int t = 0", "f_kernel1<<<", "f_kernel2<<<1, 1>>>(y_device, t, s)", "if (s < 1) break;"]
    places = [host.index(item) for item in order]
    assert places == sorted(places) and host.count("cudaMemcpy(y_device, y,") == 1


def test_an_element_may_bound_a_later_loop(tmp_path: Path) -> None:
    body = f"{LOOP}    int m = y[0];\n    for (int i = 0; i < m; i++) y[i] = 1;\n"
    assert "int m = element(&y_device[0]);" in text(tmp_path, body, CUDA, stated=True)
    assert "its subscripts follow from `y`, which the loops write" in why_not(tmp_path, body, CUDA)


def test_what_no_kernel_touches_is_read_where_it_is(tmp_path: Path) -> None:
    ones, twos = (f"    for (int i = 0; i < {end}; i++) y[i] = 1;\n" for end in "nm")
    body = f"{ones}    int m = x[0];\n{twos}"
    shown = text(tmp_path, body, CUDA)
    assert "    int m = x[0];" in shown and "x_device" not in shown
    assert "x + n <= y" in shown  # what it reads may have been written on the device


def test_what_one_kernel_writes_another_may_read_by_another_name(tmp_path: Path) -> None:
    head = "    for (int i = 0; i < n; i++)"
    body = f"    float s = 0;\n{head} y[i] = 1;\n{head} s += x[i];\n"
    assert "f_sequential(n, x, y);" in text(tmp_path, f"{body}    fill(0, s);\n", CUDA)


def test_what_no_band_can_do_is_done_by_one_thread(tmp_path: Path) -> None:
    product = "    float p = 1;\n    for (int i = 0; i < n; i++) p *= x[i];\n"
    for body in (f"{product}    fill(0, p);\n", f"{LOOP}{product}    y[0] = p;\n"):
        shown = text(tmp_path, body, CUDA)
        assert "// One thread alone: no atomic operation does the reduction of `" in shown
        assert "    *p_total = p;\n" in shown


def test_what_a_loop_leaves_that_data_may_end_is_not_brought_back(tmp_path: Path) -> None:
    """Traces of it may end at its first element, and copies are as long as traces say."""
    body = "    int k = 0;\n    while (k < n && x[k] == y[k]) k++;\n    fill(0, k);\n"
    assert "host code reads `k`" in why_not(tmp_path, body, CUDA)


@pytest.mark.parametrize(
    ("done", "reason"),
    [
        ("if (n > 9) return;", "may end between"),
        ("if (y[0] < 0) { y[0] = 0; return; }", "which the loops write"),
        ("if (n > 9) goto end;", "a jump or a label"),
        ("fill(y, n);", "accesses arrays"),
        ("if (y) y[0] = 1;", "accesses arrays"),
        ("float *z = y; z++; z[0] = 1;", "accesses arrays"),
        ("static float z[4]; z[0] = y[0]; y[1] = z[0];", "`z` is host memory"),
        ("float z[4]; z[0] = y[0]; y[1] = z[0];", "`z` is host memory"),
        ("long double w = 2; y[0] = w * y[0];", "`w` is a `long double`"),
    ],
)
def test_nothing_is_kept_where_it_cannot(done: str, reason: str, tmp_path: Path) -> None:
    assert reason in why_not(tmp_path, f"{LOOP}    {done}\n{LOOP}end:\n    n = 0;\n", CUDA)


def test_a_pointer_into_an_array_leads_into_its_copy(tmp_path: Path) -> None:
    shown = text(tmp_path, f"{LOOP}    float *z = y + n; z[0] = 1;\n{LOOP}", CUDA)
    assert "float *z = y + n; f_kernel2<<<1, 1>>>(y_device + (z - y));" in shown
    shown = text(tmp_path, f"    float *z = y + n, *w = &z[2];\n{LOOP.replace('y[i]', 'w[i]')}", CUDA)
    assert "(y_device + (w - y), x_device, n);" in shown


def test_what_another_pointer_leads_to_is_not_read_where_it_was(tmp_path: Path) -> None:
    body = f"    const float *z = y;\n{LOOP}    int m = z[0];\n{LOOP}    fill(0, m);\n"
    assert "accesses arrays" in why_not(tmp_path, body, CUDA)


def test_a_jump_out_of_a_statement_stays_with_the_host(tmp_path: Path) -> None:
    jump = "        if (y[t] > 9) { y[t] = 9; break; }\n"
    body = f"    for (int t = 0; t < n; t++) {{\n    {LOOP}{jump}    {LOOP}    }}\n"
    shown = text(tmp_path, body, CUDA)
    assert "if (element(&y_device[t]) > 9) { f_kernel2<<<1, 1>>>" in shown and "break; }" in shown


def test_loops_in_branches_have_their_copies_around_all(tmp_path: Path) -> None:
    found = proposed(tmp_path, f"    if (n > 3) {{\n    {LOOP}    }} else {{\n    {LOOP}    }}\n", CUDA)
    assert isinstance(found, Candidate)
    shown = found.replacements[0].shown
    host = shown[shown.rindex("\nvoid f(") :]
    assert (
        host.index("cudaMalloc")
        < host.index("if (n > 3) {")
        < host.index("} else {")
        < host.index("cudaFree")
    )
