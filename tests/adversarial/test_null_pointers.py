"""Arrays that a caller may leave out: where the source asks for a null pointer, trials pass one."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import rewards
from tests.sampling import sampled
from transpile.rewards import Stage
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

KERNEL = """
__global__ void bias_add(const float *x, const float *bias, float *y, int n, int c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (bias != nullptr) v += bias[i % c];
    y[i] = v;
}
"""
BIAS = (
    "void bias_add(const float *x, const float *bias, float *y, int n, int c) { %s\n"
    "#pragma omp parallel for\n%s }"
)
ALWAYS = "for (int i = 0; i < n; i++) y[i] = x[i] + bias[i % c];"
KERNELS = {
    "right": BIAS % ("", "for (int i = 0; i < n; i++) y[i] = bias ? x[i] + bias[i % c] : x[i];"),
    "read without a look": BIAS % ("", ALWAYS),
    "nothing is done": BIAS % ("if (!bias) return;", ALWAYS),
}
FUNCTION = """
void weigh(const double *x, const double *w, const double *b, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = w ? w[i] * x[i] : x[i];
        if (b) y[i] += b[i];
    }
}
"""
WEIGH = (
    "void weigh(const double *x, const double *w, const double *b, double *y, int n) {\n"
    "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { %s } }"
)
FUNCTIONS = {
    "right": WEIGH % "double v = w ? w[i] * x[i] : x[i]; y[i] = b ? v + b[i] : v;",
    "read without a look": WEIGH % "double v = w[i] * x[i]; y[i] = b ? v + b[i] : v;",
    "one stands for both": WEIGH % "y[i] = w ? w[i] * x[i] + (b ? b[i] : 0) : x[i];",
}

OPTIONAL = """
int mean_of(const double *x, const double *w, int n, double *mean, double *weight)
{
    double s = 0.0, t = 0.0;
    if (n <= 0) return -1;
    for (int i = 0; i < n; i++) {
        if (w[i] < 0.0 || x[i] < 0.0 || x[i] > 1.0) return -2;
        s += w[i] * x[i];
        t += w[i];
    }
    if (weight) *weight = t;
    *mean = t == 0.0 ? 0.0 : s / t;
    return 0;
}
"""
MEAN_OF = """
int mean_of(const double *x, const double *w, int n, double *mean, double *weight)
{
    double s = 0.0, t = 0.0;
    int bad = 0;
    if (n <= 0) return -1;
    #pragma omp parallel for reduction(+ : s, t) reduction(| : bad)
    for (int i = 0; i < n; i++) {
        if (w[i] < 0.0 || x[i] < 0.0 || x[i] > 1.0) bad = 1;
        s += w[i] * x[i];
        t += w[i];
    }
    if (bad) return -2;
    %s*weight = t;
    *mean = t == 0.0 ? 0.0 : s / t;
    return 0;
}
"""
OPTIONALS = {"right": MEAN_OF % "if (weight) ", "written without a look": MEAN_OF % ""}

HELPER = """
__device__ float weighted(const float *w, float v, int i) { if (w == NULL) return v; return v * w[i]; }
__global__ void helped(const float *x, const float *weights, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = weighted(weights, x[i], i);
}
"""
HELPED = (
    "void helped(const float *x, const float *weights, float *y, int n) {\n"
    "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = %s; }"
)
HELPERS = {
    "right": HELPED % "weights ? x[i] * weights[i] : x[i]",
    "read without a look": HELPED % "x[i] * weights[i]",
}
CASES = [
    (KERNEL, ".cu", KERNELS),
    (FUNCTION, ".c", FUNCTIONS),
    (HELPER, ".cu", HELPERS),
    (OPTIONAL, ".c", OPTIONALS),
]


@pytest.mark.parametrize(
    ("source", "suffix", "texts"),
    sampled(CASES, 3),
)
def test_who_forgets_that_an_array_may_be_left_out_is_refused(
    workshop: Workshop, source: str, suffix: str, texts: dict[str, str]
) -> None:
    found = rewards(workshop, source, texts, suffix=suffix)
    assert {name: item.stage is Stage.PASSED for name, item in found.items()} == {
        name: name == "right" for name in texts
    }, found
    assert all("is null" in item.reason for name, item in found.items() if name != "right"), found
