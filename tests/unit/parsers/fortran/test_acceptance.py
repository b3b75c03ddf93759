"""Checks of arguments, and conditions that lead to parts of routines, as they are read from the text."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran.acceptance import accepted
from transpile.parsers.fortran.aims import Aim, aims
from transpile.parsers.fortran.resolve import resolve
from transpile.parsers.fortran.symbols import Procedure
from transpile.parsers.fortran.units import parse

CHECKED = """\
subroutine solve(uplo, n, nrhs, lda, lwork, first, last, code)
  character :: uplo
  integer :: n, nrhs, lda, lwork, first, last, code, least
  logical :: query
  query = lwork == -1
  code = 0
  if (n < 0) then
    code = -2
  else if (nrhs < 1 .or. nrhs > n) then
    code = -3
  else if (.not. (lda >= max(1, n))) then
    code = -4
  else if (nrhs > n .and. n > 0) then
    code = -5
  end if
  least = max(1, 2 * n)
  if (uplo == 'U') least = n + 1
  if (last - first + 1 > n) code = -6
  if (lwork < least .and. .not. query) code = -7
  if (code /= 0) return
  if (n == 0) return
  lwork = least
end subroutine solve
"""
CHOSEN = """\
integer function chosen(which, name, deep, n)
  character(len=*) :: name
  character(len=6) :: own
  character(len=2) :: part
  integer :: which, n
  logical :: deep
  own = name
  part = own(2:3)
  goto (10, 20) which
  chosen = -1
  return
10 continue
  chosen = 1
  if (part == 'GE') then
    if (own(4:6) == 'TRF' .and. deep) chosen = 2
  else if (n - 1 >= 600 .or. n < -5) then
    chosen = 3
  end if
  return
20 continue
  chosen = 4
end function chosen
"""


def procedure(text: str) -> Procedure:
    program = resolve([parse(text, "a.f90")])
    [scope] = program.units
    assert scope.unit is not None
    found = program.root.symbols[scope.unit.name].procedure
    assert found is not None
    return found


def test_checks_say_what_whole_numbers_are_accepted() -> None:
    assert accepted(procedure(CHECKED)) == (
        "n >= 0",
        "nrhs >= 1",
        "nrhs <= n",
        "lda >= max(1, n)",
        "last <= n - 1 + first",
        "lwork >= max(max(1, 2 * n), n + 1)",
    )


def test_conditions_that_set_no_code_are_no_checks() -> None:
    text = "subroutine f(n, m)\ninteger :: n, m\nif (n < 3) m = 2 * n\nif (n > 7) m = 1\nend subroutine\n"
    assert accepted(procedure(text)) == ()


@pytest.mark.parametrize(
    "aim",
    [
        Aim(comparisons=("which == 1",)),
        Aim(comparisons=("which == 2",)),
        Aim(comparisons=("which == 1",), texts=(("name", 1, "GE"),)),
        Aim(comparisons=("which == 1", "deep == 1"), texts=(("name", 1, "GE"), ("name", 3, "TRF"))),
        Aim(comparisons=("which == 1", "n >= 600 + 1")),
        Aim(comparisons=("which == 1", "n < (-5)")),
    ],
)
def test_conditions_around_a_part_say_what_leads_to_it(aim: Aim) -> None:
    assert aim in aims(procedure(CHOSEN))


def test_what_is_asked_before_all_parts_leads_to_those_for_everything_else() -> None:
    text = (
        "subroutine f(name, n)\ncharacter(*) :: name\ninteger :: n\n"
        "if (.not. (name(1:1) == 'S' .or. name(1:1) == 'C')) return\n"
        "if (name(2:3) == 'GE') then\nif (name(1:1) == 'S') then\nn = 1\nelse\nn = 2\nend if\nend if\n"
        "end subroutine\n"
    )
    wanted = Aim(texts=(("name", 0, "C"), ("name", 1, "GE")))
    assert wanted in aims(procedure(text))


def test_what_depends_on_data_leads_nowhere() -> None:
    text = "subroutine f(x, n)\nreal :: x(n)\ninteger :: n\nif (x(1) > 0) x(2) = 1\nend subroutine\n"
    assert aims(procedure(text)) == ()
