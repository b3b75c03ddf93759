"""Launches and relations under which a contract of the program's own launches is learnt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from transpile.contracts.own_launches import as_launched, counted, is_for_lone_threads, told_apart
from transpile.contracts.probing.subject import Axis, ScalarInput, Subject
from transpile.contracts.text.sites import Site
from transpile.core import (
    ArrayFact,
    Assembly,
    Contract,
    Covers,
    Inconclusive,
    Parameter,
    Range,
    Role,
    Scalar,
    ScalarFact,
    ShapeDependent,
    Signature,
    Unbounded,
)

FIRST = Site(
    grid=("n / width", "1", "1"),
    block=("64", "1", "1"),
    shared="4 * width",
    passed=(("width == 128", "n == 3"),),
)
SECOND = replace(FIRST, grid=("1", "1", "1"), passed=(("width == 128",), ("width == 128", "n == 5")))


def subject(*sites: Site) -> Subject:
    scalars = tuple(
        ScalarInput(name=name, scalar=Scalar.INT32, position=position, offset=0)
        for position, name in enumerate(("n", "width"))
    )
    signature = Signature(name="f", template_arguments=None, functions=(), parameters=(), returns=None)
    return Subject(signature=signature, entry=0, arrays=(), scalars=scalars, axes=(), sites=sites)


def test_launches_of_all_sites_and_what_holds_at_each_of_them() -> None:
    [found] = as_launched(subject(FIRST, SECOND))
    assert found.kept == ("width == 128",)
    families = (
        ("n / width", "1", "1", "64", "1", "1", "4 * width"),
        ("1", "1", "1", "64", "1", "1", "4 * width"),
    )
    assert found.stated == ShapeDependent(launches=families)


def test_one_site_that_is_not_known_speaks_for_all() -> None:
    unknown = replace(FIRST, grid=(None, "1", "1"))
    unused = replace(FIRST, grid=("other", "1", "1"))
    assert not [*as_launched(subject(FIRST, unknown))]
    assert not [*as_launched(subject(FIRST, unused))]
    assert not [*as_launched(subject())]


def test_what_the_host_makes_of_scalars_is_tried_before_its_launches() -> None:
    one = replace(FIRST, grid=(None, "1", "1"), products=("n == width * width", "n == 3 * width"))
    other = replace(SECOND, products=("n == 3 * width", "n == rows * width"))
    [found] = as_launched(subject(one, other))
    assert (found.kept, found.stated) == (("n == 3 * width",), None)
    first, second = as_launched(subject(replace(FIRST, products=("n == 3 * width",))))
    assert (first.stated, second.kept) == (None, ("width == 128", "n == 3"))


def test_what_the_user_states_is_all_there_is() -> None:
    stated = replace(subject(FIRST), stated=ShapeDependent(launches=()))
    assert not [*as_launched(stated)]


ADDS = ArrayFact(name="sum", role=Role.INOUT, extent="1", atomic=True)


def contract(*arrays: ArrayFact) -> Contract:
    return Contract(
        signature=subject().signature, arrays=arrays, scalars=(), law=Covers(x="n"), used_axes="x"
    )


def across(*grid: str | None) -> Subject:
    site = Site(grid=(grid[0], grid[1], grid[2]), block=("128", "1", "1"), shared="0")
    return replace(subject(site), axes=(Axis(letter="x", grid=True, block=True),))


@pytest.mark.parametrize("grid", [("n", "2", "1"), ("n", None, "1"), (None, "1", "n")])
def test_what_adds_is_launched_once_along_axes_that_it_has_no_use_for(grid: tuple[str | None, ...]) -> None:
    assert isinstance(told_apart(across(*grid), contract(ADDS)), Inconclusive)
    assert isinstance(told_apart(across(*grid), contract(replace(ADDS, atomic=False))), Contract)


@pytest.mark.parametrize("grid", [("n", "1", "1"), (None, "1", "1"), (None, None, None)])
def test_what_is_launched_once_there_or_in_no_known_way_has_a_contract(grid: tuple[str | None, ...]) -> None:
    assert isinstance(told_apart(across(*grid), contract(ADDS)), Contract)


@pytest.mark.parametrize("blocks", ["min((n + 127) / 128, 64)", "min((n + 127) / 128, 65535)"])
def test_a_limit_of_the_grid_makes_threads_count(blocks: str) -> None:
    size = ScalarFact(name="n", values=Range(low="0", high="2147483647"), size=True)
    found = replace(contract(replace(ADDS, atomic=False)), scalars=(size,))
    assert counted(across("(n + 127) / 128", "1", "1"), found) == found
    assert counted(across(blocks, "1", "1"), found).law == Unbounded()


def test_threads_count_where_the_host_may_have_set_a_variable_for_another_launch() -> None:
    held = Parameter(name="n", spelling="int", element=None, pointer=False, outside=True)
    signature = replace(subject().signature, parameters=(held,), assembly=Assembly(arguments=()))
    size = ScalarFact(name="n", values=Range(low="0", high="2147483647"), size=True)
    found = replace(contract(replace(ADDS, atomic=False)), scalars=(size,))

    def law(*grid: str | None) -> object:
        return counted(replace(across(*grid), signature=signature), found).law

    assert law("(n + 127) / 128", "1", "1") == found.law
    assert law(None, "1", "1") == Unbounded()
    assert counted(across(None, "1", "1"), found) == found
    assert counted(replace(subject(), signature=signature), found) == found


def test_blocks_of_one_thread_are_those_of_programs_that_launch_them() -> None:
    alone = ShapeDependent(launches=(("n", "1", "1", "1", "1", "1", "0"),))
    found, unknown = replace(contract(), law=alone), (None, "1", "1")
    wide, single = replace(FIRST, block=unknown), replace(FIRST, block=("1", "1", "1"))
    assert is_for_lone_threads(subject(wide), found, ())
    assert not is_for_lone_threads(subject(wide, single), found, ())
    assert not is_for_lone_threads(subject(), found, ())
    assert not is_for_lone_threads(subject(wide), contract(), ())
    ran = {f"blockDim.{axis}": 1 for axis in "xyz"}
    assert not is_for_lone_threads(subject(wide), found, (ran,))
    assert not is_for_lone_threads(replace(subject(wide), stated=alone), found, ())


def test_a_relation_is_stated_where_every_launch_says_it() -> None:
    first, second = replace(FIRST, held=("width == 128", "n == 3")), replace(SECOND, held=("width == 128",))
    assert subject(first, second).says("width == 128")
    assert not subject(first, second).says("n == 3")
    assert not subject().says("n == 3")
