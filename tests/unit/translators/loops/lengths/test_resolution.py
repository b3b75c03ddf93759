"""Lengths of copied arrays: from the text, by an inspector, or unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import (
    CUDA,
    OPENMP,
    ArrayFact,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Origin,
    Rejected,
    Role,
)

GUESS = "unused - 1"
"""An extent that was fitted to runs: nothing of it may be in a port."""


def proposed(
    place: Path, text: str, target: Dialect = CUDA, *, extent: str = GUESS, origin: Origin = Origin.TRACE
) -> Candidate | Rejected:
    (place / "a.c").write_text(text)
    source = parsers.read(place)
    [unit] = [item for item in source.units if item.name == "f"]
    [signature] = source.signatures[unit.id]
    facts = tuple(
        ArrayFact(name=item.name, role=Role.INOUT, extent=extent, origin=origin)
        for item in signature.parameters
        if item.pointer
    )
    contract = Contract(signature=signature, arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), target)


def shown(place: Path, text: str, target: Dialect = CUDA) -> str:
    found = proposed(place, text, target)
    assert isinstance(found, Candidate)
    return found.replacements[0].shown


def test_an_index_array_says_how_much_is_copied(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *at, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < n; i++) y[i] = x[at[i]]; }\n"
    port = shown(tmp_path, text + body)
    assert "reach = std::max<long long>(reach, at[i] + 1LL);" in port
    assert "const size_t x_size = sizeof(float) * x_reach;" in port
    assert "const size_t at_size = n > 0 ? sizeof(int) * n : 0;" in port and "unused - 1" not in port


def test_a_size_in_an_array_is_the_length_itself(tmp_path: Path) -> None:
    text = "void f(const int *n, int unused, float *x)\n"
    port = shown(tmp_path, text + "{ int m = n[0]; for (int i = 0; i < m; i++) x[i] *= 2; }\n")
    assert "const size_t x_size = m > 0 ? sizeof(float) * m : 0;" in port and "reach" not in port


def test_touches_under_one_test_are_noted_together(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *x, int *y)\n"
    test = "i + 2 < n && x[i] == x[i + 2]"
    port = shown(tmp_path, text + f"{{ for (int i = 0; i < n; i++) y[i] = {test} ? 3 : 4; }}\n")
    inspector = port[port.index("long long reach = 0;") : port.index("return reach;")]
    noted = [line for line in inspector.splitlines() if "std::max" in line]
    assert len(noted) == 2 and inspector.count("if (i + 2 < n) {") == 1
    assert inspector.index("if (i + 2 < n) {") < min(map(inspector.index, noted))


@pytest.mark.parametrize(
    ("loops", "inspected"),
    [
        ("if (x[i] > 0) y[i] = 1; else y[i] = 2;", False),
        ("if (x[i] > 0) { if (x[i] > 5) y[i] = 0; else y[i] = 1; } else y[i] = 2;", False),
        ("if (x[i] > 0) { if (x[i] > 5) y[i] = 0; } else y[i] = 2;", True),
        ("if (x[i] > 0) y[i] = 1; else y[i + 1] = 2;", True),
        ("if (x[i] > 0) y[i] = 1; else for (int k = x[i]; k > 0; k /= 2) y[i] = 2;", True),
        ("if (x[i] > 0) y[i] = 1;", True),
    ],
)
def test_what_both_sides_of_a_condition_touch_is_touched(tmp_path: Path, loops: str, inspected: bool) -> None:
    text = "void f(int n, int unused, const int *x, int *y)\n"
    found = proposed(tmp_path, text + f"{{ for (int i = 0; i < n; i++) {{ {loops} }} }}\n")
    port = found.replacements[0].shown if isinstance(found, Candidate) else "y_reach"
    assert ("y_reach" in port) == inspected, port


def test_fractions_decide_as_elements_do(tmp_path: Path) -> None:
    text = "void f(int n, int unused, float by, const float *x, float *y)\n"
    port = shown(tmp_path, text + "{ for (int i = 0; i < n; i++) y[i] = x[(int)(i * by)]; }\n")
    assert (
        "reach = std::max<long long>(reach, (int)(i * by) + 1LL);" in port or "(int)(i * by)) + 1LL" in port
    )


@pytest.mark.parametrize(
    ("loops", "below"),
    [
        ("for (int i = 0; i < n; i++) { int k = at[i]; if (m) k = at[k]; y[i] = x[k]; }", True),
        ("for (int i = 0; i < n; i++) y[i] = x[at[i] + i];", True),
        ("for (int i = 0; i < n; i++) if (at[i] >= 0) y[i] = x[at[i]];", False),
        ("for (int i = 0; i < n; i++) y[i] = at[i] > -1 ? x[at[i]] : 0;", False),
        ("for (int i = 0; i < n; i++) if (at[i] > -2) y[i] = x[at[i]];", True),
        ("for (int i = 0; i < n; i++) { int k = at[i]; if (k >= 0) { k -= m; y[i] = x[k]; } }", True),
        ("for (int i = 0; i < n; i++) y[i] = x[(unsigned)at[i]];", False),
        ("for (int i = 0; i < n; i++) y[i] = x[at[i] & 255];", False),
        ("for (int i = 0; i < n; i++) { int k = at[i]; if (k < 0) k = 0; y[i] = x[k]; }", True),
        ("for (int i = 0; i < n; i++) if (0 <= at[i] && at[i] < m) y[i] = x[at[i] * 2];", False),
    ],
)
def test_what_may_lead_ahead_of_a_pointer_is_asked(tmp_path: Path, loops: str, below: bool) -> None:
    text = f"void f(int n, int m, const int *at, const float *x, float *y)\n{{ {loops} }}\n"
    port = shown(tmp_path, text)
    assert ("x_reach >= 0" in port) == ("x_reach" in port and below)
    assert below == ("return -1LL;" in port[port.index("x_reach = [=]") :])


def test_offsets_are_inspected_row_by_row(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *row, const float *x, float *y)\n"
    inner = "for (int k = row[i]; k < row[i + 1]; k++) s += x[k];"
    port = shown(tmp_path, f"{text}{{ for (int i = 0; i < n; i++) {{ float s = 0; {inner} y[i] = s; }} }}\n")
    begin = port.index("if (row[i] < row[i + 1])")
    lines = [line.strip() for line in port[begin:].splitlines()[:4]]
    assert lines[1:3] == [
        "if (row[i] < 0) return -1LL;",
        "reach = std::max<long long>(reach, row[i + 1]);",
    ]


@pytest.mark.parametrize(
    "condition", ["if (at[i] >= 0 && at[i] < n) y[i] = x[at[i]];", "y[i] = at[i] < n ? x[at[i]] : 0;"]
)
def test_an_inspector_goes_where_the_loops_go(tmp_path: Path, condition: str) -> None:
    text = "void f(int n, int unused, const int *at, const float *x, float *y)\n"
    port = shown(tmp_path, f"{text}{{ for (int i = 0; i < n; i++) {condition} }}\n")
    begin = port.index("x_reach = [=]")
    inspector = port[begin : port.index("}();", begin)]
    assert "at[i] < n" in inspector and "if (" in inspector


def test_what_the_loops_write_says_nothing_before_they_run(tmp_path: Path) -> None:
    text = "void f(int n, int unused, int *at, float *x)\n"
    body = "{ for (int i = 0; i < n; i++) { at[i] = at[i] / 2; x[at[i]] += 1; } }\n"
    found = proposed(tmp_path, text + body)
    assert isinstance(found, Rejected)
    message = found.diagnostics[0].message
    assert "the length of `x` is not known before the loops" in message and "`at`" in message


def test_a_fit_that_exceeds_what_the_text_reaches_is_no_length(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const float *x, float *y)\n"
    found = proposed(tmp_path, text + "{ for (int i = 0; i < n; i++) y[i] = x[i]; }\n", extent="n * n")
    assert isinstance(found, Candidate)
    assert "const size_t x_size = n > 0 ? sizeof(float) * n : 0;" in found.replacements[0].shown


def test_elements_that_a_condition_on_data_leaves_out_need_not_be_there(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *mask, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < n; i++) if (mask[i]) y[i] = x[i]; }\n"
    found = proposed(tmp_path, text + body, extent="n")
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    assert (
        "if (mask[i])" in found.replacements[0].shown.partition("reach = 0;")[2].partition("return reach")[0]
    )
    assert "const size_t mask_size = n > 0 ? sizeof(int) * n : 0;" in found.replacements[0].shown
    assert not any("elements" in rule for rule in found.origin.rules)


def test_a_table_for_each_character_is_copied_as_far_as_characters_go(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const unsigned char *s, const float *x, float *y)\n"
    port = shown(tmp_path, text + "{ for (int i = 0; i < n; i++) y[i] = x[s[i]]; }\n")
    assert "reach = std::max<long long>(reach, s[i] + 1LL);" in port


def test_openmp_supposes_what_no_check_can_ask(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *at, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < n; i++) y[i] = x[at[i]]; }\n"
    found = proposed(tmp_path, text + body, OPENMP)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    assert "(x < y || y + n <= x)" in found.replacements[0].shown
    assert "assumes `x` and `y` do not overlap" in {
        rule.replace("`y` and `x`", "`x` and `y`") for rule in found.origin.rules
    }


def test_a_copy_of_bins_needs_a_length_that_somebody_stated(tmp_path: Path) -> None:
    text = "void f(int n, int unused, const int *a, int *bins)\n"
    body = "{ for (int i = 0; i < n; i++) bins[a[i]]++; }\n"
    found = proposed(tmp_path, text + body, OPENMP, extent="8")
    assert isinstance(found, Candidate) and "atomic" in found.replacements[0].shown
    assert "bins[:8]" not in found.replacements[0].shown


@pytest.mark.parametrize(
    ("loops", "copied"),
    [
        # The loop around may have no iteration.
        (
            "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) y[i] += x[k];",
            "x_size = n > 0 && m > 0 ? sizeof(float) * m : 0;",
        ),
        ("for (int i = 1; i < n - 1; i++) y[i] = x[i + 1];", "x_size = n - 1 > 1 ? sizeof(float) * n : 0;"),
        # One access is enough: not all loops have to have iterations.
        (
            "for (int i = 0; i < n; i++) { y[i] = x[i]; for (int k = 0; k < m; k++) y[i] += x[i]; }",
            "x_size = n > 0 ? sizeof(float) * n : 0;",
        ),
        # What both ends of a loop have in common is not known where arrays are copied.
        (
            "for (int i = 0; i < n; i++) for (int k = i; k < i + m; k++) y[i] += x[k];",
            "x_size = n > 0 && m > 0 ? sizeof(float) * ((long long)m + n - 1) : 0;",
        ),
        # Two sizes below 0 have a product above it.
        (
            "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) y[i] += x[i * m + k];",
            "x_size = n > 0 && m > 0 ? sizeof(float) * m * n : 0;",
        ),
    ],
)
def test_loops_without_iterations_reach_nothing(tmp_path: Path, loops: str, copied: str) -> None:
    text = f"void f(int n, int m, int unused, const float *x, float *y)\n{{ {loops} }}\n"
    assert copied in shown(tmp_path, text)


@pytest.mark.parametrize(
    ("loops", "copied"),
    [
        # A fit to small sizes says 1: only the text knows how far a quotient goes.
        (
            "for (int k = 0; k < n; k++) y[k] *= x[k / 512];",
            "x_size = n > 0 ? sizeof(float) * ((((long long)n - 1) / 512) + 1) : 0;",
        ),
        (
            "for (int k = 0; k < n; k++) if (k % 100 == 0) y[k] = x[k / 100];",
            "if (k % 100 == 0)\n                reach = std::max<long long>(reach, k + 1LL);",
        ),
        ("int w = n * m / 100; for (int i = 0; i < w; i++) y[i] = x[i];", "x_size = w > 0 ?"),
        # Conditions on the call are asked ahead of copies.
        (
            "for (int i = 0; i < n; i++) if (m == 1) y[i] += x[i];",
            "x_size = (m == 1) && n > 0 ? sizeof(float) * n : 0;",
        ),
        (
            "for (int i = 0; i < n; i++) y[i] = 1; if (m) for (int i = 0; i < n; i++) y[i] = x[i];",
            "x_size = m && n > 0 ? sizeof(float) * n : 0;",
        ),
        (
            "for (int i = 0; i < n; i++) y[i] *= m ? x[i] : 2;",
            "x_size = m && n > 0 ? sizeof(float) * n : 0;",
        ),
        (
            "for (int i = 0; i < n; i++) y[i] *= m ? 2 : x[i];",
            "x_size = !m && n > 0 ? sizeof(float) * n : 0;",
        ),
        # Where a stride or an offset is negative, the source's loops run.
        (
            "for (int i = 0; i < n; i++) y[i] = x[m + i * unused];",
            "    if (!((unused >= 0)\n        && (m >= 0)\n",
        ),
        ("for (int i = m; i < n; i++) y[i] = x[i];", "    if (!((m >= 0)\n"),
    ],
)
def test_no_fit_says_how_long_a_copy_is(tmp_path: Path, loops: str, copied: str) -> None:
    text = f"void f(int n, int m, int unused, const float *x, float *y)\n{{\n    {loops}\n}}\n"
    found = proposed(tmp_path, text, extent="1")
    assert isinstance(found, Candidate) and copied in found.replacements[0].shown


@pytest.mark.parametrize(
    ("loops", "copied"),
    [
        # Groups of a fixed length, beside what takes the same number as a whole.
        (
            "for (int r = 0; r < n; r++) for (int c = 0; c < m; c++) y[r * m + c] *= x[c / 128];",
            "x_size = n > 0 && m > 0 ? sizeof(float) * ((((long long)m - 1) / 128) + 1) : 0;",
        ),
        (
            "for (int i = 0; i < n; i++) y[i] += x[i % m];",
            "x_size = sizeof(float) * std::max<long long>(0, ((long long)n < m ? (long long)n : m))",
        ),
        # Rows and columns of one loop, transposed: both are as many as the loop has.
        (
            "for (int i = 0; i < n * m; i++) y[i] = x[(i % m) * n + i / m];",
            "x_size = ((long long)m * n) > 0 ? sizeof(float) * m * n : 0;",
        ),
        # A part of a quotient: the channel of an element.
        (
            "for (int i = 0; i < n * m * unused; i++) y[i] += x[(i / unused) % m];",
            "x_size = n * m * unused > 0 ? sizeof(float) * m : 0;",
        ),
        # The last group may be a part of one: no formula is as long.
        ("for (int i = 0; i < n; i++) y[i] = x[(i / 8) * 16 + i % 8];", "x_size = sizeof(float) * x_reach;"),
        # The source divides only where a condition holds, and what divides may be 0 elsewhere.
        (
            "for (int i = 0; i < n; i++) if (i % 3 == 1) y[i] = x[i / m];",
            "x_size = sizeof(float) * x_reach;",
        ),
    ],
)
def test_quotients_and_remainders_have_a_last_one(tmp_path: Path, loops: str, copied: str) -> None:
    text = f"void f(int n, int m, int unused, const float *x, float *y)\n{{\n    {loops}\n}}\n"
    found = proposed(tmp_path, text, extent="1")
    assert isinstance(found, Candidate) and copied in found.replacements[0].shown


def test_nothing_is_divided_by_where_loops_have_no_iterations(tmp_path: Path) -> None:
    text = "void f(int n, int m, const float *restrict x, float *restrict y)\n"
    found = proposed(tmp_path, f"{text}{{ for (int i = 0; i < n; i++) y[i] = x[i / m]; }}\n", extent="1")
    assert isinstance(found, Candidate)
    length = "(((long long)n - 1) / m) + 1"
    assert f"x_size = n > 0 ? sizeof(float) * ({length}) : 0;" in found.replacements[0].shown


def test_negative_strides_are_no_reason_to_find_arrays_apart(tmp_path: Path) -> None:
    text = "void f(int n, int m, int unused, const float *x, float *y)\n"
    port = shown(tmp_path, f"{text}{{ for (int i = 0; i < n; i++) y[i] = x[m + i * unused]; }}\n", OPENMP)
    assert "if (unused >= 0 && m >= 0 && (" in port


def test_strides_in_structs_are_asked_as_the_caller_calls_them(tmp_path: Path) -> None:
    text = "struct grid { int rows, pitch; };\nvoid f(const struct grid *g, const float *x, float *y)\n"
    body = "{ for (int i = 0; i < g->rows; i++) y[i] = x[i * g->pitch]; }\n"
    for target in (CUDA, OPENMP):
        port = shown(tmp_path, text + body, target)
        assert "g->pitch >= 0" in port and "g.pitch" not in port


def test_kernels_are_given_null_where_the_caller_gives_it(tmp_path: Path) -> None:
    text = "void f(int n, const float *x, float *y)\n{ for (int i = 0; i < n; i++) if (x) y[i] = x[i]; }\n"
    port = shown(tmp_path, text)
    assert "x_size = x && n > 0 ? sizeof(float) * n : 0;" in port
    assert ">>>(x ? x_device : nullptr, y_device, n);" in port


@pytest.mark.parametrize(
    ("loops", "parts"),
    [
        (
            "for (int i = 0; i < n; i++) y[i] = x[i + 4]; for (int j = 0; j < m; j++) y[j] += x[j];",
            ["n > 0 ? (long long)((long long)n + 4) : 0,", "m > 0 ? (long long)m : 0,"],
        ),
        (
            "for (int i = 0; i < n; i++) { y[i] = x[i]; for (int k = 0; k < m; k++) y[i] += x[i * m + k]; }",
            ["n > 0 ? (long long)n : 0,", "n > 0 && m > 0 ? (long long)((long long)m * n) : 0,"],
        ),
        (
            "for (int i = 0; i < n; i++) { if (m > 3) y[i] = x[i]; else y[i] = x[2 * i]; }",
            [],  # a condition on the call: an inspector asks it
        ),
    ],
)
def test_loops_without_iterations_reach_nothing_beside_others(
    tmp_path: Path, loops: str, parts: list[str]
) -> None:
    text = "void f(int n, int m, const float *x, float *y)\n"
    port = shown(tmp_path, f"{text}{{ {loops} }}\n")
    assert "const size_t x_size = sizeof(float) * x_reach;" in port
    begin = port.index("const long long x_reach = ")
    made = [line.strip() for line in port[begin : port.index(";\n", begin)].splitlines()]
    assert made[0].endswith("std::max<long long>({") == bool(parts)
    assert not parts or made[1:-2] == parts


def test_an_element_that_is_always_reached_is_there_without_iterations(tmp_path: Path) -> None:
    text = "void f(int n, float *y)\n"
    loop = "for (int i = 0; i < n; i++) y[i] *= 2;"
    port = shown(tmp_path, f"{text}{{ {loop} y[0] = 1; {loop} }}\n")
    assert "n > 0 ? (long long)n : 0,\n        (long long)1,\n        0,\n" in port


def test_overlap_is_asked_only_where_loops_have_the_iterations_that_lengths_rest_on(tmp_path: Path) -> None:
    text = "void f(int n, int m, const float *x, float *y)\n"
    inner = "for (int k = 0; k < m; k++) s += x[i * m + k];"
    loop = f"for (int i = 0; i < n; i++) {{ float s = x[i]; {inner} y[i] = s; }}"
    assert "n > 0 && m > 0 && (" in shown(tmp_path, f"{text}{{ {loop} }}\n", OPENMP)
    loop = f"for (int i = 0; i < n; i++) {{ float s = 0; {inner} y[i] = s; }}"
    assert "m > 0 && (" not in shown(tmp_path, f"{text}{{ {loop} }}\n", OPENMP)
