"""Whether every call provides what a candidate needs: yes, or no."""

from __future__ import annotations

import pytest

from transpile.contracts.text.callers import Passed
from transpile.core import ArrayFact, Contract, Role, Signature
from transpile.testers.checks.overreach import Need, met, unsettled


def need(extent: str) -> Need:
    fact = ArrayFact(name="a", role=Role.IN, extent=extent)
    contract = Contract(signature=Signature(name="f"), arrays=(fact,), scalars=(), law=None)
    return Need(contract=contract, touched={"a": "n - 1"}, written=False)


def passed(length: str, **scalars: str) -> Passed:
    return Passed(scalars=scalars, lengths={"a": length})


@pytest.mark.parametrize(
    ("extent", "calls", "met_by_all"),
    [
        ("n", [passed("8", n="8"), passed("9", n="8")], True),
        ("n", [passed("8", n="8"), passed("7", n="8")], False),
        ("n", [passed("(4 * size) / 4", n="size")], True),
        ("n + 1", [passed("(4 * size) / 4", n="size")], False),
        ("n", [passed("(size * size)", n="size")], True),
        ("n", [passed("size - 1", n="size")], False),
        ("n", [passed("8", n="size")], False),
        ("n", [passed("8")], False),
        ("n", [Passed(scalars={"n": "8"}, lengths={})], False),
        ("n", [], False),
        ("n * m", [passed("12", n="3", m="4")], True),
        ("n / m", [passed("12", n="3", m="0")], False),
    ],
)
def test_all_calls_have_to_provide_it(extent: str, calls: list[Passed], met_by_all: bool) -> None:
    assert met(need(extent), calls) is met_by_all


def test_what_is_missing_is_said_in_the_form_that_is_read() -> None:
    found = unsettled(need("n"))
    assert found.code == "TP416"
    assert 'extents = { a = "n" }' in found.reason
    assert "the source touches n - 1" in found.reason
