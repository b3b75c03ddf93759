"""Command lines of compilers, nvcc's above all."""

from __future__ import annotations

import shlex

from transpile.parsers.building import commands


def test_what_changes_the_meaning_of_a_text_is_kept() -> None:
    kept = "-I inc -I../up -DN=3 -D M -std=c++17 -include pre.h"
    dropped = "-arch=sm_70 -gencode arch=a,code=b -O3 -x cu"
    command = commands.parse(f"nvcc {kept} {dropped} -c a.cu -o a.o".split(), "sub")
    assert command is not None
    assert command.sources == ("sub/a.cu",)
    assert command.output == "sub/a.o"
    assert command.flags == ("-Isub/inc", "-Iup", "-DN=3", "-DM", "-std=c++17", "-include", "sub/pre.h")
    assert command.compiles_only


def test_linking_keeps_libraries_but_those_of_cuda() -> None:
    command = commands.parse(
        shlex.split("nvcc main.o util.o -o prog -lm -lcudart -lcublas -Xcompiler -fopenmp -L lib")
    )
    assert command is not None
    assert command.objects == ("main.o", "util.o")
    assert command.link_flags == ("-lm", "-fopenmp", "-Llib")
    assert not command.compiles_only


def test_words_of_nvcc_for_its_steps_are_no_programs_and_no_libraries() -> None:
    def read(line: str) -> commands.Command:
        found = commands.parse(shlex.split(line))
        assert found is not None
        return found

    dependencies = read("nvcc -odir . -M -o main.d main.cpp")
    assert (dependencies.output, dependencies.compiles_only) == ("main.d", True)
    compiled = read("nvcc --compile --relocatable-device-code=false -x cu -o a.o a.cu")
    assert (compiled.output, compiled.compiles_only) == ("a.o", True)
    assert read("nvcc -dlink a.o b.o -o device.o").compiles_only
    linked = read("nvcc --cudart static -link -o app a.o b.o")
    assert (linked.output, linked.link_flags, linked.compiles_only) == ("app", (), False)
    archived = read("nvcc -lib -o liba.a a.o")
    assert (archived.library, archived.link_flags) == (True, ())


def test_other_commands_are_none() -> None:
    assert commands.parse(["rm", "-f", "a.o"]) is None
    assert commands.parse(["echo", "nvcc", "a.cu"]) is None
    assert commands.parse([]) is None


def test_lines_follow_directories_and_continuations() -> None:
    text = (
        "make[1]: Entering directory '/r/sub'\ncd deep && nvcc \\\n -c a.cu\n"
        "make[1]: Leaving directory '/r/sub'\n./prog 1\n"
    )
    assert list(commands.lines(text)) == [("/r/sub/deep", ["nvcc", "-c", "a.cu"]), ("", ["./prog", "1"])]
