"""Makefiles gain OpenMP where compilers see it, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from transpile.assemble.make_flags import OPENMP, with_flags


def with_openmp(text: str) -> str:
    """Return a Makefile with OpenMP."""
    return with_flags(text, OPENMP)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CFLAGS = -O2\na: a.c\n\t$(CC) $(CFLAGS) -o a a.c\n", "CFLAGS = -O2 -fopenmp\n"),
        ("CC = gcc\na: a.c\n\t$(CC) -o a a.c\n", "CC = gcc -fopenmp\n"),
        ("a: a.c\n\t$(CC) -o a a.c\n", "CC += -fopenmp\na: a.c\n"),
        ("a: a.c\n\tgcc -O2 -o a a.c\n", "\tgcc -fopenmp -O2 -o a a.c\n"),
        ("a: a.o\n", "LDFLAGS += -fopenmp\nCXXFLAGS += -fopenmp\nCFLAGS += -fopenmp\na: a.o\n"),
        (
            "CXXFLAGS := -O3 # fast\nLDFLAGS = -lm\na: a.o\n\t$(CXX) $(CXXFLAGS) $(LDFLAGS) a.o\n"
            "%.o: %.cpp\n\t$(CXX) $(CXXFLAGS) -c $<\n",
            "CXXFLAGS := -O3 -fopenmp # fast\n",
        ),
        (
            "CC = clang\nCFLAGS = -O2\na: a.o\n\t$(CC) a.o -o a\na.o: a.c\n\t$(CC) $(CFLAGS) -c a.c\n",
            "CC = clang -fopenmp\nCFLAGS = -O2\n",
        ),
        (
            "include a\nifdef C\n-include b\nelse ifdef D\nE = 1\nendif\na: a.c\n\t$(CC) $(CFLAGS) a.c",
            "E = 1\nendif\nCFLAGS += -fopenmp\na: a.c\n",
        ),
        (
            "ifdef C\nE = 1\nendif\ninclude a.def \\\n  b.def\nifdef D\nE = 2\nendif\na: a.c\n\t$(CC) a.c\n",
            "  b.def\nCC += -fopenmp\nifdef D\n",
        ),
    ],
    ids=["flags", "compiler", "default", "word", "rules", "comment", "link", "condition", "include"],
)
def test_every_compiler_call_of_a_makefile_sees_openmp(before: str, after: str) -> None:
    found = with_openmp(before)
    assert after in found
    assert with_openmp(found) == found
    assert re.sub(r"^\w+ \+=\n", "", found.replace(" -fopenmp", ""), flags=re.MULTILINE) == before


COMMAND = "a: a.c\n\t$(CC) $(CFLAGS) -o a a.c\n"


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    "text",
    [
        f"CC ?= gcc\n{COMMAND}",
        f"CFLAGS ?= -O2\n{COMMAND}",
        f"# make CFLAGS=-fopenmp\n{COMMAND}",
        f"CFLAGS = -O2 # -fopenmp\n{COMMAND}",
        f"OPENMP = 0\nCFLAGS = -O2\nifeq ($(OPENMP), 1)\nCFLAGS += -fopenmp\nendif\n{COMMAND}",
        f"ifdef DEBUG\nCFLAGS = -g\nelse\nCFLAGS = -O2\nendif\n{COMMAND}",
        f"CFLAGS = -g\nCFLAGS = -O2\n{COMMAND}",
        "a: a.c\n\tgcc -O3 -o a a.c\nfast: a.c\n\tgcc -fopenmp -o a a.c\n",
        "a: a.c\n\t$(CC) -O3 \\\n\t  -o a a.c\nfast: a.c\n\t$(CC) -fopenmp -o a a.c\n",
        "CFLAGS = -O2\nOTHER = -fopenmp\na: a.c\n\t$(CC) $(CFLAGS) -o a a.c\nb: b.c\n\t$(CC) $(OTHER) b.c\n",
        "CC ?= gcc\na: a.o\n",
    ],
)
def test_make_calls_compilers_with_openmp(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.c").touch()
    (tmp_path / "Makefile").write_text(with_openmp(text))
    # Tests may themselves be run by make, which tells those below it how to print.
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    dry = subprocess.run(["make", "-n"], cwd=tmp_path, env=alone, capture_output=True, text=True, check=True)
    commands = dry.stdout.replace("\\\n", "").strip().splitlines()
    assert commands and all(" -fopenmp" in command for command in commands), dry.stdout
    assert with_openmp(with_openmp(text)) == with_openmp(text)


@pytest.mark.parametrize(
    "text",
    [
        "CFLAGS = -O2 -fopenmp\na: a.c\n\t$(CC) $(CFLAGS) a.c\n",
        "OMP := -fopenmp\nCFLAGS = -O2 $(OMP)\na: a.c\n\t$(CC) $(CFLAGS) a.c\n",
        "a: a.c\n\tgcc -fopenmp a.c\n",
        "CFLAGS = -fopenmp\nCXXFLAGS = $(CFLAGS)\nLDFLAGS = -fopenmp\na: a.o\n",
    ],
)
def test_what_has_openmp_stays_as_it_is(text: str) -> None:
    assert with_openmp(text) == text
