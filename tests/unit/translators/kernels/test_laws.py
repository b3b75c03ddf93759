"""A template is translated once: what is relied on holds for every instance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.testers.making import MAP
from transpile.core import Covers, Invariant, LaunchLaw, ShapeDependent, Unbounded
from transpile.translators.kernels.laws import common_law, distinct_in_all


def shape(*relations: str, launch: str = "1") -> ShapeDependent:
    return ShapeDependent(relations=relations, launches=((launch, "1", "1", "32", "1", "1", "0"),))


def common(*laws: LaunchLaw | None) -> LaunchLaw | None:
    return common_law([replace(MAP, law=law) for law in laws])


@pytest.mark.parametrize(
    ("laws", "expected"),
    [
        ((), None),
        ((None, None), None),
        ((Covers(x="n"), None, Covers(x="n")), Covers(x="n")),
        ((Invariant(), Covers(x="n")), Covers(x="n")),
        ((Covers(x="n"), Covers(x="m")), Covers(x="((n) > (m) ? (n) : (m))")),
        ((Covers(x="n"), Covers(x="n", y="m")), Covers(x="n", y="((1) > (m) ? (1) : (m))")),
        ((Covers(x="n"), Covers(x="n", joint=True)), Unbounded()),
        ((Covers(x="n"), Unbounded()), Unbounded()),
    ],
)
def test_laws_without_shapes_admit_what_each_instance_admits(
    laws: tuple[LaunchLaw | None, ...], expected: LaunchLaw | None
) -> None:
    assert common(*laws) == expected


def test_one_shape_stays_as_it_is() -> None:
    law = shape("blockDim.x == 32")
    assert common(law, law) == law


@pytest.mark.parametrize(
    ("laws", "relations"),
    [
        ((shape("blockDim.x == 32"), shape("blockDim.x == 64")), ("blockDim.x % 32 == 0",)),
        ((shape("blockDim.x == 32"), shape("blockDim.x == 48")), ("blockDim.x >= 1",)),
        ((shape("gridDim.x == n", "blockDim.x == k"), shape("gridDim.x == n")), ("gridDim.x == n",)),
        ((shape("blockDim.x == 32"), Covers(x="n")), ("blockDim.x >= 1",)),
        ((shape(), shape(launch="2")), ()),
        (
            (shape("gridDim.x == n", "k == 16", "m == 2"), shape("gridDim.x == n", "k == 64", "m == 2")),
            ("gridDim.x == n", "m == 2", "(k == 16) || (k == 64)"),
        ),
        ((shape("gridDim.x == n", "k == 16"), shape("gridDim.x == n")), ("gridDim.x == n",)),
    ],
)
def test_only_relations_of_all_instances_are_relied_on(
    laws: tuple[LaunchLaw, ...], relations: tuple[str, ...]
) -> None:
    found = common(*laws)
    assert isinstance(found, ShapeDependent) and found.relations == relations


def test_an_array_is_distinct_where_it_is_in_every_instance() -> None:
    [x, y] = MAP.arrays
    one = replace(MAP, arrays=(replace(x, distinct=True), replace(y, distinct=True)))
    other = replace(MAP, arrays=(replace(x, distinct=True), y))
    assert distinct_in_all([one, other]) == {x.name}
    assert distinct_in_all([]) == frozenset()
