"""Families of launches that runs made, and contracts that these launches do not keep to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.contracts.test_own_launches import FIRST, subject
from transpile.contracts.arrays.ranges import FREE
from transpile.contracts.recorded_launches import Row, as_recorded, contradicting, rows_of
from transpile.core import (
    Contract,
    Covers,
    Launch,
    RecordedLaunch,
    ScalarFact,
    ShapeDependent,
    Span,
    Unit,
    UnitKind,
)
from transpile.core import Range as Interval

UNIT = Unit(
    id="a.cu::f(int,int)",
    kind=UnitKind.KERNEL,
    name="f",
    path="a.cu",
    span=Span(start=0, end=1),
    line=1,
    text=b"__global__ void f(int n, int width) {}",
    translation_unit="a.cu",
)


def launch(
    n: int, width: int, grid: tuple[int, int, int], *, kernel: str = "f", block: int = 64, shared: int = 0
) -> RecordedLaunch:
    return RecordedLaunch(
        kernel=kernel,
        launch=Launch(grid=grid, block=(block, 1, 1), shared=shared),
        scalars=(("n", float(n)), ("width", float(width))),
    )


def rows(*launches: RecordedLaunch) -> tuple[Row, ...]:
    return rows_of(UNIT, subject(), launches)


def law(*launches: RecordedLaunch) -> ShapeDependent:
    first = next(as_recorded(subject(), rows(*launches)))
    assert first.stated is not None
    return first.stated


def test_what_goes_with_the_scalars_is_an_expression_of_them() -> None:
    found = law(launch(100, 7, (2, 7, 1), shared=28), launch(500, 3, (8, 3, 1), shared=12))
    assert found.launches == (("(n + 63) / 64", "width", "1", "64", "1", "1", "4 * width"),)
    assert found.relations[:2] == ("gridDim.x == (n + 63) / 64", "gridDim.y == width")
    assert "blockDim.x == 64" in found.relations


def test_what_goes_with_none_may_have_other_values_than_were_seen() -> None:
    found = law(*(launch(100, 7, (blocks, 7, 1)) for blocks in (48, 3, 12, 6)))
    assert [family[0] for family in found.launches] == ["3", "6", "12"]
    assert not any(relation.startswith("gridDim.x") for relation in found.relations)


def test_of_launches_with_very_many_threads_the_smallest_stands_for_all() -> None:
    found = law(*(launch(100, 7, (blocks, 7, 1)) for blocks in (48, 3, 12_000, 6)))
    assert [family[0] for family in found.launches] == ["3", "6", "48"]
    found = law(*(launch(100, 7, (blocks, 7, 1)) for blocks in (48_000, 30_000, 12_000)))
    assert [family[0] for family in found.launches] == ["12000"]


def test_scalars_that_never_changed_are_kept_as_they_are_when_nothing_else_holds() -> None:
    _, kept = as_recorded(subject(), rows(launch(100, 7, (2, 1, 1)), launch(200, 7, (4, 1, 1))))
    assert kept.kept == ("width == 7",)
    assert kept.stated is not None and kept.stated.relations[-1] == "width == 7"


def test_scalars_that_were_always_equal_stay_so_before_they_keep_their_values() -> None:
    _, equal, kept = as_recorded(subject(), rows(launch(96, 96, (2, 1, 1))))
    assert equal.kept == ("width == n",)
    assert equal.stated is not None and equal.stated.relations[-1] == "width == n"
    assert kept.kept == ("n == 96", "width == 96")


def test_an_instance_has_its_own_launches_or_those_of_the_others() -> None:
    several = [launch(1, 2, (3, 1, 1), kernel="other::f<8>"), launch(4, 5, (6, 1, 1), kernel="f< 16 >")]
    instance = replace(subject(), signature=replace(subject().signature, template_arguments="16"))
    assert [row["n"] for row in rows_of(UNIT, instance, several)] == [4]
    unseen = replace(instance, signature=replace(instance.signature, template_arguments="32"))
    assert [row["n"] for row in rows_of(UNIT, unseen, several)] == [1, 4]
    assert rows_of(UNIT, instance, [launch(1, 2, (3, 1, 1), kernel="g")]) == ()


def test_launches_with_scalars_that_are_not_known_do_not_count() -> None:
    partial = replace(launch(1, 2, (3, 1, 1)), scalars=(("n", 1.0),))
    assert rows(partial) == ()
    assert not [*as_recorded(subject(), ())]


def test_what_the_user_states_is_all_there_is() -> None:
    stated = replace(subject(FIRST), stated=ShapeDependent(launches=()))
    assert not [*as_recorded(stated, rows(launch(1, 2, (3, 1, 1))))]


def scalar(low: str, high: str, multiple: str = "1") -> ScalarFact:
    return ScalarFact(name="n", values=Interval(low=low, high=high), multiple_of=multiple)


def contract(**parts: object) -> Contract:
    made: dict[str, object] = {
        "signature": subject().signature,
        "arrays": (),
        "scalars": (),
        "law": None,
        **parts,
    }
    return Contract(**made)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "broken"),
    [
        (contract(scalars=(scalar("0", "16"),)), "n <= 16"),
        (contract(scalars=(scalar("width * 20", "1000"),)), "n >= width * 20"),
        (contract(scalars=(scalar("0", "1000", "32"),)), "n % (32) == 0"),
        (contract(scalars=(scalar("0", "1000", "50"),)), ""),
        (contract(scalars=(scalar("0", "99", "1"),)), "n <= 99"),
        (contract(relations=("width >= n",)), "width >= n"),
        (contract(relations=("other >= n", "max(index) < 3")), ""),
        (contract(law=ShapeDependent(relations=("gridDim.x <= 1",))), "gridDim.x <= 1"),
        (contract(law=Covers(x="n")), ""),
        (contract(law=Covers(x="2 * n")), "gridDim.x * blockDim.x >= 2 * n"),
        (contract(law=Covers(x="n", joint=True)), ""),
    ],
)
def test_a_contract_that_a_recorded_launch_does_not_keep_to_is_too_narrow(
    found: Contract, broken: str
) -> None:
    assert contradicting(found, rows(launch(100, 7, (2, 7, 1)))) == broken


def test_a_scalar_that_bears_whatever_was_tried_has_no_end() -> None:
    far = rows(launch(1_000_000, 7, (15_625, 1, 1)))
    assert contradicting(contract(scalars=(scalar("0", str(FREE), "1"),)), far) == ""
    assert contradicting(contract(scalars=(scalar("0", str(FREE - 1), "1"),)), far) == f"n <= {FREE - 1}"


def test_threads_that_work_on_several_elements_are_counted() -> None:
    seen = launch(4096, 7, (16, 1, 1)), launch(1024, 3, (4, 1, 1))
    assert law(*seen).launches == (("(n + 255) / 256", "1", "1", "64", "1", "1", "0"),)
    kept = [item.kept for item in as_recorded(subject(), rows(*seen))]
    assert kept.index(("n % 256 == 0",)) < kept.index(("n % 64 == 0",))
    kept = [item.kept for item in as_recorded(subject(), rows(*seen, launch(960, 3, (4, 1, 1))))]
    assert all("n % 256 == 0" not in relations for relations in kept)


def test_a_number_of_the_text_is_no_expression_of_scalars_that_happens_to_give_it() -> None:
    observed = rows(launch(8, 2, (16, 1, 1)))
    [found, *_] = as_recorded(subject(), observed)
    assert found.stated is not None and found.stated.launches[0][0] == "n * width"
    site = replace(FIRST, grid=("16", "1", "1"), shared="0")
    for sites, grid in (((site,), "16"), ((site, replace(site, grid=("n", "1", "1"))), "n * width")):
        [found, *_] = as_recorded(subject(*sites), observed)
        assert found.stated is not None and found.stated.launches[0][0] == grid


def test_launches_of_another_kernel_of_the_name_do_not_count() -> None:
    own = replace(launch(100, 7, (2, 7, 1)), units=("a.cu::f(int,int)",))
    other = replace(launch(100, 7, (1, 1, 1), block=512), units=("a.cu::f(int,int,int)",))
    assert rows(own, other) == rows(own) and rows(other) == ()
