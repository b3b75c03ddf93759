"""Choices that limit a number."""

from __future__ import annotations

import pytest

from transpile.contracts.text.limits import limited
from transpile.contracts.text.sites import plainer

READ = {
    "n < 1024 ? n : 1024": "min(n, 1024)",
    "(n > 64) ? 64 : n": "min(n, 64)",
    "n < 1 ? 1 : n": "max(n, 1)",
    "n>=1?n:1": "max(n, 1)",
    "(m + 1 <= 3 ? m + 1 : (3)) / 2": "(min(m + 1, 3)) / 2",
    "a < (c < d ? c : d) ? a : (c < d ? c : d)": "min(a, (min(c, d)))",
}
OTHERS = ("a ? b : c", "a < b ? b + 1 : a", "a == b ? a : b", "a < b ? c : d", "a ? b", "x[")


@pytest.mark.parametrize("written", READ)
def test_a_limit_is_a_minimum_or_a_maximum(written: str) -> None:
    assert limited(written) == READ[written]


@pytest.mark.parametrize("written", OTHERS)
def test_other_choices_stay(written: str) -> None:
    assert limited(written) == written


def test_launches_may_be_limited() -> None:
    assert plainer("(int)(n < 1024 ? n : 1024)") == "(min(n, 1024))"
    assert plainer("n ? 1 : 2") is None
