"""Scalar values that a contract is learnt from."""

from __future__ import annotations

from tests.unit.contracts.fake import subject
from transpile.contracts.probing.samples import around


def test_rows_around_a_base_keep_most_of_it_and_vary_all_of_it() -> None:
    names = ("first", "last", "left", "right", "low", "high")
    made = subject(", ".join(f"int {name}" for name in names), "blockIdx.x * blockDim.x + threadIdx.x")
    base = dict(zip(names, (2, 9, 3, 7, 2, 8), strict=True))
    rows = around(made, base, names, 60, 0, ("last >= first",), 9)
    assert rows[:3] == [base] * 3 and len(rows) == 60
    kept = sum(row[name] == base[name] for row in rows for name in names)
    assert kept > 0.6 * len(rows) * len(names)
    assert all(len({row[name] for row in rows}) > 3 for name in names)
    assert all(row["last"] >= row["first"] for row in rows)
