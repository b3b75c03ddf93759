"""Running sums: which loops keep one, and how threads begin with what those before them have added up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import proposed, text
from transpile.code.syntax import Function, find
from transpile.code.variables import resolve
from transpile.core import CUDA, CUDA_ON_DEVICE, OPENMP, Dialect, Rejected
from transpile.translators.loops.analysis.analysis import Known, nests
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.reductions.scans import Scan

HEAD = "float f(int n, int m, float *x, float *y, const int *k, float s)"


def outermost(body: str) -> Known:
    function = Function(f"{HEAD} {{ {body} return s; }}")
    [nest] = nests(function, resolve(function))
    return nest.loops[0]


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { y[i] = s; s = x[i] + s; }",
        "for (int i = n - 1; i >= 0; i--) { y[i] = s; s -= x[i]; y[i] *= s; }",
        "for (int i = 0; i < n; i++) { if (k[i]) s += x[i]; y[i] = s / 2; }",
        "for (int i = 0; i < n; i++) { s += x[i]; x[i] = s; }",
        "for (int i = 0; i < n; i++) { float v = x[i], w = 2 * v; s += w; y[i] = s + v; }",
        "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) s += x[i * m + j]; y[i] = s; }",
        "for (int i = 0; i < 1025; i++) { s += x[i]; y[i] = s; }",
        "int t = 0; for (int i = 0; i < n; i++) { y[i] = t; t += k[i] * 2 + (x[i] > 0); }",
        "long t = 0; for (int i = 0; i < n; i++) { if (x[i]) t++; y[i] = t; }",
        "for (int i = 0; i < n; i++) { if (x[i] > s) s = x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { y[i] = s; if (k[i] && s > x[i]) { s = x[i]; } x[i] = s; }",
        "for (int i = 0; i < n; i++) { s = x[i] < s ? x[i] : s; y[i] = s; }",
    ],
)
def test_a_sum_that_is_read_while_it_grows_is_a_running_one(body: str) -> None:
    found = outermost(body)
    running = found.found(Scan)
    assert found.parallel and running is not None and running.variable.name in "st"


@pytest.mark.parametrize(
    "body",
    [
        # What is added depends on the sum.
        "for (int i = 0; i < n; i++) { s += s * x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { s = s / 2 + x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { float t = s; s += t; y[i] = s; }",
        "for (int i = 0; i < n; i++) { if (s < 9) s += x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { s += x[(int)s]; y[i] = s; }",
        "int t = 0; for (int i = 0; i < n; i++) { t += x[i]; y[i] = t; }",
        "int t = 0; for (int i = 0; i < n; i++) { t = t + 2 * x[i]; y[i] = t; }",
        "for (int i = 1; i < n; i++) { if (y[i - 1] > s) s = y[i - 1]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { if (x[i] > s) s = y[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { s = s > x[i] ? s : x[i]; y[i] = s; }",
        # It is set in other ways as well.
        "for (int i = 0; i < n; i++) { s += x[i]; if (s > 9) s = 0; y[i] = s; }",
        "for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; s += 1; }",
        "for (int i = 0; i < n; i++) { s *= x[i]; y[i] = s; }",
        # What is added is not there before the iterations have run.
        "for (int i = 1; i < n; i++) { s += y[i - 1]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { x[i] = 1; s += x[i]; y[i] = s; }",
        "float w; for (int i = 0; i < n; i++) { w = x[i]; s += w; y[i] = s; }",
        "for (int i = 0; i < n; i++) { float w = x[i]; w *= 2; s += w; y[i] = s; }",
        "float w = 1; for (int i = 0; i < n; i++) { w *= 2; s += w; y[i] = s; }",
        # An iteration may not come to it, or do more.
        "for (int i = 0; i < n; i++) { if (k[i]) continue; s += x[i]; y[i] = s; }",
        "for (int i = 0; i < n; i++) { if (k[i]) { s += x[i]; y[i] = 0; } x[i] = s; }",
        "int c = 0; for (int i = 0; i < n; i++) { s += x[i]; c += k[i]; y[i] = s + c; }",
        "for (int i = 0; i < n; i++) { s += x[i]; y[k[i]] += s; }",
        "for (int i = 0; i < n; i++) { s += x[i]; y[k[i]] = s; }",
        "T t = 0; for (int i = 0; i < n; i++) { t += x[i]; y[i] = t; }",
        "int t; for (int i = 0; i < n; i++) { t += k[i]; y[i] = t; }",
        # One thread is done before others have begun.
        "for (int i = 0; i < 1024; i++) { s += x[i]; y[i] = s; }",
        "static int t = 0; for (int i = 0; i < n; i++) { t += k[i]; y[i] = t; }",
    ],
)
def test_what_is_no_running_sum_stays(body: str) -> None:
    found = outermost(body)
    assert not found.parallel and found.idiom is None


RUNNING = """\
    float s = *x;
    for (int i = 0; i < n; i++) {
        const float v = x[i] * 2;
        y[i] = s;
        s += v;
    }
