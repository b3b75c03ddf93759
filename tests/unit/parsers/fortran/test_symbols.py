"""Names stand for what the declarations around them say."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.resolve import Program, resolve
from transpile.parsers.fortran.symbols import Scope
from transpile.parsers.fortran.typing import meaning, typed
from transpile.parsers.fortran.units import parse, parse_expression


def program(text: str) -> Program:
    return resolve([parse(text, "a.f90")])


def last(text: str) -> Scope:
    return program(text).units[-1]


def type_of(expression: str, scope: Scope) -> tuple[str, int, int]:
    found = typed(parse_expression(expression, "a.f90", 1), scope)
    return found.type.base, found.type.kind, found.rank


DECLARED = """
module kinds
  integer, parameter :: dp = selected_real_kind(15), n = 2**3 - 1
end module
program p
  use kinds, only: wp => dp, n
  implicit none
  real(wp) :: x, m(n, 0:n)
  real :: s
  integer(8) :: i
  complex :: z
  character(len=5) :: c(2)
  print *, x
contains
  function f(y) result(r)
    real, intent(in) :: y
    real :: r(3)
    r = y
  end function
end program
"""


@pytest.mark.parametrize(
    ("expression", "type_and_rank"),
    [
        ("x", ("real", 8, 0)),
        ("m", ("real", 8, 2)),
        ("m(1, :)", ("real", 8, 1)),
        ("m(1, 2)", ("real", 8, 0)),
        ("s * x", ("real", 8, 0)),
        ("i / 2", ("integer", 8, 0)),
        ("z * x", ("complex", 8, 0)),
        ("abs(z)", ("real", 4, 0)),
        ("f(s)", ("real", 4, 1)),
        ("f(s) > 1", ("logical", 4, 1)),
        ("c(1)(2:3)", ("character", 1, 0)),
        ("sum(m, 1)", ("real", 8, 1)),
        ("sum(m)", ("real", 8, 0)),
        ("[1, 2] * s", ("real", 4, 1)),
        ("real(i, wp)", ("real", 8, 0)),
    ],
)
def test_types_and_ranks(expression: str, type_and_rank: tuple[str, int, int]) -> None:
    assert type_of(expression, last(DECLARED)) == type_and_rank


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("m(1, 2)", "element"),
        ("m(:, 2)", "section"),
        ("c(1)(1:2)", "substring"),
        ("f(s)", "call"),
        ("sqrt(s)", "intrinsic"),
    ],
)
def test_parentheses_mean_what_symbols_say(expression: str, what: str) -> None:
    scope = last(DECLARED)
    found = parse_expression(expression, "a.f90", 1)
    assert isinstance(found, tree.Apply)
    assert meaning(found, scope) == what


def test_constants_are_folded() -> None:
    scope = last(DECLARED)
    assert fold(parse_expression("n * 2 + mod(7, 4)", "a.f90", 1), scope) == 17
    assert fold(parse_expression("-7 / 2", "a.f90", 1), scope) == -3
    assert fold(parse_expression("size(m)", "a.f90", 1), scope) == 56
    assert fold(parse_expression("s", "a.f90", 1), scope) is None


def test_implicit_typing_follows_the_rules_of_the_unit() -> None:
    scope = last("program p\n  implicit real*8 (a-h)\n  a = 1\n  k = 2\n  x = 3\nend program\n")
    assert [type_of(name, scope)[:2] for name in "akx"] == [("real", 8), ("integer", 4), ("real", 4)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("program p\n  use nowhere\nend program\n", "a.f90:2: the module `nowhere` is not found"),
        ("program p\n  real(16) :: x\nend program\n", "a.f90:2: the kind 16 of real"),
        ("program p\n  type(t) :: x\nend program\n", "a.f90:2: the type `t` is not found"),
        ("program p\n  integer :: a\n  real :: a\nend program\n", "a.f90:3: `a` is declared twice"),
    ],
)
def test_what_cannot_be_resolved_is_refused_at_its_place(text: str, said: str) -> None:
    with pytest.raises(Refused) as caught:
        program(text)
    assert str(caught.value) == said
