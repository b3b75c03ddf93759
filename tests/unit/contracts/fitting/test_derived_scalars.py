"""Lengths of vectors and distances of rows, as they follow from what is touched."""

from __future__ import annotations

from transpile.contracts.fitting.derived_scalars import with_lengths
from transpile.core import ArrayFact, Assembly, Contract, Range, Role, ScalarFact, Signature


def contract(extent: str, assembly: Assembly, *scalars: ScalarFact, role: Role = Role.IN) -> Contract:
    return Contract(
        signature=Signature(name="f", assembly=assembly),
        arrays=(ArrayFact(name="a.data", role=role, extent=extent),),
        scalars=scalars,
        law=None,
    )


def scalar(name: str, *, size: bool = False) -> ScalarFact:
    return ScalarFact(name=name, values=Range(low="0", high="100"), size=size)


SIZES = Assembly(arguments=(("a", "a"),), sizes=(("a.size", "a.data"),))
STRIDES = Assembly(arguments=(("a", "a"),), strides=(("a.stride", "a.data"),))


def values(found: Contract, name: str) -> tuple[str, str]:
    fact = found.scalar(name)
    assert fact is not None
    return fact.values.low, fact.values.high


def test_a_size_that_nobody_asks_for_is_that_of_the_elements() -> None:
    found = with_lengths(contract("n", SIZES, scalar("a.size"), scalar("n", size=True)), {})
    assert values(found, "a.size") == ("n", "n")
    found = with_lengths(contract("n - 1", SIZES, scalar("a.size"), scalar("n", size=True)), {})
    assert values(found, "a.size") == ("max(n - 1, 0)", "max(n - 1, 0)")


def test_elements_are_there_up_to_the_size_that_is_asked_for() -> None:
    found = with_lengths(contract("a.size - 1", SIZES, scalar("a.size", size=True)), {})
    assert found.arrays[0].extent == "max(a.size - 1, a.size)"
    assert values(found, "a.size") == ("0", "100")


def test_rows_lie_side_by_side() -> None:
    sizes = (scalar("a.stride", size=True), scalar("n", size=True), scalar("m", size=True))
    found = with_lengths(contract("a.stride * (n - 1) + m", STRIDES, *sizes), {})
    assert values(found, "a.stride") == ("m", "m")
    found = with_lengths(contract("(n - 1) * a.stride + 2 * m", STRIDES, *sizes), {})
    assert values(found, "a.stride")[0] == "max((n - 1) * 0 + 2 * m, 1)"


def test_a_stride_without_a_line_stays_open() -> None:
    sizes = (scalar("a.stride", size=True), scalar("n", size=True))
    found = with_lengths(contract("a.stride * a.stride * n", STRIDES, *sizes), {})
    assert values(found, "a.stride") == ("0", "100")
