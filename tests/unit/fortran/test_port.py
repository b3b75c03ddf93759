"""Files of a port of a Fortran library."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.fortran.port import definition, files
from transpile.fortran.sources import sources
from transpile.fortran.translation import Translated, translated

FIRST = "subroutine first(x)\nreal :: x\nx = 1.0\nend\n"
SECOND = "subroutine second(x)\nreal :: x\ncall first(x)\nx = x + 1.0\nend\n"
SHARED = "module shared\ncontains\nsubroutine third(x)\nreal :: x\nx = 3.0\nend subroutine\nend module\n"


def library(root: Path, **texts: str) -> Translated:
    for name, text in texts.items():
        (root / f"{name}.f90").write_text(text)
    found = translated(root, sources(root))
    assert isinstance(found, Translated) and found.library
    return found


def test_all_that_is_kept_is_c(tmp_path: Path) -> None:
    found = library(tmp_path, first=FIRST, second=SECOND)
    made = files(tmp_path, found, {"first", "second"}, unsafe=False)
    assert {"routines.cpp", "Makefile", "fortran.h"} <= made.keys()
    assert not [name for name in made if name.startswith("fortran/") and name.endswith(".f90")]
    assert b"void first_(" in made["routines.cpp"] and b"void second_(" in made["routines.cpp"]


def test_what_is_not_kept_stays_and_what_it_calls_keeps_its_name(tmp_path: Path) -> None:
    found = library(tmp_path, first=FIRST, second=SECOND)
    made = files(tmp_path, found, {"first"}, unsafe=False)
    assert made["fortran/second.f90"] == SECOND.encode()
    assert "fortran/first.f90" not in made
    assert b"void first_(" in made["routines.cpp"] and b"second" not in made["routines.cpp"]
    assert b"fortran/second.f90" in made["Makefile"]


def test_a_callee_that_is_not_asked_for_is_defined_once(tmp_path: Path) -> None:
    found = library(tmp_path, first=FIRST, second=SECOND)
    made = files(tmp_path, found, {"second"}, unsafe=False)
    assert made["fortran/first.f90"] == FIRST.encode()
    assert b"void first_(" not in made["routines.cpp"] and b"void first(float" in made["routines.cpp"]


def test_a_routine_that_two_files_define_is_ported_once(tmp_path: Path) -> None:
    found = library(tmp_path, first=FIRST, old=FIRST)
    made = files(tmp_path, found, {"first"}, unsafe=False)
    assert made["routines.cpp"].count(b"void first_(") == 1
    assert not [name for name in made if name.startswith("fortran/") and name.endswith(".f90")]


def test_of_modules_that_are_cpp_what_is_left_knows_the_names_alone(tmp_path: Path) -> None:
    found = library(tmp_path, first=FIRST, shared=SHARED)
    alone = files(tmp_path, found, {"shared::third"}, unsafe=False)
    assert {"fortran/first.f90", "fortran/shared.f90"} <= alone.keys()
    assert b"__shared_MOD_third(" in alone["routines.cpp"]
    assert b"-fsyntax-only 'fortran/shared.f90'" in alone["Makefile"]
    both = files(tmp_path, found, {"first", "shared::third"}, unsafe=False)
    assert b"__shared_MOD_third(" in both["routines.cpp"]
    assert "fortran/shared.f90" not in both


@pytest.mark.parametrize(
    "line", ["real, allocatable :: y(:)", "type t\ninteger, pointer :: p\nend type", "! all plain"]
)
def test_modules_with_more_than_procedures_and_plain_variables_stay(tmp_path: Path, line: str) -> None:
    found = library(tmp_path, first=FIRST, shared=SHARED.replace("contains", f"{line}\ncontains"))
    made = files(tmp_path, found, {"shared::third"}, unsafe=False)
    assert (b"-c 'fortran/shared.f90'" in made["Makefile"]) == ("plain" not in line)
    assert b"__shared_MOD_third(" in made["routines.cpp"]
    assert ("replaced.txt" in made) == ("plain" not in line)


def test_main_programs_are_linked_with_what_is_ported(tmp_path: Path) -> None:
    main = "program p\nuse shared\nreal :: x\ncall third(x)\nend program\n"
    found = library(tmp_path, shared=SHARED, one=main, two=main.replace("program p", "program q"))
    made = files(tmp_path, found, {"shared::third"}, unsafe=False)
    assert made["programs/one.f90"] == main.encode()
    assert b"\nprograms: programs/one programs/two\n" in made["Makefile"]
    assert b"-fsyntax-only 'fortran/shared.f90'" in made["Makefile"]


@pytest.mark.parametrize("name", ["f", "m::f"])
def test_definitions_are_found_whole(name: str) -> None:
    text = "int f(int);\n\nint f(int a) {\n    if (a) {\n    }\n    return g(a);\n}\n\nint g(int a) {\n}\n"
    assert definition(text, name) == "int f(int a) {\n    if (a) {\n    }\n    return g(a);\n}"


TWO = (
    "module two\ncontains\nsubroutine kept(x)\nreal :: x\nx = 3.0\nend subroutine\n"
    "subroutine left(x)\nreal :: x\ncall kept(x)\nend subroutine\n"
    "subroutine counting(x)\nreal :: x\ninteger, save :: calls = 0\ncalls = calls + 1\nx = calls\n"
    "end subroutine\nend module\n"
)


def test_what_is_kept_of_a_module_takes_its_place_in_the_rest(tmp_path: Path) -> None:
    found = library(tmp_path, two=TWO)
    made = files(tmp_path, found, {"two::kept"}, unsafe=False)
    assert made["fortran/two.f90"] == TWO.encode()
    assert made["replaced.txt"] == b"__two_MOD_kept\n"
    assert b'extern "C" void __two_MOD_kept(' in made["routines.cpp"]
    assert b"mixed.o: routines.o left0.o\n" in made["Makefile"]


def test_what_keeps_a_state_of_its_own_stays_with_the_rest_of_its_module(tmp_path: Path) -> None:
    found = library(tmp_path, two=TWO)
    made = files(tmp_path, found, {"two::counting", "two::kept"}, unsafe=False)
    assert b"counting" not in made["replaced.txt"] and b"MOD_counting(" not in made["routines.cpp"]
    whole = files(tmp_path, found, {"two::counting", "two::kept", "two::left"}, unsafe=False)
    assert b"MOD_counting(" in whole["routines.cpp"]
