"""Scalars of which the last iteration's value is read behind the loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.code.syntax import Function, find
from transpile.code.variables import resolve
from transpile.core import (
    CUDA,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    ArrayFact,
    Candidate,
    Contract,
    Dialect,
    Rejected,
    Role,
)
from transpile.translators.loops.reductions.scalars import read_after

HEAD = "double f(int n, int m, double t, const double *restrict a, double *restrict b)"
LOOP = "for (int i = 0; i < n; i++) "
NEST = f"{LOOP}for (int j = 0; j < m; j++) {{ t = a[i * m + j]; b[i * m + j] = t * t; }} return t;"


def candidates(place: Path, body: str, target: Dialect) -> list[Candidate | Rejected]:
    """Return what rules propose for a function, and what may be faster."""
    (place / "a.c").write_text(f"{HEAD}\n{{\n    {body}\n}}\n")
    source = parsers.read(place)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n * m") for name in "ab")
    contracts = (Contract(signature=signature, arrays=facts, scalars=(), law=None),)
    proposed = translators.propose(source, unit, contracts, target)
    return [proposed, *translators.variants(source, unit, contracts, target)]


def texts(place: Path, body: str, target: Dialect = OPENMP) -> list[str]:
    """Return the texts of candidates; the message of one that there is not."""
    return [
        item.replacements[0].shown if isinstance(item, Candidate) else item.diagnostics[0].message
        for item in candidates(place, body, target)
    ]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (
            LOOP + "{ t = a[i]; b[i] = t; } return t;",
            "if (n > 0) {\n        #pragma omp parallel for lastprivate(t)\n        for",
        ),
        ("for (int i = 0; i < 9000; i++) b[i] = t = a[i]; return t;", "on the scalar `t`"),
        (
            "for (int i = 0; i < 9000; i++) { t = a[i]; b[i] = t; } return t;",
            "{\n    #pragma omp parallel for lastprivate(t)\n    for",
        ),
        (NEST, "if (n > 0 && m > 0) {\n        #pragma omp parallel for collapse(2) lastprivate(t)\n"),
        (LOOP + "{ t = a[i]; b[i] = t; } t = 2; return t;", "\n    #pragma omp parallel for private(t)\n"),
        (
            "if (m) " + LOOP + "{ t = a[i]; b[i] = t; } else t = 2; return t;",
            "if (m)\n    {\n        if (n > 0) {\n            #pragma omp",
        ),
        ("int j; " + LOOP + "{ for (j = 0; j < m; j++) b[i] += a[j]; } return j;", "for lastprivate(j)"),
        (
            "double s = 0; " + LOOP + "{ t = a[i]; s += t; } return s + t;",
            "parallel for reduction(+ : s) lastprivate(t)",
        ),
    ],
    ids=["plain", "chained", "constant", "nested", "dead", "else", "counter", "sum"],
)
def test_the_last_value_is_handed_out(body: str, lines: str, tmp_path: Path) -> None:
    assert lines in texts(tmp_path, body)[0]


@pytest.mark.parametrize(
    ("behind", "clause"),
    [
        ("if (m) t = 4; else { t = 5; } return t;", " private(t)"),
        ("if (m) t = 4; return t;", " lastprivate(t)"),
        ("for (t = 0; t < 9; t++) if (b[1] > t) break; return t;", " private(t)"),
        ("while (m--) t = 0; return t;", " lastprivate(t)"),
        ("switch (m) { case 1: t = 4; return t; } return 0;", " private(t)"),
        ("switch (m) { case 1: t = 4; case 2: return t; } return 0;", " lastprivate(t)"),
    ],
)
def test_only_what_is_read_behind_is_handed_out(behind: str, clause: str, tmp_path: Path) -> None:
    assert clause in texts(tmp_path, f"{LOOP}{{ t = a[i]; b[i] = t; }} {behind}")[0]


@pytest.mark.parametrize(
    ("around", "clause"),
    [
        ("for (t = 0; t < 5; t++) %s", "lastprivate"),
        ("for (int k = 0; k < 5; k++) { b[k] = t; %s }", "lastprivate"),
        ("for (int k = 0; k < 5; k++) { t = k; b[k] = t; %s }", " private"),
        ("do { b[0] = t; %s } while (b[0] > 2);", "lastprivate"),
        ("{ b[0] = t; %s }", " private"),
    ],
)
def test_a_loop_around_reads_again(around: str, clause: str, tmp_path: Path) -> None:
    text = texts(tmp_path, around % (LOOP + "{ t = a[i]; b[i] = t; }") + " return 0;")[0]
    assert f"{clause}(t)" in text


def test_a_loop_over_a_container_reads_again() -> None:
    inner = "for (int i = 0; i < n; i++) { t = i; b[i] = t; }"
    function = Function(f"void f(C &v, int n, int t, int *b) {{ for (int x : v) {{ b[x] = t; {inner} }} }}")
    t = next(item for item in resolve(function).all if item.name == "t")
    assert read_after(t, next(find(function.body, "for_statement")))


def test_sums_in_vectors_hand_out_the_last_value(tmp_path: Path) -> None:
    row = "double s = 0, u = 0; for (int j = 0; j < m; j++) { u = a[i * m + j]; s += u; } b[i] = s + u;"
    assert "#pragma omp simd reduction(+ : s) lastprivate(u)" in texts(tmp_path, f"{LOOP}{{ {row} }}")[1]


def test_what_reads_the_last_value_is_not_fused_with_its_loop(tmp_path: Path) -> None:
    body = f"{LOOP}{{ t = a[i]; b[i] = t; }} {LOOP}b[i] = b[i] + %s; return t;"
    own, other = (
        texts(tmp_path, body % "t"),
        texts(tmp_path, body.replace("t = a[i]; b[i] = t", "b[i] = 2") % "t"),
    )
    assert len(own) == 1 and own[0].count("parallel for") == 2
    assert len(other) == 2 and other[1].count("parallel for") == 1


def test_a_search_that_hands_a_value_out_goes_in_no_rounds(tmp_path: Path) -> None:
    body = "int k = n; " + LOOP + "{ %s if (a[i] > 5 && i < k) k = i; } return t + k;"
    [handed_out], [searched] = texts(tmp_path, body % "t = a[i];"), texts(tmp_path, body % "")
    assert "for reduction(min : k) lastprivate(t)\n" in handed_out and "begin" in searched


def test_loops_that_part_hand_nothing_out(tmp_path: Path) -> None:
    step = "t = b[i * n + k] + b[k * n + j]; if (t < b[i * n + j]) b[i * n + j] = t;"
    loops = "".join(f"for (int {name} = 0; {name} < n; {name}++) " for name in "kij")
    assert "parts" in texts(tmp_path, f"{loops}{{ {step} }} return 0;")[0]
    assert all("parts" not in text for text in texts(tmp_path, f"{loops}{{ {step} }} return t;"))


@pytest.mark.parametrize("target", [OPENMP_TARGET, STDPAR])
def test_targets_that_hand_nothing_out_say_so(target: Dialect, tmp_path: Path) -> None:
    body = LOOP + "{ t = a[i]; b[i] = t; } return t;"
    assert "`t` is read after the loop" in texts(tmp_path, body, target)[0]


@pytest.mark.parametrize(
    "body",
    [
        "double s = 0; " + LOOP + "{ t = a[i]; s += a[i]; b[i] = s; } return t;",
        "int k = 0; double s = a[0]; "
        + LOOP
        + "{ t = a[i]; if (a[i] > s) { s = a[i]; k = i; } } return k + t;",
        "int j = 0; " + LOOP + "for (j = 0; j < m; j++) { t = a[j]; b[i] = b[i] * t; } return j + t;",
    ],
    ids=["running sum", "place", "counter of a loop that may not run"],
)
def test_what_is_handed_out_in_other_ways_as_well_stays(body: str, tmp_path: Path) -> None:
    assert "`t` is read after the loop" in texts(tmp_path, body)[0]


def test_the_thread_of_the_last_iteration_leaves_its_value(tmp_path: Path) -> None:
    [text] = texts(tmp_path, NEST, CUDA)
    assert "\n{\n    double t;\n" in text
    assert "if (i == n - 1 && j == m - 1) {\n            *t_total = t;" in text
    assert "cudaMemcpy(&t, t_total, sizeof(double), cudaMemcpyDeviceToHost)" in text


def test_a_thread_with_inner_loops_asks_whether_they_ran(tmp_path: Path) -> None:
    body = (
        "for (int i = 1; i <= n; i += 2) for (int j = 1; j < m; j++) { t = a[j]; b[i] = b[i] * t; } return t;"
    )
    assert "if (i == 1 + 2 * ((n + 1) / 2 - 1) && m > 1) {" in texts(tmp_path, body, CUDA)[0]


def test_a_thread_that_ends_early_has_nothing_to_leave(tmp_path: Path) -> None:
    body = LOOP + "{ t = a[i]; if (t < 0) continue; b[i] = t; } return t;"
    assert "lastprivate(t)" in texts(tmp_path, body)[0]
    assert "`t` is read after the loop" in texts(tmp_path, body, CUDA)[0]


def test_kernels_with_tiles_hand_nothing_out(tmp_path: Path) -> None:
    product = "t = 0; for (int k = 0; k < m; k++) t += a[i * m + k] * a[k * m + j]; b[i * m + j] = t;"
    body = f"{LOOP}for (int j = 0; j < m; j++) {{ {product} }} return %s;"
    assert len(texts(tmp_path, body % "0", CUDA)) == 2
    assert len(texts(tmp_path, body % "t", CUDA)) == 1
