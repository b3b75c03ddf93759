"""Plain C++: what is left of a launch where no thread runs beside another."""

from __future__ import annotations

import textwrap

import pytest

from transpile.core import Invariant, LaunchLaw, Unbounded
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.onethread import one_thread
from transpile.translators.kernels.openmp import KERNEL_PASSES, translate_kernel

OFFSET = """
__global__ void twice(float *y, int size) {
    int lane = threadIdx.x + blockIdx.x * blockDim.x;
    int step = blockDim.x * gridDim.x;
    for (int base = 0; base < size; base += step) {
        if (base + lane < size) y[base + lane] *= 2;
    }
}
"""


def translated(text: str, law: LaunchLaw) -> Draft:
    passes = (*KERNEL_PASSES, one_thread)
    return translate_kernel(text.strip().encode(), law, Surroundings(), passes=passes)


def test_a_kernel_that_any_launch_will_do_for_is_run_by_one_thread() -> None:
    draft = translated(OFFSET, Invariant())
    assert draft.extra == ()
    assert draft.text.startswith(
        textwrap.dedent("""\
        void twice(float *y, int size) {
            const int n = 1;
        """)
    )


@pytest.mark.parametrize(
    ("text", "law", "extra"),
    [
        (OFFSET, Unbounded(), "gridDim.x * blockDim.x"),
        (OFFSET.replace("size)", "size, int n)", 1), Invariant(), ""),
    ],
    ids=["another launch, another result", "a name that is taken"],
)
def test_what_the_launch_decides_stays_a_parameter(text: str, law: LaunchLaw, extra: str) -> None:
    draft = translated(text, law)
    assert [value for _, value in draft.extra] == ([extra] if extra else [])
    assert ("= 1;" in draft.text) is not bool(extra)


def test_bytes_of_shared_memory_are_no_count_of_threads() -> None:
    draft = Draft(
        text="void f(int bytes) {\n}",
        law=Invariant(),
        surroundings=Surroundings(),
        extra=(("int bytes", "dynamicShared"),),
    )
    assert one_thread(draft) is draft
