"""Variables of which each value becomes one, where threads return before a barrier."""

from __future__ import annotations

import pytest

from tests.unit.translators.kernels.test_blocks import kernel, translated
from transpile.translators.refusal import Refused

TURNED = """
    __shared__ float tile[8][8];
    unsigned int ix, iy;
    ix = threadIdx.x + blockDim.x * blockIdx.x;
    iy = threadIdx.y + blockDim.y * blockIdx.y;
    unsigned int from = iy * n + ix;
    ix = threadIdx.x + blockDim.y * blockIdx.y;
    iy = threadIdx.y + blockDim.x * blockIdx.x;
    if (ix < n && iy < n) {
        tile[threadIdx.y][threadIdx.x] = a[from];
        __syncthreads();
        a[iy * n + ix] = tile[threadIdx.x][threadIdx.y];
    }
"""


def test_each_value_has_a_variable() -> None:
    draft = translated(kernel(TURNED))
    assert "single-assignment" in draft.rules
    assert "unsigned int from = iy1 * n + ix1;" in draft.text
    assert "if (!(ix < n && iy < n)) continue;" in draft.text
    assert draft.text.count("unsigned int ix = ") == 2  # on both sides of the barrier


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("unsigned int from = iy", "if (n > 3) ix = 2; unsigned int from = iy"),
        ("unsigned int from = iy", "ix += 2; unsigned int from = iy"),
        ("unsigned int from = iy", "unsigned int *p = &ix; *p = 3; unsigned int from = iy"),
        ("ix = threadIdx.x + blockDim.x * blockIdx.x;", "iy = ix; ix = threadIdx.x;"),
        ("ix = threadIdx.x + blockDim.x * blockIdx.x;", "int k; k = ix = threadIdx.x;"),
        ("unsigned int ix, iy;", "auto ix = 1u, iy = 1u;"),
    ],
)
def test_what_changes_under_conditions_stays_refused(old: str, new: str) -> None:
    with pytest.raises(Refused) as caught:
        translated(kernel(TURNED.replace(old, new, 1)))
    assert caught.value.code == "TP205"


def test_values_behind_the_barrier_decide_nothing_before_it() -> None:
    draft = translated(kernel(TURNED.replace("__syncthreads();", "__syncthreads(); ix = 1;", 1)))
    assert "if (!(ix2 < n && iy < n)) continue;" in draft.text
    assert "unsigned int ix = 1;" in draft.text


def test_what_decides_nothing_stays_as_it_is() -> None:
    plain = TURNED.replace("if (ix < n && iy < n)", "if (threadIdx.x < n)")
    draft = translated(kernel(plain))
    assert "single-assignment" not in draft.rules
