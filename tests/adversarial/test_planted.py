"""Faults planted into right translations, which the oracle shows wrong, are not kept."""

from __future__ import annotations

from pathlib import Path

from benchmarks import planted
from benchmarks.planted import JudgingSession
from benchmarks.plants import catalogue, oracle, subject
from benchmarks.plants.call import common
from benchmarks.plants.oracle import Oracle
from benchmarks.plants.plant import CLASSES
from tests.adversarial import needs
from transpile.core import Passed
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

SEED = 7
PLANTED = (
    "size: one less beyond",
    "entry: an early return at",
    "element: a masked subscript",
    "a narrow counter",
    "read whole: a number in the data",
    "a narrow accumulator",
    "threads: a team of a number",
    "guard: no address sanitizer",
    "token: a joined name",
    "left: upward rounding",
    "counted: the call of a number",
)


def right() -> subject.Subject:
    [found] = [item for item in subject.read() if item.id == "total-openmp"]
    return found


def test_the_oracle_has_nothing_against_a_right_one(builds: Path) -> None:
    one = right()
    ours = Oracle(builds / "oracle")
    assert ours.shown(one, one.text, oracle.headers_of(one.text), list(common(one.function))) is None


def test_wrong_ones_are_not_kept(workshop: Workshop, builds: Path) -> None:
    ours = Oracle(builds / "oracle")
    plants = [item for item in catalogue.PLANTS if item.name in PLANTED]
    made = [item for plant in plants if (item := planted.one(plant, right(), SEED)) is not None]
    wrong = [item for one in made if (item := planted.confirmed(ours, one)) is not None]
    assert len(wrong) == len(PLANTED)
    assert {item.plant.number for item in wrong if item.plant} == set(CLASSES) - {6}
    found = list(JudgingSession(workshop).verdicts(wrong))
    assert [planted.described(item) for item, verdict in found if isinstance(verdict, Passed)] == []
