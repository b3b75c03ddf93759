"""Relations that separate rows under which a source behaves from others."""

from __future__ import annotations

import pytest

from tests.unit.contracts.fake import subject
from transpile.contracts.probing.relations import separating


@pytest.mark.parametrize(("last", "width"), [(2, 3), (5, 6)])
def test_a_row_holds_at_least_the_elements_that_the_text_spells(last: int, width: int) -> None:
    made = subject("int n, int width, int *y", f"{{ y[threadIdx.x * width + {last}] = n; }}")
    rows = [{"n": 3 + turn % 4, "width": 1 + turn % 12} for turn in range(36)]
    assert separating(made, rows, [row["width"] >= width for row in rows])[0] == f"width >= {width}"
