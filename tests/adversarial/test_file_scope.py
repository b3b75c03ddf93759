"""Numbers in variables at file scope: radii, tables of offsets, keys and states that are not from 1 to 8."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from tests.sampling import sampled
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

CONV = """
__constant__ float taps[64];
__constant__ int radius;
__global__ void conv(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = -radius; k <= radius; k++)
        if ((unsigned)(i + k) < (unsigned)n) s += taps[k + radius] * x[i + k];
    y[i] = s;
}
"""
IN_CONV = (
    "void conv(const float *x, float *y, int n) {\n#pragma omp parallel for\n"
    "for (int i = 0; i < n; i++) { float s = 0; const int r = %s; for (int k = -r; k <= r; k++)"
    " if ((unsigned)(i + k) < (unsigned)n) s += taps[k + r] * x[i + k]; y[i] = s; } }"
)
CONVS = {"right": "radius", "four bits": "radius & 15"}
NEAR = """
__constant__ int dx[4];
__global__ void near(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < 4; k++) { int j = i + dx[k]; if ((unsigned)j < (unsigned)n) s += x[j]; }
    y[i] = s;
}
"""
IN_NEAR = (
    "void near(const float *x, float *y, int n) {\n#pragma omp parallel for\n"
    "for (int i = 0; i < n; i++) { float s = 0;"
    " for (int k = 0; k < 4; k++) { int j = i + %s; if (%s < n) s += x[j]; } y[i] = s; } }"
)
NEARS = {
    "right": ("dx[k]", "j >= 0 && j"),
    "no lower end": ("dx[k]", "j"),
    "no sign": ("(dx[k] & 15)", "j"),
}
APPLY = """
struct Params { int mode; float lo, hi; long long seed; };
__constant__ Params p;
__device__ int calls;
__global__ void app(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) calls++;
    if (i >= n) return;
    float v = x[i] * (p.mode + 1) + (float)((p.seed >> 33) + i);
    y[i] = v * p.hi + p.lo;
}
"""
IN_APPLY = (
    "void app(const float *x, float *y, int n) {\ncalls = %s;\n#pragma omp parallel for\n"
    "for (int i = 0; i < n; i++) { float v = x[i] * (%s + 1) + (float)(%s + i); y[i] = v * p.hi + p.lo; } }"
)
APPLIED = {
    "right": ("calls + 1", "p.mode", "(p.seed >> 33)"),
    "no seed": ("calls + 1", "p.mode", "0"),
    "mode of four bits": ("calls + 1", "(p.mode & 15)", "(p.seed >> 33)"),
    "calls of a byte": ("(calls & 255) + 1", "p.mode", "(p.seed >> 33)"),
}


@pytest.mark.parametrize(
    ("source", "frame", "texts"),
    sampled(
        [
            pytest.param(CONV, IN_CONV, CONVS, id="radius"),
            pytest.param(NEAR, IN_NEAR, NEARS, id="table"),
            pytest.param(APPLY, IN_APPLY, APPLIED, id="members"),
        ],
        3,
    ),
)
def test_what_holds_for_small_positive_numbers_alone_is_not_kept(
    workshop: Workshop, source: str, frame: str, texts: dict[str, str | tuple[str, ...]]
) -> None:
    found = rewards(workshop, source, {name: frame % text for name, text in texts.items()})
    assert kept(found) == {"right"}, found
