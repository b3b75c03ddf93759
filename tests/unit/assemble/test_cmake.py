"""CMakeLists.txt of CUDA become those of C++ with OpenMP; what is not CUDA's stays byte for byte."""

from __future__ import annotations

import pytest

from transpile.assemble import cmake

NAMES = {"a.cu": "a.cpp", "b.cuh": "b.hpp"}


def changed(text: str) -> str:
    """Return what becomes of commands of a file in which no project begins."""
    return cmake.ported(text, NAMES, include=())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("find_package(CUDAToolkit 12 REQUIRED)\n", ""),
        ("  FIND_PACKAGE( CUDA QUIET ) # here\n", "   # here\n"),
        ("find_package(CUDAcompat)\n", "find_package(CUDAcompat)\n"),
        ("enable_language(CUDA)\n", "enable_language(CXX)\n"),
        ("check_language(CUDA)\nif(CMAKE_CUDA_COMPILER)\n", "check_language(CXX)\nif(CMAKE_CXX_COMPILER)\n"),
        ("if(CUDA_FOUND AND X)\n", "if(OpenMP_FOUND AND X)\n"),
        ("set(CMAKE_CUDA_ARCHITECTURES 60 70)\nset(x y)\n", "set(x y)\n"),
        ("list(APPEND CUDA_NVCC_FLAGS -O3;-arch=sm_60)\n", ""),
        ('set(CMAKE_CUDA_FLAGS "-arch=sm_60 -DN=2 -Xcompiler -g")\n', 'set(CMAKE_CXX_FLAGS "-DN=2 -g")\n'),
        ("set(CMAKE_CUDA_STANDARD 14)\n", "set(CMAKE_CXX_STANDARD 17)\n"),
        ("set(CMAKE_CXX_STANDARD 20)\n", "set(CMAKE_CXX_STANDARD 20)\n"),
        ("CUDA_ADD_LIBRARY(x STATIC a.cu OPTIONS -O2)\n", "add_library(x STATIC a.cpp)\n"),
        ("target_link_libraries(x PUBLIC CUDA::cudart y)\n", "target_link_libraries(x PUBLIC y)\n"),
        ("target_link_libraries(x ${CUDA_LIBRARIES})\n", ""),
        ("target_link_libraries(x cudaless cublasting)\n", "target_link_libraries(x cudaless cublasting)\n"),
        ("include_directories(${CUDA_INCLUDE_DIRS} .)\n", "include_directories(.)\n"),
        ('set_target_properties(x PROPERTIES CUDA_ARCHITECTURES "60;70")\n', ""),
        (
            "set_target_properties(x PROPERTIES FOLDER y CUDA_SEPARABLE_COMPILATION ON)\n",
            "set_target_properties(x PROPERTIES FOLDER y)\n",
        ),
        (
            "set_property(TARGET x PROPERTY CUDA_STANDARD 11)\n",
            "set_property(TARGET x PROPERTY CXX_STANDARD 17)\n",
        ),
        (
            "set_source_files_properties(a.c PROPERTIES LANGUAGE CUDA)\n",
            "set_source_files_properties(a.c PROPERTIES LANGUAGE CXX)\n",
        ),
        ("target_compile_options(x PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-G -lineinfo>)\n", ""),
        (
            "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-O2>\n  $<$<COMPILE_LANGUAGE:CUDA>:-G>)\n",
            "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-O2>)\n",
        ),
        ("file(GLOB s src/*.cu *.cuh)\n", "file(GLOB s src/*.cpp *.cuh)\n"),
        ("# add_executable(x a.cu)\n", "# add_executable(x a.cu)\n"),
    ],
)
def test_commands_of_cuda_become_those_of_cpp(before: str, after: str) -> None:
    assert changed(before) == after
    kept = f"# a comment (\r\nset( x  [[ y ]] )\t\n\n{before}IF( Auto )\nENDIF( Auto )\n"
    assert changed(kept) == f"# a comment (\r\nset( x  [[ y ]] )\t\n\n{after}IF( Auto )\nENDIF( Auto )\n"


def test_a_project_links_openmp_to_all_below_it() -> None:
    text = (
        "cmake_minimum_required(VERSION 3.18)\nproject(CUDA VERSION 1\n  LANGUAGES CUDA)\n"
        "add_executable(x a.cu)\n"
    )
    assert cmake.ported(text, NAMES, include=("simt",), more=("-w",)) == (
        "cmake_minimum_required(VERSION 3.18)\nproject(CUDA VERSION 1\n  LANGUAGES CXX)\n"
        "find_package(OpenMP REQUIRED)\nlink_libraries(OpenMP::OpenMP_CXX)\n"
        "include_directories(simt)\nadd_compile_options(-w)\nadd_executable(x a.cpp)\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("file(GLOB s *.cu)", "file(GLOB s a.cpp b_port.cpp)"),
        ('file(GLOB s RELATIVE x "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")', None),
        ("file(GLOB s *.cpp *.cu)", "file(GLOB s *.cpp *.cpp)"),
        ("file(GLOB s ker/*.cu)", "file(GLOB s ker/*.cpp)"),
        ("file(GLOB s ker/k?.cpp)", "file(GLOB s ker/k?.cpp)"),
        ("file(GLOB_RECURSE s *.cu)", "file(GLOB_RECURSE s a.cpp b_port.cpp ker/k1.cpp)"),
        ("file(GLOB s ${WHERE}/*.cu)", "file(GLOB s ${WHERE}/*.cpp)"),
        ("file(GLOB s *.cuh)", "file(GLOB s *.cuh)"),
        ("file(COPY *.cu DESTINATION x)", "file(COPY *.cpp DESTINATION x)"),
    ],
)
def test_patterns_find_what_they_found_in_the_source(before: str, after: str | None) -> None:
    names = {
        **{"lib/a.cu": "lib/a.cpp", "lib/b.cu": "lib/b_port.cpp", "lib/b.cpp": "lib/b.cpp"},
        **{"lib/main.cpp": "lib/main.cpp", "lib/ker/k1.cu": "lib/ker/k1.cpp", "other.cu": "other.cpp"},
    }
    place = "${CMAKE_CURRENT_SOURCE_DIR}"
    narrow = f"file(GLOB s RELATIVE x {place}/b.cpp {place}/main.cpp)"
    assert cmake.ported(before, names, include=(), folder="lib") == (after or narrow)
    top = "project(p)\nfile(GLOB s ${PROJECT_SOURCE_DIR}/*.cu)"
    assert "{PROJECT_SOURCE_DIR}/b_port.cpp)" in cmake.ported(top, names, include=(), folder="lib")
