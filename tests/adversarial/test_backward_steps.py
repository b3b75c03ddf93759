"""Steps through arrays that may be negative, as those of BLAS: what begins at the front reads elsewhere."""

from __future__ import annotations

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

BLEND = """
#define FIRST(n, step) ((step) < 0 ? (1 - (n)) * (step) : 0)
void blend(int n, float a, const float *x, int incx, float *y, int incy)
{
    int ix = FIRST(n, incx), iy = incy < 0 ? (1 - n) * incy : 0;
    for (int i = 0; i < n; i++) {
        y[iy] = a * x[ix];
        ix += incx;
        iy += incy;
    }
}
"""
BLENDED = """
void blend(int n, float a, const float *x, int incx, float *y, int incy)
{
    const int ix = %s, iy = %s;
    if (incy == 0) {
        if (n > 0) y[0] = a * x[ix + (n - 1) * incx];
        return;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[iy + i * incy] = a * x[ix + i * incx];
}
"""
BACKWARD_X = "incx < 0 ? (1 - n) * incx : 0"
BACKWARD_Y = "incy < 0 ? (1 - n) * incy : 0"


def test_steps_below_zero_are_tried(workshop: Workshop) -> None:
    texts = {
        "right": BLENDED % (BACKWARD_X, BACKWARD_Y),
        "front of both": BLENDED % ("0", "0"),
        "front of x": BLENDED % ("0", BACKWARD_Y),
        "front of y": BLENDED % (BACKWARD_X, "0"),
        "one too far": BLENDED % (BACKWARD_X, "incy < 0 ? -n * incy : 0"),
    }
    found = rewards(workshop, BLEND, texts, suffix=".c")
    assert kept(found) == {"right"}, found


SCALE = """
__global__ void scale(int n, float a, float *x, int incx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || incx == 0) return;
    int at = incx < 0 ? (1 - n + i) * incx : i * incx;
    x[at] = a * x[at] + i;
}
"""
SCALED = """
void scale(int n, float a, float *x, int incx)
{
    if (incx == 0) return;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = %s;
        x[at] = a * x[at] + i;
    }
}
"""


def test_steps_of_kernels_below_zero_are_tried(workshop: Workshop) -> None:
    right = "incx < 0 ? (1 - n + i) * incx : i * incx"
    wrong = "i * (incx < 0 ? -incx : incx)"
    found = rewards(workshop, SCALE, {text: SCALED % text for text in (right, wrong)})
    assert kept(found) == {right}, found
