"""Entries by which workers call Fortran routines."""

from __future__ import annotations

from dataclasses import replace

from transpile.parsers.fortran.callbacks import PROCEDURE
from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.results import Returned
from transpile.parsers.fortran.values import Callback, Dummy, Stored, Value
from transpile.testers.fortran.entries import entries


def routine(dummies: tuple[Dummy, ...], result: Value | None = None, obstacle: str = "") -> Interface:
    return Interface(
        name="f", file="f.f", line=1, symbol="f_", target="f", dummies=dummies, result=result, numbers=(),
        one_way=(), unreachable=(), callees=(), obstacle=obstacle,
    )  # fmt: skip


def test_lengths_of_texts_come_last_and_results_have_a_buffer() -> None:
    text = Dummy(name="uplo", value=Value(base="character", kind=1, length=1))
    number = Dummy(name="n", value=Value(base="integer", kind=4))
    found = entries([routine((text, number), Value(base="complex", kind=4))])
    assert 'extern "C" _Complex float f_(void *, void *, std::size_t);' in found
    assert "*fortran_call::pointer<_Complex float>(slots[2]) = f_(" in found
    assert "std::size_t(fortran_call::number(slots[3]))" in found
    assert "record(slots[5]" in found


def test_arrays_of_assumed_shape_have_descriptors() -> None:
    field = Dummy(name="x", value=Value(base="real", kind=8), rank=2, shape="assumed")
    found = entries([routine((field,))])
    assert "Descriptor<2> shape0(slots[0], slots[1], 8, 3);" in found
    assert "f_(&shape0)" in found


def test_flags_say_which_arguments_are_passed() -> None:
    number = Dummy(name="n", value=Value(base="integer", kind=4))
    field = Dummy(name="x", value=Value(base="real", kind=8), rank=1, shape="assumed", optional=True)
    found = entries([routine((number, field))])
    assert "fortran_call::given(slots[3], 1, &shape1))" in found
    assert "record(slots[5]" in found


def test_procedures_hear_what_they_are_given_and_set_what_they_may() -> None:
    real = Value(base="real", kind=8)
    called = Callback(arguments=(real, real), given=(True, False), changed=(False, True), result=None)
    found = entries([routine((Dummy(name="f", value=PROCEDURE, callback=called),))])
    assert 'extern "C" void transpile_callback_0_0(double *a0, double *a1) {' in found
    assert "answer.hear(*a0);\n    answer.give(*a1);" in found and "hear(*a1)" not in found
    assert "f_(reinterpret_cast<void *>(&transpile_callback_0_0))" in found


def test_what_is_not_called_has_no_entry_and_numbers_stay() -> None:
    found = entries([routine((), obstacle="it reads standard input"), routine(())])
    assert "transpile_entry_0(" not in found
    assert "transpile_entry_1(" in found


def test_variables_that_outlive_calls_are_set_before_and_read_after() -> None:
    weight = Dummy(name="m::w", value=Value(base="real", kind=8), rank=1, shape="explicit")
    state = (Stored(variable=weight, symbol="__m_MOD_w", offset=0, count=3, initial=True),)
    found = entries([replace(routine(()), state=state)])
    assert '[[gnu::weak]] char transpile_at___m_MOD_w[] __asm__("__m_MOD_w");' in found
    assert 'state[] = {{"m::w", transpile_at___m_MOD_w, 0, 24}};' in found
    assert found.index("fortran_call::set(state, slots + 0, slots[3])") < found.index("record(slots[3]")
    assert found.index("record(slots[3]") < found.index("fortran_call::get(state, slots + 0)")


def test_functions_get_room_for_arrays_and_texts_ahead_of_their_arguments() -> None:
    number, double = Value(base="integer", kind=4), Value(base="real", kind=8)
    of = routine((Dummy(name="n", value=number),), double)
    array = entries([replace(of, returned=Returned(rank=1, extents=("n",)))])
    assert "Descriptor<1> made(slots[1], slots[2], 8, 3); f_(&made, " in array
    text = entries([replace(of, returned=Returned(rank=0, length="n"))])
    assert 'extern "C" void f_(void *, std::size_t, void *);' in text
    assert "f_(fortran_call::pointer<void>(slots[1]), std::size_t(fortran_call::number(slots[2]))" in text
    own = entries([replace(of, returned=Returned(rank=2, allocated=True))])
    assert "Allocated<2> made(slots[1], 8, 3);" in own and "made.tell(slots[1], 16384);" in own


def test_allocatable_arrays_are_read_when_a_call_is_over() -> None:
    field = Dummy(name="x", value=Value(base="real", kind=4), rank=1, shape="deferred")
    found = entries([routine((field,))])
    assert "Allocated<1> held0(slots[0], 4, 3);" in found
    assert "f_(held0.descriptor()); held0.tell(slots[0], 16384);" in found
