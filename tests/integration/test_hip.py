"""Programs that take warps of 32 lanes for granted, ported to HIP and run on warps of 64 and of 32."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.sampling import sampled
from transpile.code.edits import apply
from transpile.core import ProgrammingModel, TranslationUnit
from transpile.parsers.lowering.emulation import lower_text
from transpile.simt import include_directory
from transpile.toolchains.build import refused_by
from transpile.toolchains.devices import DEVICE_COMPILERS
from transpile.toolchains.workshop import Workshop
from transpile.translators.targets import hip
from transpile.translators.targets.hip import compatibility, names, tables
from transpile.translators.targets.hip.helpers import HELPERS, text_of
from transpile.translators.targets.hip.text import ported

HERE = Path(__file__).parent.parent / "cases" / "hip"
CASES = sorted(HERE.glob("*.cu"))
SIMT = Path(__file__).parent.parent / "cases" / "simt"
LIBRARIES = [SIMT / f"{name}.cu" for name in ("random", "fourier", "sparse")]
HEADERS = Path(hip.__file__).parent / "include"
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
]


def ends(
    place: Path,
    case: str,
    text: bytes,
    *defines: str,
    helper: bytes = b"",
    lanes: int = 64,
    beside: Mapping[str, bytes] = MappingProxyType({}),
) -> int:
    """Build a program on the emulator, run it in two schedules, and return the worst exit status."""
    place.mkdir()
    helper = helper or (HERE / "expect.h").read_bytes()
    for name, data in {**beside, "expect.h": helper, f"{case}.cpp": text}.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(lower_text(data, frozenset()).data)
    for name in HELPERS:
        shutil.copy(HEADERS / name, place)
    command = [
        "g++",
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wno-sign-compare",
        "-Werror",
        "-I",
        str(include_directory()),
    ]
    command += [f"-D{item}" for item in defines]
    command += ["-include", "simt/simt.h", f"{case}.cpp", "-o", case]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return max(
        abs(
            subprocess.run(
                [f"./{case}"],
                cwd=place,
                env={**os.environ, "SIMT_SEED": seed, "SIMT_WARP_SIZE": str(lanes)},
                capture_output=True,
                timeout=60,
            ).returncode
        )
        for seed in ("0", "3")
    )


def in_hip(path: Path, *, single: bool = False) -> bytes:
    return ported(path.name, path.read_bytes(), frozenset((b"expect.h",)), single=single)


def for_either(case: Path) -> dict[str, bytes]:
    """Return the files of a port that both CUDA and HIP take."""
    files = {path.name: in_hip(path, single=True) for path in (case, HERE / "expect.h")}
    return files | compatibility.written(files, b"")


@pytest.mark.parametrize("case", sampled(CASES, 3), ids=lambda case: case.stem)
def test_ports_are_right_whatever_the_width_of_a_warp(case: Path, tmp_path: Path) -> None:
    assert ends(tmp_path / "cuda", case.stem, case.read_bytes()) == 0
    helper = in_hip(HERE / "expect.h")
    for lanes in (64, 32):
        place = tmp_path / str(lanes)
        assert ends(place, case.stem, in_hip(case), "SIMT_HIP", helper=helper, lanes=lanes) == 0


@pytest.mark.parametrize("case", sampled(LIBRARIES, 2), ids=lambda case: case.stem)
def test_programs_call_the_libraries_by_hips_names(case: Path, tmp_path: Path) -> None:
    text = in_hip(case)
    assert b"#include <hip" in text
    assert not re.search(rb"\bcu(?:rand|fft|sparse)", text)
    helper = in_hip(SIMT / "expect.h")
    assert ends(tmp_path / "hip", case.stem, text, "SIMT_HIP", helper=helper) == 0


@pytest.mark.parametrize("case", sampled(CASES, 3), ids=lambda case: case.stem)
def test_one_text_is_right_as_cuda_and_as_hip(case: Path, tmp_path: Path) -> None:
    files = for_either(case)
    text, helper = files.pop(case.name), files.pop("expect.h")
    assert ends(tmp_path / "cuda", case.stem, text, helper=helper, beside=files) == 0
    for lanes in (64, 32):
        place = tmp_path / str(lanes)
        assert ends(place, case.stem, text, "SIMT_HIP", helper=helper, lanes=lanes, beside=files) == 0


@pytest.mark.parametrize(
    # With other names alone, that one does not even compile.
    "case",
    [case for case in CASES if case.stem != "bytes"],
    ids=lambda case: case.stem,
)
def test_other_names_alone_do_not_make_them_right(case: Path, tmp_path: Path) -> None:
    data = case.read_bytes()
    edits = [
        *names.renamed(data, tables.names()),
        *names.included(case.name, data, tables.headers(), frozenset()),
    ]
    text = b"#include <hip/hip_runtime.h>\n" + apply(data, edits)
    helper = in_hip(HERE / "expect.h")
    assert ends(tmp_path / "hip", case.stem, text, "SIMT_HIP", helper=helper) != 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_second_port_changes_nothing(case: Path) -> None:
    once = in_hip(case)
    assert ported(case.name, once, frozenset((b"expect.h",))) == once
    assert b"cuda" not in once
    once = in_hip(case, single=True)
    assert ported(case.name, once, frozenset((b"expect.h",)), single=True) == once


@pytest.mark.parametrize("model", [ProgrammingModel.CUDA, ProgrammingModel.HIP])
@pytest.mark.parametrize("case", sampled(CASES, 5), ids=lambda case: case.stem)
def test_compilers_of_both_take_one_text(case: Path, model: ProgrammingModel, workshop: Workshop) -> None:
    device = DEVICE_COMPILERS[model]
    if not device.here:
        pytest.skip(f"{device.name} is not here")
    files = {name: text_of(name) for name in HELPERS} | for_either(case)
    flags = ("-std=c++17", *(("-arch=sm_80",) if model is ProgrammingModel.CUDA else ()))
    assert refused_by(workshop, device, files, TranslationUnit(path=case.name, flags=flags)) is None


@pytest.mark.parametrize("case", sampled(CASES, 5), ids=lambda case: case.stem)
def test_amd_compiles_them(case: Path, workshop: Workshop) -> None:
    device = DEVICE_COMPILERS[ProgrammingModel.HIP]
    if not device.here:
        pytest.skip("hipcc, libamdhip64-dev and rocm-device-libs are not installed")
    files = {name: text_of(name) for name in HELPERS} | {
        "expect.h": in_hip(HERE / "expect.h"),
        f"{case.stem}.hip": in_hip(case),
    }
    unit = TranslationUnit(path=f"{case.stem}.hip", flags=("-std=c++17",))
    assert refused_by(workshop, device, files, unit) is None
