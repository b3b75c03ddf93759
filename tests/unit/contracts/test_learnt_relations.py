"""Relations of scalars, and of sizes of blocks, that contracts of model kernels are learnt with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.contracts.fake import Thread, contract_of
from transpile.core import Contract, ShapeDependent

X = "blockIdx.x * blockDim.x + threadIdx.x"
Call = Mapping[str, Any]


def relaxed(t: Thread, a: Call) -> None:
    row, column = t.at(1), t.at()
    if row < a["n"] and column < a["n"]:
        through = a["d"][row * a["ld"] + a["by"]] + a["d"][a["by"] * a["ld"] + column]
        if through < a["d"][row * a["ld"] + column]:
            a["d"][row * a["ld"] + column] = through


def copied(t: Thread, a: Call) -> None:
    row, column = t.at(1), t.at()
    if row < a["n"] and column < a["n"]:
        a["y"][row * a["ld"] + column] = a["x"][row * a["n"] + column]
        a["z"][row * a["stride"] + column] = a["x"][row * a["n"] + column]


@pytest.mark.parametrize(
    ("declaration", "body", "kernel", "relations"),
    [
        (
            "int by, int ld, int n, int *d",
            "int by_it = d[i * ld + by] + d[by * ld + j]; if (by_it < d[i * ld + j]) d[i * ld + j] = by_it;",
            relaxed,
            {"ld >= n", "ld > by"},
        ),
        (
            "int n, int ld, int stride, const int *x, int *y, int *z",
            "y[i * ld + j] = x[i * n + j]; z[i * stride + j] = x[i * n + j];",
            copied,
            {"ld >= n", "stride >= n"},
        ),
    ],
)
def test_rows_of_matrices_do_not_overlap(
    declaration: str, body: str, kernel: Any, relations: set[str]
) -> None:
    at = "int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;"
    text = f"__global__ void k({declaration}) {{ {at} if (i < n && j < n) {{ {body} }} }}"
    found = contract_of(declaration, text, kernel)
    assert isinstance(found, Contract), found
    assert set(found.relations) == relations
    assert not any(fact.ascending or fact.distinct for fact in found.arrays)


def quads(t: Thread, a: Call) -> None:
    odd = t.block_dim[0] % 4 or t.block_dim[0] > 256
    for i in range(t.at(), a["n"], t.total()):
        a["y"][i] = t.block_dim[0]
        if odd:
            a["y"][0] = t.at()


def test_sizes_of_blocks_are_told_as_multiples() -> None:
    found = contract_of("int n, int *y", X, quads)
    assert isinstance(found, Contract), found
    assert isinstance(found.law, ShapeDependent)
    assert found.law.relations[0] == "blockDim.x % 4 == 0 && blockDim.x <= 256"
