"""Extents that assignments of whole arrays ask for, and those of results."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran.interfaces import Interface, interface
from transpile.parsers.fortran.resolve import resolve
from transpile.parsers.fortran.units import parse

MODULE = """\
module m
contains
function many(n, a) result(r)
  integer, intent(in) :: n
  real(8), intent(in) :: a(:)
  real(8) :: r(2 * n, size(a))
  r = 1
end function
subroutine user(x, y, z, n, k)
  integer, intent(in) :: n
  integer :: k
  real(8), intent(in) :: x(:), y(:)
  real(8), intent(out) :: z(:, :)
  {body}
end subroutine
end module
"""


def told(text: str) -> dict[str, Interface]:
    program = resolve([parse(text, "a.f90")])
    [scope] = program.units
    return {item.name: interface(item, program, item.name) for item in scope.procedures}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("z = spread(x, 1, size(y))", {("z[1]", "y[1]"), ("z[2]", "x[1]")}),
        ("z = spread(y, 2, n)", {("z[1]", "y[1]"), ("z[2]", "max(n, 0)")}),
        ("z = many(n + 1, y)", {("z[1]", "max(2 * (n + 1), 0)"), ("z[2]", "y[1]")}),
        ("z = transpose(many(n, x)) + 1", {("z[1]", "x[1]"), ("z[2]", "max(2 * n, 0)")}),
        ("z(1, :) = x * y", {("z[2]", "x[1]"), ("x[1]", "y[1]")}),
        ("z(1, 2:n) = x", {("max(n - 2 + 1, 0)", "x[1]")}),
        ("if (n > 2) z = reshape(x, [n, 3])", {("z[1]", "n"), ("z[2]", "3")}),
        # Not by what is changed before, and not by steps.
        ("k = 3; z = many(k, y)", {("z[2]", "y[1]")} - {("z[2]", "y[1]")}),
        ("z(::2, 1) = x", set()),
        ("z = 0", set()),
    ],
)
def test_extents_that_have_to_be_the_same(body: str, expected: set[tuple[str, str]]) -> None:
    found = told(MODULE.format(body=body))["user"]
    assert {(item.extent, item.value) for item in found.relations} == expected
    assert {item.line for item in found.relations} <= {14}


def test_extents_of_results() -> None:
    many = told(MODULE.format(body="z = 0"))["many"]
    assert many.returned is not None
    assert many.returned.extents == ("max(2 * n, 0)", "a[1]")


@pytest.mark.parametrize(
    ("declared", "length", "why"),
    [
        ("character(len=len(s) + 2) :: f", "s[0] + 2", ""),
        ("character :: f", "1", ""),
        ("character(len=len_trim(s)) :: f", "", "length trials do not know"),
        ("character(len=:), allocatable :: f", "", "deferred length"),
        ("character(len=2) :: f(3)", "", "an array of texts"),
        ("integer, pointer :: f(:)", "", "a pointer"),
        ("integer :: f(len_trim(s))", "", "extents trials do not know"),
        ("integer, allocatable :: f", "", "it returns integer"),
    ],
)
def test_results_that_are_texts(declared: str, length: str, why: str) -> None:
    text = f"module m\ncontains\nfunction f(s)\ncharacter(len=*), intent(in) :: s\n{declared}\nend\nend\n"
    found = told(text)["f"]
    assert why in found.obstacle and bool(why) == bool(found.obstacle)
    assert (found.returned.length if found.returned else "") == length


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ("real, allocatable, intent(out) :: x(:)", ""),
        ("real, allocatable :: x", "no array of numbers"),
        ("character(len=3), allocatable :: x(:)", "no array of numbers"),
        ("real, allocatable, optional :: x(:)", "`optional`"),
        ("real, allocatable, target :: x(:)", "`target`"),
    ],
)
def test_allocatable_arguments(declared: str, why: str) -> None:
    found = told(f"module m\ncontains\nsubroutine f(x)\n{declared}\nend\nend\n")["f"]
    assert why in found.obstacle and bool(why) == bool(found.obstacle)
    assert [item.fresh for item in found.dummies] == ([True] if not why else [])
