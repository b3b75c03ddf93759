"""Build files that build with nvcc and with hipcc."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import assemble, either_cmake, either_make
from transpile.core import HIP_OR_CUDA

MAKEFILE = """\
CC = nvcc
# What is linked.
LIBS = -lcublas \\
       -lm

main: main.o
\t$(CC) main.o -o $@ $(LIBS)

%.o: %.cu
\t$(CC) -arch=sm_70 -dc $< -o $@
"""


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((), ["nvcc -arch=sm_70 -dc main.cu -o main.o", "nvcc main.o -o main -lcublas -lm"]),
        (
            ("GPU=amd",),
            ["hipcc -fgpu-rdc -x hip -c main.cu -o main.o", "hipcc main.o -o main -lhipblas -lm"],
        ),
    ],
)
def test_make_builds_for_either(given: tuple[str, ...], wanted: list[str], tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(either_make.ported(MAKEFILE))
    (tmp_path / "main.cu").touch()
    done = subprocess.run(
        ["make", "--no-print-directory", "-n", *given],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    )
    assert [" ".join(line.split()) for line in done.stdout.splitlines()] == wanted


def test_what_both_say_alike_is_said_once() -> None:
    text = either_make.ported(MAKEFILE)
    assert (
        text.count("# What is linked.\n") == text.count("main: main.o\n\t$(CC) main.o -o $@ $(LIBS)\n") == 1
    )
    assert either_make.ported(text) == text
    assert either_make.ported("all:\n\tg++ -c a.cpp\n") == "all:\n\tg++ -c a.cpp\n"


def test_commands_of_other_compilers_stay() -> None:
    text = either_make.ported("a.o: a.cu\n\tnvcc -c a.cu\nb.o: b.cpp\n\tg++ -c b.cpp\n")
    assert "\thipcc -x hip -c a.cu\n" in text and "\nb.o: b.cpp\n\tg++ -c b.cpp\n" in text


def test_cmake_has_an_option() -> None:
    text = """\
cmake_minimum_required(VERSION 3.18)
project(heat LANGUAGES CXX CUDA)
set(WITH_TESTS ON)
find_package(CUDAToolkit REQUIRED)
add_executable(heat
  main.cu host.cpp)
target_link_libraries(heat PRIVATE CUDA::cublas m)
"""
    found = either_cmake.ported(text, ["main.cu"])
    assert (
        found
        == """\
cmake_minimum_required(VERSION 3.21)
option(USE_HIP "Build for AMD's devices, with HIP" OFF)
if(USE_HIP)
project(heat LANGUAGES CXX HIP)
else()
project(heat LANGUAGES CXX CUDA)
endif()
set(WITH_TESTS ON)
if(USE_HIP)
find_package(hipblas REQUIRED)
else()
find_package(CUDAToolkit REQUIRED)
endif()
if(USE_HIP)
set_source_files_properties(main.cu PROPERTIES LANGUAGE HIP)
endif()
add_executable(heat
  main.cu host.cpp)
if(USE_HIP)
target_link_libraries(heat PRIVATE roc::hipblas m)
else()
target_link_libraries(heat PRIVATE CUDA::cublas m)
endif()
"""
    )
    assert either_cmake.ported(found, ["main.cu"]) == found


def test_a_source_without_build_files_gets_a_makefile_for_either(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text("__global__ void k(int *x) { *x = 1; }\nint main() { return 0; }\n")
    port = assemble(parsers.read(tmp_path), {}, target=HIP_OR_CUDA)
    text = port.files["Makefile"].decode()
    assert "else\nNVCC      = nvcc\n" in text and "NVCC      = hipcc\n" in text
    assert [unit.path for unit in port.translation_units] == ["main.cu"]
    assert port.emulators == (("SIMT_HIP",), ())


def test_folders_of_a_collection_are_built_by_their_own_makefiles(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Makefile").write_text("main: main.cu\n\tnvcc main.cu -o main\n")
        (tmp_path / folder / "main.cu").write_text("int main() { return 0; }\n")
    made = assemble(parsers.read(tmp_path), {}, target=HIP_OR_CUDA)
    assert made.build_command == "make -C one && make -C two" and "Makefile" not in made.files


def test_a_makefile_that_asks_for_the_folder_of_its_caller_is_called_there(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    rule = "main: main.cu\n\tnvcc main.cu -o main\n\tln -sf $(PWD)/main $(PWD)/../main\n"
    (tmp_path / "src" / "Makefile").write_text(rule)
    (tmp_path / "src" / "main.cu").write_text("int main() { return 0; }\n")
    made = assemble(parsers.read(tmp_path), {}, target=HIP_OR_CUDA)
    assert made.build_command == "(cd src && make)"
