"""Fortran translated in a process of its own."""

from __future__ import annotations

from pathlib import Path

from transpile.core import Diagnostic
from transpile.fortran.sources import sources
from transpile.fortran.translation import Translated, translated

GOOD = "subroutine good(x)\nreal :: x\nx = 1.0\nend\n"
UNREAD = "subroutine unread(x)\nreal :: x, y\nequivalence (x, y)\nend\n"
MAIN = "program p\nend program\n"


def asked(root: Path, **texts: str) -> Translated | Diagnostic:
    root.mkdir(exist_ok=True)
    for name, text in texts.items():
        (root / f"{name}.f90").write_text(text)
    return translated(root, sources(root))


def test_files_with_a_main_program_are_a_program(tmp_path: Path) -> None:
    found = asked(tmp_path, a=MAIN, b=GOOD)
    assert isinstance(found, Translated) and not found.library


def test_files_without_are_a_library(tmp_path: Path) -> None:
    found = asked(tmp_path, b=GOOD)
    assert isinstance(found, Translated) and found.library
    assert [item.name for item in found.interfaces] == ["good"]
    assert max(found.origins) == 3


def test_a_file_of_a_library_that_is_not_read_is_named_and_left_out(tmp_path: Path) -> None:
    found = asked(tmp_path, a=UNREAD, b=GOOD)
    assert isinstance(found, Translated)
    assert [item.name for item in found.interfaces] == ["good"]
    [(name, why)] = found.refused
    assert (name, why.path, why.line, why.code) == ("a.f90", "a.f90", 3, "TP600")
    assert "a.f90" in found.sources


def test_a_file_of_a_program_that_is_not_read_is_a_refusal(tmp_path: Path) -> None:
    found = asked(tmp_path, a=UNREAD, b=MAIN)
    assert isinstance(found, Diagnostic) and (found.path, found.line) == ("a.f90", 3)


def test_a_library_of_which_nothing_is_read_is_a_refusal(tmp_path: Path) -> None:
    assert isinstance(asked(tmp_path, a=UNREAD), Diagnostic)


def test_programs_stay_fortran_where_there_are_several(tmp_path: Path) -> None:
    found = asked(tmp_path, a=MAIN, b=MAIN.replace("program p", "program q"), c=GOOD)
    assert isinstance(found, Translated) and found.library
    assert [item.name for item in found.interfaces] == ["good"]
    assert [item.name for item in found.programs] == ["a.f90", "b.f90"]
    assert "of the 2 main programs" in found.programs[0].why.message
    assert [*found.sources] == ["c.f90"]


def test_the_rest_of_a_program_that_has_no_translation_is_a_library(tmp_path: Path) -> None:
    main = "program p\nreal :: x, y\nequivalence (x, y)\ncall good(x)\nend program\n"
    found = asked(tmp_path, a=main, b=GOOD)
    assert isinstance(found, Translated) and found.library
    [item] = found.programs
    assert (item.name, item.why.path, item.why.line) == ("a.f90", "a.f90", 3)
    assert isinstance(asked(tmp_path / "alone", a=main), Diagnostic)
