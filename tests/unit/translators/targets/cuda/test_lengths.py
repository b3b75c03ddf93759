"""Arrays that each thread has: devices know none whose length is no constant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import text, why_not
from transpile.core import CUDA

BODY = """    {length}
    for (int i = 0; i < n; i++) {{
        float part[{name}];
        for (int j = 0; j < {name}; j++) part[j] = x[i] * j;
        y[i] = part[0]{more};
    }}
"""


@pytest.mark.parametrize("alone", [False, True])
def test_a_constant_is_one_of_the_kernel(alone: bool, tmp_path: Path) -> None:
    more = " * y[i - 1]" if alone else ""
    body = BODY.format(length="const int width = 2 * 4;", name="width", more=more)
    shown = text(tmp_path, body.replace("= x[i] * j", "*= part[j - 1]") if alone else body, CUDA)
    assert ("One thread alone" in shown) == alone
    kernel = shown[: shown.index("\n}\n")]
    assert "\n{\n    const int width = 2 * 4;\n" in kernel
    assert "int width" not in kernel[: kernel.index("\n{")]


def test_a_constant_beside_the_array_stays_there(tmp_path: Path) -> None:
    body = BODY.format(length="", name="width", more="")
    shown = text(tmp_path, body.replace("float part", "const int width = 8; float part"), CUDA)
    assert shown.count("const int width = 8;") == 2  # and in the source's own loop


@pytest.mark.parametrize(
    "length", ["int width = 8;", "const int width = n;", "const int width = (int)x[0];", "int width = n;"]
)
def test_any_other_length_is_refused(length: str, tmp_path: Path) -> None:
    message = why_not(tmp_path, BODY.format(length=length, name="width", more=""), CUDA)
    assert "the length of the array `part` is not a constant" in message
