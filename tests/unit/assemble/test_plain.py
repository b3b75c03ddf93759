"""Build files of plain C and C++ gain OpenMP, and nothing else."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers
from transpile.assemble import plain


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
    assert "link_libraries(OpenMP::OpenMP_C)\n" in text
