"""Layout of fragments of text."""

from __future__ import annotations

import pytest

from transpile.code.syntax import reindent


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("  x = 1;", "    x = 1;"),
        ("    x = 1;", "      x = 1;"),
        ("\tx = 1;", "          x = 1;"),
        ("  \tx = 1;", "    \tx = 1;"),
        ("x = 1;", "    x = 1;"),
        ("#ifdef A", "#ifdef A"),
        ("  #pragma omp atomic", "    #pragma omp atomic"),
        ("   ", ""),
    ],
)
def test_lines_keep_their_place_beside_each_other(line: str, moved: str) -> None:
    assert reindent(f"{{\n{line}", "  ", "    ") == f"{{\n{moved}"
