"""Macros that hide elements, numbers of elements and loops."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import CUDA, OPENMP, ArrayFact, Candidate, Contract, Dialect, Rejected, Role
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope, enclosing_scope
from transpile.translators.loops.symbols.expansions import expanded, spelled

MACROS = """#define IDX(i, j) ((i) * n + (j))
#define U(i, j) u[(i) * n + (j)]
#define V(k) v[k]
#define LEFT(i) (i-k)
#define HERE u[i]
#define EACH(i, n) for (int i = 0; i < n; i++)
#define EXCHANGE(x, y) { double kept = x; x = y; y = kept; }
#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define SQUARE(x) ((x) * (x))
#define TWICE(x) SQUARE(SQUARE(x))
#define AGAIN(x) (AGAIN(x) + 1)
#define NAMED(x) x##_of
#define LAST n
#define MANY 100
#define TOTAL (n * m)
#define STEPS (MANY + 1)
#ifdef COLUMNS
#define PLACE(i, j) ((j) * n + (i))
#else
#define PLACE(i, j) ((i) * n + (j))
#endif
#define THERE(i) u[PLACE(i, 0)]
"""
HEAD = "void f(int n, int m, const double *restrict u, double *restrict v)"


def around(root: Path) -> EnclosingScope:
    (root / "a.c").write_text(f"{MACROS}\n{HEAD} {{ }}\n")
    source = parsers.read(root)
    return enclosing_scope(source, source.units[0])


def inner(statement: str, root: Path) -> str:
    text, _ = expanded(f"{HEAD}\n{{\n{statement}\n}}", around(root))
    return text.split("{\n", 1)[1].removesuffix("\n}")


@pytest.mark.parametrize(
    ("written", "stands_for"),
    [
        ("V(IDX(i - 1, j)) = 0;", "v[((i - 1) * n + (j))] = 0;"),
        ("V(i) = U(i, V(0)) + HERE;", "v[i] = u[(i) * n + (v[0])] + u[i];"),
        ("V(LEFT(-k)) = V(LEFT(i));", "v[(-k-k)] = v[(i-k)];"),
        ("V(f(i, j)) = 0;", "v[f(i, j)] = 0;"),
        ("EACH(i, TOTAL) EXCHANGE(u[i], v[i])", None),
        ("v[TWICE(i)] = 0;", None),
    ],
)
def test_what_macros_stand_for_is_what_the_preprocessor_makes_of_them(
    written: str, stands_for: str | None, tmp_path: Path
) -> None:
    found = inner(written, tmp_path)
    assert found != written and found == (stands_for or found)
    assert preprocessed(found, tmp_path) == preprocessed(written, tmp_path)


def preprocessed(text: str, root: Path) -> list[str]:
    made = subprocess.run(
        ["gcc", "-E", "-P", "-"], input=f"{MACROS}\nBEGIN {text}", capture_output=True, text=True, check=True
    )
    return re.findall(r"\w+|[^\w\s]", made.stdout.partition("BEGIN")[2])


def test_tokens_that_come_together_stay_two(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#define BEFORE(k) (i -k)\n#define SUM(x) (x+x)\nvoid f(int n) { }\n")
    source = parsers.read(tmp_path)
    known = enclosing_scope(source, source.units[0])
    text, _ = expanded("void f(int n)\n{\na[BEFORE(-n)] = a[SUM(+n)];\n}", known)
    assert "a[(i - -n)] = a[(+n+ +n)];" in text


@pytest.mark.parametrize(
    "written",
    [
        "v[THERE(i)] = 0;",  # it is another place in another build
        "NAMED(v)[i] = 0;",
        "v[AGAIN(i)] = 0;",
        "v[i] = LARGER(u[i], 0);",  # a value as any function's
        "for (i = 0; i < LAST; i++) v[i] = MANY * STEPS;",
        "v[IDX(i)] = 0;",
        "v[IDX(i,\n    j)] = 0;",
        "v[IDX] = 0;",
        "#define V(k) u[k]\nV(i) = 0;",
        "#undef V\nV(i) = 0;",
    ],
)
def test_other_macros_stay(written: str, tmp_path: Path) -> None:
    assert inner(written, tmp_path) == written


def test_the_authors_spelling_comes_back(tmp_path: Path) -> None:
    text = f"{HEAD}\n{{\n    V(IDX(i - 1, j)) = U(i, j) + U(i, j + 1);\n}}"
    found, spellings = expanded(text, around(tmp_path))
    assert found != text and spelled(found, spellings) == text
    changed = found.replace("(i) * n + (j)", "(i) * n + (k)")
    assert spelled(changed, spellings).count("U(i, j + 1)") == 1
    assert "u[(i) * n + (k)]" in spelled(changed, spellings)


def proposed(body: str, root: Path, target: Dialect = OPENMP) -> Candidate | Rejected:
    (root / "a.c").write_text(f"{MACROS}\n{HEAD}\n{{\n{body}}}\n")
    source = parsers.read(root)
    [unit] = source.units
    [signature] = source.signatures[unit.id]
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n * m") for name in "uv")
    return translators.propose(
        source, unit, (Contract(signature=signature, arrays=facts, scalars=(), law=None),), target
    )


ROWS = """    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            V(IDX(i, j)) = 2 * U(i, j);
"""


def test_loops_over_macros_are_marked_as_they_stand(tmp_path: Path) -> None:
    found = proposed(ROWS, tmp_path)
    assert isinstance(found, Candidate)
    assert f"#pragma omp parallel for collapse(2)\n{ROWS}" in found.replacements[0].shown


def test_what_macros_name_comes_along_to_a_device(tmp_path: Path) -> None:
    found = proposed(ROWS, tmp_path, CUDA)
    assert isinstance(found, Candidate)
    text = found.replacements[0].shown
    assert (
        "V(IDX(i, j)) = 2 * U(i, j);" in text and "f_kernel(double *v, const double *u, int m, int n)" in text
    )


def test_a_loop_may_be_a_macro(tmp_path: Path) -> None:
    found = proposed("    EACH(i, n)\n        V(i) = u[i];\n", tmp_path)
    assert isinstance(found, Candidate)
    assert "#pragma omp parallel for\n    EACH(i, n)\n" in found.replacements[0].shown


@pytest.mark.parametrize("body", [ROWS.replace("IDX(i, j)", "j"), ROWS.replace("IDX(i, j)", "PLACE(i, j)")])
def test_iterations_that_may_meet_behind_a_macro_stay_in_order(body: str, tmp_path: Path) -> None:
    found = proposed(body, tmp_path)
    assert isinstance(found, Rejected) or "collapse(2)" not in found.replacements[0].shown


@pytest.mark.parametrize(("body", "idle"), [("EACH(i, n) V(i) = u[i];", False), ("V(0) = u[0];", True)])
def test_a_function_whose_loop_is_a_macro_is_looked_at(body: str, idle: bool, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(f"{MACROS}\n{HEAD}\n{{\n{body}\n}}\n")
    source = parsers.read(tmp_path)
    assert translators.is_idle(source, source.units[0], OPENMP) == idle


@pytest.mark.parametrize(
    ("kind", "setting", "found"),
    [
        ("double", "s = LARGER(u[i], s);", "max"),
        ("double", "s = u[i] < s ? u[i] : s;", "min"),
        ("double", "s = LARGER(s, u[i]);", ""),
        ("long", "s = LARGER(s, (long)u[i]);", "max"),
        ("long", "s = LARGER((long)u[i], s);", "max"),
        ("long", "s = s < (long)u[i] ? s : (long)u[i];", "min"),
        ("long", "s = s >= (long)u[i] ? s : (long)u[i];", "max"),
        ("long", "s = (long)u[i] > s ? s : (long)u[i];", "min"),
        ("long", "s = LARGER(s, u[i]);", ""),
        ("long", "s = LARGER(s, s + 1);", ""),
        ("long", "s += LARGER(s, 1);", ""),
    ],
)
def test_extremes_may_be_chosen_by_macros(kind: str, setting: str, found: str, tmp_path: Path) -> None:
    body = f"    {kind} s = 0;\n    for (int i = 0; i < n; i++)\n        {setting}\n    v[0] = s;\n"
    made = proposed(body, tmp_path)
    shown = made.replacements[0].shown if isinstance(made, Candidate) else ""
    assert re.findall(r"reduction\((min|max)", shown.replace("declare reduction", "")) == [found] * bool(
        found
    )
    assert not found or setting in shown
