"""Translations that are right on small calls alone: branches, sizes and values that few trials meet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.adversarial.direct import judged
from tests.conftest import Once
from tests.integration.functions import check
from tests.sampling import sampled_items
from transpile import parsers
from transpile.core import Inconclusive, Passed, Verdict
from transpile.testers.checks import candidate_coverage
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

SOURCE = """
#include <math.h>
void axpy(int n, double a, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
void ratio(int n, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++) c[i] = b[i] != 0 ? a[i] / b[i] : 0;
}
float top(int n, const float *x)
{
    float best = -INFINITY;
    for (int i = 0; i < n; i++) if (x[i] > best) best = x[i];
    return best;
}
void rows(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += x[i * m + j];
        y[i] = sum;
    }
}
void shift(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
"""
PARALLEL = "#pragma omp parallel for\n"
AXPY = "void axpy(int n, double a, const double *x, double *y) "
RATIO = "void ratio(int n, const float *a, const float *b, float *c) "
TOP = "float top(int n, const float *x) "
ROWS = "void rows(int n, int m, const double *x, double *y) "
SHIFT = "void shift(int n, const int *x, int *y) "

WRONG = {
    "one less from 40000 on": AXPY
    + "{ int m = n > 40000 ? n - 1 : n;\n"
    + PARALLEL
    + "for (int i = 0; i < m; i++) y[i] += a * x[i]; }",
    "two tests multiplied": SHIFT
    + "{ int m = n - (n % 1009 == 7) * (n / 9000 > 0);\n"
    + PARALLEL
    + "for (int i = 0; i < m; i++) y[i] = x[i] + 1; }",
    "a size that is spelled by a type": SHIFT
    + "{ int m = n - (int)(1.0 / (1.0 + fabs((double)n - (int)sizeof(double) * 4857)));\n"
    + PARALLEL
    + "for (int i = 0; i < m; i++) y[i] = x[i] + 1; }",
    "an epsilon around one": AXPY
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] += a * (fabs(x[i] - 1) < 1e-5 ? 1 : x[i]); }",
    "the last tile of 4096 lost": AXPY
    + "{ for (int t = 0; t < n; t += 4096) { if (t && t + 4096 == n) break;\n"
    + PARALLEL
    + "for (int i = t; i < (t + 4096 < n ? t + 4096 : n); i++) y[i] += a * x[i]; } }",
    "a buffer of 65536": SHIFT
    + "{ static int t[65536];\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) t[i] = x[i] + 1;\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = t[i]; }",
    "a counter of sixteen bits": SHIFT
    + "{\n"
    + PARALLEL
    + "for (unsigned short i = 0; i < (unsigned short)n; i++) y[i] = x[i] + 1; }",
    "an array on the stack": SHIFT
    + "{ int t[n + 1];\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) t[i] = x[i] + 1;\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = t[i]; }",
    "two dimensions beyond a tile": ROWS
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) { double sum = 0; int last = n > 600 && m > 600 ? 600 : m;"
    " for (int j = 0; j < last; j++) sum += x[i * m + j]; y[i] = sum; } }",
    "twelve threads": AXPY
    + "{\n#pragma omp parallel\n{ int t = omp_get_thread_num(), p = omp_get_num_threads();"
    " if (p == 12) p = 13; for (int i = t; i < n; i += p) y[i] += a * x[i]; } }",
    "an epsilon": RATIO
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) c[i] = fabsf(b[i]) > 1e-4f ? a[i] / b[i] : 0; }",
    "a number of the data": SHIFT
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i] == 12345 ? 0 : x[i] + 1; }",
    "a number of the data, without a branch": SHIFT
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i] + 1 - 5 * (x[i] == -12345); }",
    "a number of the data, as an expression": SHIFT
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i] + 1 - (x[i] == (1 << 19) + 7); }",
    "digits of a size that a loop counts": SHIFT
    + "{ int digits = 1; for (int left = n; left > 9; left /= 10) digits++;\n"
    + PARALLEL
    + "for (int i = 0; i < n - (digits > 9); i++) y[i] = x[i] + 1; }",
    "a hash of the data": SHIFT
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i] + 1 + (x[i] * 2654435761u >> 8 == 1234567u); }",
    "a million and some more": SHIFT
    + "{ n += (int)((1500007u - n) >> 31);\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i] + 1; }",
    "the bits beyond a million": SHIFT
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i] + 1 + (i >> 20); }",
    "shares that leave 32 bits on many threads": SHIFT
    + "{\n#pragma omp parallel\n{ int t = omp_get_thread_num(), p = omp_get_num_threads();"
    " for (int i = n * t / p; i < n * (t + 1) / p; i++) y[i] = x[i] + 1; } }",
    "a size as an expression": SHIFT
    + "{ const int tile = 300;\n"
    + PARALLEL
    + "for (int i = 0; i < n - (n == tile * 11); i++) y[i] = x[i] + 1; }",
    "a sentinel": TOP + "{ float best = -10000.0f;\n#pragma omp parallel for reduction(max : best)\n"
    "for (int i = 0; i < n; i++) if (x[i] > best) best = x[i]; return best; }",
    "a size that no trial reaches": AXPY
    + "{ int m = n < 1 << 26 ? n : 1 << 26;\n"
    + PARALLEL
    + "for (int i = 0; i < m; i++) y[i] += a * x[i]; }",
    "a remainder that no trial reaches": SHIFT
    + "{ int m = n % 67000000;\n"
    + PARALLEL
    + "for (int i = 0; i < m; i++) y[i] = x[i] + 1; }",
    "bits that no trial reaches": SHIFT
    + "{\n"
    + PARALLEL
    + "for (int i = 0; i < n - (n >> 26); i++) y[i] = x[i] + 1; }",
    "a number passed by value": AXPY
    + "{ if (a == 77) return;\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] += a * x[i]; }",
}
RIGHT = {
    "small calls in order": AXPY
    + "{ if (n < 50000) { for (int i = 0; i < n; i++) y[i] += a * x[i]; return; }\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] += a * x[i]; }",
    "tiles of 4096": AXPY + "{\n" + PARALLEL + "for (int t = 0; t < n; t += 4096)"
    " for (int i = t; i < (t + 4096 < n ? t + 4096 : n); i++) y[i] += a * x[i]; }",
    "by threads": AXPY + "{\n#pragma omp parallel\n{ int t = omp_get_thread_num(), p = omp_get_num_threads();"
    " for (int i = t; i < n; i += p) y[i] += a * x[i]; } }",
    "tiles that are counted, the last one cut": SHIFT
    + "{ int tiles = n / 64 + (n % 64 != 0);\n"
    + PARALLEL
    + "for (int t = 0; t < tiles; t++) { int last = 64 - (t == tiles - 1) * (64 * tiles - n);"
    " for (int i = 64 * t; i < 64 * t + last; i++) y[i] = x[i] + 1; } }",
    "by halves": SHIFT
    + "{ int h = n / 2;\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) if (i < h) y[i] = x[i] + 1; else y[i] = 1 + x[i]; }",
    "shares of 64 bits": SHIFT
    + "{\n#pragma omp parallel\n{ long t = omp_get_thread_num(), p = omp_get_num_threads();"
    " for (int i = (int)(n * t / p); i < (int)(n * (t + 1) / p); i++) y[i] = x[i] + 1; } }",
    "rows of one element apart": ROWS
    + "{ if (m == 1) {\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) y[i] = x[i]; return; }\n"
    + PARALLEL
    + "for (int i = 0; i < n; i++) { double sum = 0; for (int j = 0; j < m; j++) sum += x[i * m + j];"
    " y[i] = sum; } }",
}
WRONG, RIGHT = sampled_items(WRONG, 8), sampled_items(RIGHT, 8)


@pytest.fixture(scope="module")
def found(once: Once, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.c").write_text(SOURCE)
    source = parsers.read(root)
    return once("untaken branches", lambda: judged(workshop, source, WRONG | RIGHT))


@pytest.mark.parametrize("name", WRONG)
def test_what_small_calls_do_not_show_is_not_kept(found: dict[str, Verdict], name: str) -> None:
    assert check(found[name]) != "kept", found[name]


@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_with_branches_of_their_own_are_kept(found: dict[str, Verdict], name: str) -> None:
    assert check(found[name]) == "kept", found[name]


def test_branches_count_where_every_call_is_slow(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_coverage, "_FAST", 0)
    (tmp_path / "work.c").write_text(SOURCE)
    loop = f"{PARALLEL}for (int i = 0; i < n; i++)"
    texts = {
        "right": SHIFT + f"{{\n{loop} y[i] = x[i] + 1; }}",
        "wrong": SHIFT
        + f"{{\n{loop}\nif (x[i] * 2654435761u >> 8 == 1234567u) y[i] = 0; else y[i] = x[i] + 1; }}",
    }
    found = judged(workshop, parsers.read(tmp_path), texts)
    assert isinstance(found["right"], Passed), found
    assert isinstance(found["wrong"], Inconclusive) and found["wrong"].code == "TP433", found
