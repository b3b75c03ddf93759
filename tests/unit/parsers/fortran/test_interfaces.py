"""Interfaces of routines, as trials are told of them."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from transpile.parsers.fortran.interfaces import Interface, interface, read
from transpile.parsers.fortran.resolve import resolve
from transpile.parsers.fortran.units import parse

PRODUCT = """\
subroutine product(trans, m, lda, a, y, info)
  character(len=1), intent(in) :: trans
  integer, intent(in) :: m, lda
  integer, intent(out) :: info
  double precision, parameter :: least = sqrt(tiny(1.0d0))
  double precision, intent(in) :: a(lda, *)
  double precision, intent(inout) :: y(m)
  integer :: code, i
  code = ichar('Z')
  if (code == 90) then
    info = 0
  else
    info = 1
  end if
  if (trans == 'N') then
    do i = 1, m
      y(i) = y(i) + a(i, 1) * 2.5d0
    end do
  else if (alike(trans, 'T')) then
    y(1) = least
  else
    call refuse('PRODUCT')
    return
  end if
end subroutine product
logical function alike(a, b)
  character(len=1) :: a, b
  alike = a == b
end function alike
subroutine refuse(name)
  character(len=*) :: name
  print *, name
  stop
end subroutine refuse
"""


def interfaces(text: str) -> dict[str, Interface]:
    program = resolve([parse(text, "a.f90")])
    found = [scope for scope in program.units if scope.unit is not None]
    return {
        item.name: interface(item, program, item.name)
        for scope in found
        for item in ([program.root.symbols[scope.unit.name].procedure] if scope.unit else [])
        if item is not None
    }


def test_dummies_say_what_arguments_are_good() -> None:
    found = interfaces(PRODUCT)["product"]
    rows = {item.name: item for item in found.dummies}
    assert rows["trans"].choices == ("N", "T")
    assert rows["lda"].leading and not rows["m"].leading
    assert (rows["a"].shape, rows["a"].rank, rows["y"].shape) == ("size", 2, "explicit")
    assert {2.5, 1.0} <= set(found.numbers)
    assert any(1e-155 < number < 1e-153 for number in found.numbers)
    assert found.callees == ("alike", "refuse")
    assert found.symbol == "product_"


def test_lines_that_nothing_runs_are_known() -> None:
    found = interfaces(PRODUCT)
    dead = {line for first, last in found["product"].unreachable for line in range(first, last + 1)}
    assert {13, 23} <= dead
    assert not {11, 15, 17, 20, 22} & dead
    assert {1, 10, 16} <= set(found["product"].one_way)


def test_interfaces_pass_through_json() -> None:
    for item in interfaces(PRODUCT).values():
        assert read(json.loads(json.dumps(asdict(item)))) == item


@pytest.mark.parametrize(
    ("declared", "statement", "why"),
    [
        ("external x", "call x", "is a procedure"),
        ("real, allocatable :: x", "x = 0", "has the attribute `allocatable`"),
        ("real :: x", "call random_number(x)", "random_number"),
        ("real :: x", "read *, x", "reads standard input"),
        ("real :: x", "write (7, *) x", "unit other than standard output"),
        ("real :: x", "open (7, file='a')", "uses files"),
    ],
)
def test_what_trials_cannot_make_or_compare_is_an_obstacle(declared: str, statement: str, why: str) -> None:
    found = interfaces(f"subroutine f(x)\n{declared}\n{statement}\nend subroutine f\n")
    assert why in found["f"].obstacle


def test_arguments_that_calls_may_leave_out_are_none() -> None:
    found = interfaces("subroutine f(x, y)\nreal :: x\nreal, optional :: y\nx = 0\nend subroutine f\n")["f"]
    assert found.obstacle == ""
    assert [item.optional for item in found.dummies] == [False, True]


def test_texts_that_are_handed_on_are_those_that_callees_compare_with() -> None:
    found = interfaces(
        "subroutine f(job, n)\ncharacter :: job\ninteger :: n\ncall g(n, way=job)\nend subroutine f\n"
        "subroutine g(n, way)\ninteger :: n\ncharacter :: way\ncall h(way)\nend subroutine g\n"
        "subroutine h(how)\ncharacter :: how\nif (how == 'Q') how = 'P'\nend subroutine h\n"
    )
    assert {item.name: item.choices for item in found["f"].dummies} == {"job": ("Q",), "n": ()}


@pytest.mark.parametrize(
    ("line", "straight"),
    [("n = n + 1", True), ("do i = 1, n\nend do", False), ("call g(n)", True), ("call h(n)", False)],
)
def test_routines_without_loops_and_arrays_are_known(line: str, straight: bool) -> None:
    found = interfaces(
        f"subroutine f(n)\ninteger :: n, i\n{line}\nend\nsubroutine g(n)\ninteger :: n\nn = -n\nend\n"
        "subroutine h(n)\ninteger :: n, x(3)\nx = n\nn = x(1)\nend\n"
    )
    assert found["f"].straight == straight


def test_printing_is_no_obstacle() -> None:
    text = "subroutine f(x)\nreal :: x\nprint *, x\nwrite (6, *) x\nend subroutine f\n"
    assert interfaces(text)["f"].obstacle == ""


def test_conditions_on_constants_that_variables_hold_for_a_while_are_constant() -> None:
    text = (
        "real function f(x)\nreal :: x, rounded, most, least\nlogical :: same\n"
        "rounded = 1.0\nif (1.0 == rounded) then\nf = x\nelse\nf = -x\nend if\n"
        "most = huge(x)\nleast = tiny(x)\nif (most * least <= 1.0) then\nleast = x\nend if\n"
        "if (least > 0.5) f = 0\n"
        "rounded = x\nif (rounded == 1.0) f = 2\nend function\n"
    )
    found = interfaces(text)["f"]
    assert found.unreachable == ((8, 9), (13, 14))
    assert {5, 12} <= set(found.one_way) and not {15, 17} & set(found.one_way)


def test_labels_that_no_jump_names_end_loops_alone() -> None:
    text = (
        "subroutine f(n)\ninteger :: n, code, i\ncode = ichar('Z')\nif (code == 90) then\nn = 1\n"
        "else\ndo 20 i = 1, 3\nn = i\n20 continue\nend if\n"
        "if (n == 1) goto 30\nif (code == 90) then\nn = 2\nelse\nn = 3\n30 n = 4\nend if\nend subroutine\n"
    )
    dead = {line for a, b in interfaces(text)["f"].unreachable for line in range(a, b + 1)}
    assert {7, 8} <= dead
    assert not {5, 11, 13, 15, 16} & dead


def test_texts_in_calls_are_choices_where_there_is_room_for_them() -> None:
    text = (
        "subroutine f(side, name)\ncharacter :: side\ncharacter(*) :: name\nlogical :: alike\n"
        "if (alike(side, 'L')) call solve(side, 'Forward', name)\nend subroutine\n"
    )
    side, name = interfaces(text)["f"].dummies
    assert side.choices == ("L",) and name.choices == ("Forward",)


def test_a_text_longer_than_what_it_is_compared_with_is_never_equal() -> None:
    text = (
        "subroutine f(name, n)\ncharacter(*) :: name\ninteger :: n\nif (name(4:7) == 'QP3RK') then\nn = 1\n"
        "else if (name(4:7) == 'QP  ') then\nn = 2\nelse if (name(4:7) /= 'longer') then\nn = 3\n"
        "else\nn = 4\nend if\nend subroutine\n"
    )
    dead = {line for a, b in interfaces(text)["f"].unreachable for line in range(a, b + 1)}
    assert {5, 11} <= dead and not {4, 6, 7, 9} & dead


def test_lines_that_do_nothing_need_not_run() -> None:
    text = (
        "subroutine f(x, n)\ninteger :: n, i\nreal :: x(n)\ndo 10 i = 1, n\nif (x(i) > 0) return\n"
        "10 continue\nx(1) = 1\nend subroutine\n"
    )
    assert (6, 6) in interfaces(text)["f"].unreachable


def test_whole_numbers_that_functions_make_may_be_sizes_of_blocks() -> None:
    text = (
        "subroutine f(n)\ninteger :: n, size, block\nsize = block(n)\nn = size\nend subroutine\n"
        "integer function block(n)\ninteger :: n\nblock = n / 2\nend function\n"
    )
    found = interfaces(text)
    assert found["f"].tuned and not found["block"].tuned


def test_records_have_the_layout_of_gfortran() -> None:
    text = (
        "module m\ntype inner\nlogical(1) :: on\nreal(8) :: x(2)\nend type\n"
        "type outer\ncharacter(3) :: name\ntype(inner) :: parts(2)\ninteger :: n\nend type\ncontains\n"
        "subroutine f(a)\ntype(outer) :: a\na%n = 2\nend subroutine\nend module\n"
    )
    program = resolve([parse(text, "a.f90")])
    [procedure] = program.modules["m"].procedures
    found = interface(procedure, program, "f")
    assert read(json.loads(json.dumps(asdict(found)))) == found
    value = found.dummies[0].value
    assert value.kind == 64
    assert [(item.name, item.offset, item.count) for item in value.parts] == [
        ("name", 0, 1),
        *(("parts(1)%on", 8, 1), ("parts(1)%x", 16, 2), ("parts(2)%on", 32, 1), ("parts(2)%x", 40, 2)),
        ("n", 56, 1),
    ]


def test_letters_are_known_by_their_numbers() -> None:
    text = (
        "subroutine f(c, n)\ncharacter :: c\ninteger :: n\nif (iachar(c) == 9) n = 1\n"
        "if (ichar('A') <= ichar(c)) n = 2\nend\n"
    )
    assert interfaces(text)["f"].texts == ("\t", "A")


def test_what_asks_for_memory_or_pads_a_text_has_no_branches_of_its_own() -> None:
    text = (
        "subroutine f(s, n)\ncharacter(len=*) :: s\ninteger :: n\ninteger, allocatable :: x(:)\n"
        "allocate(x(n))\nx = [x, n]\ns = s // 'a'\nif (n > 2) n = size(x)\nend\n"
    )
    assert interfaces(text)["f"].one_way == (1, 5, 6, 7)


def test_locals_that_keep_their_values_are_known() -> None:
    assert interfaces("subroutine f(n)\ninteger :: n, k = 0\nk = k + n\nend\n")["f"].lasting
    assert not interfaces("subroutine f(n)\ninteger :: n, k\nk = n\nend\n")["f"].lasting
