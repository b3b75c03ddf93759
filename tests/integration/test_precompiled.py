"""Precompiled headers: compilers take them, and don't read the text instead."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile.core import TranslationUnit
from transpile.toolchains.headers import headers
from transpile.toolchains.recipes import Flavour, recipe, unit_flags
from transpile.toolchains.workshop import Workshop

pytestmark = pytest.mark.integration
_BY_GCC = [flavour for flavour in Flavour if recipe(flavour).compiler == "g++"]


@pytest.mark.parametrize("flags", [(), ("-fopenmp",), ("-std=c++20", "-DSIZE=4")], ids=" ".join)
@pytest.mark.parametrize("flavour", sampled(_BY_GCC, 3, also=[Flavour.PLAIN]))
def test_units_of_the_emulator_use_them(
    flavour: Flavour, flags: tuple[str, ...], workshop: Workshop, tmp_path: Path
) -> None:
    source, how = tmp_path / "kernel.cpp", recipe(flavour)
    source.write_text("__global__ void kernel(float *x) { x[threadIdx.x] = 0; }\n")
    asked = unit_flags(TranslationUnit(path=source.name, flags=flags), how.compiler, emulated=True)
    fixed = headers(workshop, how, asked, flavour, emulated=True)
    spoken = [flag for flag in how.compile if flag != "-w"]
    defines = [f"-D{name}" for name in how.defines]
    command = [how.compiler, *spoken, *defines, *fixed.flags, *asked, "-Winvalid-pch", "-c", source.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "pch" not in done.stderr
