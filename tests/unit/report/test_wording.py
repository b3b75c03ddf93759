from __future__ import annotations

import pytest

from transpile.core import (
    CPP,
    CUDA,
    OPENMP,
    ArrayFact,
    Contract,
    Covers,
    ElementType,
    GlobalVariable,
    Invariant,
    LaunchLaw,
    Leaf,
    NumberRules,
    Parameter,
    Range,
    Role,
    Scalar,
    ScalarFact,
    ShapeDependent,
    Signature,
    Tolerance,
    Unbounded,
)
from transpile.report import wording

FLOAT = ElementType(spelling="float", size=4, leaves=(Leaf(offset=0, scalar=Scalar.FLOAT32),))
INT = ElementType(spelling="int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.INT32),))
GRID = ElementType(
    spelling="Grid",
    size=8,
    leaves=(Leaf(offset=0, scalar=Scalar.INT32, name="w"), Leaf(offset=4, scalar=Scalar.INT32, name="h")),
)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (None, "Called, not launched."),
        (Invariant(), "Any launch gives the result."),
        (Covers(x="n"), "Every launch of at least n threads along x."),
        (Covers(x="n", y="m"), "Every launch of at least n threads along x and m threads along y."),
        (Covers(x="n * m", joint=True), "Every launch of at least n * m threads in all."),
        (Covers(), "Every launch of at least one thread."),
        (Unbounded(), "No guard: what is touched depends on the launch."),
        (
            ShapeDependent(relations=("blockDim.x == 256",)),
            "The launch is part of the meaning: blockDim.x == 256.",
        ),
    ],
)
def test_laws(rule: LaunchLaw | None, said: str) -> None:
    assert wording.law(rule) == said


def test_arrays_and_scalars() -> None:
    fact = ArrayFact(
        name="row",
        role=Role.IN,
        extent="n + 1",
        before="2",
        values=Range(low="0", high="m"),
        ascending=True,
        last="n",
        atomic=True,
    )
    assert wording.array(fact) == "0 … m, ascending, the last is n, updated by atomics"
    assert wording.elements(fact) == "2 below and n + 1 from the pointer on"
    size = ScalarFact(name="n", values=Range(low="0", high="99"), multiple_of="32")
    assert wording.scalar(size) == "0 … 99, a multiple of 32"


def a_contract(*parameters: Parameter, rules: NumberRules | None = None) -> Contract:
    return Contract(
        signature=Signature(
            name="k", parameters=parameters, globals=(GlobalVariable(name="table", element=INT, count=3),)
        ),
        arrays=(),
        scalars=(),
        law=None,
        numbers=rules or NumberRules(),
    )


def test_types_of_parameters_their_parts_and_globals() -> None:
    found = wording.types(a_contract(Parameter(name="g", spelling="Grid", element=GRID, pointer=False)))
    assert found == {"g": "Grid", "g.w": "int32", "g.h": "int32", "table": "int[3]"}


def test_rules_of_numbers_are_said_where_there_are_floating_ones() -> None:
    whole = Parameter(name="n", spelling="int", element=INT, pointer=False)
    real = Parameter(name="x", spelling="float *", element=FLOAT, pointer=True)
    assert wording.numbers(a_contract(whole)) == ""
    assert wording.numbers(a_contract(whole, real)) == "any NaN is NaN, -0 is +0"
    yours = NumberRules(nan="never", tolerance=Tolerance(relative=1e-5))
    assert "your tolerance: relative 1e-05" in wording.numbers(a_contract(real, rules=yours))


def test_dialects_have_the_names_that_people_know() -> None:
    assert [wording.dialect(item) for item in (CPP, CUDA, OPENMP)] == ["C++", "CUDA", "OpenMP"]
