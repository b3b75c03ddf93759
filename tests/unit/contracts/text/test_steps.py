"""Sizes that loops go through in steps of a block."""

from __future__ import annotations

import pytest

from transpile.code.trees import parse
from transpile.contracts.text.constants import constants_of
from transpile.contracts.text.size_products import Text
from transpile.contracts.text.steps import stepped, steps


def read(body: str) -> Text:
    file = f"#define TILE 16\n__global__ void k(float *a, int n, int m) {{ {body} }}".encode()
    return Text(
        functions={"k": parse(file).root_node},
        scalars=frozenset({"n", "m"}),
        constant=constants_of((("k.cu", file),)).get,
    )


def found(body: str, size: int = 16) -> frozenset[str]:
    return stepped(read(body), size)


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < n; k += 16) a[k] = 0;",
        "for (int k = 0; k < n; k += TILE) a[k] = 0;",
        "for (int k = threadIdx.x; k < n; k += blockDim.x) a[k] = 0;",
        "for (int k = 0; k < n / TILE; ++k) a[k] = 0;",
        "int tiles = n / blockDim.x; a[tiles] = 0;",
    ],
)
def test_steps_as_long_as_a_block(body: str) -> None:
    assert found(body) == {"n"}


@pytest.mark.parametrize(
    "body",
    [
        "for (int k = 0; k < n; ++k) a[k] = 0;",
        "for (int k = 0; k < n; k += 8) a[k] = 0;",
        "for (int k = 0; k < n; k -= 16) a[k] = 0;",
        "for (int k = 0; k < rows; k += 16) a[k] = 0;",
        "a[n % 16] = n / 2;",
    ],
)
def test_other_steps(body: str) -> None:
    assert found(body) == frozenset()


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("for (int k = 0; k < n; k += 8) a[k] = 0;", {"n": 8}),
        ("for (int k = 0; k < n; k += TILE) for (int j = 0; j < m; j += 4) a[k] = 0;", {"n": 16, "m": 4}),
        ("for (int k = 0; k < n; k += 4) { } for (int k = 0; k < n; k += 6) { }", {"n": 12}),
        ("int k = 0; do { k += TILE; if (k < n) a[k] = 0; } while (k < n);", {"n": 16}),
        ("int k = 0; while (k < n && a[k] > 0) { int j = 0; j += 4; k += 8; }", {"n": 8}),
        ("int k = 0; while (k < n) { k += m; }", {}),
        ("for (int k = 0; k < n; k += m) a[k] = 0; for (int j = 0; j < m; ++j) a[j] = 0;", {}),
    ],
)
def test_steps_of_loops_are_numbers(body: str, numbers: dict[str, int]) -> None:
    assert steps(read(body)) == numbers
