"""Results of two calls of a Fortran routine."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np

from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Dummy, Stored, Value
from transpile.testers.fortran.compare import difference, unsaid
from transpile.testers.fortran.outcome import BYTES, STOPPED, Outcome
from transpile.toolchains.calls import Altered, Completed, Crashed

DOUBLES = Dummy(name="x", value=Value(base="real", kind=8), rank=1, shape="size")
ROUTINE = Interface(
    name="f", file="f.f", line=1, symbol="f_", target="f", dummies=(DOUBLES,),
    result=Value(base="integer", kind=4), numbers=(), one_way=(), unreachable=(), callees=(),
)  # fmt: skip


def ended(ending: int = 0, status: int = 0, printed: bytes = b"", heard: int = 0) -> bytes:
    head = struct.pack("<qqqQQ", ending, status, len(printed), hash(printed) & 0xFFFF, heard)
    return (head + printed).ljust(BYTES, b"\0")


def left(values: list[float], result: int = 1, outcome: bytes | None = None) -> Completed:
    return Completed(
        arguments=(np.array(values).view(np.uint8), np.array([result], np.int32).view(np.uint8)),
        globals=(),
        returned=ended() if outcome is None else outcome,
        inexact=False,
        seconds=0.0,
    )


def test_the_same_bits_are_no_difference() -> None:
    assert difference(ROUTINE, left([1.0, 2.0]), left([1.0, 2.0])) is None


def test_a_bit_is_a_difference_and_is_named() -> None:
    found = difference(ROUTINE, left([1.0, 2.0]), left([1.0, np.nextafter(2.0, 3.0)]))
    assert found is not None and found.where == "x[1]" and found.expected == "2.0"


def test_the_sign_of_zero_counts_and_the_payload_of_nan_does_not() -> None:
    assert difference(ROUTINE, left([0.0]), left([-0.0])) is not None
    other = np.array([0x7FF8000000000123], np.uint64).view(np.float64)
    assert difference(ROUTINE, left([np.nan]), left([float("nan")])) is None
    assert difference(ROUTINE, left([np.nan]), left(list(other))) is None
    assert difference(ROUTINE, left([np.nan]), left([1.0])) is not None


def test_results_endings_and_what_is_printed_count() -> None:
    found = difference(ROUTINE, left([1.0]), left([1.0], result=0))
    assert found is not None and found.where == "the result"
    stopped = left([1.0], outcome=ended(STOPPED, 3, b" bad\n"))
    for other in (ended(STOPPED, 2, b" bad\n"), ended(STOPPED, 3, b" Bad\n"), ended()):
        found = difference(ROUTINE, stopped, left([1.0], outcome=other))
        assert found is not None and found.where == "its end"
    found = difference(ROUTINE, left([1.0], outcome=ended(heard=5)), left([1.0], outcome=ended(heard=6)))
    assert found is not None and found.where == "what it passes to procedures"
    assert str(Outcome.read(stopped.returned)) == "it stops with status 3, printing 'bad'"


def test_what_dies_or_changes_its_surroundings_differs() -> None:
    found = difference(ROUTINE, left([1.0]), Crashed(reason="segmentation fault", argument=0, offset=8))
    assert found is not None and found.check == "crash" and "byte 8 of `x`" in found.got
    found = difference(ROUTINE, left([1.0]), replace(left([1.0]), altered=Altered.ARITHMETIC))
    assert found is not None and found.check == "surroundings"


def test_variables_that_outlive_calls_are_the_last_that_are_compared() -> None:
    kept = Stored(
        variable=Dummy(name="m::n", value=Value(base="integer", kind=4)),
        symbol="__m_MOD_n",
        offset=0,
        count=1,
        initial=False,
    )
    routine = replace(ROUTINE, state=(kept,))
    calls = [
        replace(left([1.0]), arguments=(*left([1.0]).arguments, np.array([number], np.int32).view(np.uint8)))
        for number in (3, 4)
    ]
    assert difference(routine, calls[0], calls[0]) is None
    found = difference(routine, calls[0], calls[1])
    assert found is not None and (found.where, found.expected, found.got) == ("m::n", "3", "4")


def test_what_an_extreme_leaves_open_excuses_nothing_else() -> None:
    source, one, other = left([np.nan, 1.0]), left([2.0, 1.0]), left([3.0, 1.0])
    assert unsaid(ROUTINE, source, one, other)
    assert unsaid(ROUTINE, source, left([np.nan, 1.0]), other)
    assert not unsaid(ROUTINE, source, left([2.0, 7.0]), left([3.0, 7.0]))
    assert not unsaid(
        ROUTINE, source, left([2.0, 1.0], outcome=ended(STOPPED)), left([3.0, 1.0], outcome=ended(STOPPED))
    )
    assert not unsaid(ROUTINE, source, left([2.0, 1.0], result=0), left([3.0, 1.0], result=0))
