"""Facts of a contract: what is certain is told as a fact, what is chance is told as that."""

from __future__ import annotations

from transpile.core import (
    ArrayFact,
    Contract,
    Covers,
    ElementType,
    Leaf,
    Parameter,
    Range,
    Role,
    Scalar,
    ScalarFact,
    Signature,
)
from transpile.translators.llm.facts import facts_of

FLOAT = ElementType(spelling="float", size=4, leaves=(Leaf(name="", offset=0, scalar=Scalar.FLOAT32),))
TEXT = "void k(float *out, const float *in, int n, int unused) { if (n > 64) out[n] = in[n]; }"


def pointer(name: str, spelling: str) -> Parameter:
    return Parameter(name=name, spelling=spelling, pointer=True, element=FLOAT, const="const" in spelling)


def contract(*relations: str, promise: str = "", scalars: tuple[ScalarFact, ...] = ()) -> Contract:
    parameters = (pointer("out", f"float *{promise}"), pointer("in", "const float *"))
    return Contract(
        signature=Signature(name="k", parameters=parameters),
        arrays=(
            ArrayFact(name="out", role=Role.OUT, extent="1", distinct=True),
            ArrayFact(name="in", role=Role.IN, extent="n", distinct=True),
        ),
        scalars=scalars,
        relations=relations,
        law=Covers(x="n"),
    )


def scalar(name: str, low: str, high: str, multiple: str = "1") -> ScalarFact:
    return ScalarFact(name=name, values=Range(low=low, high=high), multiple_of=multiple)


def test_relations_without_reason_are_chance() -> None:
    found = facts_of([contract("n >= 64", "n >= 24", "width <= n", "n <= gridDim.x")], TEXT)
    assert "always n >= 64" in found.certain and "always n <= gridDim.x" in found.certain
    assert found.seen == ("always n >= 24", "always width <= n")


def test_intervals_of_a_whole_type_say_nothing() -> None:
    given = (
        scalar("n", "0", "2147483647"),
        scalar("m", str(-(2**31)), "2147483647"),
        scalar("k", "5", "5"),
        scalar("w", "0", "99", "48"),
        scalar("v", "64", "64"),
    )
    found = facts_of([contract(scalars=given)], TEXT)
    assert "`n`: from 0 up" in found.certain
    assert not any("`m`" in line for line in (*found.certain, *found.seen))
    assert "`v`: always 64" in found.certain
    assert found.seen == ("`k`: always 5", "`w`: from 0 to 99, a multiple of 48")


def test_one_element_differs_from_nothing() -> None:
    out, other, *_ = facts_of([contract()], TEXT).certain
    assert "all different" not in out and "all different" in other


def test_it_is_said_which_arrays_may_be_one() -> None:
    assert any("`out` may be `in` itself" in line for line in facts_of([contract()], TEXT).certain)
    assert "arrays do not overlap" in facts_of([contract(promise="__restrict__")], TEXT).certain


def test_without_a_contract_nothing_is_known() -> None:
    assert facts_of([], TEXT).certain == ()
