"""Build files of plain C and C++ gain OpenMP, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import plain


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CFLAGS = -O2\na: a.c\n\t$(CC) $(CFLAGS) -o a a.c\n", "CFLAGS = -O2 -fopenmp\n"),
        ("CC = gcc\na: a.c\n\t$(CC) -o a a.c\n", "CC = gcc -fopenmp\n"),
        ("a: a.c\n\t$(CC) -o a a.c\n", "CC += -fopenmp\na: a.c\n"),
        ("a: a.c\n\tgcc -O2 -o a a.c\n", "\tgcc -fopenmp -O2 -o a a.c\n"),
        ("a: a.o\n", "CXX += -fopenmp\nCC += -fopenmp\na: a.o\n"),
        (
            "CXXFLAGS := -O3 # fast\nLDFLAGS = -lm\na: a.o\n\t$(CXX) $(CXXFLAGS) $(LDFLAGS) a.o\n"
            "%.o: %.cpp\n\t$(CXX) $(CXXFLAGS) -c $<\n",
            "CXXFLAGS := -O3 -fopenmp # fast\n",
        ),
        (
            "CC = clang\nCFLAGS = -O2\na: a.o\n\t$(CC) a.o -o a\na.o: a.c\n\t$(CC) $(CFLAGS) -c a.c\n",
            "CC = clang -fopenmp\nCFLAGS = -O2\n",
        ),
        (
            "include a\nifdef C\n-include b\nelse ifdef D\nE = 1\nendif\na: a.c\n\t$(CC) $(CFLAGS) a.c",
            "E = 1\nendif\nCC += -fopenmp\na: a.c\n",
        ),
        (
            "ifdef C\nE = 1\nendif\ninclude a.def \\\n  b.def\nifdef D\nE = 2\nendif\na: a.c\n\t$(CC) a.c\n",
            "  b.def\nCC += -fopenmp\nifdef D\n",
        ),
    ],
    ids=["flags", "compiler", "default", "word", "rules", "comment", "link", "condition", "include"],
)
def test_every_compiler_call_of_a_makefile_sees_openmp(before: str, after: str) -> None:
    found = plain.with_flag(before)
    assert after in found
    assert plain.with_flag(found) == found
    assert found.replace(" -fopenmp", "").replace("CC +=\n", "").replace("CXX +=\n", "") == before


def test_a_source_without_build_files_gets_a_makefile(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    build = plain.ported(parsers.read(tmp_path), {})
    text = build.files["Makefile"].decode()
    assert "CC       = gcc\nCFLAGS   = -O2 -fopenmp -Wall\n" in text
    assert "CXX" not in text


def test_cmake_links_the_language_that_there_is(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    lists = b"project(a C)\nadd_executable(a main.c)\n"
    build = plain.ported(parsers.read(tmp_path), {"CMakeLists.txt": lists})
    text = build.files["CMakeLists.txt"].decode()
    assert "find_package(OpenMP REQUIRED)" in text
    assert "target_link_libraries(a PRIVATE OpenMP::OpenMP_C)" in text