"""


def test_threads_add_their_parts_up_before_they_begin(tmp_path: Path) -> None:
    assert text(tmp_path, RUNNING, OPENMP).endswith("""\
    float s_overall = s;
    #pragma omp parallel private(s) if (x + n <= y || y + n <= x)
    {
        s = 0;
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++) {
            const float v = x[i] * 2;
            s += v;
        }
        #pragma omp for ordered schedule(static, 1)
        for (int thread = 0; thread < omp_get_num_threads(); thread++) {
            #pragma omp ordered
            {
                const float s_before = s_overall;
                s_overall += s;
                s = s_before;
            }
        }
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            const float v = x[i] * 2;
            y[i] = s;
            s += v;
        }
    }
}""")


def test_a_running_extreme_begins_in_every_thread_with_what_was_there(tmp_path: Path) -> None:
    body = "    float s = *x;\n    for (int i = 0; i < n; i++) { if (x[i] < s) s = x[i]; y[i] = s; }\n"
    found = text(tmp_path, body, OPENMP)
    assert "#pragma omp parallel firstprivate(s)" in found and "s = 0;" not in found
    assert "if (s < s_overall) s_overall = s;\n                s = s_before;" in found


def test_a_sum_that_is_read_afterwards_is_that_of_the_last_thread(tmp_path: Path) -> None:
    found = text(tmp_path, RUNNING + "    *y = s;\n", OPENMP)
    last = "if (omp_get_thread_num() == omp_get_num_threads() - 1) s_overall = s;"
    assert f"        {last}\n    }}\n    s = s_overall;\n    *y = s;\n" in found


@pytest.mark.parametrize(
    ("around", "brought"),
    [
        ("{}", False),
        ("for (int t = 0; t < n; t++) {}", True),
        ("for (int t = 0; t < n; t++) if (k[t]) {}", True),
        ("while (n--) {}", True),
        ("do {} while (n--);", True),
        ("again: {} if (n--) goto again;", True),
        ("for (int t = 0; t < n; t++) {{ {} s = 0; }}", True),
        ("for (int t = 0; t < n; t++) {{ s = 0; {} }}", False),
        ("for (int t = 0; t < n; t++) {{ float s = 0; {} }}", False),
    ],
)
def test_a_sum_is_brought_to_the_same_loop_when_that_begins_again(around: str, brought: bool) -> None:
    loop = "for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }"
    function = Function(f"{HEAD} {{ {around.format(loop)} }}")
    [running] = [item for item in resolve(function).all if item.name == "s" and item.writes]
    *_, inner = find(function.body, "for_statement")
    assert read_after(running, inner) == brought


def test_both_loops_give_a_thread_the_same_iterations(tmp_path: Path) -> None:
    longer = RUNNING.replace("s += v;", "s += v;\n        for (int j = i; j < n; j++) x[j];")
    assert "dynamic" not in text(tmp_path, longer, OPENMP)


def test_comments_around_a_head_hide_nothing(tmp_path: Path) -> None:
    head = "for (int i = 0; // from here\n         i < n; i++) // up to there\n    {"
    found = text(tmp_path, RUNNING.replace("for (int i = 0; i < n; i++) {", head), OPENMP)
    loop = "        for (int i = 0; // from here\n             i < n; i++) {\n            const float v"
    assert loop in found


@pytest.mark.parametrize("target", [CUDA, CUDA_ON_DEVICE])
def test_blocks_of_a_device_begin_with_what_those_before_add(target: Dialect, tmp_path: Path) -> None:
    body = RUNNING.replace("*x", "3")
    found = text(tmp_path, body, target)
    kernels = re.findall(r"void (f_\w+)\(", found)
    assert kernels[:3] == ["f_kernel_parts", "f_kernel_before", "f_kernel"]
    assert (
        """\
            const int i = number;
            const float v = x[i] * 2;
            y[i] = s;
            s += v;
        }
    }
}
"""
        in found
    )
    assert "cudaMemcpy(&s" not in found


def test_a_device_brings_back_a_sum_that_is_read_afterwards(tmp_path: Path) -> None:
    found = text(tmp_path, RUNNING + "    *y = s;\n", CUDA)
    assert "            if (number == count - 1) parts[gridDim.x] = s;\n" in found
    assert "check(cudaMemcpy(&s, parts + blocks, sizeof(float), cudaMemcpyDeviceToHost));" in found


def test_sums_of_one_type_share_what_adds_up_over_a_block(tmp_path: Path) -> None:
    again = RUNNING.replace("s", "t").replace("contt", "const").replace("*x", "2")
    found = text(tmp_path, RUNNING + again, CUDA)
    assert found.count("static __device__") == 1 and "f_kernel2_before" in found


def test_names_of_kernels_are_none_of_the_source(tmp_path: Path) -> None:
    found = text(tmp_path, RUNNING.replace("float v ", "float number ").replace("+= v", "+= number"), CUDA)
    assert "const size_t number2 =" in found and "const int i = number2;" in found


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "long double s = 0;\n    for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }",
            "which devices do not have",
        ),
        (
            "float s = 0;\n    for (int i = 0; i < n; i++) { if (x[i] > s) s = x[i]; y[i] = s; }",
            "on the scalar",
        ),
        ("short s[1] = {0};\n    for (int i = 0; i < n; i++) { s[0] += x[i]; y[i] = s[0]; }", "One thread"),
    ],
)
def test_what_no_device_adds_up_stays(body: str, reason: str, tmp_path: Path) -> None:
    found = proposed(tmp_path, f"    {body}\n", CUDA)
    told = found.diagnostics[0].message if isinstance(found, Rejected) else found.replacements[0].shown
    assert reason in told and "f_kernel_parts" not in told
