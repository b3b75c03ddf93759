"""Compactions: which loops append to arrays, and how threads count before they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import text, why_not
from transpile import parsers, translators
from transpile.code.syntax import Function
from transpile.code.variables import resolve
from transpile.core import CUDA, OPENMP, OPENMP_TARGET, STDPAR, Candidate, Dialect, Rejected
from transpile.translators.loops.analysis.analysis import Known, nests
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

HEAD = "int f(int n, int m, const float *a, float *b, int *at, float (*pairs)[2], int c)"


AROUND = EnclosingScope(
    values=frozenset({"POSITIVE"}),
    defined=frozenset({"POSITIVE"}),
    words={"POSITIVE": frozenset({"t"})},
)


def outermost(body: str) -> Known:
    function = Function(f"{HEAD} {{ {body} return c; }}")
    nest = nests(function, resolve(function), around=AROUND)[-1]
    return nest.loops[0]


def over(body: str) -> str:
    return f"for (int i = 0; i < n; i++) {{ {body} }}"


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) if (a[i] > 0) b[c++] = a[i];",
        over("if (a[i] > 0) { b[c] = a[i]; c++; }"),
        over("if (a[i] > 0) { b[c] = a[i]; at[c] = i; c += 1; }"),
        over("if (a[i] > 0) { b[c] = a[i]; at[c++] = i; }"),
        over("if (a[i] > 0) b[++c] = a[i];"),
        over("if (a[i] > 0) { pairs[c][0] = a[i]; pairs[c][1] = i; c = c + 1; }"),
        over("if (a[i] > 0) { b[2 * c] = a[i]; b[2 * c + 1] = i; c++; }"),
        over("if (a[i] > 0) { b[c] = a[i]; b[c + 1] = i; c += 2; }"),
        over("if (a[i] > 0) { b[c++] = a[i]; b[c++] = i; }"),
        over("if (a[i] > 0) b[m + c++] = a[i];"),
        over("if (a[i] <= 0) continue; b[c++] = a[i];"),
        over("float v = a[i], w; w = v * 2; if (w > 1) b[c++] = w + v;"),
        over("for (int j = 0; j < m; j++) if (a[i * m + j] > 0) at[c++] = i * m + j;"),
        over("int j = 0; while (j < m && a[i * m + j] < 1) j++; if (j == m) at[c++] = i;"),
        over("for (int j = 0; j < m; j++) { if (a[j] > i) break; b[c++] = a[j]; }"),
        over("float t[2]; t[0] = a[i]; t[1] = 0; if (t[0] > 0) b[c++] = t[1];"),
        "float t; " + over("t = a[i]; if (t > 0) b[c++] = t;"),
        "float s = 0; " + over("s += a[i]; if (a[i] > 0) b[c++] = a[i];"),
        "int e = 0; " + over("if (a[i] > 0) b[c++] = a[i]; else at[e++] = i;"),
        "long e = c; for (int i = n - 1; i >= 0; i--) { if (a[i] > 0) b[e++] = a[i]; }",
        "size_t e = 0; " + over("if (a[i] > 0) { b[e] = a[i]; e++; }"),
        "for (int i = 0; i < 1025; i++) { if (a[i] > 0) b[c++] = a[i]; }",
        over("if (a[i] > 0) b[c++] = a[i]; at[i] = i;"),
        # Elsewhere its value is what it is in the source.
        over("at[i] = c; for (int j = 0; j < m; j++) if (a[i * m + j]) b[c++] = j;"),
        over("if (a[i] > 0) at[i] = c++;"),
        over("if (a[i] > 0) { b[c] = a[c] + c; c++; } at[i] = c;"),
        over("if (a[i] > 0) { at[i] = ++c; } else { at[i] = 0; }"),
    ],
)
def test_elements_behind_a_counter_are_appended(body: str) -> None:
    found = outermost(body)
    assert found.parallel and found.idiom is Idiom.COMPACTION, found.reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        # The counter decides more than where elements go.
        (over("if (a[i] > 0 && c < m) b[c++] = a[i];"), "depends on `c`"),
        (over("if (i == 0 || a[i] != b[c - 1]) b[c++] = a[i];"), "also uses"),
        (over("for (int j = 0; j < c; j++) b[c++] = a[j];"), "depends on `c`"),
        (over("int k = c; if (k < m && a[i]) b[c++] = a[i];"), "depends on `c`"),
        (over("if (c < m) at[i] = c++;"), "depends on `c`"),
        # It does not count what is stored.
        (over("b[c] = a[i]; if (a[i] > 0) c++;"), "dependence on `b`"),
        (over("if (a[i] > 0) { b[c] = a[i]; if (at[i]) continue; c++; }"), "may not be incremented"),
        (over("if (a[i] > 0) { b[c] = a[i]; } c++;"), "dependence on `b`"),
        (over("if (a[i] > 0) { b[c] = a[i]; if (at[i]) c++; } else b[c++] = 0;"), "may not be incremented"),
        (over("if (a[i] > 0) { b[c] = a[i]; b[c + 1] = i; c++; }"), "may overlap"),
        (over("if (a[i] > 0) b[c++] = a[i]; else b[++c] = 0;"), "may overlap"),
        (over("if (a[i] > 0) b[2 * c++] = a[i]; else b[c++] = 0;"), "may overlap"),
        (over("if (a[i] > 0) b[i + c++] = a[i];"), "is not the element right after"),
        (over("if (a[i] > 0) b[c++ * c] = a[i];"), "is not the element right after"),
        (over("if (a[i] > 0) b[c++ % m] = a[i];"), "is not the element right after"),
        (over("if (a[i] > 0) b[m - c++] = a[i];"), "is not the element right after"),
        (over("if (a[i] > 0) b[at[c++]] = a[i];"), "is not just stored"),
        (over("float *r = b + i * m; if (a[i] > 0) r[c++] = a[i];"), "is not the element right after"),
        (over("if (a[i] > 0) b[c++] += a[i];"), "not just stored"),
        (over("if (a[i] > 0) b[c] = c++;"), "not just stored"),
        (over("if (a[i] > 0) { b[m * c] = i; c++; }"), "is not the element right after"),
        # What a statement does to it is not always done.
        (over("at[i] = a[i] > 0 ? c++ : 0;"), "on the scalar"),
        (over("at[i] = a[i] > 0 && c++;"), "on the scalar"),
        (over("int k = c++; if (a[i] > 0) c++; at[i] = k;"), "on the scalar"),
        ("int e = 0; " + over("if (a[i] > 0) b[c++] = e++;"), "not just stored"),
        ("int e = 0; " + over("if (a[i] > 0) at[i] = c++ + e++;"), "more than conditions and loops"),
        # It goes elsewhere.
        (over("if (a[i] > 0) b[c--] = a[i];"), "on the scalar"),
        (over("if (a[i] > 0) b[c++] = a[i]; else c = 0;"), "on the scalar"),
        (over("if (a[i] > 0) { b[c] = a[i]; c += at[i]; }"), "on the scalar"),
        (over("if (a[i] > 0) { b[c] = a[i]; c *= 2; }"), "on the scalar"),
        ("short e = 0; " + over("if (a[i] > 0) b[e++] = a[i];"), "on the scalar"),
        ("float e = 0; " + over("if (a[i] > 0) b[(int)e++] = a[i];"), "on the scalar"),
        ("int e; " + over("if (a[i] > 0) b[e++] = a[i];"), "on the scalar"),
        ("float s = 0; " + over("s = s / 2 + a[i]; if (s > 0) b[c++] = s;"), "on the scalar"),
        # The array has another use in the loop.
        (over("if (b[i] > 0) b[c++] = b[i];"), "also uses"),
        (over("if (a[i] > 0) b[c++] = a[i]; b[0] = i;"), "also uses"),
        ("int e = 0; " + over("if (a[i] > 0) b[c++] = a[i]; else b[e++] = 0;"), "by two counters"),
        # What is appended is not known before the loop has run.
        (over("if (at[i] > 0) b[c++] = a[i]; at[i + 1] = i;"), "depends on `at`"),
        (over("at[i] = i % 3; if (at[i]) b[c++] = a[i];"), "depends on `at`"),
        (over("if (at[i]++ > 0) b[c++] = a[i];"), "depends on `at`"),
        (over("std::array<float, 2> t; t[0] = a[i]; if (t[0] > 0) b[c++] = i;"), "depends on `t`"),
        (over("float t[2], *p = t; p[0] = a[i]; if (t[0] > 0) b[c++] = i;"), "depends on `t`"),
        (over("const float t = a[i]; if (POSITIVE) b[c++] = i;"), "a macro that uses a variable"),
        (over("float t = 1; if (a[i] > 0) at[i] = c++ + (int)(t = a[i]); if (t > 2) c++;"), "depends on `t`"),
        ("float s = 0; " + over("float t; s += (t = a[i]); if (t > 0) b[c++] = t;"), "depends on `s`"),
        (over("typedef float T; T t = a[i]; if (t > 0) b[c++] = t;"), "more than conditions and loops"),
        (over("if (int t = a[i]) { at[i] = 0; } else { b[c++] = i; }"), "more than conditions"),
        (over("switch (at[i]) { case 1: b[c++] = a[i]; }"), "more than conditions and loops"),
        (over("do { b[c++] = a[i]; } while (at[i]);"), "more than conditions and loops"),
        (over("int j = 0; do j++; while (a[j] > i); if (j > 3) b[c++] = j;"), "more than conditions"),
        # All iterations move it by the same amount.
        (over("b[c++] = a[i];"), "on the scalar"),
        (over("for (int j = 0; j < m; j++) b[c++] = a[i];"), "on the scalar"),
        # One thread is done before others have begun.
        ("for (int i = 0; i < 1024; i++) { if (a[i] > 0) b[c++] = a[i]; }", "on the scalar"),
        ("if (m) for (int i = 0; i < n; i++) if (a[i] > 0) b[c++] = a[i];", "on the scalar"),
    ],
)
def test_what_is_no_compaction_stays(body: str, reason: str) -> None:
    found = outermost(body)
    assert not found.parallel and found.idiom is None
    assert reason in found.reason


LISTS = """\
    int c = 0, e = 0;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        const float v = x[i] * 2, w = v + 1;
        if (v > 0)
            y[c++] = v;
        else if (w > 0) {
            other[e] = w;
            e++;
        }
        sum += v;
    }
