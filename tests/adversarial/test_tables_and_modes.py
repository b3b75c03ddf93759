"""Tables of offsets, which have either sign, and integers that choose what a kernel does."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

LEAN = """
__constant__ int lean[4];
__global__ void leaning(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) sum += in[i] * lean[k];
    out[i] = sum;
}
"""
LEANT = """
void leaning(const float *in, float *out, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        float sum = 0.0f;
        for (int k = 0; k < 4; ++k) sum += in[i] * %s;
        out[i] = sum;
    }
}
"""


@pytest.mark.thorough
def test_tables_hold_numbers_below_zero(workshop: Workshop) -> None:
    texts = {name: LEANT % name for name in ("lean[k]", "abs(lean[k])", "(lean[k] > 0 ? lean[k] : 1)")}
    found = rewards(workshop, LEAN, texts)
    assert kept(found) == {"lean[k]"}, found


STEP = """
__global__ void step(int n, float dt, int phase, float *x, float *v, const float *f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    v[i] += 0.5f * dt * f[i];
    if (phase == 0) x[i] += dt * v[i];
}
"""
STEPPED = """
void step(int n, float dt, int phase, float *x, float *v, const float *f) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        float old = v[i];
        v[i] += 0.5f * dt * f[i];
        %s
    }
}
"""
STEPS = {
    "right": "if (phase == 0) x[i] += dt * v[i];",
    "before the kick": "if (phase == 0) x[i] += dt * old;",
    "never": "(void)old;",
    "always": "x[i] += dt * v[i];",
    "another phase": "if (phase <= 0) x[i] += dt * v[i];",
    "not the last": "if (phase == 0 && i + 1 < n) x[i] += dt * v[i];",
}


def test_what_is_done_in_one_phase_alone_is_done_right(workshop: Workshop) -> None:
    found = rewards(workshop, STEP, {name: STEPPED % text for name, text in STEPS.items()})
    assert kept(found) == {"right"}, found


SCALE = """
__global__ void scaled(const float *x, float *y, int n, float f, char mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i] * f;
    if (mode == 'h') a *= 0.5f; else if (mode) a += 1.0f;
    y[i] = a;
}
"""
SCALED = """
void scaled(const float *x, float *y, int n, float f, char mode) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        float a = x[i] * f;
        if (%s) a *= 0.5f; else if (mode) a += 1.0f;
        y[i] = a;
    }
}
"""


def test_a_mask_before_a_comparison_is_not_kept(workshop: Workshop) -> None:
    texts = {test: SCALED % test for test in ("mode == 'h'", "(mode & 127) == 'h'", "(mode | 8) == 'h'")}
    found = rewards(workshop, SCALE, texts)
    assert kept(found) == {"mode == 'h'"}, found


LOGGED = """
__global__ void relax(const float *u, float *v, float *log, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    v[i] = 0.5f * u[i];
    if (step % 100 == 0) log[i] = v[i] - u[i];
}
"""
IN_LOGGED = """
void relax(const float *u, float *v, float *log, int n, int step) {
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        v[i] = 0.5f * u[i];
        if (%s %% 100 == 0) log[i] = v[i] - u[i];
    }
}
"""


@pytest.mark.thorough
def test_multiples_have_either_sign(workshop: Workshop) -> None:
    """Without a sign, -100 is 4294967196, and no multiple of 100."""
    found = rewards(workshop, LOGGED, {text: IN_LOGGED % text for text in ("step", "(unsigned)step")})
    assert kept(found) == {"step"}, found
