"""Extents of trials that conform."""

from __future__ import annotations

from transpile.parsers.fortran.conformance import Relation
from transpile.parsers.fortran.results import Returned
from transpile.testers.fortran.conformance import broken, conforming, room_returned

RELATIONS = (
    Relation(extent="z[1]", value="max(2 * n, 0)", line=4),
    Relation(extent="z[2]", value="x[1]", line=4),
    Relation(extent="y[1]", value="x[1]", line=5),
)
DRAWN = {"x[1]": 3, "y[1]": 7, "z[1]": 1, "z[2]": 9}


def test_extents_are_mostly_such_as_are_asked_for() -> None:
    found = [conforming(RELATIONS, DRAWN, {"n": 4}, seed) for seed in range(200)]
    met = [item for item in found if item == {"x[1]": 3, "y[1]": 3, "z[1]": 8, "z[2]": 3}]
    assert 150 < len(met) < 200
    assert all(item == DRAWN for item in found if item not in met)


def test_no_array_gets_too_large() -> None:
    assert conforming(RELATIONS, {**DRAWN, "x[1]": 1 << 12}, {"n": 1 << 12}, 1)["z[1]"] == 1


def test_lines_on_which_shapes_differ() -> None:
    shapes = {"x": ((3, 1),), "y": ((3, 1),), "z": ((8, 1), (4, 8))}
    assert broken(RELATIONS, shapes, {"n": 4}) == {4}
    assert broken(RELATIONS, {**shapes, "z": ((8, 1), (3, 8)), "y": ((2, 2),)}, {"n": 4}) == {5}
    assert broken(RELATIONS, {"x": ((3, 1),)}, {}) == frozenset()


def test_room_for_results() -> None:
    matrix = Returned(rank=2, extents=("n - 1", "x[1]"))
    assert room_returned(matrix, {"n": 5}, {"x": ((3, -2),)}) == (4, 3)
    assert room_returned(matrix, {"n": 0}, {"x": ((3, 1),)}) == (0, 3)
    assert room_returned(matrix, {"n": 1 << 20}, {"x": ((3, 1),)}) is None
    assert room_returned(Returned(rank=1, extents=("8 / n",)), {"n": 0}, {}) is None
    assert room_returned(Returned(rank=0, length="s[0] + 1"), {"s": "abc"}, {}) == (4,)
    assert room_returned(Returned(rank=1, allocated=True), {}, {}) == ()
