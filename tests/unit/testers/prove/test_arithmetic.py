"""C's arithmetic, against Python's."""

from __future__ import annotations

import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from transpile.core import Scalar
from transpile.testers.prove.arithmetic import BitVectors, WholeNumbers, bounds, undefined

KINDS = st.sampled_from(
    [Scalar.INT8, Scalar.UINT8, Scalar.INT16, Scalar.INT32, Scalar.UINT32, Scalar.INT64, Scalar.UINT64]
)


@st.composite
def values(draw: st.DrawFn) -> tuple[Scalar, int, int]:
    kind = draw(KINDS)
    low, high = bounds(kind)
    number = st.integers(low, high) | st.integers(max(low, -4), 4)
    return kind, draw(number), draw(number)


def number(term: z3.ExprRef, kind: Scalar) -> int:
    found = z3.simplify(term)
    value = found.as_long()
    low, high = bounds(kind)
    return (value - low) % (high - low + 1) + low if z3.is_bv(found) else value


def quotient(left: int, right: int) -> int:
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


@settings(max_examples=200)
@given(given=values(), operator=st.sampled_from(["+", "-", "*", "/", "%"]))
def test_integers_compute_as_c_does(given: tuple[Scalar, int, int], operator: str) -> None:
    kind, left, right = given
    if operator in ("/", "%") and right == 0:
        return
    plain = {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "/": quotient(left, right) if right else 0,
        "%": left - right * quotient(left, right) if right else 0,
    }[operator]
    low, high = bounds(kind)
    machine = BitVectors()
    term = machine.binary(operator, kind, machine.literal(left, kind), machine.literal(right, kind))
    assert number(term, kind) == (plain - low) % (high - low + 1) + low
    danger = undefined(operator, kind, machine.literal(left, kind), machine.literal(right, kind))
    overflows = not low <= plain <= high and not kind.value.startswith("uint")
    assert (danger is not None and z3.is_true(z3.simplify(danger))) is (
        overflows or (operator == "%" and right == -1 and left == low and low < 0)
    )
    if not overflows:
        whole = WholeNumbers(wrapping=True)
        found = whole.binary(operator, kind, whole.literal(left, kind), whole.literal(right, kind))
        if z3.is_int_value(z3.simplify(found)):
            assert number(found, kind) == (plain - low) % (high - low + 1) + low


@settings(max_examples=100)
@given(given=values(), target=KINDS)
def test_conversions_keep_the_value_or_wrap(given: tuple[Scalar, int, int], target: Scalar) -> None:
    kind, value, _ = given
    low, high = bounds(target)
    expected = (value - low) % (high - low + 1) + low
    for way in (BitVectors(), WholeNumbers(wrapping=True), WholeNumbers(wrapping=False)):
        assert number(way.convert(way.literal(value, kind), kind, target), target) == expected


def test_floats_are_known_by_their_operations_only() -> None:
    machine = BitVectors()
    x, y = machine.constant("x", Scalar.FLOAT32), machine.constant("y", Scalar.FLOAT32)
    kind = Scalar.FLOAT32
    assert machine.binary("+", kind, x, y).eq(machine.binary("+", kind, y, x))
    assert not machine.binary("-", kind, x, y).eq(machine.binary("-", kind, y, x))
    assert machine.compare(">", kind, x, y).eq(machine.compare("<", kind, y, x))
    assert not machine.compare(">=", kind, x, y).eq(z3.Not(machine.compare("<", kind, x, y)))
    assert not machine.literal(0.1, kind).eq(machine.literal(0.1, Scalar.FLOAT64))
    assert not machine.literal(0.0, kind).eq(machine.literal(-0.0, kind))
