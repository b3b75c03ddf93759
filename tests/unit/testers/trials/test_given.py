"""Elements that a tester wrote, against the facts of their array."""

import numpy as np
import pytest

from tests.unit.testers.making import DOUBLE, FLOAT, INT, PAIR, plain, reads
from transpile.core import ElementType, Scalar
from transpile.testers.trials.given import Barred, elements


def test_elements_come_again_from_the_first() -> None:
    assert elements((1, 2, 3), reads("x"), INT, None, 7).tolist() == [1, 2, 3, 1, 2, 3, 1]
    assert elements((1, 2, 3), reads("x"), INT, None, 2).tolist() == [1, 2]
    assert elements((1, 2, 3), reads("x"), DOUBLE, None, 0).tolist() == []


def test_elements_are_stored_in_their_own_type() -> None:
    assert elements((0.1,), reads("x"), FLOAT, None, 1).dtype == np.float32
    assert elements((1, 0), reads("x"), plain(Scalar.BOOL), None, 2).dtype == np.uint8
    assert elements((1.5,), reads("x"), plain(Scalar.BFLOAT16), None, 1).tolist() == [0x3FC0]


@pytest.mark.parametrize(
    ("given", "element", "why"),
    [
        ((1.5,), INT, "whole numbers"),
        ((2**31,), INT, "whole numbers"),
        ((2,), plain(Scalar.BOOL), "whole numbers from 0 to 1"),
        ((-1,), plain(Scalar.UINT8), "whole numbers"),
        ((2**60 + 1,), plain(Scalar.INT64), "whole numbers"),
        ((1e39,), FLOAT, "not finite"),
        ((1e5,), plain(Scalar.FLOAT16), "not finite"),
        ((1e39,), plain(Scalar.BFLOAT16), "not finite"),
        ((1,), PAIR, "structures"),
    ],
)
def test_what_the_type_does_not_hold_is_barred(
    given: tuple[float, ...], element: ElementType, why: str
) -> None:
    with pytest.raises(Barred, match=why):
        elements(given, reads("x"), element, None, 3)


def test_what_the_contract_does_not_allow_is_barred() -> None:
    with pytest.raises(Barred, match="from 0 to 2"):
        elements((0, 3), reads("x"), INT, (0, 2), 2)
    with pytest.raises(Barred, match="different"):
        elements((0, 1), reads("x", distinct=True), INT, (0, 2), 3)
    with pytest.raises(Barred, match="decrease"):
        elements((0, 1), reads("x", ascending=True), INT, (0, 2), 3)
    # What the call never sees is nobody's business.
    assert elements((0, 3), reads("x"), INT, (0, 2), 1).tolist() == [0]
    assert elements((0, 1), reads("x", distinct=True, ascending=True), INT, (0, 2), 2).tolist() == [0, 1]
