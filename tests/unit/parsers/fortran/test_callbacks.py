"""Calls of procedures that are arguments."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran.callbacks import callback
from transpile.parsers.fortran.resolve import resolve
from transpile.parsers.fortran.units import parse
from transpile.parsers.fortran.values import Callback, Value

DOUBLE = Value(base="real", kind=8)


def found(declared: str, *body: str) -> Callback | str:
    lines = ["subroutine f(g, x)", "real(8) :: x", *declared.split(";"), *body, "end subroutine"]
    program = resolve([parse("\n".join(lines) + "\n", "a.f90")])
    procedure = program.root.symbols["f"].procedure
    assert procedure is not None
    return callback(procedure.dummies[0], procedure)


def test_interfaces_say_what_is_given_and_what_is_set() -> None:
    text = (
        "interface;subroutine g(a, b, c);real(8), intent(in) :: a;real(8), intent(inout) :: b;"
        "real(8), intent(out) :: c;end subroutine;end interface"
    )
    called = found(text, "call g(x, x, x)")
    assert called == Callback(
        arguments=(DOUBLE,) * 3, given=(True, True, False), changed=(False, True, True), result=None
    )


def test_calls_say_it_where_there_is_no_interface() -> None:
    called = found("real(8) :: g;external g", "x = g(x, 2 * x) + g(1d0, x)")
    assert isinstance(called, Callback)
    assert called.arguments == (DOUBLE, DOUBLE) and called.result == DOUBLE and not any(called.changed)


@pytest.mark.parametrize(
    ("declared", "statement", "why"),
    [
        ("real(8) :: g;external g", "x = g(x) + g(1)", "in several"),
        ("real(8) :: g;external g", "call h(g)", "in no way"),
        ("external g", "call g(x)", "without an interface"),
        ("real(8) :: g;external g", "x = g('a')", "without an interface"),
        (
            "interface;subroutine g(a);real(8) :: a;end subroutine;end interface",
            "call g(x)",
            "may change its argument `a` or not",
        ),
        (
            "interface;real(8) function g(a);real(8), intent(in) :: a(:);end function;end interface",
            "x = g([x])",
            "`a` is no plain number",
        ),
    ],
)
def test_what_is_not_known_is_said(declared: str, statement: str, why: str) -> None:
    called = found(declared, statement)
    assert isinstance(called, str) and why in called
