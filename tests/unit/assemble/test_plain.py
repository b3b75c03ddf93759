"""Build files of plain C and C++ gain OpenMP, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import plain


def test_a_source_without_build_files_gets_a_makefile(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    build = plain.ported(parsers.read(tmp_path), {})
    text = build.files["Makefile"].decode()
    assert "CC       = gcc\nCFLAGS   = -O2 -fopenmp -Wall\n" in text
    assert "CXX" not in text


@pytest.mark.skipif(not (shutil.which("make") and shutil.which("gcc")), reason="needs make and gcc")
@pytest.mark.parametrize("names", [("first.c", "second.c"), ("first.c", "second.cpp"), ("only.c",)])
def test_all_programs_of_a_source_without_build_files_are_built(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    for name in names:
        text = "int main(int count, char **words) { return root(count) > 2 || !words; }\n"
        link = 'extern "C" ' if name.endswith("pp") else ""
        (tmp_path / name).write_text(f"{link}double root(double);\n{text}")
    (tmp_path / "util.c").write_text("#include <math.h>\ndouble root(double x) { return sqrt(x); }\n")
    build = plain.ported(parsers.read(tmp_path), {})
    (tmp_path / "Makefile").write_bytes(build.files["Makefile"])
    environment = {"PATH": os.environ["PATH"]}
    subprocess.run(["make"], cwd=tmp_path, check=True, capture_output=True, env=environment)
    made = {path.name for path in tmp_path.iterdir() if path.suffix == "" and path.name != "Makefile"}
    assert made == ({Path(name).stem for name in names} if len(names) > 1 else {"main"})
    subprocess.run(["make", "clean"], cwd=tmp_path, check=True, capture_output=True, env=environment)
    assert {path.name for path in tmp_path.iterdir()} == {*names, "util.c", "Makefile"}


def test_cmake_links_the_language_that_there_is(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    lists = b"project(a C)\nadd_executable(a main.c)\n"
    build = plain.ported(parsers.read(tmp_path), {"CMakeLists.txt": lists})
    text = build.files["CMakeLists.txt"].decode()
    assert "find_package(OpenMP REQUIRED)" in text
    assert "link_libraries(OpenMP::OpenMP_C)\n" in text
