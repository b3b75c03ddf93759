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
