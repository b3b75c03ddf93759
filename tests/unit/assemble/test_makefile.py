"""Makefiles for nvcc become Makefiles for g++; so do plain CMakeLists."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import assemble, cmake, makefile
from transpile.assemble.names import renamed, with_new_includes

NAMES = {"main.cu": "main.cpp", "inc/grid.cuh": "inc/grid.hpp", "notes.txt": "notes.txt"}

NVCC = """\
NVCC  = /usr/local/cuda/bin/nvcc
ARCH ?= sm_60
FLAGS := -O3 -std=c++14 -arch=$(ARCH) -gencode arch=compute_70 -Xcompiler -Wall,-g --extended-lambda
LIBS  = -L/usr/local/cuda/lib64 -lcudart -lm

main: main.o
\t$(NVCC) $(FLAGS) -o $@ $< $(LIBS)

%.o: %.cu inc/grid.cuh
\t$(NVCC) $(FLAGS) -dc $< -o $@

run: main
\t./main 8
"""

GXX = """\
NVCC  = g++
FLAGS := -O3 -std=c++17 -Wall -g -fopenmp -Isimt
LIBS  = -lm

main: main.o
\t$(NVCC) $(FLAGS) -o $@ $< $(LIBS)

%.o: %.cpp inc/grid.hpp
\t$(NVCC) $(FLAGS) -c $< -o $@

