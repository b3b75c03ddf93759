"""NaN where other elements would hide what becomes of it: flags that any element raises."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

CHECK = """
__global__ void check(const float *x, int n, int *bad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && !(x[i] >= 0.0f && x[i] <= 1.0f)) atomicExch(bad, 1);
}
"""
IN_CHECK = (
    "void check(const float *x, int n, int *bad) { int any = 0;\n"
    "#pragma omp parallel for reduction(|:any)\n"
    "for (int i = 0; i < n; i++) if (%s) any |= 1;\nif (any) *bad = 1; }"
)
CHECKS = {
    "right": "!(x[i] >= 0.0f && x[i] <= 1.0f)",
    "without NaN": "x[i] < 0.0f || x[i] > 1.0f",
}


@pytest.mark.thorough
def test_a_flag_that_nan_alone_raises_is_seen(workshop: Workshop) -> None:
    found = rewards(workshop, CHECK, {name: IN_CHECK % text for name, text in CHECKS.items()})
    assert kept(found) == {"right"}, found
