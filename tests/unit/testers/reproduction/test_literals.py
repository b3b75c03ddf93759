"""Numbers survive the way into C++ to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from transpile.core import ElementType, Leaf, Scalar
from transpile.testers.reproduction.literals import array, extended, literals


def element(scalar: Scalar, size: int) -> ElementType:
    return ElementType(spelling="t", size=size, leaves=(Leaf(offset=0, scalar=scalar),))


def spelled(values: np.ndarray, scalar: Scalar) -> list[str]:
    kind = element(scalar, values.dtype.itemsize)
    return literals(values.view(np.uint8), kind, kind.leaves[0])


def test_floats_keep_signs_of_zero_infinities_and_small_numbers() -> None:
    values = np.array([0.1, -0.0, np.inf, -np.inf, 1e-45, 16777216, 1e20], dtype=np.float32)
    assert spelled(values, Scalar.FLOAT32) == [
        "0.1f", "-0.0f", "INFINITY", "-INFINITY", "1e-45f", "1.6777216e+07f", "1e+20f",
    ]  # fmt: skip


def test_a_nan_of_another_payload_is_spelled_by_its_bits() -> None:
    bits = np.array([0x7FC00000, 0xFFC00000, 0x7FC00001], dtype=np.uint32)
    assert spelled(bits.view(np.float32), Scalar.FLOAT32) == [
        "NAN", "-NAN", "reproduction::from_bits<float>(std::uint32_t{0x7fc00001})",
    ]  # fmt: skip


def test_doubles_are_spelled_in_full() -> None:
    assert spelled(np.array([1 / 3, 5e-324]), Scalar.FLOAT64) == ["0.3333333333333333", "5e-324"]


def test_the_least_whole_number_is_no_literal() -> None:
    assert spelled(np.array([-(2**63), 7]), Scalar.INT64) == ["(-9223372036854775807LL - 1)", "7LL"]
    assert spelled(np.array([-(2**31)], dtype=np.int32), Scalar.INT32) == ["-2147483648"]
    assert spelled(np.array([2**64 - 1], dtype=np.uint64), Scalar.UINT64) == ["18446744073709551615ULL"]


@pytest.mark.parametrize(
    ("scalar", "bits", "text"),
    [
        (Scalar.FLOAT16, 0x3E00, "1.5f"),
        (Scalar.FLOAT16, 0x7E00, "NAN"),
        (Scalar.FLOAT16, 0x7E01, "reproduction::from_bits<reproduction::Half>(std::uint16_t{0x7e01})"),
        (Scalar.BFLOAT16, 0xBFC0, "-1.5f"),
        (Scalar.BFLOAT16, 0xFF80, "-INFINITY"),
    ],
)
def test_short_floats_are_spelled_as_floats(scalar: Scalar, bits: int, text: str) -> None:
    stored = np.array([bits], dtype=np.uint16)
    assert spelled(stored.view(np.float16) if scalar is Scalar.FLOAT16 else stored, scalar) == [text]


def test_long_arrays_are_wrapped() -> None:
    assert array("int", "x", ["1", "2"], "in") == "const int x[] = {1, 2};  // in\n"
    lines = array("int", "x", ["1"] * 500, "in").splitlines()
    assert lines[0] == "// in" and len(lines) > 5 and max(map(len, lines)) <= 112


def test_long_doubles_keep_all_their_digits() -> None:
    third = np.longdouble(1) / 3
    assert np.longdouble(extended(third).removesuffix("L")) == third
    assert [extended(np.longdouble(value)) for value in (np.nan, -np.inf)] == ["NAN", "-INFINITY"]