run: main
\t./main 8
"""


def ported(text: str, names: Mapping[str, str], *, include: Sequence[str]) -> str:
    """Return a Makefile as the port has it."""
    return makefile.flagged(makefile.translated(text, names), include=include)


def test_nvcc_and_its_options_go() -> None:
    text = ported(NVCC, NAMES, include=("simt",))
    assert [line.split() for line in text.splitlines()] == [line.split() for line in GXX.splitlines()]


@pytest.mark.parametrize(
    ("line", "ported"),
    [
        (
            "$(foreach sm, ${SMS}, $(eval CODE += -gencode arch=compute_$(sm),code=sm_$(sm)))",
            "$(foreach sm, ${SMS}, $(eval CODE += ))",
        ),
        ("CODE := $(if $(DEBUG),-G -g,-O3 -lineinfo)", "CODE := $(if $(DEBUG),-g,-O3 )"),
        ("CODE := $(if $(FAST),-use_fast_math,-G)", "CODE := $(if $(FAST),,)"),
        ("$(eval INC += -I$(CUDA_HOME)/$(ARCH)/include)", "$(eval INC += )"),
        ("$(eval INC += -I$(ROOT)/$(CUDA_SDK)/inc -Iown)", "$(eval INC +=  -Iown)"),
        ("$(eval LIBS += -L/usr/local/cuda-12.4/lib64)", "$(eval LIBS += )"),
        ("$(eval LIBS += -L/usr/local/cuda)", "$(eval LIBS += )"),
        ("CODE = -gencode arch=compute_${SM},code=sm_${SM} -O2", "CODE = -O2"),
        ("CODE = -arch=$(shell ./arch $(ROOT)) -O2", "CODE = -O2"),
        ("CODE = -O2 -Wno-deprecated-gpu-targets", "CODE = -O2 "),
        ("LIBS = -Xlinker -rpath,lib -lm", "LIBS = -Wl,-rpath,lib -lm"),
        ("LIBS = --linker-options '-z,now'", "LIBS = -Wl,-z,now"),
        ("LIBS = $(addprefix -Xlinker -rpath , $(DIRS))", "LIBS = $(addprefix -Xlinker -rpath , $(DIRS))"),
        ("LIBS = -Xlinker=-rpath,$(CUDA_HOME)/lib64 -lm", "LIBS =  -lm"),
        ("LIBS = -Wl,-rpath=/usr/local/cuda/lib64 -lm", "LIBS =  -lm"),
    ],
)
def test_functions_of_make_stay_whole(line: str, ported: str) -> None:
    assert makefile.ported_line(line, {}, makefile.GXX) == ported


@pytest.mark.parametrize(
    "line",
    [
        "ARCH := $(shell nvidia-smi -arch sm_80 | tr -dc '0-9')",
        "\ttar -G -cf a.tar . && ls -keep",
        "\t@git describe | tr -dc a-z > version",
        "STAMP = `date | tr -dc 0-9`",
    ],
)
def test_commands_that_call_no_compiler_keep_their_options(line: str) -> None:
    assert makefile.ported_line(line, {}, makefile.GXX) == line


def test_commands_beside_those_of_the_compiler_keep_their_options() -> None:
    line = "\tnvcc -G -c a.cu -o $$(git describe | tr -dc a-z).o && tar -G -cf a.tar $(shell ls *.cu)"
    assert makefile.ported_line(line, {"a.cu": "a.cpp"}, makefile.GXX) == (
        "\tg++ -c a.cpp -o $$(git describe | tr -dc a-z).o && tar -G -cf a.tar $(shell ls *.cpp)"
    )


def test_rules_that_would_write_over_the_port_go() -> None:
    text = "app: a.cu\n\tnvcc -o app a.cu\na.cu: a.c\n\tcp a.c a.cu\n\techo made\nb.h: b.in\n\tcp b.in b.h\n"
    made = makefile.translated(text, {"a.cu": "a.cpp", "b.h": "b.h"})
    assert made == "app: a.cpp\n\tg++ -o app a.cpp\nb.h: b.in\n\tcp b.in b.h\n"
    assert makefile.translated("A = a.cu\na.cu:= b\n", {"a.cu": "a.cpp"}) == "A = a.cpp\na.cpp:= b\n"


def test_hipcc_and_its_options_go() -> None:
    text = "FLAGS = -O2 --rocm-path=$(R) --offload-arch=gfx90a -I/opt/rocm/include\n"
    text += "m: m.cpp\n\thipcc $(FLAGS) -x hip m.cpp -o m -L$(ROCM_PATH)/lib -lamdhip64\n"
    made = makefile.translated(text, {}).splitlines()
    assert made[0].split() == ["FLAGS", "=", "-O2"]
    assert made[2].split() == ["g++", "$(FLAGS)", "m.cpp", "-o", "m"]


def test_options_go_with_their_values_whichever_way_they_are_written() -> None:
    options = '-fmad false --ftz=true -Xcudafe "--diag_suppress=20012" -default-stream per-thread'
    text = f'\tnvcc -odir "." {options} --compile --relocatable-device-code=false -o a.o a.cu\n'
    assert ported(text, {"a.cu": "a.cpp"}, include=()).split() == [
        "g++",
        "-fopenmp",
        "-c",
        "-o",
        "a.o",
        "a.cpp",
    ]
    assert makefile.translated("\tnvcc -link -o app a.o\n", {}).split() == ["g++", "-o", "app", "a.o"]


def test_directories_of_the_toolkit_go_and_those_that_sound_alike_stay() -> None:
    toolkit = "-I$(CUDA_HOME)/include -I/opt/cuda-12.4/include -L/usr/local/cuda"
    text = f"FLAGS = {toolkit} -I../mis-cuda -Isrc/cuda -lm\nm: m.cu\n\tnvcc $(FLAGS) m.cu\n"
    assert ported(text, NAMES, include=()).splitlines()[0].split() == [
        "FLAGS", "=", "-I../mis-cuda", "-Isrc/cuda", "-lm", "-fopenmp",
    ]  # fmt: skip


def test_a_generated_makefile_has_the_flags_of_the_build() -> None:
    text = makefile.generated(
        "main", ["main.cpp"], include=("simt",), more=("-Iinc", '-DNAME="a b"', "-DC=$"), libraries=("-lm",)
    )
    assert "CXXFLAGS = -O2 -std=c++17 -fopenmp -Wall -Iinc '-DNAME=\"a b\"' '-DC=$$' -Isimt\n" in text
    assert "\t$(CXX) $(CXXFLAGS) -o $@ $(objects) -lm\n" in text


def test_of_a_library_the_objects_are_made() -> None:
    text = makefile.generated(None, ["a.cpp", "sub/b.cpp"], include=())
    assert "objects = a.o sub/b.o\n\nall: $(objects)\n" in text
    assert "program" not in text and "run" not in text


def test_openmp_is_not_asked_for_twice() -> None:
    text = "CC = nvcc\nCFLAGS = -Xcompiler -fopenmp\nmain: main.cu\n\t$(CC) $(CFLAGS) main.cu -o main\n"
    assert ported(text, NAMES, include=()).count("-fopenmp") == 1


def test_commands_without_variables_get_the_flags() -> None:
    text = "main: main.cu\n\tnvcc -O2 main.cu -o main\n"
    assert ported(text, NAMES, include=()) == "main: main.cpp\n\tg++ -fopenmp -O2 main.cpp -o main\n"


def test_cmake() -> None:
    text = (
        "project(heat LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\nset(CMAKE_CUDA_STANDARD 17)\n"
        "add_executable(heat main.cu)\nset_target_properties(heat PROPERTIES CUDA_ARCHITECTURES 70)\n"
    )
    assert cmake.ported(text, NAMES, include=("simt",)) == (
        "project(heat LANGUAGES CXX)\nfind_package(OpenMP REQUIRED)\nlink_libraries(OpenMP::OpenMP_CXX)\n"
        "include_directories(simt)\nset(CMAKE_CXX_STANDARD 17)\nadd_executable(heat main.cpp)\n"
    )


def test_names_do_not_collide() -> None:
    names = renamed(("main.cu", "main.cpp", "grid.cuh"))
    assert names["main.cpp"] == "main.cpp"
    assert names["main.cu"] not in ("main.cpp", "main.cu")
    assert names["grid.cuh"] == "grid.hpp"


def test_includes_follow_the_names() -> None:
    text = b'#include "../inc/grid.cuh"\n#include <cmath>\n'
    assert with_new_includes(text, NAMES) == b'#include "../inc/grid.hpp"\n#include <cmath>\n'


def published(root: Path, flags: tuple[str, ...] = ()) -> str:
    """Return the Makefile of the port of a small program in the root."""
    (root / "main.cu").write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    return assemble(parsers.read(root, flags=flags, opened=[root.parent]), {}).files["Makefile"].decode()


def test_a_source_without_build_files_is_published_with_the_flags_given(tmp_path: Path) -> None:
    made = published(tmp_path, ("-Iinc", "-DN=32", "-std=c++20"))
    assert "-Iinc -DN=32 -std=c++20" in made


def test_a_source_of_several_programs_makes_them_all(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "main.cu").write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    (tmp_path / "other.c").write_text("int main(void) { return 0; }\n")
    made = published(tmp_path, ())
    assert "programs = main old_main other\n" in made
    assert "old_main: old/main.o\n" in made
    assert "%.o: %.c\n\t$(CC) " in made


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_directories_that_the_makefile_does_not_name_itself_are_added(tmp_path: Path) -> None:
    root = tmp_path / "app"
    for name in ("app", "named", "hidden", "given"):
        (tmp_path / name).mkdir()
    (tmp_path / "common.mk").write_text("HIDDEN = -I../hidden\n")
    (root / "Makefile").write_text(
        "include ../common.mk\nCFLAGS = -I../named $(HIDDEN)\n"
        "main: main.cu ../hidden/x.h\n\tnvcc $(CFLAGS) main.cu -o main\n"
    )
    (tmp_path / "hidden" / "x.h").write_text("")
    made = published(root, (f"-I{tmp_path}/given",))
    for name in ("named", "hidden", "given"):
        assert made.count(f"-I{tmp_path}/{name}") == 1, made


def test_files_with_blanks_in_their_paths_have_rules_of_their_own() -> None:
    files = ("my code/a b.cpp", "main.cpp", "old code/c.c")
    text = makefile.generated_for([makefile.Program(name="main", files=files)], include=())
    assert "main: my_code_a_b.o main.o old_code_c.o\n" in text
    assert "my_code_a_b.o: my\\ code/a\\ b.cpp\n\t$(CXX) $(CXXFLAGS) -c 'my code/a b.cpp' -o $@\n" in text
    assert "old_code_c.o: old\\ code/c.c\n\t$(CC) " in text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("FILES = a.cu b.c\np: $(FILES)\n\tnvcc $(FILES) -o p\n", "\tgcc $(FILES) -o p -lstdc++ -lm\n"),
        ("p: a.cu b.c\n\tnvcc $^ -o p; ./p\n", "\tgcc $^ -o p -lstdc++ -lm; ./p\n"),
        ("p: a.o b.o\n\tnvcc $^ -o $@\n%.o: %.c\n\tnvcc -c $<\n", "\tgcc $^ -o $@ -lstdc++ -lm\n"),
        ("p: a.cu b.o\n\tnvcc $^ -o p\nb.o: b.c\n\t$(CC) -c b.c\n", "\tg++ $^ -o p\n"),
        ("p: a.cu\n\tnvcc a.cu -o p\n", "\tg++ a.cpp -o p\n"),
        ("HOW = -O2 -c\nb.o: b.c\n\tnvcc $(HOW) b.c\n", "\tgcc $(HOW) b.c\n"),
    ],
)
def test_what_nvcc_takes_for_c_stays_c(text: str, made: str) -> None:
    assert made in makefile.translated(text, {"a.cu": "a.cpp"})
