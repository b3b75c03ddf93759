"""From a port with a model to a data set: rows stand by themselves, and their numbers are the source's."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.integration import endpoint_server as server
from tests.integration.test_model_answers import ported
from tests.integration.test_model_ports import KERNEL, PARALLEL, RIGHT, WRONG, count, fenced
from transpile.cli import pairs as command
from transpile.toolchains import sandbox

for name in ("openai", "datasketch", "detect_secrets", "pyarrow"):
    pytest.importorskip(name, reason="extras llm and pairs are not installed")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="clang-19 is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

MOVE = """#include <math.h>
#define CLAMP(x) ((x) < 0.0f ? 0.0f : (x))
struct Particle { float x, v; };
__device__ float half_of(float x) { return 0.5f * sqrtf(fabsf(x)); }
__global__ void move(Particle *p, const float *force, float step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x = CLAMP(p[i].x + step * force[i] + half_of(p[i].v));
}
int main() { return 0; }
"""


@pytest.fixture
def tables(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, list[Any]]:
    """Return the rows of a data set by table."""
    root = tmp_path / "source"
    root.mkdir()
    (root / "count.cu").write_text(KERNEL)
    (root / "move.cu").write_text(MOVE)
    (root / "LICENSE").write_text("SPDX-License-Identifier: MIT\n")
    answers = [fenced(text) for text in (count(PARALLEL), WRONG, RIGHT)]
    with server.serving(*(server.good(text) for text in answers)) as endpoint:
        ported(root, cache, endpoint, repairs=2)
    monkeypatch.setenv("TRANSPILE_CACHE", str(cache))
    out = tmp_path / "set"
    command.pairs(out=out, validation=0.0, test=0.0)
    assert str(tmp_path) not in "".join(file.read_text() for file in out.rglob("*.jsonl"))
    return {
        file.parent.name: [json.loads(line) for line in file.read_text().splitlines()]
        for file in out.rglob("train.jsonl")
    }


@pytest.mark.thorough
def test_rows_stand_by_themselves(tables: Mapping[str, list[Any]], tmp_path: Path) -> None:
    rows = {row["name"]: row for row in tables["pairs"] if row["agrees"]}
    assert set(rows) == {"move", "wrap_count"}
    row = rows["move"]
    assert row["licence"] == "MIT"
    assert len({test["scalars"][-1]["value"] for test in row["tests"]}) > 1
    # The translation is built from the row alone, and does with the inputs what the source did.
    library = built(row, tmp_path)
    for test in row["tests"]:
        assert moved(library, test) == [float(value) for value in test["outputs"][0]["numbers"]]
    assert {len(tables[name]) for name in ("preferences", "repairs")} == {2}
    assert sorted(row["label"] for row in tables["labels"]) == [False, False, True, True]


def built(row: Mapping[str, Any], place: Path) -> ctypes.CDLL:
    text = "\n".join((row["context"], *(f"#include {name}" for name in row["target_headers"]), row["target"]))
    (place / "row.cpp").write_text(f'extern "C++" {{\n{text}\n}}\nextern "C" auto entry = move;\n')
    line = [
        "g++",
        "-std=c++17",
        "-fopenmp",
        "-ffp-contract=off",
        "-shared",
        "-fPIC",
        "row.cpp",
        "-o",
        "row.so",
    ]
    subprocess.run(line, cwd=place, check=True)
    return ctypes.CDLL(str(place / "row.so"))


def moved(library: ctypes.CDLL, test: Mapping[str, Any]) -> Sequence[float]:
    """Return what the translation makes of the inputs of a test."""
    given = {array["name"]: np.array(array["numbers"], dtype=array["type"]) for array in test["inputs"]}
    scalars = {item["name"]: float(item["value"]) for item in test["scalars"]}
    particles = np.ascontiguousarray(np.stack([given["p[].x"], given["p[].v"]], axis=1))
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_float, ctypes.c_int)
    entry = prototype(ctypes.c_void_p.in_dll(library, "entry").value or 0)
    force = np.ascontiguousarray(given["force"])
    entry(particles.ctypes.data, force.ctypes.data, scalars["step"], int(scalars["n"]))
    return [float(str(value)) for value in particles[:, 0]]