"""


def test_threads_count_before_they_append(tmp_path: Path) -> None:
    body = "    static float other[8];\n" + LISTS + "    *y = c;\n"
    found = text(tmp_path, body, OPENMP)
    assert (
        """\
    if (y < x || x + n <= y) {
        int c_overall = c;
        int e_overall = e;
        #pragma omp parallel private(c, e)
        {
            c = 0;
            e = 0;
            #pragma omp for schedule(static) nowait
            for (int i = 0; i < n; i++) {
                const float v = x[i] * 2, w = v + 1;
                if (v > 0) c++;
                else if (w > 0) e++;
            }
            #pragma omp for ordered schedule(static, 1)
            for (int thread = 0; thread < omp_get_num_threads(); thread++) {
                #pragma omp ordered
                {
                    const int c_before = c_overall;
                    c_overall += c;
                    c = c_before;
                    const int e_before = e_overall;
                    e_overall += e;
                    e = e_before;
                }
            }
            #pragma omp for schedule(static) reduction(+ : sum)
"""
        in found
    )
    assert "        }\n        c = c_overall;\n    } else {\n        for (int i" in found
    assert "    e = e_overall;" not in found


def test_what_is_not_counted_is_left_out(tmp_path: Path) -> None:
    body = """\
    int c = 0;
    for (int i = 0; i < n; i++) {
        float most = 0; // of all before
        int j = 0;
        if (x[i] < 0) continue;
        while (j < i && x[j] < x[i]) // up to the first
            j++;
        for (int k = 0; k < i; k++) most += x[k];
        if (j < i
            && i) {
            most *= 2;
        } else {
            y[c++] = most;
        }
    }
"""
    assert """\
                int j = 0;
                if (x[i] < 0) continue;
                while (j < i && x[j] < x[i]) j++;
                if (!(j < i
                    && i)) c++;
            }
            #pragma omp for ordered""" in text(tmp_path, body, OPENMP)


PUSHES = """\
float f(int n, const float *x, int step)
{
    std::vector<float> kept;
    std::vector<int> at{step};
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) {
            kept.push_back(x[i]);
            at.emplace_back(i);
        }
    }
    return kept.size() + at.back();
}
"""


def test_containers_are_as_long_as_they_become_before_threads_store(tmp_path: Path) -> None:
    found = of_vectors(tmp_path, PUSHES)
    assert isinstance(found, Candidate)
    shown = found.replacements[0].shown
    assert "    #pragma omp parallel\n    {\n        std::size_t kept_place = 0;\n" in shown
    assert "                kept_place++;\n                at_place++;\n" in shown
    assert "        #pragma omp single\n        kept.resize(kept_overall);\n" in shown
    assert "kept[kept_place++] = x[i];\n                at[at_place++] = i;\n" in shown


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kept.push_back(x[i]);", "kept.push_back(kept.size());"),
        ("kept.push_back(x[i]);", "kept.push_back(x[i]); if (kept.size() > 9) at.clear();"),
        ("kept.push_back(x[i]);", "kept.push_back(step++);"),
        ("kept.push_back(x[i]);", "float t = 0; kept.push_back(t = x[i]); if (t > 1)"),
        ("at.emplace_back(i);", "at.insert(at.begin(), i);"),
        ("at.emplace_back(i);", "at.emplace_back();"),
        ("std::vector<float> kept", "std::vector<bool> kept"),
        ("std::vector<float> kept", "std::list<float> kept"),
        ("std::vector<float> kept;", "static std::vector<float> kept;"),
        ("int step)", "int step, std::vector<float> &kept)"),
    ],
)
def test_containers_that_are_more_than_made_longer_stay(old: str, new: str, tmp_path: Path) -> None:
    text = PUSHES.replace(old, new)
    if "&kept" in new:
        text = text.replace("    std::vector<float> kept;\n", "")
    assert old in PUSHES and isinstance(of_vectors(tmp_path, text), Rejected)


