"""Relations that separate rows under which a source behaves from others."""

from __future__ import annotations

import random

import pytest

from tests.unit.contracts.fake import subject
from transpile.contracts.probing.relations import separating, separating_sets


@pytest.mark.parametrize(("last", "width"), [(2, 3), (5, 6)])
def test_a_row_holds_at_least_the_elements_that_the_text_spells(last: int, width: int) -> None:
    made = subject("int n, int width, int *y", f"{{ y[threadIdx.x * width + {last}] = n; }}")
    rows = [{"n": 3 + turn % 4, "width": 1 + turn % 12} for turn in range(36)]
    assert separating(made, rows, [row["width"] >= width for row in rows])[0] == f"width >= {width}"


def test_two_relations_separate_what_none_does_alone() -> None:
    made = subject("int n, int ld, int stride, int *y", "{ y[threadIdx.x * ld + n] = y[stride * n]; }")
    draws = random.Random(0)
    rows = [{name: draws.randint(1, 9) for name in made.integers} for _ in range(60)]
    apart = [row["ld"] >= row["n"] and row["stride"] >= row["n"] for row in rows]
    assert set(separating_sets(made, rows, apart)[0]) == {"ld >= n", "stride >= n"}
    alone = [row["ld"] >= row["n"] for row in rows]
    assert separating_sets(made, rows, alone)[0] == ("ld >= n",)
