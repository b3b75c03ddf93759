"""Numbers by value that lie far from zero: which are open, and that every length is tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf

import pytest

from tests.unit.testers.making import INT, contract, pointer, size, value, writes
from transpile.contracts.arrays.ranges import FLOAT_RANGE
from transpile.core import Contract, ElementType, Leaf, Range, Scalar, ScalarFact, Trial
from transpile.testers.oracle.far_values import far
from transpile.testers.trials.generate import Plan

LONG = ElementType(spelling="long", size=8, leaves=(Leaf(offset=0, scalar=Scalar.INT64),))
REAL = ElementType(spelling="double", size=8, leaves=(Leaf(offset=0, scalar=Scalar.FLOAT64),))
PLAN = Plan(seed=5, count=16)


@dataclass
class Behaved:
    work: int


@dataclass
class Source:
    """An examiner of a source whose work depends on one number."""

    contract: Contract
    steps: str = ""

    def references(self, trials: Sequence[Trial]) -> list[Behaved]:
        return [Behaved(work=1000 + 10 * dict(trial.scalars).get(self.steps, 0)) for trial in trials]


def source(element: ElementType, values: Range, steps: str = "", **more: bool) -> Source:
    known = contract(
        (pointer("a"), value("n"), value("k", element)),
        (writes("a", "n"),),
        (size("n"), ScalarFact(name="k", values=values, **more)),
        law=None,
    )
    return Source(contract=known, steps=steps)


def tried(examined: Source, literals: tuple[float, ...] = ()) -> list[float]:
    found = far(examined, PLAN, literals)  # type: ignore[arg-type]
    return [dict(trial.scalars)["k"] for trial in found]


@pytest.mark.parametrize(("element", "bits"), [(INT, 31), (LONG, 63)])
def test_open_numbers_have_every_length(element: ElementType, bits: int) -> None:
    lengths = {int(item).bit_length() for item in tried(source(element, Range(low="-10000", high="10000")))}
    assert {15, 17, 24, 31, bits} <= lengths <= set(range(15, 65))
    assert any(item < 0 for item in tried(source(element, Range(low="-10000", high="10000"))))


def test_numbers_are_one_bit_beside_those_of_the_text() -> None:
    closed = Range(low="0", high="40000")
    assert {104 + 128, 104 + 256, 104 ^ 8} <= {*tried(source(INT, closed), (104.0, 0.5))} <= set(range(40001))
    assert {104 - (1 << 16), -104} <= {*tried(source(INT, Range(low="-10000", high="10000")), (104.0,))}
    assert not tried(source(INT, Range(low="0", high="n")), (104.0,))


def test_floating_numbers_go_beyond_what_ranges_say() -> None:
    found = tried(source(REAL, Range(low="-100", high="100")))
    assert any(map(isinf, found)) and any(2**40 < item < 2**62 for item in found)
    assert any(0 < abs(item) < 2**-20 for item in found)


@pytest.mark.parametrize("values", [Range(low="0", high="16"), Range(low="0", high="n")])
def test_numbers_that_end_somewhere_keep_to_it(values: Range) -> None:
    assert tried(source(INT, values)) == []


def test_what_says_how_much_there_is_to_do_stays_small() -> None:
    everything = Range(low="-10000", high="10000")
    assert tried(source(INT, everything, steps="k")) == []
    assert tried(source(INT, everything, size=True)) == []


def test_floating_numbers_are_lengths_that_take_many_steps() -> None:
    """A loop that counts in floats goes round often, whichever of its numbers is the step."""
    named = ("from", "to", "step")
    known = contract(
        (pointer("a"), value("n"), *(value(name, REAL) for name in named)),
        (writes("a", "n"),),
        (size("n"), *(ScalarFact(name=name, values=FLOAT_RANGE) for name in named)),
        law=None,
    )
    found = [dict(trial.scalars) for trial in far(Source(contract=known), PLAN)]  # type: ignore[arg-type]
    assert any(item["step"] == 0.1 and item["to"] - item["from"] == 80 for item in found)
    assert {item["step"] for item in found if item["to"] == 7.3} >= {0.0, 0.01}
