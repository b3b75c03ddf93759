"""Libraries of Fortran routines in C++."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran.units import parse
from transpile.translators.fortran.library import Library, translate

GOOD = "subroutine good(x)\nreal :: x\nx = 1.0\nend\n"
BAD = "subroutine bad(x)\nreal :: x, y\ninteger :: n\ninquire (file='a', size=n)\nx = n\nend\n"
CALLS = "subroutine calls(x)\nreal :: x\ncall bad(x)\nend\n"


def library(*texts: str, wanted: tuple[str, ...] = (), leave: tuple[str, ...] = ()) -> Library:
    return translate(
        [parse(text, f"{number}.f90") for number, text in enumerate(texts)], wanted=wanted, leave=leave
    )


def test_what_has_no_translation_is_left_out_with_what_uses_it() -> None:
    found = library(GOOD, CALLS, BAD)
    assert [item.name for item in found.interfaces] == ["good"]
    reasons = {name: why.detail for name, why in found.refused}
    assert "inquire" in reasons["bad"]
    assert reasons["calls"] == "it uses `bad`, which has no translation"


def test_a_routine_that_is_defined_twice_is_taken_once() -> None:
    found = library(GOOD, GOOD)
    assert [item.file for item in found.interfaces] == ["0.f90"]
    [(_, why)] = found.refused
    assert why.file == "1.f90" and "defined twice" in why.detail


def test_fortran_calls_what_is_wanted_alone() -> None:
    other = "subroutine other(x)\nreal :: x\ncall good(x)\nend\n"
    found = library(GOOD, other, wanted=("other",))
    assert "void other_(float *x)" in found.text
    assert "good_(" not in found.text and "void good(float &x)" in found.text


def test_logical_values_in_arrays_are_as_long_as_in_fortran() -> None:
    text = (
        "subroutine f(a, b, n)\nlogical :: a(*), seen(3)\ninteger :: n\nlogical(1), intent(in) :: b(n)\n"
        "seen = .false.\na(1) = b(n) .or. seen(2)\nend\n"
    )
    found = library(text).text
    assert "void f_(fortran::Logical<4> *a, fortran::Logical<1> *b, int *n)" in found
    assert "fortran::FixedArray<fortran::Logical<4>, 3> seen;" in found


def test_every_line_knows_where_it_comes_from() -> None:
    found = library(
        "subroutine f(x)\nreal x\nif (x > 1.0) then\nx = 2.0\nelse if (x > 0.5) then\nx = 3.0\nend if\nend\n"
    )
    lines = found.text.split("\n")
    assert len(found.origins) == len(lines) - 1
    places = {text.strip(): origin for text, origin in zip(lines, found.origins, strict=False)}
    assert places["x = 2.0f;"] == 4
    assert places["} else if (x > 0.5f) {"] == 5
    assert places["x = 3.0f;"] == 6


@pytest.mark.parametrize(
    ("declared", "parameter", "argument"),
    [
        ("integer :: x\n", "int *x", "*x"),
        ("integer :: x(*)\n", "int *x", "x"),
        ("logical :: x\n", "std::int32_t *x", "*x != 0"),
        ("character(len=*) :: x\n", "char *x, std::size_t x_length", "std::string_view(x, x_length)"),
        ("complex :: x\n", "std::complex<float> *x", "*x"),
    ],
)
def test_arguments_are_those_of_gfortran(declared: str, parameter: str, argument: str) -> None:
    found = library(
        f"subroutine f(x)\n{declared}print *, x\nend\n".replace("x(*)\nprint *, x", "x(*)\nprint *, x(1)")
    )
    assert f"void f_({parameter}) {{\n    f({argument});" in found.text


def test_logical_values_that_are_changed_come_back() -> None:
    found = library("logical function f(x)\nlogical :: x\nf = x\nx = .false.\nend\n")
    assert "bool x_value = *x != 0;" in found.text
    assert "*x = x_value;\n    return result;" in found.text


def test_routines_of_modules_have_gfortrans_names_and_descriptors() -> None:
    found = library(
        "module m\ncontains\nreal function f(x)\nreal, intent(in) :: x(:, :)\nf = x(1, 1)\nend\nend module\n"
    )
    assert "float __m_MOD_f(fortran::Descriptor<2> *x)" in found.text
    assert "return m::f(fortran::described<float, 2>(x));" in found.text


def test_what_a_call_leaves_out_is_a_null_pointer_of_fortran_and_nothing_in_cpp() -> None:
    found = library(
        "subroutine f(n, x, y, same, name)\ninteger, optional :: n\nreal, intent(in), optional :: x, y(:)\n"
        "logical, optional :: same\ncharacter(len=3), intent(in), optional :: name\n"
        "if (present(n) .and. present(x) .and. present(y)) n = x + y(1)\n"
        "if (present(same) .and. present(name)) same = name == 'abc'\nend\n"
    ).text
    assert "fortran::Optional<int>(n), fortran::Optional<const float>(x)" in found
    assert "bool same_value = same && *same != 0;" in found
    assert "if (same) *same = same_value;" in found
    assert (
        "name ? fortran::OptionalText(std::string_view(name, name_length)) : fortran::OptionalText()" in found
    )
    assert "const fortran::OptionalText name = name_text.first(3);" in found


def test_procedures_that_fortran_passes_are_called_with_addresses() -> None:
    found = library(
        "logical function f(g, h, x)\nreal :: g, x\nlogical :: h\nexternal g, h\nf = h(g(x), 1)\nend\n"
    ).text
    assert (
        "std::int32_t f_(float (*g)(float *), std::int32_t (*h)(float *, std::int32_t *), float *x)" in found
    )
    assert "f(fortran::Passed(g), fortran::PassedTest(h), *x)" in found
