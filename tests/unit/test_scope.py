"""A port concerns the projects that hold what is judged, and those that share changes with them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Diagnostic, Severity, Source, UnitKind
from transpile.scope import concerned, of_interest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

KERNEL = """#include "../common/tools.h"
__global__ void NAME(int n, float *x) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }
int main() { float *x = 0; NAME<<<1, 32>>>(0, x); return tools(); }
"""
FILES = {
    "alone/main.cu": KERNEL.replace("NAME", "alone"),
    "alone/Makefile": "main: main.cu\n\tnvcc -o main main.cu\n",
    "first/main.cu": KERNEL.replace("NAME", "first"),
    "first/Makefile": "include ../rules.mk\n",
    "second/main.cu": KERNEL.replace("NAME", "second"),
    "second/Makefile": "include ../rules.mk\n",
    "rules.mk": "main: main.cu\n\tnvcc -o main main.cu\n",
    "host/main.c": '#include "../common/tools.h"\nint main(void) { return tools(); }\n',
    "host/Makefile": "main: main.c\n\tcc -o main main.c\n",
    "common/tools.h": "static inline int tools(void) { return 0; }\n",
    "notes.txt": "of all\n",
}


def collection(root: Path, files: dict[str, str]) -> Source:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return parsers.read(root)


def chosen(source: Source, *names: str) -> Source:
    return concerned(source, [unit for unit in source.units if unit.name in names])


def test_each_folder_is_asked_for_its_own_programs(tmp_path: Path) -> None:
    source = collection(tmp_path, FILES)
    assert source.projects == ("alone", "first", "host", "second")
    assert {program.name: program.translation_units for program in source.programs} == {
        f"{folder}/main": (f"{folder}/main.{'c' if folder == 'host' else 'cu'}",)
        for folder in source.projects
    }


def test_a_project_that_has_nothing_in_common_is_left_alone(tmp_path: Path) -> None:
    source = chosen(collection(tmp_path, FILES), "alone")
    assert source.projects == ("alone",)
    assert [program.name for program in source.programs] == ["alone/main"]
    assert {"first/main.cu", "rules.mk", "second/Makefile", "host/main.c"} <= source.outside
    assert not source.outside & {"alone/main.cu", "alone/Makefile", "common/tools.h"}
    assert {unit.path for unit in source.units} <= {"alone/main.cu", "common/tools.h"}
    assert [item.code for item in source.diagnostics] == ["TP508"]


def test_build_files_and_code_of_cuda_in_common_bring_their_projects_along(tmp_path: Path) -> None:
    source = collection(tmp_path, FILES)
    assert chosen(source, "first").projects == ("first", "second")
    shared = FILES["alone/main.cu"].replace("int main", '#include "../host/kernel.cuh"\nint main')
    other = {
        "alone/main.cu": shared,
        "host/main.cu": '#include "kernel.cuh"\nint main() { return 0; }\n',
        "host/kernel.cuh": "__device__ inline float once(float x) { return x; }\n",
        "host/Makefile": "main: main.cu\n\tnvcc -o main main.cu\n",
    }
    again = collection(tmp_path / "again", {**FILES, **other})
    assert chosen(again, "alone").projects == ("alone", "host")


@pytest.mark.parametrize(
    "tools", ["#include <cuda_runtime.h>\n", "inline void f() { cudaDeviceSynchronize(); }\n"]
)
def test_headers_that_a_port_rewrites_bring_their_projects_along(tools: str, tmp_path: Path) -> None:
    source = collection(tmp_path, {**FILES, "common/tools.h": f"{tools}{FILES['common/tools.h']}"})
    assert chosen(source, "alone").projects == source.projects


def test_where_the_root_builds_everything_nothing_is_left_out(tmp_path: Path) -> None:
    source = collection(tmp_path, {**FILES, "Makefile": "all:\n\tmake -C alone\n\tmake -C first\n"})
    assert source.projects == ()
    assert chosen(source, "alone") == source


def test_what_keeps_functions_from_trials_is_not_told_beside_kernels(tmp_path: Path) -> None:
    source = collection(
        tmp_path, {"main.cu": KERNEL.replace("NAME", "own").replace('#include "../common/tools.h"', "")}
    )
    kernel, other = (
        next(unit for unit in source.units if (unit.name == "own") is own) for own in (True, False)
    )
    notes = tuple(
        Diagnostic(code="TP122", severity=Severity.NOTE, path=unit.path, line=unit.line, message="")
        for unit in (kernel, other)
    )
    missing = Diagnostic(
        code="TP102", severity=Severity.WARNING, path=other.path, line=other.line, message=""
    )
    told = of_interest(replace(source, diagnostics=(*notes, missing)), [UnitKind.KERNEL])
    assert told.diagnostics == (notes[0], missing)
