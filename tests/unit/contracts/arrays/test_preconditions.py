"""Preconditions of a source on the lengths of its containers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.unit.contracts.fake import FakeTracer, Thread, subject
from transpile.contracts.arrays.preconditions import Tamed, tame
from transpile.contracts.launches.seed_inputs import Pilot
from transpile.contracts.probing.batches import drive
from transpile.contracts.probing.probe import Filling
from transpile.contracts.probing.relations import repaired
from transpile.contracts.probing.samples import Scalars
from transpile.contracts.probing.subject import Subject
from transpile.core import Assembly

ROWS = [{"v_size": 4 + n, "w_size": 5 + 2 * n, "n": 4 + n % 2} for n in range(6)]

LOOSE = ("v_size == w_size", "w_size >= n * n")


def containers() -> Subject:
    """Return a function of two containers, ``v`` and ``w``, and a size."""
    made = subject("int v_size, float *v, int w_size, float *w, int n", "")
    assembly = Assembly(arguments=(), sizes=(("v_size", "v"), ("w_size", "w")))
    return replace(made, signature=replace(made.signature, assembly=assembly))


def tamed(behaves: Callable[[Scalars], bool]) -> Tamed:
    """Return what is found of a function that fails unless its lengths behave."""

    def function(_: Thread, call: Scalars) -> None:
        if not behaves(call):
            raise ZeroDivisionError("a length changes")

    known = Pilot(scalars=ROWS[0], filling=Filling())
    (result,) = drive(FakeTracer(function), [(containers(), tame(containers(), known, ROWS))])
    return result


@pytest.mark.parametrize(
    ("behaves", "relations"),
    [
        (lambda call: True, ()),
        (lambda call: call["w_size"] == call["v_size"], ("v_size == w_size",)),
        (lambda call: call["w_size"] == call["v_size"] >= call["n"] ** 2, LOOSE),
        (lambda call: call["w_size"] == call["n"] ** 2, ("w_size == n * n",)),
        (lambda call: call["w_size"] == call["v_size"] == call["n"], ("w_size == v_size", "v_size == n")),
    ],
)
def test_lengths_that_a_source_ties_together(
    behaves: Callable[[Scalars], bool], relations: tuple[str, ...]
) -> None:
    found = tamed(behaves)
    assert found.relations == relations and behaves(found.pilot.scalars)


def test_a_source_that_fails_whatever_the_lengths_is_not_tamed() -> None:
    found = tamed(lambda call: False)
    assert not found.relations and found.race == "it ends with arithmetic"


def test_what_follows_from_a_length_follows_when_that_changes() -> None:
    row = repaired({"v": 1, "w": 2, "n": 3}, ("w == v", "v == n * n"), 0)
    assert row == {"v": 9, "w": 9, "n": 3}
