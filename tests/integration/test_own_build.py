"""Ports are built by their own command, and what that makes is looked at."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from transpile import lock
from transpile.core import digest
from transpile.toolchains import own_build
from transpile.toolchains.own_build import BuildOrder, BuildRun
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

SUM = """\
double sum(const double *x, int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
"""
MAIN = "double sum(const double *, int);\nint main(void) { double x[2] = {1, 2}; return sum(x, 2) != 3; }\n"


def write(files: Mapping[str, str], root: Path) -> None:
    """Write files; scripts are executable."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        (root / path).chmod(0o755 if text.startswith("#!") else 0o644)


def built(workshop: Workshop, files: Mapping[str, str], *programs: str, command: str = "make") -> BuildRun:
    """Build files by a command."""

    key = digest(command, *programs, *(part for item in files.items() for part in item))
    return own_build.run(
        workshop,
        BuildOrder(
            command=command, fill=partial(write, files), key=key, programs=programs, functions=("sum",)
        ),
    )


@pytest.mark.parametrize("again", [False, True], ids=["first", "as kept"])
def test_products_tell_their_regions(workshop: Workshop, again: bool) -> None:
    rule = "work: work.c main.c\n\tgcc -fopenmp work.c main.c -o work\n"
    files = {"Makefile": rule, "work.c": SUM, "main.c": MAIN}
    if again:
        built(workshop, files, "work")
    found = built(workshop, files, "work")
    assert found.failure is None
    assert {"def sum", "def sum._omp_fn.0"} <= found.symbols
    assert subprocess.run([found.programs["work"]], check=False).returncode == 0


def test_archives_objects_and_libraries_tell_theirs(workshop: Workshop) -> None:
    for made in ("gcc -c -fopenmp work.c", "gcc -c -fopenmp work.c && ar rc libwork.a work.o && rm work.o",
                 "gcc -shared -fPIC -fopenmp work.c -o libwork.so"):  # fmt: skip
        found = built(workshop, {"work.c": SUM, "Makefile": f"all:\n\t{made}\n"})
        assert "def sum._omp_fn.0" in found.symbols, made


def test_a_serial_build_has_no_regions(workshop: Workshop) -> None:
    found = built(workshop, {"work.c": SUM, "Makefile": "all:\n\tgcc -c work.c\n"})
    assert found.symbols == {"def sum"}


def test_programs_that_a_build_runs_may_write_its_sources(workshop: Workshop) -> None:
    makefile = (
        "work: made.c\n\tgcc made.c -o work\nmade.c: make_it\n\t./make_it > made.c\n"
        "make_it: make_it.c\n\tgcc make_it.c -o make_it\n"
    )
    writer = '#include <stdio.h>\nint main(void) { puts("int main(void) { return 0; }"); return 0; }\n'
    found = built(workshop, {"Makefile": makefile, "make_it.c": writer}, "work")
    assert found.failure is None and set(found.programs) == {"work"}


def test_rules_that_forget_what_they_need_are_made_one_after_the_other(workshop: Workshop) -> None:
    # With two jobs at once `work` is linked before its object is there.
    makefile = (
        "all: object work\nobject:\n\tsleep 1; gcc -c main.c work.c\nwork:\n\tgcc main.o work.o -o work\n"
    )
    assert built(workshop, {"Makefile": makefile, "work.c": SUM, "main.c": MAIN}).failure is None


def test_what_a_failed_build_leaves_is_not_built_upon(workshop: Workshop) -> None:
    makefile = "work: half\n\ttrue\nhalf:\n\ttouch half; false\n"
    assert built(workshop, {"Makefile": makefile}).failure is not None


def test_a_failure_is_told_by_its_first_error(workshop: Workshop) -> None:
    found = built(workshop, {"Makefile": "all:\n\tgcc -c work.c\n", "work.c": "int f( { return 0; }\n"})
    assert found.failure is not None and found.failure.complaint.startswith("work.c:1:")
    assert found.failure.command == "make"


def test_a_build_without_an_end_is_ended(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_build, "SECONDS", 1.0)
    found = built(workshop, {"Makefile": "all:\n\twhile :; do :; done\n"})
    assert found.failure is not None and "error: it takes more than" in found.failure.complaint


def test_nothing_outside_is_reached(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    makefile = f"all:\n\t-cp {tmp_path}/secret stolen; touch {tmp_path}/written\n\ttest ! -e stolen\n"
    assert built(workshop, {"Makefile": makefile}).failure is None
    assert not (tmp_path / "written").exists()


def test_links_are_no_products(workshop: Workshop) -> None:
    makefile = "all:\n\tln -s /bin/true work\n\tln -s /dev/zero other\n\tmkfifo pipe\n"
    found = built(workshop, {"Makefile": makefile}, "work", "other", "pipe")
    assert found.failure is None and not found.programs and not found.symbols


def test_cmake_builds_below_its_own_folder(workshop: Workshop) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    text = "cmake_minimum_required(VERSION 3.10)\nproject(work C)\nadd_executable(work work.c main.c)\n"
    text += "find_package(OpenMP REQUIRED)\ntarget_link_libraries(work OpenMP::OpenMP_C)\n"
    command = "cmake -S . -B build && cmake --build build"
    files = {"CMakeLists.txt": text, "work.c": SUM, "main.c": MAIN}
    found = built(workshop, files, "work", command=command)
    assert found.failure is None and "def sum._omp_fn.0" in found.symbols and set(found.programs) == {"work"}


LOOP = "void twice(double *x, int n)\n{\n    for (int i = 0; i < n; i++) x[i] *= 2;\n}\n"
COMPILE = '#!/bin/sh\nexec gcc -O2 -c "$@"\n'


def port(tmp_path: Path, cache: Path, files: Mapping[str, str], *more: str) -> tuple[int, dict[str, Any]]:
    """Port files to OpenMP by the command; return the exit status and what it tells."""
    source = tmp_path / "source"
    write(files, source)
    run = "from transpile.cli.main import main; main()"
    words = [
        "port",
        str(source),
        "--to",
        "openmp",
        "--out",
        str(tmp_path / "out"),
        "--output-format",
        "json",
        *more,
    ]
    done = subprocess.run(
        [sys.executable, "-c", run, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "TRANSPILE_CACHE": str(cache)},
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    ("files", "outcome", "codes", "status"),
    [
        ({"Makefile": "all: work.o\n"}, "builds", [], 0),
        ({"Makefile": "all:\n\t./compile work.c\n", "compile": COMPILE}, "builds", ["TP506"], 1),
        pytest.param(
            {"Makefile": "all:\n\ttrue\nwork.o: work.c\n"},
            "builds",
            ["TP507"],
            0,
            marks=pytest.mark.thorough,
        ),
        ({"Makefile": "all: work.o\n\tfrobnicate work.o\n"}, "not shown", [], 0),
        pytest.param({"Makefile": "all: work.o\n\tfalse\n"}, "not shown", [], 0, marks=pytest.mark.thorough),
        pytest.param(
            {"Makefile": "all: work.o\n\t`sed -n '/pragma/s/.*/nothere/p' work.c | tr a-y b-z`\n"},
            "fails",
            ["TP512"],
            1,
            marks=pytest.mark.thorough,
        ),
        ({"Makefile": "all: work.o\n\t! grep pragma work.c\n"}, "fails", ["TP512"], 1),
    ],
    ids=[
        "parallel",
        "serial",
        "not made",
        "a tool is missing",
        "the source fails as well",
        "a tool that only the port asks for is missing",
        "only the port fails",
    ],
)
def test_a_port_tells_what_its_own_build_shows(
    files: Mapping[str, str], outcome: str, codes: list[str], status: int, tmp_path: Path, cache: Path
) -> None:
    ended, told = port(tmp_path, cache, {**files, "work.c": LOOP})
    assert told["build"]["own"]["outcome"] == outcome, told["build"]
    found = [item["code"] for item in told["diagnostics"] if item["code"] in ("TP506", "TP507", "TP512")]
    assert (found, ended) == (codes, status)


RUN = """\
#include "extra.h"
#include <stdio.h>
void twice(double *, int);
int main(void)
{
    double x[3] = {1, 2, 3};
    twice(x, 3);
    printf("%g %d\\n", x[0] + x[1] + x[2], EXTRA);
    return 0;
}
"""


COUNT = ".PHONY: extra.h\nextra.h:\n\tgrep -c pragma work.c | sed 's/^/#define EXTRA /' > extra.h\n"


@pytest.mark.parametrize(
    ("rule", "verdict"), [("", "passed"), (COUNT, "falsified")], ids=["alike", "not alike"]
)
def test_programs_are_run_as_their_own_build_makes_them(
    rule: str, verdict: str, tmp_path: Path, cache: Path
) -> None:
    # The rule makes a header of the port's text that is another than the one which lies there.
    makefile = "work: work.o main.o\n\t$(CC) work.o main.o -o work\nmain.o: extra.h\nrun: work\n\t./work\n"
    texts = {"Makefile": makefile + rule, "work.c": LOOP, "main.c": RUN, "extra.h": "#define EXTRA 0\n"}
    _, told = port(tmp_path, cache, texts)
    [program] = told["programs"]
    assert (program["verdict"], told["build"]["own"]["outcome"]) == (verdict, "builds"), program


KERNEL = """\
#include "../common/size.h"
#include <cstdio>
__global__ void NAME(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * x[i] + 1;
}
int main()
{
    float *x;
    cudaMallocManaged(&x, SIZE * sizeof(float));
    for (int i = 0; i < SIZE; i++) x[i] = i;
    NAME<<<(SIZE + 31) / 32, 32>>>(SIZE, x);
    cudaDeviceSynchronize();
    printf("%g\\n", x[SIZE - 1]);
    return 0;
}
"""
COLLECTION = {
    "cuda/one/one.cu": KERNEL.replace("NAME", "one").replace("../common", "../../common"),
    "cuda/one/Makefile": "FILE := one.cu\ninclude ../rules.mk\n",
    "cuda/two/two.cu": KERNEL.replace("NAME", "two").replace("../common", "../../common"),
    "cuda/two/Makefile": "FILE := two.cu\ninclude ../rules.mk\n",
    "cuda/rules.mk": "all:\n\tnvcc -O2 $(FILE) -o program\n",
    "alone/three.cu": KERNEL.replace("NAME", "three"),
    "alone/Makefile": "program: three.cu\n\tnvcc -o program three.cu\n",
    "broken/four.cu": KERNEL.replace("NAME", "four").replace("int n,", "int n, missing m,"),
    "broken/Makefile": "program: four.cu\n\tnvcc -o program four.cu\n",
    "common/size.h": "#define SIZE 100\n",
}


@pytest.mark.thorough
def test_folders_of_a_collection_are_built_by_their_own_commands(tmp_path: Path, cache: Path) -> None:
    ended, told = port(tmp_path, cache, COLLECTION, "--only", "one")
    own = told["build"]
    assert own["command"] == "make -C cuda/one && make -C cuda/two" and own["own"]["outcome"] == "builds", own
    assert [item["code"] for item in told["diagnostics"] if item["severity"] != "note"] == ["TP502"]
    assert ended == 0
    out = tmp_path / "out"
    for path in ("alone/three.cu", "alone/Makefile", "broken/four.cu", "broken/Makefile", "common/size.h"):
        assert (out / path).read_text() == COLLECTION[path]
    for folder in ("one", "two"):
        subprocess.run(["make", "-C", out / "cuda" / folder], check=True, capture_output=True)
        shown = subprocess.run(
            [out / "cuda" / folder / "program"], capture_output=True, text=True, check=True
        )
        assert shown.stdout == "199\n"


@pytest.mark.thorough
def test_a_project_that_does_not_compile_leaves_the_others_whole(tmp_path: Path, cache: Path) -> None:
    ended, told = port(tmp_path, cache, COLLECTION, "--only", "three", "--only", "four")
    assert told["build"]["command"] == "make -C alone" and told["build"]["own"]["outcome"] == "builds"
    found = {(item["code"], item["path"]) for item in told["diagnostics"] if item["severity"] == "error"}
    assert ("TP504", "broken/four.cu") in found and ended == 1, found


@pytest.mark.thorough
def test_projects_of_make_and_cmake_lie_beside_each_other(tmp_path: Path, cache: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    show = RUN.replace('#include "extra.h"\n', "").replace("EXTRA", "7")
    files = {
        "made/work.c": LOOP,
        "made/main.c": show,
        "made/Makefile": "work: work.o main.o\n\t$(CC) work.o main.o -o work\nrun: work\n\t./work\n",
        "configured/work.c": LOOP.replace("twice", "doubled"),
        "configured/main.c": show.replace("twice", "doubled"),
        "configured/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(work C)\n"
        "add_executable(work work.c main.c)\nadd_test(NAME all COMMAND work)\n",
        "loose.c": "int loose(void) { return 0; }\n",
    }
    ended, told = port(tmp_path, cache, files)
    assert told["build"]["command"] == (
        "cmake -S configured -B configured/build && cmake --build configured/build && make -C made"
    )
    assert told["build"]["own"]["outcome"] == "builds" and len(told["build"]["own"]["parallel"]) == 2
    ran = [(item["command"], item["verdict"]) for item in told["programs"]]
    assert ran == [("./configured/work", "passed"), ("./made/work", "passed")] and ended == 0, ran


WRITTEN_BY_CMAKE = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(work C)\nset(COUNT 4000)\n"
    "configure_file(count.h.in made/count.h)\nadd_library(work STATIC work.c)\n"
    "target_include_directories(work PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/made)\n",
    "count.h.in": "#define COUNT @COUNT@\n",
    "work.c": '#include "count.h"\nstatic double all[COUNT];\n'
    "void twice(double a)\n{\n    for (int i = 0; i < COUNT; i++) all[i] = a * i;\n}\n",
}


def test_headers_that_cmake_writes_are_read_and_not_delivered(tmp_path: Path, cache: Path) -> None:
    ended, told = port(tmp_path, cache, WRITTEN_BY_CMAKE)
    assert (ended, told["build"]["own"]["outcome"]) == (0, "builds"), told
    assert [unit["kept"] for unit in told["units"]] == [True]
    assert not (tmp_path / "out" / "build").exists()
    assert lock.check(tmp_path / "out" / lock.FILE) == ()
