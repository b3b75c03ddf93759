"""`transpile port --to cpp` keeps a Fortran program only where both sides print the same."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from transpile.fortran import programs
from transpile.fortran.sources import sources
from transpile.toolchains import own_python

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed"),
]
MODULE = (
    "module m\ncontains\nsubroutine s(n)\ninteger, intent(in) :: n\nprint *, n\nend subroutine\nend module\n"
)


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.f90").write_text(text)
    return tmp_path


def ported(root: Path) -> programs.ProgramPort:
    return programs.port(root, sources(root))


def test_a_program_in_two_files_is_kept_with_its_headers(tmp_path: Path) -> None:
    root = folder(tmp_path, a="program p\nuse m\ncall s(3)\nend program\n", b=MODULE)
    result = ported(root)
    assert result.kept
    assert {"program.cpp", "Makefile", "fortran.h", "fortran/array.h"} <= result.files.keys()


def test_a_program_that_prints_something_else_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = '#include "fortran.h"\nint main() { fortran::print() << 4; }\n'
    answer = json.dumps({"order": ["a.f90"], "text": wrong})
    monkeypatch.setattr(own_python, "command", lambda module: [sys.executable, "-c", f"print({answer!r})"])
    result = ported(folder(tmp_path, a="print *, 3\nend\n"))
    assert not result.kept
    assert [item.code for item in result.diagnostics] == [programs.DIFFERENT]


def test_a_program_that_waits_for_nothing_but_chance_is_not_kept(tmp_path: Path) -> None:
    text = "program p\ninteger(8) :: n\ncall system_clock(n)\nprint *, n\nend program\n"
    result = ported(folder(tmp_path, a=text))
    assert [item.code for item in result.diagnostics] == [programs.UNDECIDED]


def test_a_construct_without_translation_is_told_with_its_place(tmp_path: Path) -> None:
    result = ported(folder(tmp_path, a="real x, y\nequivalence (x, y)\nx = 1\nend\n"))
    assert [(item.path, item.line, item.code) for item in result.diagnostics] == [
        ("a.f90", 2, programs.NOT_TRANSLATED)
    ]
