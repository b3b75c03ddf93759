"""Thresholds that no element is beside, and what is computed of elements is."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

BYTES = """
void bytes(int n, const float *x, unsigned char *y, float scale)
{
    for (int i = 0; i < n; i++) {
        float v = x[i] * scale + 0.5f;
        y[i] = v < 0.0f ? 0 : v > 255.0f ? 255 : (unsigned char)v;
    }
}
"""


@pytest.mark.thorough
def test_limits_of_a_product_and_a_sum_are_tried(workshop: Workshop) -> None:
    parallel = BYTES.replace("    for", "    #pragma omp parallel for\n    for", 1)
    texts = {limit: parallel.replace("255.0f", limit) for limit in ("255.0f", "254.5f", "256.0f")}
    found = rewards(workshop, BYTES, texts, suffix=".c")
    assert kept(found) == {"255.0f"}, found


ROUNDED = """
#include <stdint.h>
#include <string.h>
void shorter(int n, const float *x, uint16_t *y)
{
    for (int i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &x[i], 4);
        if ((u & 0x7fffffffu) > 0x7f800000u) y[i] = (uint16_t)((u >> 16) | 0x40);
        else y[i] = (uint16_t)((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
    }
}
"""
SLIPS = {
    "none": ("", ""),
    "half goes up": ("(u + 0x7fffu + ((u >> 16) & 1))", "(u + 0x8000u)"),
    "one kind of NaN": ("(uint16_t)((u >> 16) | 0x40)", "0x7fc0"),
    "NaN with a sign": ("(uint16_t)((u >> 16) | 0x40)", "(uint16_t)((u >> 16 & 0x8000) | 0x7fc0)"),
}


def test_bits_of_halves_and_of_numbers_that_are_none_are_tried(workshop: Workshop) -> None:
    parallel = ROUNDED.replace("    for", "    #pragma omp parallel for\n    for", 1)
    texts = {name: parallel.replace(*slip) if slip[0] else parallel for name, slip in SLIPS.items()}
    found = rewards(workshop, ROUNDED, texts, suffix=".c")
    assert kept(found) == {"none"}, found


RAMP = """
int ramp(float a, float b, float step, float *out)
{
    int n = 0;
    if (!(step > 0.001f) || !(b - a < 1000.0f * step)) return -1;
    for (float x = a; x < b; x += step) n++;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] = a + i * step;
    return n;
}
"""


def test_loops_that_count_in_floats_go_round_often(workshop: Workshop) -> None:
    """Rounding on the way decides the number of turns."""
    source = RAMP.replace("    #pragma omp parallel for\n", "")
    texts = {kind: RAMP.replace("for (float x", f"for ({kind} x") for kind in ("float", "double")}
    found = rewards(workshop, source, texts, suffix=".c")
    assert kept(found) == {"float"}, found
