"""Fences within a block are left out where one thread of the host runs the block, and nowhere else."""

from __future__ import annotations

import pytest

from transpile.core import Covers, Invariant, ShapeDependent
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.fences import block_fences
from transpile.translators.kernels.openmp import translate_kernel
from transpile.translators.refusal import Refused

WRITES = """__global__ void f(const int *a, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[2 * i] = a[i];
        FENCE
        out[2 * i + 1] = a[i];
    }
}"""


def translated(fence: str, law: Covers | Invariant | ShapeDependent) -> str:
    return translate_kernel(WRITES.replace("FENCE", fence).encode(), law, Surroundings()).text


@pytest.mark.parametrize("law", [Covers(x="n"), Invariant(), ShapeDependent(relations=())])
def test_threads_of_a_block_stay_together(law: Covers | Invariant | ShapeDependent) -> None:
    found = translated("__threadfence_block();", law)
    assert "fence" not in found
    assert "for (int block = 0; block < blocks; ++block) {" in found


def test_threads_that_have_become_turns_of_a_parallel_loop_keep_theirs() -> None:
    text = WRITES.replace("FENCE", "__threadfence_block();")
    draft = Draft(text=text, law=None, surroundings=Surroundings(), parallel=True)
    assert block_fences(draft) is draft


@pytest.mark.parametrize(
    "fence", ["__threadfence();", "__threadfence_system();", "n = (__threadfence_block(), 3);"]
)
def test_others_are_refused(fence: str) -> None:
    with pytest.raises(Refused, match="TP203"):
        translated(fence, Invariant())


@pytest.mark.parametrize(
    "fence", ["if (n > 3) __threadfence_block();", "if (n > 3) {__threadfence_block();}"]
)
def test_a_branch_keeps_a_statement(fence: str) -> None:
    found = " ".join(translated(fence, Invariant()).split())
    assert "if (n > 3) {}" in found
