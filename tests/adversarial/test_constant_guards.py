"""Images of one size: guards that are constants, and data that are compared with one number."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

FILL = """
constexpr int WIDTH = 96, HEIGHT = 75, PIXELS = WIDTH * HEIGHT;
constexpr float UNKNOWN = -2.5f;
__global__ void fill(const float *depth, const float *guess, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= PIXELS) return;
    float sum = 0.0f, count = 0.0f;
    for (int k = i - i % WIDTH; k < i - i % WIDTH + 4; ++k)
        if (depth[k] != UNKNOWN) { sum += depth[k]; count += 1.0f; }
    out[i] = depth[i] != UNKNOWN ? depth[i] : count > 0.0f ? sum / count : guess[i];
}
"""
FILLED = """
void fill(const float *depth, const float *guess, float *out) {
    #pragma omp parallel for
    for (int i = %s; i < %s; i++) {
        float sum = 0.0f, count = 0.0f;
        for (int k = i - i %% WIDTH; k < i - i %% WIDTH + 4; ++k)
            if (depth[k] != %s) { sum += depth[k]; count += 1.0f; }
        out[i] = depth[i] != UNKNOWN ? depth[i] : %s;
    }
}
"""
MEAN = "count > 0.0f ? sum / count : guess[i]"
FILLS = {
    "right": FILLED % ("0", "PIXELS", "UNKNOWN", MEAN),
    "one short": FILLED % ("0", "PIXELS - 1", "UNKNOWN", MEAN),
    "a row short": FILLED % ("0", "WIDTH * (HEIGHT - 1)", "UNKNOWN", MEAN),
    "one late": FILLED % ("1", "PIXELS", "UNKNOWN", MEAN),
    "one too many": FILLED % ("0", "PIXELS + 1", "UNKNOWN", MEAN),
    "no guess": FILLED % ("0", "PIXELS", "UNKNOWN", "sum / count"),
    "no guess but 0": FILLED % ("0", "PIXELS", "UNKNOWN", "count > 0.0f ? sum / count : 0.0f"),
    "always a guess": FILLED % ("0", "PIXELS", "UNKNOWN", "guess[i]"),
    "another number": FILLED % ("0", "PIXELS", "2.5f", MEAN),
    "all below": FILLED % ("0", "PIXELS", "UNKNOWN", MEAN.replace("> 0.0f", "> 1.0f")),
}


def test_mistakes_at_constants_are_not_kept(workshop: Workshop) -> None:
    found = rewards(workshop, FILL, FILLS)
    assert kept(found) == {"right"}, found


LEAVES = """
__global__ void first(const float *rows, int count, int width, float limit, int *found)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    for (int tile = 0; tile < width; tile += 4) {
        for (int k = tile; k < tile + 4 && k < width; ++k) {
            if (rows[row * width + k] > limit) { found[row] = k; return; }
        }
    }
    found[row] = -1;
}
"""
LEFT = """
void first(const float *rows, int count, int width, float limit, int *found) {
    #pragma omp parallel for
    for (int row = 0; row < count; ++row) {
        bool done = false;
        for (int tile = 0; tile < width; tile += 4) {
            for (int k = tile; k < tile + 4 && k < width; ++k) {
                if (rows[row * width + k] > limit) { found[row] = k; done = true; %s }
            }
            %s
        }
        %s
        found[row] = -1;
    }
}
"""


@pytest.mark.thorough
def test_who_leaves_too_few_loops_is_not_kept(workshop: Workshop) -> None:
    leaves = ("break;", "if (done) break;", "if (done) continue;")
    texts = {"right": LEFT % leaves}
    texts |= {f"not {leaf}": LEFT % tuple("" if leaf == item else item for item in leaves) for leaf in leaves}
    found = rewards(workshop, LEAVES, texts)
    assert kept(found) == {"right"}, found
