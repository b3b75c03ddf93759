"""Early returns: the order of two tests shows only where both hold."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

FILL = """
int fill_rows(double *a, int n, int m, double v)
{
    if (n < 0 || m < 0) return -1;
    if (n == 0 || m == 0) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * m + j] = v + i;
    return n * m;
}
"""
FILLED = """
int fill_rows(double *a, int n, int m, double v)
{
    %s
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * m + j] = v + i;
    return n * m;
}
"""
NEGATIVE, EMPTY = "if (n < 0 || m < 0) return -1;", "if (n == 0 || m == 0) return 0;"


@pytest.mark.thorough
def test_the_order_of_early_returns_is_tried(workshop: Workshop) -> None:
    texts = {
        "right": FILLED % f"{NEGATIVE} {EMPTY}",
        "the other way around": FILLED % f"{EMPTY} {NEGATIVE}",
        "one of two sizes": FILLED % f"if (n < 0) return -1; if (m < 0) return n ? -1 : 0; {EMPTY}",
        "none": FILLED % "if (n <= 0 || m <= 0) return 0;",
    }
    found = rewards(workshop, FILL, texts, suffix=".c")
    assert kept(found) == {"right"}, found
