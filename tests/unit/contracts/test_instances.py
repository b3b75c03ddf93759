"""Templates of many instances: the first one tells whether the others are worth their traces."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile import parsers
from transpile.contracts import infer, inference
from transpile.core import Inconclusive
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

TEXT = """
template <class T, int n> __global__ void scale(T *x, size_t length)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    BODY
}
int main()
{
    scale<float, 1><<<1, 32>>>(nullptr, 0);
    scale<float, 2><<<1, 32>>>(nullptr, 0);
    scale<double, 3><<<1, 32>>>(nullptr, 0);
}
"""


@pytest.mark.parametrize(
    ("body", "asked"),
    [("if (i < length) x[i] *= n;", [1, 2]), ("if (i < length && x[i] > n) return;", [1, 0])],
    ids=["all have contracts", "nothing is written"],
)
def test_the_first_instance_speaks_for_the_others(
    body: str, asked: list[int], tmp_path: Path, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cu").write_text(TEXT.replace("BODY", body))
    source = parsers.read(tmp_path)
    [unit] = [item for item in source.units if item.name == "scale"]
    counts: list[int] = []
    drive = inference.drive
    monkeypatch.setattr(
        inference, "drive", lambda tracer, tasks: counts.append(len(tasks)) or drive(tracer, tasks)
    )
    learnt = infer(workshop, source, [unit])[unit.id]
    assert counts == asked
    assert isinstance(learnt, Inconclusive) if asked[1] == 0 else len(learnt) == 3
