"""Contracts as TOML: what is rendered is accepted back and says the same; a user's word wins."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from transpile.contracts.user import UnitSettings, apply, render, settings_of, unknown_names
from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    Invariant,
    NumberRules,
    Origin,
    Range,
    Role,
    ScalarFact,
    ShapeDependent,
    Signature,
    Tolerance,
    Unbounded,
)

_ADAPTER = TypeAdapter(UnitSettings)

names = st.from_regex(r"[a-z_][a-z0-9_]{0,6}(\.x)?", fullmatch=True)
texts = st.sampled_from(
    ["n", "n * m", "(n - 1) * ld + m", "0", "7", "min(n, gridDim.x * blockDim.x)", "p.w + 1"]
)
ranges = st.builds(Range, low=texts, high=texts)
arrays = st.builds(
    ArrayFact,
    name=names,
    role=st.sampled_from(list(Role)),
    extent=texts,
    before=texts,
    values=st.none() | ranges,
    distinct=st.booleans(),
    ascending=st.booleans(),
    atomic=st.booleans(),
    origin=st.sampled_from([Origin.TRACE, Origin.BOUND]),
)
scalars = st.builds(
    ScalarFact,
    name=names.map(lambda name: "s_" + name),
    values=ranges,
    multiple_of=texts,
    size=st.booleans(),
    origin=st.just(Origin.TRACE),
)
launches = st.lists(st.tuples(*[texts] * 7), max_size=2).map(tuple)
laws = st.one_of(
    st.builds(Invariant),
    st.builds(Unbounded),
    st.builds(Covers, x=texts, y=texts, z=texts, joint=st.booleans()),
    st.builds(ShapeDependent, relations=st.lists(texts, max_size=2).map(tuple), launches=launches),
)
contracts = st.builds(
    Contract,
    signature=st.builds(Signature, name=names, template_arguments=st.none() | st.just('float, "256"')),
    arrays=st.lists(arrays, max_size=3, unique_by=lambda fact: fact.name).map(tuple),
    scalars=st.lists(scalars, max_size=3, unique_by=lambda fact: fact.name).map(tuple),
    law=laws,
    relations=st.lists(texts, max_size=2).map(tuple),
    launches=launches,
)


def read_back(text: str) -> UnitSettings:
    (table,) = tomllib.loads(text)["units"].values()
    return _ADAPTER.validate_json(json.dumps(table))


@given(contracts)
def test_round_trip(contract: Contract) -> None:
    blank = replace(
        contract,
        arrays=tuple(ArrayFact(name=fact.name, role=Role.IN, extent="1") for fact in contract.arrays),
        scalars=tuple(ScalarFact(name=f.name, values=Range(low="0", high="0")) for f in contract.scalars),
        law=Invariant(),
        relations=(),
        launches=(),
    )
    again = apply(blank, read_back(render(contract)))
    assert settings_of(again) == settings_of(contract)
    assert not unknown_names(contract, read_back(render(contract)))


@given(st.text(max_size=20))
def test_any_unit_id_is_a_key(identifier: str) -> None:
    contract = Contract(signature=Signature(name="k"), arrays=(), scalars=(), law=Unbounded())
    text = render(contract, identifier or "k")
    assert list(tomllib.loads(text)["units"]) == [identifier or "k"]


def test_what_the_user_says_is_marked() -> None:
    fact = ArrayFact(name="a", role=Role.IN, extent="n")
    other = ArrayFact(name="b", role=Role.OUT, extent="n")
    size = ScalarFact(name="n", values=Range(low="0", high="9"))
    contract = Contract(signature=Signature(name="k"), arrays=(fact, other), scalars=(size,), law=Unbounded())
    settings = UnitSettings(extents={"a": "2 * n"}, ranges={"n": (1, "4")}, law=Covers(x="n"))
    corrected = apply(contract, settings)
    assert corrected.arrays == (replace(fact, extent="2 * n", origin=Origin.USER, stated=True), other)
    assert corrected.scalars[0].values == Range(low="1", high="4")
    assert corrected.law == Covers(x="n")


def test_an_extent_is_stated_even_where_it_is_the_one_that_was_learnt() -> None:
    fact = ArrayFact(name="a", role=Role.IN, extent="n")
    contract = Contract(signature=Signature(name="k"), arrays=(fact,), scalars=(), law=Unbounded())
    [same] = apply(contract, UnitSettings(extents={"a": "n"})).arrays
    [other] = apply(contract, UnitSettings(distinct=("a",))).arrays
    assert same.stated and not other.stated


def test_upper_bounds_are_named() -> None:
    exact = ArrayFact(name="a", role=Role.IN, extent="n")
    loose = ArrayFact(name="b", role=Role.IN, extent="2 * n", origin=Origin.BOUND)
    contract = Contract(signature=Signature(name="k"), arrays=(exact, loose), scalars=(), law=Unbounded())
    (comment,) = [line for line in render(contract).splitlines() if line.startswith("#")]
    assert comment.endswith(": b")


@pytest.mark.parametrize(
    "table",
    [
        {"extents": {"a": "system('x')"}},
        {"extent": {"a": "n"}},
        {"law": {"kind": "sometimes"}},
        {"launches": [["1", "1", "1"]]},
        {"roles": {"a": "input"}},
    ],
)
def test_refuses(table: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        _ADAPTER.validate_json(json.dumps(table))


def test_names_what_is_not_a_parameter() -> None:
    contract = Contract(signature=Signature(name="k"), arrays=(), scalars=(), law=None)
    assert unknown_names(contract, UnitSettings(extents={"a": "n"}, sizes=("n",))) == ("a", "n")


def test_rules_of_numbers_are_kept_and_written_back() -> None:
    settings = UnitSettings(nan="bits", tolerance=Tolerance(relative=1e-5))
    plain = Contract(signature=Signature(name="k"), arrays=(), scalars=(), law=None)
    known = apply(plain, settings)
    assert settings_of(plain).nan is None and plain.numbers == NumberRules()
    assert known.numbers == NumberRules(nan="bits", tolerance=Tolerance(relative=1e-5))
    text = render(known)
    assert 'nan = "bits"' in text and "tolerance = { relative = 1e-05 }" in text
    assert "signed_zero" not in text


def test_a_tolerance_of_nothing_or_everything_is_refused() -> None:
    for wrong in ({}, {"relative": 1.5}, {"absolute": -1.0}):
        with pytest.raises(ValueError, match="tolerance"):
            Tolerance(**wrong)
