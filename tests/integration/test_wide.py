"""The reference in wider arithmetic is there whatever headers of the standard library a source names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from transpile import parsers
from transpile.testers.run.bench import Entry
from transpile.testers.run.source_bench import SourceBench
from transpile.toolchains.build import BuildFailed, Flavour
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

OF_C = "ctype errno float inttypes limits math stdbool stddef stdint stdio stdlib string time wchar"
OF_SYSTEM = "pthread sys/resource sys/time sys/types unistd"
OF_CPP = "algorithm cmath complex cstddef cstdint ctime iostream limits numeric random utility vector"
SUM = """
double sum(int n, const double *x) {
    double total = 0;
    for (int i = 0; i < n; i++) total += x[i];
    return total;
}
"""


@pytest.mark.parametrize(
    ("file", "headers"),
    [
        ("sum.c", [f"{name}.h" for name in (OF_C + " " + OF_SYSTEM).split()]),
        ("sum.cpp", [*OF_CPP.split(), *(f"{name}.h" for name in OF_C.split())]),
    ],
)
def test_doubles_have_a_wider_reference(
    workshop: Workshop, tmp_path: Path, file: str, headers: list[str]
) -> None:
    (tmp_path / file).write_text("".join(f"#include <{name}>\n" for name in headers) + SUM)
    source = parsers.read(tmp_path)
    [unit] = source.units
    signatures = source.signatures[unit.id]
    bench = SourceBench(workshop, source, source.translation_units[0], [signatures])
    assert isinstance(bench.entry(signatures[0], Flavour.WIDE), Entry)


KERNELS = """
template <class T> __device__ void load(const T *from, T *to)
{
    static_assert(sizeof(T) <= 4, "loads are of a word at most");
    *to = *from;
}
__device__ float twice(float x) { return 2 * x; }
__global__ void first(float *y) { load(y, y + 1); }
__global__ void second(float *y) { y[threadIdx.x] = twice(y[threadIdx.x]); }
template <class T> void compare(const T *found, T allowed) { if (found[0] > allowed) throw 1; }
int main() {
    float y[2] = {1, 2};
    first<<<1, 1>>>(y);
    second<<<1, 2>>>(y);
    compare(y, 1e-5f);
}
"""


def test_a_kernel_has_a_wider_reference_though_its_neighbours_have_none(
    workshop: Workshop, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(KERNELS)
    source = parsers.read(tmp_path)
    names = {
        unit.name: source.signatures[unit.id][0] for unit in source.units if unit.id in source.signatures
    }
    bench = SourceBench(workshop, source, source.translation_units[0], [tuple(names.values())])
    assert isinstance(bench.entry(names["second"], Flavour.WIDE), Entry)
    assert isinstance(bench.entry(names["first"], Flavour.WIDE), BuildFailed)
