"""Translations of our Fortran programs print the same as these, byte by byte, with the same exit status.

A case is a file of `tests/cases/fortran/`. Both programs are built without optimisation and contraction.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from transpile.parsers.fortran.units import parse
from transpile.translators.fortran.headers import HEADERS
from transpile.translators.fortran.program import translate

CASES = Path(__file__).parents[1] / "cases" / "fortran"
NAMES = sorted(path.name for path in CASES.iterdir() if path.suffix in (".f90", ".f"))
FLAGS = ("-O0", "-ffp-contract=off", "-fopenmp")

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed"),
]


@pytest.mark.parametrize("name", NAMES)
def test_translations_print_what_their_sources_print(name: str, tmp_path: Path) -> None:
    case = CASES / name
    (tmp_path / "program.cpp").write_text(translate([parse(case.read_text(), name)]))
    source = ["gfortran", "-w", *FLAGS, str(case), "-o", "source"]
    port = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", *FLAGS, f"-I{HEADERS}", "program.cpp"]
    build(source, tmp_path)
    build([*port, "-o", "port"], tmp_path)
    assert run("port", tmp_path) == run("source", tmp_path)


def build(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def run(program: str, folder: Path) -> tuple[int, str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "3"}
    done = subprocess.run(
        [f"./{program}"], cwd=folder, capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    return done.returncode, done.stdout


def test_there_are_cases() -> None:
    assert len(NAMES) > 20
