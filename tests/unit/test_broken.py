"""Where no build file says what belongs together, a port has to build as far as its source does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from transpile import broken, parsers
from transpile.core import Severity, Source, TranslationUnit
from transpile.testers.programs import runs
from transpile.testers.programs.runs import built_from
from transpile.toolchains.build import BuildFailed

FILES = {
    "one.c": "int shared(void); int main(void) { return shared(); }\n",
    "two.c": "int lost(void); int main(void) { return lost(); }\n",
    "other.c": "int shared(void) { return 0; }\n",
    "system.c": "#include <of/another/system.h>\n",
}


@pytest.fixture(autouse=True)
def toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that has no header of another system, and a linker that never finds ``lost``."""

    def build(
        _: Any,
        files: Mapping[str, bytes],
        units: Sequence[TranslationUnit],
        *,
        link_flags: Sequence[str],
        **__: Any,
    ) -> BuildFailed | None:
        text = b"".join(files[unit.path] for unit in units)
        if b"of/another" in text:
            return BuildFailed(
                command="gcc", output="system.c:1:10: fatal error: of/another/system.h: No such file"
            )
        if "-lremote" in link_flags:
            return BuildFailed(command="ld", output="/usr/bin/ld: cannot find -lremote: No such file")
        if b"lost" in text and "-r" not in link_flags:
            return BuildFailed(command="ld", output="undefined reference to `lost'")
        return None

    monkeypatch.setattr(runs, "build_program", build)


def read(place: Path) -> Source:
    for name, text in FILES.items():
        (place / name).write_text(text)
    return parsers.read(place)


def test_files_and_programs_that_do_not_build_are_not_asked_for(tmp_path: Path, workshop: Any) -> None:
    source = read(tmp_path)
    less, notes = broken.without_broken(workshop, source, source.files)
    assert [unit.path for unit in less.translation_units] == ["one.c", "other.c", "two.c"]
    assert [(item.name, item.translation_units) for item in less.programs] == [("one", ("one.c", "other.c"))]
    assert [(note.code, note.path, note.line) for note in notes] == [
        ("TP504", "system.c", 1),
        ("TP504", "two.c", 1),
    ]
    assert "`lost` is not defined" in notes[1].message


def test_programs_beside_kernels_are_not_asked_for_either(tmp_path: Path, workshop: Any) -> None:
    (tmp_path / "main.cu").write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    source = read(tmp_path)
    less, _ = broken.without_broken(workshop, source, built_from(source))
    assert [item.name for item in less.programs] == ["main", "one"]


def test_a_program_whose_build_does_more_than_was_read_is_left_to_that(tmp_path: Path, workshop: Any) -> None:
    rules = "one: one.c other.c\n\tgcc -o one one.c other.c\ntwo: two.c\n\tgcc -o two two.c more.o\n"
    (tmp_path / "Makefile").write_text(f"all: one two\n{rules}")
    source = read(tmp_path)
    less, [note] = broken.without_broken(workshop, source, source.files)
    assert [item.name for item in less.programs] == ["one"]
    assert less.translation_units == source.translation_units
    assert (note.code, note.severity) == ("TP504", Severity.WARNING) and "`lost`" in note.message


def test_a_program_whose_library_is_not_here_is_not_run(tmp_path: Path, workshop: Any) -> None:
    (tmp_path / "Makefile").write_text("one: one.c other.c\n\tgcc -o one one.c other.c -lremote\n")
    source = read(tmp_path)
    less, [note] = broken.without_broken(workshop, source, source.files)
    assert less.programs == () and less.translation_units == source.translation_units
    assert "`-lremote` is not found" in note.message and note.severity is Severity.WARNING


def test_files_that_lack_a_header_do_not_count_against_the_others(tmp_path: Path, workshop: Any) -> None:
    rules = "one: one.c other.c\n\tgcc -o one one.c other.c -lremote\n"
    rules += "system: system.c\n\tgcc -o system system.c\n"
    (tmp_path / "Makefile").write_text(f"all: one system\n{rules}")
    source = read(tmp_path)
    source = replace(source, absent={"system.c": ("of/another/system.h",)}, programs=source.programs[:1])
    less, [note] = broken.without_broken(workshop, source, source.files)
    assert less.programs == () and "`-lremote`" in note.message


def test_what_a_makefile_builds_has_to_build(tmp_path: Path, workshop: Any) -> None:
    (tmp_path / "Makefile").write_text("one: one.c system.c\n\tgcc -o one one.c system.c\n")
    source = read(tmp_path)
    assert broken.without_broken(workshop, source, source.files) == (source, ())
