"""Functions that loops call, with their bodies in the place of the calls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import parsers, translators
from transpile.core import OPENMP, ArrayFact, Candidate, Contract, Rejected, Role
from transpile.translators.loops.symbols.callees import is_open, opened
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope
from transpile.translators.loops.symbols.expansions import spelled

CALLED = """
static int kept, s;
static int *place;
#define S s
static int sum(int m, const int *x) { int s = 0; for (int j = 0; j < m; j++) s += x[j]; return s; }
static int square(int x) { return x * x; }
static void scale(int m, int *x, int by) {
    // each one
    for (int j = 0; j < m; j++)
        x[j] *= by; /* again */
}
static void beyond(int m, int *x) { for (int j = 0; j <= m; j++) x[j] *= 2; }
static void rotate(int *x, int *y) { int t = *x; *x = y[0] - *y / 2; *y = t; }
static void both(int *low, int *high, int x) { *low = x - 1; *high = x + 1; }
static void early(int m, int *x) { if (m <= 1) { return; } if (x[0] > 2) return; x[0] = m; }
static int deep(int m, int *x) { scale(m, x, square(m)); int n = sum(m, x); return n + m; }
static void counts(int *x) { static int c; x[0] = c++; }
static void keeps(int *x) { place = x; x[0] = 2; }
static int adds(int x) { kept += x; return kept; }
static void bump(int *x, int at) { x[at]++; }
static int again(int m, int *x) { x[0] = m; if (m > 1) again(m - 1, x); return m; }
static int first(int m, const int *x) { for (int j = 0; j < m; j++) if (x[j]) return j; return m; }
static int global(const int *x) { return x[0] + s; }
static int hidden(const int *x) { return x[0] + S; }
static int *same(int *x) { return x; }
static void pair(int *low, int x) { low[0] = x - 1; low[1] = x + 1; }
static void rows(int x[][4]) { x[0][1] = 2; }
"""
HEAD = "void f(int n, int m, int *restrict a, int *restrict b, const int *restrict v)"
LOOP = "for (int i = 0; i < n; i++)"
MARKED = {
    "a row each": f"{LOOP} scale(m, a + i * m, b[i]);",
    "a result": f"{LOOP} b[i] = sum(m, a + i * m);",
    "in an expression": f"{LOOP} b[i] = square(i) + 2 * sum(m, &a[i * m]);",
    "added up": f"int s = 0; {LOOP} s += sum(m, a + i * m); b[0] = s;",
    "elements": f"{LOOP} rotate(&a[i], &b[i]);",
    "locals": f"{LOOP} {{ int low, high; both(&low, &high, v[i]); a[i] = low; b[i] = high; }}",
    "an array of each iteration": f"int w[2]; {LOOP} {{ pair(w, v[i]); a[i] = w[0]; b[i] = w[1]; }}",
    "a declaration": f"{LOOP} {{ int t = sum(m, v), u = square(t); b[i] = t + u; }}",
    "several": f"{LOOP} a[i] = sum(m, v) - sum(i, v);",
    "left early": f"{LOOP} early(m, a + i);",
    "calls within": f"{LOOP} b[i] = deep(m, a + i * m);",
    "a global": f"{LOOP} b[i] = global(v + i);",
}
KEPT = {
    "rows that meet": f"{LOOP} beyond(m, a + i * m);",
    "elements that meet": "for (int i = 1; i < n; i++) rotate(&a[i], &a[i - 1]);",
    "what is written is read": f"{LOOP} b[i] = sum(m, b + i);",
    "a condition": f"{LOOP} b[i] = i > 3 ? sum(m, a) : 0;",
    "a condition of a statement": f"{LOOP} if (sum(m, a) > i) b[i] = 1;",
    "state": f"{LOOP} counts(a + i);",
    "a pointer that is kept": f"{LOOP} keeps(a + i);",
    "a sum at file scope": f"{LOOP} b[i] = adds(a[i]);",
    "more of an array than is set": f"int w[3]; {LOOP} {{ pair(w, v[i]); a[i] = w[2]; }}",
    "an update in the body": f"{LOOP} bump(a, v[i]);",
    "recursion": f"{LOOP} again(m, a + i);",
    "several returns": f"{LOOP} b[i] = first(m, v);",
    "another name around": f"int s = n; {LOOP} b[i] = global(v + i) + s;",
    "another name by a macro": f"int s = n; {LOOP} b[i] = hidden(v + i) + s;",
    "a pointer that comes back": f"{LOOP} *same(a) = i;",
    "another function of that name": f"int (*sum)(int, const int *) = 0; {LOOP} b[i] = sum(m, v);",
    "an argument that changes": f"{LOOP} b[i] = sum(m++, v);",
    "rows": f"int (*r)[4] = (int (*)[4])a; {LOOP} rows(r + i);",
}


def proposed(body: str, root: Path) -> Candidate | Rejected:
    (root / "a.c").write_text(f"{CALLED}{HEAD}\n{{\n    {body}\n}}\n")
    source = parsers.read(root)
    unit = next(item for item in source.units if item.name == "f")
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n * m") for name in "abv")
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=(), law=None)
    return translators.propose(source, unit, (contract,), OPENMP)


@pytest.mark.parametrize("body", MARKED.values(), ids=MARKED)
def test_calls_of_their_own_memory_run_at_once(body: str, tmp_path: Path) -> None:
    found = proposed(body, tmp_path)
    assert isinstance(found, Candidate), found
    text = found.replacements[0].shown
    assert "#pragma omp parallel for" in text
    assert body.partition(LOOP)[2].removeprefix(" {") in text


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_other_calls_keep_their_loops(body: str, tmp_path: Path) -> None:
    assert isinstance(proposed(body, tmp_path), Rejected)


RUN_TOO = ("rows that meet", "a sum at file scope", "state", "several returns")
"""The last two stay as they are."""
RUN = """
#include <stdio.h>
int main(void) {
    for (int n = 0; n < 7; n++) for (int m = 0; m < 5; m++) {
        int a[64], b[64], v[64];
        for (int i = 0; i < 64; i++) { a[i] = i * 7 % 11 - 4; b[i] = i * 5 % 13; v[i] = i % 3; }
        f(n, m, a + 8, b + 8, v + 8);
        for (int i = 0; i < 64; i++) printf("%d %d ", a[i], b[i]);
    }
    return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_bodies_do_what_calls_do(tmp_path: Path) -> None:
    bodies = [*MARKED.values(), *(KEPT[name] for name in RUN_TOO)]
    texts = [f"{HEAD}\n{{\n    {body}\n}}\n" for body in bodies]
    others = []
    for text in texts:
        (tmp_path / "a.c").write_text(f"{CALLED}{text}")
        source = parsers.read(tmp_path)
        found, calls = opened(
            text, enclosing_scope(source, next(item for item in source.units if item.name == "f"))
        )
        assert spelled(found, calls) == text
        others.append(found)
    assert sum(map(is_open, others)) == len(bodies) - 2
    results = [_outputs(tmp_path, version) for version in (texts, others)]
    assert results[0] == results[1]


def _outputs(root: Path, texts: list[str]) -> str:
    printed = ""
    calls = "".join(text.replace("void f(", f"static void f{number}(") for number, text in enumerate(texts))
    runs = "".join(f"f{number}, " for number in range(len(texts)))
    table = f"static void (*all[])(int, int, int *, int *, const int *) = {{{runs}}};"
    main = RUN.replace("f(n", "all[k](n").replace(
        "main(void) {", f"main(void) {{ for (int k = 0; k < {len(texts)}; k++)"
    )
    (root / "b.c").write_text(f"{CALLED}{calls}{table}{main}")
    subprocess.run(["gcc", "-w", "-O1", "b.c", "-o", "b"], cwd=root, check=True)
    printed = subprocess.run(["./b"], cwd=root, check=True, capture_output=True, text=True).stdout
    assert printed.count(" ") > 1000
    return printed


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("void scale(int m, int *x) { for (int j = 0; j < m; j++) x[j] *= 2; }", True),
        ("static int by = 2; void scale(int m, int *x) { for (int j = 0; j < m; j++) x[j] *= by; }", False),
        ("int by(int); void scale(int m, int *x) { for (int j = 0; j < m; j++) x[j] = by(j); }", False),
    ],
)
def test_functions_of_other_files_name_nothing_there(text: str, marked: bool, tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text(text)
    (tmp_path / "a.c").write_text(
        f"void scale(int m, int *x);\n{HEAD}\n{{\n    {LOOP} scale(m, a + i * m);\n}}\n"
    )
    source = parsers.read(tmp_path)
    unit = next(item for item in source.units if item.name == "f")
    facts = tuple(ArrayFact(name=name, role=Role.INOUT, extent="n * m") for name in "abv")
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(found, Candidate if marked else Rejected)