def of_vectors(place: Path, function: str) -> Candidate | Rejected:
    (place / "a.cpp").write_text(f"#include <list>\n#include <vector>\n{function}")
    source = parsers.read(place)
    [unit] = source.units
    return translators.propose(source, unit, (), OPENMP)


@pytest.mark.parametrize("target", [OPENMP_TARGET, STDPAR])
def test_other_targets_say_what_is_counted(target: Dialect, tmp_path: Path) -> None:
    body = "    int c = 0;\n    for (int i = 0; i < n; i++) if (x[i] > 0) y[c++] = x[i];\n"
    assert "`c` counts the elements that iterations append" in why_not(tmp_path, body, target)


def test_blocks_of_a_device_count_before_they_append(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++) {\n        t = x[i];\n        if (t > 0) y[c++] = t;\n    }"
    found = text(tmp_path, f"    long c = n;\n    float t;\n    {loop}\n", CUDA)
    counted = "            t = x[i];\n            if (t > 0) c++;\n        }\n"
    assert "    float t;\n    long c = 0, total;\n    for (size_t round" in found
    assert found.count(counted) == 2 and f"{counted}        c = c_before + f_ahead_long(c, &total);" in found


@pytest.mark.parametrize(
    "body",
    [
        "int c = 0, e = 0; loop { if (x[i] > 0) y[c++] = i; else at[e++] = i; }",
        "int c = 0; loop { if (x[i] < 0) continue; y[c++] = x[i]; }",
    ],
)
def test_one_thread_of_a_device_appends_where_blocks_cannot(body: str, tmp_path: Path) -> None:
    body = "    int at[2000];\n    " * ("at[" in body) + body.replace("loop", "for (int i = 0; i < n; i++)")
    shown = text(tmp_path, f"{body}\n    *y = c;\n", CUDA)
    assert "// One thread alone: `c` counts the elements that iterations append." in shown
    assert "    *c_total = c;\n" in shown
