"""Where functions of C and C++ stand once they are CUDA or HIP."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import assemble, device, moving
from transpile.core import (
    CUDA,
    CUDA_ON_DEVICE,
    HIP,
    Binding,
    Candidate,
    Dialect,
    ProgrammingModel,
    Replacement,
    Source,
)

HEADER = "#include <math.h>\nvoid scale(float *a, int n);\n"
TEXT = """#include <stdio.h>
#include "scale.h"

static int calls;

static float twice(float x) { return 2 * x; }

// Every element.
static inline void scale(float *restrict a, int n)
{
    for (int i = 0; i < n; i++) a[i] = twice(a[i]);
}

void report(void) { printf("%d\\n", calls); }
"""
ANSWER = """__global__ void scale_kernel(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] *= 2; }

static inline void scale(float *restrict a, int n)
{
    scale_kernel<<<1, n>>>(a, n);
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "scale.h").write_text(HEADER)
    (tmp_path / "scale.c").write_text(TEXT)
    (tmp_path / "main.c").write_text('#include "scale.h"\nint main(void) { return 0; }\n')
    return parsers.read(tmp_path)


def kept(source: Source, dialect: Dialect = CUDA, name: str = "scale") -> dict[str, Candidate]:
    unit = next(unit for unit in source.units if unit.name == "scale")
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=ANSWER.replace("scale(f", f"{name}(f").encode()),),
        binding=Binding(name=name, arguments=("a", "n")),
        dialect=dialect,
        headers=("<cub/cub.cuh>",),
    )
    return {unit.id: candidate}


def test_a_c_file_keeps_all_but_the_function(source: Source) -> None:
    made = device.moved(source, kept(source), ProgrammingModel.CUDA)
    body = TEXT[TEXT.index("static inline") : TEXT.index("void report")]
    prototype = "void scale(float *restrict a, int n);\n\n"
    assert made.files["scale.c"].decode() == TEXT.replace(body, prototype)
    assert made.paths["scale.c"] == made.added["scale.c"] == "scale_cuda.cu"


def test_the_function_stands_with_what_was_around_it(source: Source) -> None:
    text = device.moved(source, kept(source), ProgrammingModel.CUDA).files["scale_cuda.cu"].decode()
    assert text.index("#include <math.h>") < text.index('extern "C" {\n#include "scale.h"\n}')
    assert "static float twice(float x)" in text  # the original called it, and so may the translation
    assert 'extern "C" void scale(float *restrict a, int n)' in text
    assert "void report" not in text
    assert "#include <cub/cub.cuh>" in text


def test_headers_of_another_system_stay_under_their_condition(tmp_path: Path) -> None:
    choice = '#ifdef _WIN32\n#include <io.h>\n#include "other.h"\n#else\n#include <unistd.h>\n#endif\n'
    (tmp_path / "other.h").write_text("#include <windows.h>\n")
    (tmp_path / "scale.h").write_text(f"#ifndef SCALE_H\n#define SCALE_H\n{HEADER}#endif\n")
    (tmp_path / "scale.c").write_text(choice + TEXT)
    found = parsers.read(tmp_path)
    made = device.moved(found, kept(found), ProgrammingModel.CUDA)
    text = made.files["scale_cuda.cu"].decode()
    front, _, rest = text.partition("#define restrict")
    assert "#include <math.h>" in front and "<io.h>" not in front and "windows.h" not in text
    assert "#else\n#include <unistd.h>\n#endif" in rest


def test_both_files_are_built_and_linked(source: Source) -> None:
    made = device.moved(source, kept(source), ProgrammingModel.CUDA)
    units, programs = device.units_of(source, made), moving.programs_of(source, made)
    assert {unit.path for unit in units} == {"main.c", "scale.c", "scale_cuda.cu"}
    text = device.makefile(units, programs, ProgrammingModel.CUDA)
    assert "main: main.o scale.o scale_cuda.o\n\t$(NVCC) $(NVCCFLAGS) -o $@ $^" in text
    assert "NVCCFLAGS = -O2 -fmad=false\n" in text


def test_functions_in_hip_are_built_by_hipcc(source: Source) -> None:
    port = assemble(source, kept(source, HIP), target=HIP)
    assert {unit.path for unit in port.translation_units} == {"main.c", "scale.c", "scale_hip.hip"}
    assert (port.emulated, port.emulators) == ({"scale_hip.hip"}, (("SIMT_HIP",),))
    text = port.files["Makefile"].decode()
    assert "HIPCC      = hipcc\n" in text and "%.o: %.hip\n\t$(HIPCC) $(HIPCCFLAGS) -c $<" in text
    assert "main: main.o scale.o scale_hip.o\n\t$(HIPCC)" in text and "nvcc" not in text
    assert port.files["scale.h"].decode() == HEADER


def test_a_cpp_file_becomes_cuda(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("void scale(float *a, int n) { a[n - 1] = 0; }\nint main() {}\n")
    source = parsers.read(tmp_path)
    made = device.moved(source, kept(source), ProgrammingModel.CUDA)
    assert set(made.files) == {"main.cu"}
    assert b"scale_kernel" in made.files["main.cu"] and b"int main() {}" in made.files["main.cu"]


def test_what_takes_memory_of_the_device_replaces_nothing(source: Source) -> None:
    found = kept(source, CUDA_ON_DEVICE, "scale_device")
    made = device.moved(source, found, ProgrammingModel.CUDA)
    assert made.files["scale.c"].decode() == TEXT
    text = made.files["scale_cuda.cu"].decode()
    assert 'extern "C" void scale_device(float *restrict a, int n)' in text and " scale(float" not in text
    [note] = device.notes(source, found)
    assert (note.code, note.path, note.line) == ("TP505", "scale.c", 9)
    assert not list(device.notes(source, kept(source)))


def test_in_a_cpp_file_it_stands_behind_the_original(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("void scale(float *a, int n) { a[n - 1] = 0; }\nint main() {}\n")
    source = parsers.read(tmp_path)
    text = device.moved(source, kept(source, CUDA_ON_DEVICE, "scale_device"), ProgrammingModel.CUDA).files[
        "main.cu"
    ]
    assert text.index(b"void scale(float *a, int n) { a[n - 1]") < text.index(b"void scale_device(float")
