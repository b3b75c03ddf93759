"""Where functions of C and C++ stand once they call parallel algorithms, and how that is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import stdpar
from transpile.core import STDPAR, Binding, Candidate, Replacement, Source
from transpile.translators.targets.stdpar.ranges import INDEX_RANGE

ANSWER = "void scale(float *a, int n) { std::for_each(std::execution::par_unseq, a, a + n, twice); }"


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "scale.c").write_text("void scale(float *a, int n) { while (n--) a[n] *= 2; }\n")
    (tmp_path / "main.c").write_text("void scale(float *, int);\nint main(void) { return 0; }\n")
    (tmp_path / "Makefile").write_text(
        "main: main.c scale.c\n\tgcc -std=c99 -DLARGE main.c scale.c -lm -o main\n"
    )
    return parsers.read(tmp_path)


def kept(source: Source) -> dict[str, Candidate]:
    unit = next(unit for unit in source.units if unit.name == "scale")
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=ANSWER.encode()),),
        binding=Binding(name="scale", arguments=("a", "n")),
        dialect=STDPAR,
        headers=("<execution>", f"<{INDEX_RANGE}>"),
    )
    return {unit.id: candidate}


def test_a_c_file_has_one_of_cpp_beside_it(source: Source) -> None:
    made = stdpar.moved(source, kept(source))
    assert made.paths["scale.c"] == "scale_parallel.cpp"
    text = made.files["scale_parallel.cpp"].decode()
    assert "#include <execution>\n#include <index_range.h>\n" in text and 'extern "C" void scale(' in text
    assert made.files["scale.c"] == b"void scale(float *a, int n);\n" and INDEX_RANGE in made.files


def test_each_language_has_its_own_standard(source: Source) -> None:
    made = stdpar.moved(source, kept(source))
    units = stdpar.units_of(source, made)
    assert {unit.path: unit.flags for unit in units} == {
        "main.c": ("-std=c99", "-DLARGE"),
        "scale.c": ("-std=c99", "-DLARGE"),
        "scale_parallel.cpp": ("-std=c++20", "-I.", "-DLARGE"),
    }
    text = stdpar.makefile(units, stdpar.programs_of(source, made))
    assert "CXXFLAGS = -O2 -std=c++20 -I. -DLARGE\n" in text
    assert "CFLAGS   = -O2 -std=c99 -DLARGE\n" in text
    assert "main: main.o scale.o scale_parallel.o\n\t$(CXX) $(CXXFLAGS) -o $@ $^ -ltbb -lm\n" in text


def test_a_cpp_file_stays_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("void scale(float *a, int n) { a[n - 1] = 0; }\nint main() {}\n")
    source = parsers.read(tmp_path)
    made = stdpar.moved(source, kept(source))
    assert set(made.files) == {"main.cpp", INDEX_RANGE}
    assert b"std::for_each" in made.files["main.cpp"] and b"int main() {}" in made.files["main.cpp"]
    [unit] = stdpar.units_of(source, made)
    assert unit.flags[:2] == ("-std=c++20", "-I.")
