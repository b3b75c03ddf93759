"""Functions that a library build leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.parsers.lowering.emulation import lower

TEXT = """
int helper(int x) { return x; }
__device__ int used(int x) { return helper(x); }
__global__ void one(int *y) { *y = used(1); }
__global__ void other(int *y) { *y = 2; }
void drive(int *y) { one<<<1, 1>>>(y); other<<<1, 1>>>(y); }
"""


@pytest.mark.parametrize(
    ("needed", "left"),
    [((), {"helper", "used", "one", "other", "drive"}), (("one",), {"helper", "used", "one"})],
)
def test_what_a_kernel_does_not_mention_is_left_out(
    tmp_path: Path, needed: tuple[str, ...], left: set[str]
) -> None:
    (tmp_path / "a.cu").write_text(TEXT)
    source = parsers.read(tmp_path)
    ids = frozenset(unit.id for unit in source.units if unit.name in needed)
    lines = lower(source, rename_main=True, needed=ids)["a.cu"].decode().splitlines()
    bodies = {unit.name: lines[unit.line - 1] for unit in source.units}
    assert {name for name, line in bodies.items() if "__builtin_trap" not in line} == left
