"""Comparisons that look like templates to the parser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.translators.loops.test_texts import text
from transpile.core import CUDA, OPENMP, Dialect
from transpile.translators.loops.symbols.comparisons import compared
from transpile.translators.loops.symbols.expansions import spelled

HEAD = "void f(int r, int c, int h, int w)\n{\n    int v;\n    v = "


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("(r < h && c >= 0) ? 1 : 0", "((r) < h && c >= 0) ? 1 : 0"),
        ("(r>=0&&r<h&&c>=0&&c<w)?1:0", "(r>=0&&(r)<h&&c>=0&&c<w)?1:0"),
        ("(r < h && c > (w))", "((r) < h && c > (w))"),
        ("(r < 3 || c >= 0)", "((r) < 3 || c >= 0)"),
        ("(WIDTH < h && c >= 0)", "((WIDTH) < h && c >= 0)"),
    ],
)
def test_names_of_numbers_take_no_template_arguments(written: str, read: str) -> None:
    before, after = (f"{HEAD}{value};\n}}\n" for value in (written, read))
    found, spellings = compared(before)
    assert found == after
    assert spelled(found, spellings) == before


@pytest.mark.parametrize("value", ["larger<float>(r, c)", "std::max<int>(r, c)", "limit<3>(r) + r"])
def test_templates_stay(value: str) -> None:
    assert compared(f"{HEAD}{value};\n}}\n")[1] == ()


@pytest.mark.parametrize("target", [CUDA, OPENMP])
def test_a_condition_within_bounds_is_no_write(target: Dialect, tmp_path: Path) -> None:
    value = "(i >= 1 && i < n && n >= 2) ? x[i - 1] : 0"
    shown = text(tmp_path, f"    for (int i = 0; i < n; i++) y[i] = {value};\n", target)
    assert f"y[i] = {value};" in shown
