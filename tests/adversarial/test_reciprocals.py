"""Whole numbers that are divided by way of a floating reciprocal."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
BUCKET = """
__global__ void bucket(const int *key, int *out, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (key[i] >> 4 ^ key[i] / width) + key[i] % 8;
}
"""
IN_BUCKET = """
void bucket(const int *key, int *out, int n, int width) {
    const double inverse = 1.0 / width;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] = (key[i] >> 4 ^ %s) + key[i] %% 8;
}
"""
QUOTIENTS = {
    "right": "key[i] / width",
    "right in doubles": "(int)((double)key[i] / width)",
    "by the reciprocal": "(int)(key[i] * inverse)",
}


@pytest.mark.thorough
def test_a_product_with_a_reciprocal_is_no_quotient(workshop: Workshop) -> None:
    """49 / 49 is 1, and 49 * (1.0 / 49) a little less: few pairs of numbers show it."""
    found = rewards(workshop, BUCKET, {name: IN_BUCKET % text for name, text in QUOTIENTS.items()})
    assert kept(found) == {"right", "right in doubles"}, found
