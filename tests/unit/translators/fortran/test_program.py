"""Translations read as C++ that a person would write; what has none is refused at its place."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.units import parse
from transpile.translators.fortran.program import translate


def cpp(body: str, *, declarations: str = "", after: str = "") -> str:
    text = f"program p\nimplicit none\n{declarations}\n{body}\nend program\n{after}\n"
    return translate([parse(text, "a.f90")])


def test_a_section_is_assigned_by_a_loop_without_a_copy() -> None:
    text = cpp("a(2:n) = b(1:n-1) * 2", declarations="integer :: n = 5\nreal :: a(9), b(9)")
    assert "for (int i = 2; i <= n; ++i) {" in text
    assert "evaluated" not in text


def test_overlapping_sections_are_copied() -> None:
    assert "fortran::evaluated(a.section" in cpp("a(2:5) = a(1:4)", declarations="real :: a(9)")


def test_the_same_element_needs_no_copy() -> None:
    assert "evaluated" not in cpp("a = a * 2 + b", declarations="real :: a(9), b(9)")


def test_loops_over_columns_are_the_inner_ones() -> None:
    text = cpp("a = b", declarations="real :: a(3, 4), b(3, 4)")
    assert text.index("for (int j = 1; j <= 4; ++j)") < text.index("for (int i = 1; i <= 3; ++i)")


def test_a_loop_variable_that_is_used_nowhere_else_is_declared_in_its_loop() -> None:
    text = cpp("do i = 1, 3\nprint *, i\nend do", declarations="integer :: i")
    assert "for (int i = 1; i <= 3; ++i) {" in text
    assert "int i = 0;" not in text


def test_a_loop_variable_that_is_read_later_is_declared_outside() -> None:
    text = cpp("do i = 1, 3\nend do\nprint *, i", declarations="integer :: i")
    assert "int i = 0;" in text
    assert "for (i = 1;" in text


def test_a_bound_that_changes_in_the_loop_is_evaluated_before() -> None:
    text = cpp("do i = 1, n\nn = 1\nend do", declarations="integer :: i, n = 3")
    assert "const int last_1 = n;" in text


def test_single_precision_constants_stay_single() -> None:
    assert "x = 0.1f;" in cpp("x = 0.1", declarations="real(8) :: x")


def test_arguments_that_are_not_changed_are_passed_by_value() -> None:
    after = "subroutine s(n, m)\ninteger :: n, m\nm = n\nend subroutine"
    assert "void s(int n, int &m)" in cpp("call s(1, k)", declarations="integer :: k", after=after)


def test_a_value_for_a_changed_argument_gets_a_variable() -> None:
    after = "subroutine s(m)\ninteger :: m\nm = m + 1\nend subroutine"
    assert "s(fortran::temporary(3));" in cpp("call s(3)", after=after)


def test_comments_and_names_are_kept() -> None:
    text = cpp("! About the sum.\ntotalSum = 1  ! trailing", declarations="integer :: totalSum")
    assert "// About the sum." in text
    assert "totalSum = 1;  // trailing" in text


def test_a_comment_does_not_go_on_in_the_next_line() -> None:
    assert "// a backslash" in cpp("! a backslash \\\nx = 1", declarations="integer :: x")
    assert "\\\n" not in cpp("! a backslash \\\nx = 1", declarations="integer :: x")


def test_openmp_loops_become_pragmas_without_their_variable() -> None:
    text = cpp(
        "!$omp parallel do private(i, t) reduction(+:s)\ndo i = 1, 9\nt = i\ns = s + t\nend do",
        declarations="integer :: i\nreal :: s = 0, t",
    )
    assert "#pragma omp parallel for private(t) reduction(+: s)" in text
    assert "for (int i = 1; i <= 9; ++i)" in text


def test_a_sequential_loop_within_a_parallel_one_has_a_private_variable() -> None:
    text = cpp(
        "!$omp parallel do\ndo i = 1, 9\ndo j = 1, 9\ns(i) = j\nend do\nend do\nprint *, j",
        declarations="integer :: i, j\nreal :: s(9)",
    )
    assert "#pragma omp parallel for private(j)" in text


@pytest.mark.parametrize(
    ("body", "declarations", "said"),
    [
        ("call nowhere(1)", "", "a.f90:4: the subroutine `nowhere` is not found"),
        ("x = f(1.0)", "real :: x, f\nexternal f", "the procedure `f` is not among the files"),
        ("write (10) x", "real :: x", "unformatted input or output"),
        ("read (*, *, size=i) x", "real :: x\ninteger :: i", "the option `size` of `read`"),
        ("a = transfer(1d0, 1)", "integer :: a", "`transfer`"),
        ("!$omp workshare\nx = 1\n!$omp end workshare", "real :: x", "the directive `!$omp workshare`"),
        ("z%re = 1", "complex :: z(3)", "a part of complex numbers by `%`"),
        ("forall (i = 2:4) a(i) = a(i - 1)", "integer :: i\nreal :: a(4)", "reads what it changes"),
        ("x = 1", "real :: x, y\nequivalence (x, y)", "`equivalence`"),
        ("namelist /n/ x\nx = 1", "real :: x", "a.f90:4: `namelist`"),
        ("i = i .cross. i", "integer :: i", "the operator `.cross.` is not found"),
        ("call sub(1.)\ncontains\nsubroutine sub(n)\ninteger :: n\nend subroutine", "", "of type real(4)"),
    ],
)
def test_what_has_no_translation_is_refused(body: str, declarations: str, said: str) -> None:
    with pytest.raises(Refused) as caught:
        cpp(body, declarations=declarations)
    assert said in str(caught.value)
    assert caught.value.line


def test_common_blocks_of_several_layouts_are_refused() -> None:
    after = "subroutine s\ninteger :: a\ncommon /b/ a\nend subroutine"
    with pytest.raises(Refused, match="the common block `b` in several layouts"):
        cpp("x = 1", declarations="real :: x\ncommon /b/ x", after=after)


def test_modules_of_other_files_come_first() -> None:
    main = parse("program p\nuse m\nprint *, n\nend program\n", "main.f90")
    module = parse("module m\ninteger :: n = 3\nend module\n", "m.f90")
    text = translate([main, module])
    assert text.index("namespace m {") < text.index("int main()")
    assert "m::n" in text


FAMILY = """
module m
  type, abstract :: base
  contains
    procedure(act_of), deferred :: act
  end type
  abstract interface
    subroutine act_of(this, n)
      import base
      class(base), intent(in) :: this
      integer, intent(inout) :: n
    end subroutine
  end interface
  type, extends(base) :: one
  contains
    procedure :: act => act_one
  end type
contains
  subroutine act_one(this, n)
    class(one), intent(in) :: this
    integer, intent(inout) :: n
    print *, n
  end subroutine
end module
"""


def test_functions_of_one_family_take_their_arguments_alike() -> None:
    text = translate([parse(FAMILY, "a.f90")])
    assert "virtual void act(int &n) const = 0;" in text
    assert "void act(int &n) const override;" in text


def test_calls_with_effects_are_made_in_the_order_of_the_text() -> None:
    after = "integer function f(n)\ninteger :: n\nprint *, n\nf = n\nend function"
    text = cpp("k = f(1) - f(2)", declarations="integer :: k\ninteger, external :: f", after=after)
    assert text.index("= f(1)") < text.index("- f(2)")
