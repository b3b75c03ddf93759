"""Fortran text becomes one statement a line, and each line knows where it came from."""

from __future__ import annotations

import pytest

from transpile.parsers.fortran import source
from transpile.parsers.fortran.errors import Refused


def lines(text: str, **options: bool) -> list[str]:
    return [line for line in source.read(text, "a.f90", **options).text.split("\n") if line]


def test_continued_lines_are_joined_and_comments_kept() -> None:
    text = "x = 1 + & ! first\n  ! between\n  & 2 ! second\n"
    assert lines(text) == ["! between", "! second", "x = 1 +  2 ! first"]


def test_strings_go_on_without_blanks() -> None:
    assert lines("s = 'ab&\n   &cd ! no comment'\n") == ["s = 'abcd ! no comment'"]


def test_semicolons_part_statements_but_not_strings() -> None:
    assert lines("a = 1; s = ';'\n") == ["a = 1", "s = ';'"]


def test_every_line_knows_its_place() -> None:
    read = source.read("a = 1\n\nb = 2 + &\n 3\nc = 4; d = 5\n", "a.f90")
    placed = zip(read.text.split("\n"), (place.line for place in read.places), strict=False)
    expected = [("a = 1", 1), ("b = 2 +  3", 3), ("c = 4", 5), ("d = 5", 5)]
    assert [pair for pair in placed if pair[0]] == expected


def test_fixed_form_has_labels_continuation_and_an_end_at_column_72() -> None:
    text = "C comment\n  100 FORMAT (I3)\n      X = 1 +\n     & 2" + " " * 64 + "IGNORED\n\tY = 3\n\t1 + 4\n"
    sum_line = "X = 1 +" + " " * 59 + " 2"
    assert lines(text, fixed=True) == ["! comment", "100 FORMAT (I3)", sum_line, "Y = 3 + 4"]


def test_a_blank_within_a_number_of_fixed_form_is_nothing() -> None:
    assert lines("      X = -1. D0\n", fixed=True) == ["X = -1.D0"]


def test_a_text_that_goes_on_in_fixed_form_is_filled_up() -> None:
    (line,) = lines("      S = 'AB\n     1CD'\n", fixed=True)
    assert line == "S = 'AB" + " " * 59 + "CD'"


def test_labelled_loops_become_loops_with_an_end() -> None:
    text = "do 10 i = 1, 3\ndo 10 j = 1, 3\n10 x = i + j\n"
    assert lines(text) == ["do i = 1, 3", "do j = 1, 3", "10 x = i + j", "end do", "end do"]


def test_an_assignment_that_looks_like_a_loop_stays_one() -> None:
    assert lines("do10i = 5\n") == ["do10i = 5"]


def test_conditional_lines_of_openmp_count() -> None:
    assert lines("!$ x = 1\n!$omp parallel &\n!$omp private(x)\n") == ["x = 1", "!$omp parallel private(x)"]


def test_included_files_are_put_in_place() -> None:
    read = source.read("include 'b.inc'\nx = 1\n", "a.f90", include={"b.inc": "y = 2\n"}.get)
    assert read.text == "y = 2\nx = 1\n"
    assert [(place.file, place.line) for place in read.places] == [("b.inc", 1), ("a.f90", 2)]


@pytest.mark.parametrize(
    ("text", "fixed", "said"),
    [
        ("#ifdef A\n", False, "a.f90:1: the preprocessor line `#ifdef A`"),
        ("x = 1\nx = 2 &\n", False, "a.f90:2: a statement that ends in & and does not go on"),
        ("include 'none.inc'\n", False, "a.f90:1: the included file none.inc is not found"),
        ("s = 'abc\n", False, "a.f90:1: a character literal without an end"),
        ("     1 X = 2\n", True, "a.f90:1: a continuation line that continues nothing"),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_place(text: str, fixed: bool, said: str) -> None:
    with pytest.raises(Refused) as caught:
        source.read(text, "a.f90", fixed=fixed)
    assert str(caught.value) == said
