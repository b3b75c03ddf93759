"""The greater of two numbers by a comparison: where no NaN can make a difference, and nowhere else."""

from __future__ import annotations

import textwrap

import pytest

from transpile.core import Covers
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.openmp import translate_kernel

_RESTRICT = "float *__restrict__ y, const float *__restrict__ x, int n, float s"
_PLAIN = "float *y, const float *x, int n, float s"


def translated(statements: str, parameters: str = _RESTRICT, **macros: str) -> str:
    inner = textwrap.indent(textwrap.dedent(statements).strip(), "        ")
    start = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n"
    text = f"__global__ void k({parameters})\n{{\n{start}{inner}\n    }}\n}}"
    return translate_kernel(text.encode(), Covers(x="n"), Surroundings(macros=macros)).text


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("y[i] = fmaxf(x[i], 0.0f);", "y[i] = std::max(0.0f, x[i]);"),
        ("y[i] = max(0.0f, x[i]);", "y[i] = std::max(0.0f, x[i]);"),
        ("y[i] = fminf(fmaxf(x[i], -1.0f), 1.0f);", "std::min(std::max(-1.0f, x[i]), 1.0f)"),
        ("y[i] = fmaxf(x[i], 0);", "std::max<float>(0, x[i])"),
        ("y[i] = fmaxf(x[i], -FLT_MAX);", "std::max<float>(-FLT_MAX, x[i])"),
        ("y[i] = fmaxf(x[i], LOW);", "(LOW, x[i])"),
        (
            "float m = -1.0f; for (int j = 0; j < n; j++) m = fmaxf(m, x[j]); y[i] = m;",
            "m = std::max(m, x[j])",
        ),
        (
            "y[i] = -1.0f; for (int j = 0; j < n; j++) y[i] = fmaxf(y[i], x[j]);",
            "y[i] = std::max(y[i], x[j])",
        ),
        (
            "if (s > 0) { y[i] = -1.0f; } for (int j = 0; j < n; j++) if (s > 0) y[i] = fmaxf(x[j], y[i]);",
            "y[i] = std::max(y[i], x[j])",
        ),
    ],
)
def test_what_is_a_number_is_compared(statements: str, expected: str) -> None:
    assert expected in translated(statements, LOW="\n(-1e30f)")


@pytest.mark.parametrize(
    "statements",
    [
        "y[i] = fmaxf(x[i], s);",
        "float m = x[0]; for (int j = 0; j < n; j++) m = fmaxf(m, x[j]); y[i] = m;",
        "float m = 0.0f; m += s; y[i] = fmaxf(m, x[i]);",
        "float m = 0.0f; SET(m) y[i] = fmaxf(m, x[i]);",
        "for (int j = 0; j < n; j++) y[i] = fmaxf(y[i], x[j]);",
        "y[i] = -1.0f; y[i] = x[i]; y[i] = fmaxf(y[i], x[0]);",
        "int j = 0; y[j] = -1.0f; j = n - 1; y[j] = fmaxf(y[j], x[i]);",
        "if (s > 0) y[i] = -1.0f; y[i] = fmaxf(y[i], x[i]);",
        "if (s > 0) y[i] = -1.0f; if (s > 0) n++; else y[i] = fmaxf(y[i], x[i]);",
        "if (x[i] > 0) y[i] = -1.0f; if (x[i] > 0) y[i] = fmaxf(y[i], s);",
        "for (int j = 0; j < n; j++) { if (j > 1) y[i] = -1.0f; } y[i] = fmaxf(y[i], x[i]);",
    ],
)
def test_what_may_be_no_number_is_left_to_the_library(statements: str) -> None:
    assert "fmaxf(" in translated(statements, SET="(v)\nv = v / v;")


def test_elements_that_another_pointer_may_lead_to_are_left_to_the_library() -> None:
    statements = "y[i] = -1.0f; for (int j = 0; j < n; j++) y[i] = fmaxf(y[i], x[j]);"
    assert "fmaxf(" in translated(statements, _PLAIN)
