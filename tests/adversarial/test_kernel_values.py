"""A kernel that a program launches by another name than its own does not become a function.

The launch would run that function, which does the work of all threads, once for each thread.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import CUDA, HIP, OPENMP, Binding, Candidate, Dialect, Rejected, Replacement, Source
from transpile.testers.proposal import Proposal
from transpile.testers.run.policy import barred

KERNELS = """
__global__ void add_one(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += 1;
}
"""
LAUNCHES = {
    "a pointer": "void (*k)(float *, int) = &add_one; k<<<n, 128>>>(d, n);",
    "an argument": "run(add_one, d, n);",
    "a macro": "LAUNCH(add_one, d, n);",
    "a macro with both": "BOTH(add_one, d, n);",
    "the runtime": "void *given[] = {&d, &n}; cudaLaunchKernel((void *)add_one, n, 128, given, 0, 0);",
    "beside its name": "add_one<<<n, 128>>>(d, n); auto k = add_one; k<<<n, 128>>>(d, n);",
}
HELPERS = """
#define LAUNCH(k, d, n) { auto held = k; held<<<n, 128>>>(d, n); }
#define BOTH(k, d, n) { k<<<n, 128>>>(d, n); run(k, d, n); }
#define GIVEN(k, d, n) k<<<n, 128>>>(d, n)
template <class K> void run(K kernel, float *d, int n) { kernel<<<n, 128>>>(d, n); }
"""


def source_of(host: str, root: Path) -> Source:
    (root / "a.cu").write_text(f"{KERNELS}{HELPERS}void host(float *d, int n) {{ {host} }}\n")
    return parsers.read(root)


def refused(source: Source, dialect: Dialect, *, kernel: bool = False) -> Rejected | None:
    """Return what the policy says of a right translation."""
    [unit] = [item for item in source.units if item.name == "add_one"]
    text = b"void add_one(float *y, int n) { for (int i = 0; i < n; i++) y[i] += 1; }"
    candidate = Candidate(
        unit=unit.id,
        dialect=dialect,
        replacements=(Replacement(unit=unit.id, text=unit.text if kernel else text),),
        binding=Binding(name="add_one", arguments=("y", "n"), kernel=kernel),
    )
    return barred(source, Proposal(unit=unit, contracts=(), candidate=candidate))


@pytest.mark.parametrize("how", LAUNCHES)
def test_functions_do_not_take_the_place_of_values(how: str, tmp_path: Path) -> None:
    source = source_of(LAUNCHES[how], tmp_path)
    found = refused(source, OPENMP)
    assert found is not None and [item.code for item in found.diagnostics] == ["TP435"]
    assert refused(source, HIP, kernel=True) is None
    assert source.dialect == CUDA


def test_a_kernel_launched_by_its_name_may_become_a_function(tmp_path: Path) -> None:
    source = source_of("add_one<<<n, 128>>>(d, n); add_one<<<1, n>>>(d, n);", tmp_path)
    assert refused(source, OPENMP) is None


def test_a_macro_that_only_launches_what_it_is_given_says_which_kernel(tmp_path: Path) -> None:
    source = source_of("GIVEN(add_one, d, n);", tmp_path)
    assert refused(source, OPENMP) is None
    [site] = [item for item in source.launches if item.macro is not None]
    assert (site.unit, site.configuration, site.arguments) == (
        "a.cu::add_one(float*,int)",
        ("n", "128"),
        ("d", "n"),
    )
