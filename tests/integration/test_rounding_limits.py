"""Limits that are there for rounding are tried: numbers whose squares have a bit or two go beyond them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.functions import check, learn_first, verdict
from transpile import parsers
from transpile.core import Contract
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

ANGLES = """\
#include <math.h>
void angles(int n, const float *x, const float *y, float *angle)
{
    for (int i = 0; i < n; i++) {
        float cosine = x[i] / sqrtf(x[i] * x[i] + y[i] * y[i]);
        if (cosine > 1.0f)
            cosine = 1.0f;
        else if (cosine < -1.0f)
            cosine = -1.0f;
        angle[i] = 90.0f * cosine;
    }
}
"""


@pytest.mark.thorough
def test_limits_of_a_cosine_are_met(tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "angles.c").write_text(ANGLES)
    source = parsers.read(tmp_path)
    contract = learn_first(workshop, source)["angles"]
    assert isinstance(contract, Contract), contract
    text = ANGLES.partition("\n")[2].replace("    for (int i", "#pragma omp parallel for\n    for (int i", 1)
    assert check(verdict(workshop, source, contract, text)) == "kept"
    unlimited = text.replace("cosine = -1.0f;", "cosine = cosine;")
    assert check(verdict(workshop, source, contract, unlimited)) != "kept"
