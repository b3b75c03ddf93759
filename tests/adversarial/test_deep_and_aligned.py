"""Needs that callers do not know of: a stack that grows with the input, arrays aligned as no source asks."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import rewards
from transpile.rewards import Stage
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

TOTAL = """
double total(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
"""
REST = """
static double rest(const double *x, int n)
{
    if (n < 32) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
    double a = 0, b = 0;
#pragma omp task shared(a)
    a = rest(x, %s);
    b = rest(x + %s, %s) + x[n - 1];
#pragma omp taskwait
    return a + b;
}
double total(const double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
    s = rest(x, n);
    return s;
}
"""
TOTALS = {
    "right: halves": REST % ("n / 2", "n / 2", "n - n / 2 - 1"),
    "as deep as there are blocks": REST % ("n - 32", "n - 32", "31"),
}
SCALE = """
void scale(float *y, const float *x, float a, int n)
{
    for (int i = 0; i < n; i++) y[i] = a * x[i];
}
"""
IN_SCALE = """
typedef float four __attribute__((vector_size(16)%s));
void scale(float *y, const float *x, float a, int n)
{
    int k = n > 0 ? n / 4 : 0;
    const four *from = (const four *)x;
    four *to = (four *)y;
#pragma omp parallel for
    for (int i = 0; i < k; i++) to[i] = a * from[i];
    for (int i = k * 4; i < n; i++) y[i] = a * x[i];
}
"""
SCALED = {"right: wherever they begin": IN_SCALE % ", aligned(4)", "aligned to sixteen bytes": IN_SCALE % ""}
"""Both name the type alike: in C, candidates that stand in one file would share what the first one says."""


@pytest.mark.parametrize(("source", "texts"), [(TOTAL, TOTALS), (SCALE, SCALED)])
def test_needs_that_the_source_does_not_have_are_refused(
    workshop: Workshop, source: str, texts: dict[str, str]
) -> None:
    found = rewards(workshop, source, texts, suffix=".c")
    kept = {name: item.stage is Stage.PASSED for name, item in found.items()}
    assert kept == {name: name.startswith("right") for name in texts}, found
