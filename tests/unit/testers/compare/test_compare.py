from dataclasses import replace

import numpy as np
import pytest

from tests.unit.testers.making import FLOAT, INT, PAIR, plain
from transpile.core import NumberRules, Scalar
from transpile.testers.compare.compare import first_difference
from transpile.testers.trials.materialise import POISONS, Slot


def slot(data: np.ndarray, element=FLOAT, **more) -> Slot:
    return Slot(name="y", element=element, data=data.view(np.uint8), **more)


def difference(left, right, element=FLOAT, **more):
    left, right = (np.asarray(item, dtype=element.leaves[0].scalar.value) for item in (left, right))
    start = more.pop("start", np.zeros(len(left), dtype=left.dtype))
    rules = NumberRules(**{name: more.pop(name) for name in ("nan", "signed_zero") if name in more})
    return first_difference(
        [slot(start, element, **more)], [left.view(np.uint8)], [right.view(np.uint8)], POISONS[0], rules
    )


def test_equal_results_have_no_difference() -> None:
    assert difference([1, 2, 3], [1, 2, 3]) is None


def test_the_first_difference_is_named() -> None:
    found = difference([1, 2, 3], [1, 5, 4])
    assert found is not None
    assert (found.where, found.expected, found.got, found.check) == ("y[1]", "2.0", "5.0", "exact")


def test_one_bit_counts() -> None:
    one = np.float32(1)
    assert difference([one], [np.nextafter(one, np.float32(2))]) is not None


def test_signs_of_zero_and_kinds_of_nan_do_not_count() -> None:
    other = np.asarray([0x7FC00001], dtype=np.uint32).view(np.float32)[0]
    assert difference([0.0, np.nan], [-0.0, other]) is None


def test_they_count_where_the_user_says_so() -> None:
    other = np.asarray([0x7FC00001], dtype=np.uint32).view(np.float32)[0]
    assert difference([0.0], [-0.0], signed_zero="distinct") is not None
    assert difference([-0.0, 1.0], [-0.0, 1.0], signed_zero="distinct") is None
    assert difference([np.nan], [other], nan="bits") is not None
    assert difference([np.nan, other], [np.nan, other], nan="bits", signed_zero="distinct") is None


def test_the_padding_of_long_doubles_does_not_count() -> None:
    value = np.asarray([np.longdouble(1) / 3, np.nan], dtype=np.longdouble)
    other = value.copy()
    if np.finfo(np.longdouble).nmant == 63:
        other.view(np.uint8).reshape(2, 16)[:, 10:] = 7
    assert difference(value, other, plain(Scalar.LONG_DOUBLE), nan="bits") is None
    above = np.nextafter(value, np.longdouble(2))
    assert difference(value, above, plain(Scalar.LONG_DOUBLE)) is not None


@pytest.mark.parametrize("pair", [(np.nan, 1.0), (np.inf, -np.inf), (np.inf, 3e38), (1.0, np.nan)])
def test_classes_count(pair) -> None:
    assert difference([pair[0]], [pair[1]]) is not None


def test_integers_count_bit_by_bit() -> None:
    assert difference([7], [8], INT) is not None
    assert difference([7], [7], INT) is None


def test_padding_counts_for_nothing_and_members_do() -> None:
    left = np.zeros(32, dtype=np.uint8)
    right = left.copy()
    right[4:8] = 9
    assert first_difference([slot(left, PAIR)], [left], [right], None) is None
    right[24:32] = np.frombuffer(np.float64(2).tobytes(), np.uint8)
    found = first_difference([slot(left, PAIR)], [left], [right], None)
    assert found is not None and found.where == "y[1].value"


def test_elements_below_the_pointer_have_negative_indices() -> None:
    found = difference([1, 2, 3], [9, 2, 3], before=4)
    assert found is not None and found.where == "y[-1]"


def test_a_changed_input_is_called_so() -> None:
    found = difference([1, 2], [1, 3], constant=True, start=np.asarray([1, 2], dtype=np.float32))
    assert found is not None and found.check == "input"


def test_a_write_where_the_source_wrote_nothing_is_called_so() -> None:
    found = difference([1, 2], [1, 3], start=np.asarray([0, 2], dtype=np.float32))
    assert found is not None and found.check == "untouched"


def test_an_output_left_as_it_was_is_called_so() -> None:
    start = np.zeros(2, dtype=np.float32)
    poison = np.full(8, POISONS[0], dtype=np.uint8).view(np.float32)
    found = difference([1, 2], [1, poison[1]], output=True, start=start)
    assert found is not None and found.check == "unwritten"


def test_bfloat16_is_read_as_a_number() -> None:
    brain = replace(plain(Scalar.BFLOAT16))
    bits = np.asarray([0x3F80, 0x0000], dtype=np.uint16).view(np.uint8)
    other = np.asarray([0x3F80, 0x8000], dtype=np.uint16).view(np.uint8)
    assert first_difference([slot(bits, brain)], [bits], [other], None) is None
