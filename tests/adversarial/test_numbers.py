"""Translations that are wrong on numbers alone that are large, equal, none, or about to be rounded."""

from __future__ import annotations

import pytest

from tests.adversarial import function_session, needs
from tests.adversarial.candidates import Text, read, reason
from tests.sampling import sampled
from transpile.core import OPENMP, Passed, Verdict
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
RIGHT = sampled(read("numbers/right.c"), 3)
WRONG = sampled(read("numbers/wrong.c"), 3)


@pytest.fixture(scope="module")
def found(workshop: Workshop) -> dict[str, Verdict]:
    source = function_session.read_source("numbers/functions.c")
    known = function_session.learnt(workshop, source, RIGHT + WRONG)
    return function_session.judged(workshop, source, known, RIGHT + WRONG, OPENMP)


@pytest.mark.parametrize("text", RIGHT, ids=lambda item: item.id)
def test_right_ones_are_kept(found: dict[str, Verdict], text: Text) -> None:
    assert isinstance(found[text.id], Passed), found[text.id]


@pytest.mark.parametrize("text", WRONG, ids=lambda item: item.id)
def test_wrong_ones_are_refused(found: dict[str, Verdict], text: Text) -> None:
    assert reason(found[text.id]) in text.refused, found[text.id]
