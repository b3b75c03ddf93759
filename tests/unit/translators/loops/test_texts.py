"""Texts for loops that may run in parallel, and what keeps them from being written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    CUDA,
    OPENMP,
    STDPAR,
    ArrayFact,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Rejected,
    Role,
)

HEAD = """static int calls;
void fill(float *y, int n);
static inline float half(float v) { return v / 2; }
static float quarter(float v) { return half(half(v)); }
void f(int n, const float *x, float *y)
{
"""


def proposed(
    place: Path, body: str, target: Dialect, extent: str = "n", *, stated: bool = False
) -> Candidate | Rejected:
    (place / "a.c").write_text(HEAD + body + "}\n")
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent=extent, stated=stated) for name in "xy")
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def text(place: Path, body: str, target: Dialect, *, stated: bool = False) -> str:
    found = proposed(place, body, target, stated=stated)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown


def why_not(place: Path, body: str, target: Dialect) -> str:
    found = proposed(place, body, target)
    assert isinstance(found, Rejected)
    return found.diagnostics[0].message


def test_a_few_iterations_that_call_something_are_not_asked_how_many_they_are(tmp_path: Path) -> None:
    body = "for (int r = 0; r < n; r++) { s += y[r]; for (int m = 0; m < 5; m++) y[m] = sqrt(s * y[m]); }"
    assert "does too little work" in why_not(tmp_path, f"double s = 0; {body}", OPENMP)


def test_what_comes_before_the_loops_is_not_done_twice(tmp_path: Path) -> None:
    found = text(tmp_path, "    calls += 1;\n    for (int i = 0; i < n; i++) y[i] = x[i];\n", CUDA)
    host = found[found.index("\nvoid f(") :]
    assert host.index("f_sequential(n, x, y);") < host.index("calls += 1;") < host.index("cudaMalloc")


@pytest.mark.parametrize(
    ("change", "target", "why"),
    [
        ("x += 1;", CUDA, "the length of"),
        ("x += 1;", OPENMP, "the length of"),
        ("n /= 2;", CUDA, "lengths of arrays depend on"),
    ],
)
def test_lengths_of_a_call_are_not_those_of_other_values(
    change: str, target: Dialect, why: str, tmp_path: Path
) -> None:
    message = why_not(tmp_path, f"    {change}\n    for (int i = 0; i < n; i++) y[i] = x[i];\n", target)
    assert why in message


def test_where_a_length_is_that_of_another_value_arrays_begin_apart(tmp_path: Path) -> None:
    shown = text(tmp_path, "    n /= 2;\n    for (int i = 0; i < n; i++) y[i] = x[i];\n", OPENMP)
    assert "if (y != x)" in shown


def test_a_bound_in_memory_is_told_of(tmp_path: Path) -> None:
    message = why_not(tmp_path, "    for (int i = 0; i < (int)x[n]; i++) y[i] = 1;\n", OPENMP)
    assert message.endswith("its trip count depends on memory: `i < (int)x[n]` (line 7)")


@pytest.mark.parametrize(
    "loops",
    [
        "for (int i = 0; i < 5; i++) y[i] = x[i];",
        "for (int k = 0; k < n; k++) { y[9] /= 2; for (int i = 0; i < 5; i++) y[i] /= x[k]; }",
        "for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) y[5 * j + i] = x[5 * j + i];",
    ],
    ids=["one", "inner", "columns"],
)
def test_a_few_iterations_are_not_worth_a_team(loops: str, tmp_path: Path) -> None:
    body = f"    {loops}\n    for (int i = 0; i < n; i++) y[i] = x[i];\n"
    assert text(tmp_path, body, OPENMP).count("#pragma omp") == 1


@pytest.mark.parametrize("more", ["", "y[5 * i] = 1;"], ids=["collapsed", "apart"])
def test_loops_of_a_few_iterations_count_as_operations(more: str, tmp_path: Path) -> None:
    inner = "for (int m = 0; m < 5; m++) y[5 * i + m] /= 2;"
    body = (
        f"    for (int k = 0; k < n; k++) {{ y[9] = 1; for (int i = 0; i < n; i++) {{ {inner} {more} }} }}\n"
    )
    assert "if (n > 2000)" in text(tmp_path, body, OPENMP)


def test_updates_that_meet_are_atomic(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < n; i++)\n        y[(int)x[i]] += 1;\n"
    assert "atomicAdd(&y[(int)x[i]], 1);" in text(tmp_path, body, CUDA)
    assert "        #pragma omp atomic\n        y[(int)x[i]] += 1;" in text(tmp_path, body, OPENMP)


def test_updates_behind_a_pointer_that_moves_on_are_atomic(tmp_path: Path) -> None:
    inner = "        for (int i = 0; i < n; i++)\n            y[(int)x[i]] += x[i];\n"
    shown = text(tmp_path, f"    for (int b = 0; b < n; b++) {{\n{inner}        y += n;\n    }}\n", CUDA)
    assert "atomicAdd(&(y + (long long)b * n)[(int)x[i]], x[i]);" in shown


@pytest.mark.parametrize("name", ["coshf", "atan2f", "erfcf", "cbrtf"])
def test_functions_of_mathematics_for_float_only_compute(name: str, tmp_path: Path) -> None:
    given = "x[i], 2.0f" if name == "atan2f" else "x[i]"
    body = f"    for (int i = 0; i < n; i++) y[i] = {name}({given});\n"
    assert "if (i >= n) return;" in text(tmp_path, body, CUDA)


def test_stores_of_one_value_that_meet_are_atomic(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < n; i++)\n        y[(int)x[i]] = 1;\n"
    assert "        #pragma omp atomic write\n        y[(int)x[i]] = 1;" in text(tmp_path, body, OPENMP)
    assert "    y[(int)x[i]] = 1;\n}" in text(tmp_path, body, CUDA)
    assert "std::atomic_ref(y[(int)x[i]]).store(1);" in text(tmp_path, body, STDPAR)
    assert "all iterations set one element" in why_not(tmp_path, body.replace("(int)x[i]", "0"), OPENMP)


def test_iterations_that_add_to_one_element_do_not_run_at_once(tmp_path: Path) -> None:
    outer, inner = "    for (int i = 1; i < n; i++)\n", "        for (int j = 0; j < i; j++) "
    body = f"{outer}{inner}y[i] -= x[j] * y[i - 1 - j];\n"
    assert "all iterations add to one element of `y`" in why_not(tmp_path, body, OPENMP)
    assert "atomicAdd(&y[i]" in text(tmp_path, body, CUDA)


def test_nests_of_which_nothing_is_free_run_along_diagonals(tmp_path: Path) -> None:
    sweeps = "    for (int t = 0; t < 9; t++) for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];\n"
    found = proposed(tmp_path, sweeps + sweeps, OPENMP)
    assert isinstance(found, Candidate) and found.headers == ("<omp.h>",)
    assert isinstance(found.origin, ByRules) and found.origin.rules[-1] == "wavefronts"
    written = found.replacements[0].shown
    assert "const int recast = (y + n <= x" in written and "const int recast_1 = (y + n <= x" in written
    assert written.count("} else {\n        for (int t = 0; t < 9; t++) for") == 2


def test_what_runs_again_and_again_runs_at_once_from_a_size_on(tmp_path: Path) -> None:
    again, alone = (
        "    for (int t = 0; t < 9; t++)\n",
        "    for (int i = 1; i < n; i++) y[i] = y[i] * 2 + x[i];\n",
    )
    assert "parallel for if ((y + n <= x || x + n <= y) && n - 1 > 10000)" in text(
        tmp_path, again + alone, OPENMP
    )
    assert "10000" not in text(tmp_path, alone, OPENMP)
    assert "too little work" in why_not(tmp_path, again.replace("t", "s") + again + alone, OPENMP)
    assert "&& n - 1 > 1000)" in text(tmp_path, again + alone.replace("x[i]", "quarter(x[i])"), OPENMP)


def test_a_number_of_iterations_that_the_text_tells_is_not_asked(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < %s; i++) y[i] = quarter(x[i]);\n"
    caller = "}\nvoid g(float *y) {\n    for (int j = 0; j < 9; j++) f(j, y, y);\n"
    assert "too little work" in why_not(tmp_path, body % 8 + caller, OPENMP)
    assert "for if (y + n <= x || x + n <= y)\n" in text(tmp_path, body % 8000 + caller, OPENMP, stated=True)


def test_a_step_out_of_an_iteration_ends_the_thread(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < n; i++) {\n        if (x[i] < 0) continue;\n        y[i] = x[i];\n    }\n"
    assert "    if (x[i] < 0) return;\n    y[i] = x[i];\n}" in text(tmp_path, body, CUDA)


def test_a_bound_that_is_chosen_stays_whole(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < (n > 8 ? 8 : n); i++) y[i] = x[i];\n"
    assert "if (i >= (n > 8 ? 8 : n)) return;" in text(tmp_path, body, CUDA)


def test_neighbouring_threads_touch_neighbouring_elements(tmp_path: Path) -> None:
    body = "    for (int j = 0; j < 8; j++) for (int i = 0; i < n; i++) y[i * 8 + j] = 1;\n"
    found = text(tmp_path, body, CUDA)
    assert "const int j = blockIdx.x" in found and "for (int i = blockIdx.y" in found


@pytest.mark.parametrize(
    ("between", "why"),
    [
        ("fill(y, n);", "between two"),
        ("if (x == y) n = 0;", "which the loops write"),
        ("if (y) *y = 1;", "between two"),
    ],
)
def test_the_host_may_not_touch_arrays_between_two_loops(between: str, why: str, tmp_path: Path) -> None:
    loop = "    for (int i = 0; i < n; i++) y[i] = x[i];\n"
    assert why in why_not(tmp_path, f"{loop}    {between}\n{loop}", CUDA)


def test_functions_that_only_compute_come_along(tmp_path: Path) -> None:
    found = text(tmp_path, "    for (int i = 0; i < n; i++) y[i] = quarter(x[i]);\n", CUDA)
    assert "__device__ static inline float f_half(float v) { return v / 2; }" in found
    assert "__device__ static float f_quarter(float v) { return f_half(f_half(v)); }" in found
    assert "y[i] = f_quarter(x[i]);" in found[found.index("__global__") : found.index("f_sequential")]
    assert "y[i] = quarter(x[i]);" in found[found.index("f_sequential") :]


def test_an_induction_is_written_as_its_closed_form(tmp_path: Path) -> None:
    body = "    int k = 0;\n    for (int i = 0; i < n; i++) y[k++] = x[i];\n"
    marked = text(tmp_path, body, OPENMP)
    assert "#pragma omp parallel for" in marked and "i < n; i++) y[i] = x[i];" in marked
    found = text(tmp_path, body, CUDA)
    assert "    y[i] = x[i];" in found and "y[k++] = x[i]" in found[found.index("f_sequential") :]


def test_what_runs_at_once_as_it_is_written_stays_so(tmp_path: Path) -> None:
    body = "    int k = 0;\n    for (int i = 0; i < n; i++) y[i] = x[i];\n    while (k < n) k++;\n"
    assert "while (k < n) k++;" in text(tmp_path, body, OPENMP)


LARGEST = (
    "    float s = x[0];\n    for (int i = 1; i < n; i++)\n        if (x[i] > s) s = x[i];\n    *y = s;\n"
)


def test_every_thread_looks_for_a_largest_number_from_where_the_source_does(tmp_path: Path) -> None:
    marked = text(tmp_path, LARGEST, OPENMP)
    assert "(max_s : float : omp_out = omp_in > omp_out ? omp_in : omp_out)" in marked
    assert "initializer(omp_priv = -INFINITY)" in marked
    assert "reduction(max_s : s)" in marked
    found = text(tmp_path, LARGEST, CUDA)
    assert "__global__ void f_kernel(const float *x, int n, float s, float *s_total)" in found
    assert "if (s_other > s || s != s) s = s_other;" in found and "f_kernel_max_float(s_total, s);" in found


def test_a_largest_number_by_fmax_passes_over_what_is_none(tmp_path: Path) -> None:
    body = "    float s = x[0];\n    for (int i = 1; i < n; i++) s = fmaxf(s, x[i]);\n    *y = s;\n"
    assert "omp_out = fmax(omp_out, omp_in)) initializer(omp_priv = NAN)" in text(tmp_path, body, OPENMP)


def test_flags_are_gathered_by_bits(tmp_path: Path) -> None:
    body = "    int some = 0;\n    for (int i = 0; i < n; i++) if (x[i] < 0) some = 1;\n    *y = some;\n"
    assert "reduction(|| : some)" in text(tmp_path, body, OPENMP)
    found = text(tmp_path, body, CUDA)
    assert "some = some || some_other;" in found and "atomicOr(some_total, some);" in found


def test_two_loops_may_gather_one_scalar(tmp_path: Path) -> None:
    sums = "    for (int i = 0; i < n; i++) s += x[i];\n"
    found = text(tmp_path, f"    float s = 0;\n{sums}{sums}    *y = s;\n", CUDA)
    assert found.count("    {\n        float *s_total;\n") == 2


def test_a_launch_stands_for_the_one_statement_of_a_loop(tmp_path: Path) -> None:
    body = "    for (int t = 0; t < 9; t++)\n        for (int i = 0; i < n; i++) y[i] = y[i] / 2 + x[i];\n"
    found = text(tmp_path, body, CUDA)
    host = found[found.rindex("\nvoid f(") :]
    assert re.search(r"t\+\+\)\n\s+\{\n\s+if \(n > 0\) f_kernel<<<.*\n\s+check\(.*\n\s+\}\n", host)


def test_a_function_that_loops_call_has_threads_only_for_long_loops(tmp_path: Path) -> None:
    body = "    for (int i = 0; i < n; i++) y[i] = 2 * i;\n"
    assert "#pragma omp parallel for\n" in text(tmp_path, body, OPENMP)
    caller = "}\nvoid g(float *y) {\n    for (int j = 0; j < 9; j++) f(j, y, y);\n"
    assert "#pragma omp parallel for if (n > 10000)\n" in text(tmp_path, body + caller, OPENMP)
    caller = "}\nvoid g(int n, float *y) {\n    if (n) { g(n - 1, y); f(n, y, y); }\n"
    assert "does too little work" in why_not(tmp_path, body + caller, OPENMP)


LOOP = "    for (int i = 0; i < n; i++) y[i] += x[i];\n"


def test_between_kernels_elements_are_read_on_the_device(tmp_path: Path) -> None:
    reads = "    v += y[n - 1];\n    if (v < *y) v = 0;\n"
    body = f"    float v = x[0];\n{LOOP}{reads}{LOOP}    y[0] = v + y[1];\n"
    found = proposed(tmp_path, body, CUDA)
    assert isinstance(found, Candidate) and "<type_traits>" in found.headers
    shown = found.replacements[0].shown
    assert "    float v = x[0];\n" in shown and "    y[0] = v + y[1];\n" in shown
    assert shown.index("const auto element = ") < shown.index("    v += element(&y_device[n - 1]);\n")
    assert "    if (v < element(y_device)) v = 0;\n" in shown


@pytest.mark.parametrize(
    "done", ["fill(y, n);", "fill(0, y[0]);", "const float &w = y[0] + 1;", "fill(0, x[(int)y[0]]);"]
)
def test_between_kernels_the_host_does_no_more_than_read_an_element(done: str, tmp_path: Path) -> None:
    body = f"    float v = 0;\n{LOOP}    {done}\n{LOOP}    y[0] = v;\n"
    assert "host code between" in why_not(tmp_path, body, CUDA)


def test_a_sum_that_is_stored_goes_on_from_what_is_on_the_device(tmp_path: Path) -> None:
    shown = text(tmp_path, f"{LOOP}    for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];\n", CUDA)
    assert "float y_running = n > 1 ? element(&y_device[0]) : 0;" in shown and "f_kernel2_parts<<<" in shown


MARKED = "{indent}#pragma omp parallel for{clauses}\n{indent}for"
LEAST = "float s = x[0]; for (int i = 0; i < n; i++) if (x[i] < s) s = x[i]; y[0] = s;\n"


@pytest.mark.parametrize(
    ("body", "before", "indent", "clauses"),
    [
        ("    n -= 1; for (int i = 0; i < n; i++) y[i] = 1; n += 1;\n", "    n -= 1;\n", 4, ""),
        ("    if (n > 9) { for (int i = 0; i < n; i++) y[i] = 1; }\n", "    if (n > 9) {\n", 8, ""),
        (f"    {LEAST}", "initializer(omp_priv = INFINITY)\n", 4, " reduction(min_s : s)"),
    ],
    ids=["beside", "inside", "two lines"],
)
def test_a_loop_that_is_marked_begins_a_line(
    body: str, before: str, indent: int, clauses: str, tmp_path: Path
) -> None:
    found = text(tmp_path, body, OPENMP)
    assert before + MARKED.format(indent=" " * indent, clauses=clauses) in found, found
    assert " \n" not in found
