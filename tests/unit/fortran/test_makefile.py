"""The Makefile of a port of a Fortran library."""

from __future__ import annotations

from pathlib import Path

from transpile.fortran.makefile import Parts, makefile


def test_fortran_waits_for_its_modules_and_programs_for_all() -> None:
    parts = Parts(fortran=["m.f90", "a b.f90"], described=["m.f90"], programs=["run/p.f90"], beside=[])
    text = makefile(Path("solver"), parts)
    assert "OBJECTS = routines.o left1.o\n" in text and "libsolver.a: $(OBJECTS) | left1.o\n" in text
    assert "left0.described: fortran/m.f90\n\t$(FC) $(FFLAGS) -fsyntax-only 'fortran/m.f90'" in text
    assert "left1.o: fortran/a\\ b.f90 | left0.described\n" in text
    assert "programs: programs/run/p\n" in text
    assert "programs/run/p: programs/run/p.f90 libsolver.a | left1.o\n" in text


def test_c_beside_it_finds_its_headers() -> None:
    parts = Parts(fortran=[], described=[], programs=[], beside=["c/a.c", "c/b.cpp", "include/a.h"])
    text = makefile(Path("solver"), parts)
    assert "BESIDE = -Ic/c -Ic/include\n" in text
    assert "beside0.o: c/c/a.c\n\t$(CC) $(CFLAGS) $(BESIDE)" in text
    assert "beside1.o: c/c/b.cpp\n\t$(CXX) $(CXXFLAGS) $(BESIDE)" in text
    assert "programs:" not in text


def test_routines_of_cpp_are_put_in_the_place_of_those_within_objects() -> None:
    parts = Parts(fortran=["a.f90", "b.f90"], described=[], programs=[], beside=[], mixed={"b.f90"})
    text = makefile(Path("solver"), parts)
    weaken = "$(OBJCOPY) --weaken-symbols=replaced.txt $@\n"
    assert "OBJECTS = mixed.o left0.o\n" in text
    assert f"-fPIC -c 'fortran/b.f90' -o $@\n\t{weaken}" in text
    assert f"mixed.o: routines.o left1.o\n\t$(CXX) -r -nostdlib -o $@ routines.o left1.o\n\t{weaken}" in text


def test_a_library_brings_the_modules_of_what_is_cpp_as_a_whole() -> None:
    parts = Parts(fortran=["a.f90", "m.f90"], described=["m.f90"], programs=[], beside=[])
    assert "libsolver.a: $(OBJECTS) | left1.described\n" in makefile(Path("solver"), parts)
