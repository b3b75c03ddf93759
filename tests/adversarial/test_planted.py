"""Faults planted into right translations, which the oracle shows wrong, are not kept."""

from __future__ import annotations

from pathlib import Path

from benchmarks import planted
from benchmarks.planted import Court
from benchmarks.plants import catalogue, oracle, subject
from benchmarks.plants.call import common
from benchmarks.plants.oracle import Oracle
from benchmarks.plants.plant import CLASSES
from tests.adversarial import needs
from transpile.core import Passed
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

FUNCTIONS = ("axpy", "ratio")
SEED = 6
COUNT = 12


def subjects() -> list[subject.Subject]:
    return [item for item in subject.read() if item.function.name in FUNCTIONS and item.dialect == "openmp"]


def test_the_oracle_has_nothing_against_right_ones(builds: Path) -> None:
    [one] = [item for item in subjects() if item.id == "axpy-openmp"]
    ours = Oracle(builds / "oracle")
    assert ours.shown(one, one.text, oracle.headers_of(one.text), list(common(one.function))) is None


def test_wrong_ones_are_not_kept(workshop: Workshop, builds: Path) -> None:
    made = list(planted.drawn(catalogue.PLANTS, subjects(), COUNT, SEED))
    ours = Oracle(builds / "oracle")
    wrong = [item for one in made if (item := planted.confirmed(ours, one)) is not None]
    found = list(Court(workshop).verdicts(wrong))
    assert [planted.described(item) for item, verdict in found if isinstance(verdict, Passed)] == []
    assert len(found) >= COUNT * 2 // 3
    assert len({item.plant.number for item, _ in found if item.plant}) >= len(CLASSES) - 3
