"""Launches with fewer threads than elements, or several for each: a function that covers all is no port."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial import needs
from transpile import parsers
from transpile.contracts import infer
from transpile.core import Inconclusive, ShapeDependent, Unbounded
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

KERNELS = "".join(
    f"""
__global__ void {name}(const int *x, int *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {body};
}}
"""
    for name, body in {
        "limited": "y[i] = x[i]",
        "chosen": "y[i] = x[i]",
        "twice": "atomicAdd(y, x[i])",
        "often": "atomicAdd(y, x[i])",
    }.items()
)
HOST = """
void host(const int *x, int *y, int n, int k)
{
    int grid = (n + 127) / 128, most = n < 1024 ? n : 1024;
    if (grid > 64) grid = 64;
    limited<<<grid, 128>>>(x, y, n);
    chosen<<<(most + 127) / 128, 128>>>(x, y, n);
    dim3 two((n + 127) / 128, 2), several((n + 127) / 128, k);
    twice<<<two, 128>>>(x, y, n);
    often<<<several, 128>>>(x, y, n);
}
"""


def test_threads_count_where_a_host_launches_others_than_there_are_elements(
    workshop: Workshop, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(KERNELS + HOST)
    source = parsers.read(tmp_path)
    known = infer(workshop, source, list(source.units))
    found = {unit.name: known[unit.id] for unit in source.units if unit.id in known}
    laws = {name: item[0].law for name, item in found.items() if not isinstance(item, Inconclusive)}
    assert laws["limited"] == laws["chosen"] == Unbounded()
    assert isinstance(laws["twice"], ShapeDependent)
    assert isinstance(found["often"], Inconclusive)


POINTED = """
__global__ void held(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
__global__ void passed(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + 1;
}
static void (*some)(const int *, int *, int) = held;
static void timed(void (*kernel)(const int *, int *, int), const int *x, int *y, int n)
{
    int grid = (n + 63) / 64;
    if (grid > 16) grid = 16;
    kernel<<<grid, 64>>>(x, y, n);
}
void host(const int *x, int *y, int n)
{
    int grid = (n + 127) / 128;
    if (grid > 8) grid = 8;
    some<<<grid, 128>>>(x, y, n);
    timed(passed, x, y, n);
}
"""


def test_threads_count_where_pointers_are_launched_with_fewer(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(POINTED)
    source = parsers.read(tmp_path)
    known = infer(workshop, source, list(source.units))
    for unit in source.units:
        found = known.get(unit.id, ())
        assert isinstance(found, Inconclusive) or all(item.law == Unbounded() for item in found), unit.id
