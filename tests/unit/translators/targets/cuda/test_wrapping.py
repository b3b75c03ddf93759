"""Threads beyond the last iteration: their number must not be one of the loop's again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import text
from transpile.core import CUDA


@pytest.mark.parametrize(
    ("head", "at_once"),
    [
        ("unsigned i = 200; i >= 1; i--", False),  # 0 - 1 is the largest number
        ("size_t i = 200; i > 3; i -= 2", False),
        ("unsigned char i = 100; i < 200; i++", False),  # 100 + 156 is 0
        ("short i = 1; i < 200; i++", False),
        ("unsigned i = 1; i < 200; i++", True),
        ("int i = n; i >= 1; i--", True),
        ("long i = n; i > 3; i -= 2", True),
    ],
)
def test_a_variable_that_wraps_has_one_thread(head: str, at_once: bool, tmp_path: Path) -> None:
    shown = text(tmp_path, f"    for ({head}) y[i] += x[i];\n", CUDA)
    assert ("// One thread alone: `i` may wrap around after the last iteration.\n" not in shown) == at_once
