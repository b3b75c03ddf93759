"""Scalar values that a contract is learnt from."""

from __future__ import annotations

from tests.unit.contracts.fake import subject
from transpile.contracts.probing.samples import around, lone_guesses


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


def test_each_integer_is_once_large_beside_the_others_and_once_small() -> None:
    made = subject("int tile, int pitch, int n", "blockIdx.x * blockDim.x + threadIdx.x")
    guesses = lone_guesses(made, {})
    for name in made.integers:
        ratios = [
            (guess[name], {value for other, value in guess.items() if other != name}) for guess in guesses
        ]
        assert any(own > 16 * max(others) for own, others in ratios)
        assert any(32 * own < min(others) for own, others in ratios)
