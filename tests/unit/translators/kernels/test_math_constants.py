"""Constants of CUDA's header in translations."""

from __future__ import annotations

import re

import pytest

from transpile.simt import include_directory
from transpile.translators.kernels import math_constants as constants
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.surroundings import Surroundings


@pytest.mark.parametrize(
    ("text", "expected", "headers"),
    [
        ("y[0] = CUDART_NAN_F;", "y[0] = NAN;", {"<cmath>"}),
        (
            "y[0] = y[1] > CUDART_INF_F ? 2 * CUDART_PI_F : 0;",
            "y[0] = y[1] > INFINITY ? 2 * 3.141592654f : 0;",
            {"<cmath>"},
        ),
        ("y[0] = CUDART_SQRT_TWO;", "y[0] = 1.4142135623730951e+0;", set()),
        ("y[0] = -CUDART_NEG_ZERO_F;", "y[0] = -(-0.0f);", set()),
        ("y[0] = CUDART_VERSION;", "y[0] = CUDART_VERSION;", set()),
    ],
)
def test_constants_are_standard(text: str, expected: str, headers: set[str]) -> None:
    draft = Draft(text=f"void k(float *y) {{ {text} }}", law=None, surroundings=Surroundings())
    found = constants.math_constants(draft)
    assert found.text == f"void k(float *y) {{ {expected} }}" and found.headers == headers


def test_every_constant_of_the_header_is_known() -> None:
    header = (include_directory() / "math_constants.h").read_text()
    names = set(re.findall(r"^#define (CUDART_\w+)", header, re.MULTILINE))
    assert names == constants._LIMITS.keys() | constants._literals().keys()
