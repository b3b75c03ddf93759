"""Pointers that hold kernels hold functions in the port."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.assemble.empty_candidates import port
from transpile import parsers
from transpile.core import Source, UnitKind
from transpile.parsers.text.kernel_values import used_as_value

KERNELS = """\
#include <cuda_runtime.h>
__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
__global__ void sub(int *out, int n) { out[threadIdx.x] -= n; }
template <int STEP> __global__ void strided(int *out, int n) { out[threadIdx.x * STEP] = n; }
"""
VARIABLE = """\
void host(int *out, int n, int which)
{
    dim3 block(n, 4);
    void (*kernel)(int *, int) = which ? add : &sub;
    if (which == 2) kernel = &add;
    kernel<<<n, block>>>(out, n);
    which = kernel == &sub;
}
"""
TABLE = """\
typedef void (*Kernel)(int *out, int n);
struct Entry { const char *name; Kernel run; };
static const Entry table[] = {{"add", add}, {"sub", &sub}, {"strided", strided<2>}};
static void run(Kernel kernel, int *out, int n) { kernel<<<1, n>>>(out, n); }
void host(int *out, int n)
{
    for (const Entry &entry : table) run(entry.run, out, n);
    table[1].run<<<dim3(2), dim3(8)>>>(out, n);
}
"""


def read(folder: Path, host: str) -> Source:
    (folder / "main.cu").write_text(KERNELS + host)
    return parsers.read(folder)


def values(source: Source) -> set[str]:
    """Return the kernels that are handled as values of which is unknown where they go."""
    return {
        unit.name for unit in source.units if unit.kind is UnitKind.KERNEL and used_as_value(source, unit)
    }


def test_a_variable_holds_functions(tmp_path: Path) -> None:
    source = read(tmp_path, VARIABLE)
    assert values(source) == set()
    text = port(source, add="out; n", sub="out; n; threadIdx.x | int threads")
    assert "void (*kernel)(int *, int, int, int, int, int) = which ? add_on_grid : &sub_on_grid;" in text
    assert "kernel = &add_on_grid;" in text and "kernel == &sub_on_grid" in text
    assert "    kernel(out, n, n, 1, n, 4);\n" in text
    assert "inline void add_on_grid(int *out, int n, int, int, int, int) {\n    add(out, n);\n}" in text


def test_tables_and_named_types_hold_functions(tmp_path: Path) -> None:
    source = read(tmp_path, TABLE)
    assert values(source) == set()
    text = port(source, add="out; n; gridDim.x; blockDim.x | int blocks, int threads", sub="out; n")
    assert "typedef void (*Kernel)(int *out, int n, int, int);" in text
    assert '{{"add", add}, {"sub", &sub_on_grid}, {"strided", strided_on_grid<2>}};' in text
    assert "{ kernel(out, n, 1, n); }" in text and "    table[1].run(out, n, 2, 8);\n" in text
    assert (
        "template <int STEP>\ninline void strided_on_grid(int *out, int n, int blocks, int threads) {" in text
    )
    assert 'simt::launch("strided<STEP>"' in text


def test_instances_in_tables_are_known(tmp_path: Path) -> None:
    source = read(tmp_path, TABLE)
    (unit,) = (unit for unit in source.units if unit.name == "strided")
    assert [item.callable for item in source.signatures[unit.id]] == ["strided<2>"]


@pytest.mark.parametrize(
    "more",
    [
        "void *any = (void *)add;\n",
        "void other() { auto k = reinterpret_cast<void (*)(int *, int)>(sub); }\n",
        "void other() { auto k = Kernel(sub); }\n",
        "void other(void *any) { auto k = (Kernel)any; }\n",
        "void other(void **given) { cudaLaunchKernel(add, dim3(1), dim3(2), given, 0, 0); }\n",
        "#define RUN(k) k<<<1, 2>>>(out, n)\nvoid other(int *out, int n) { RUN(table[0].run); }\n",
        "#define USE(k) f(k)\nvoid other() { USE(add); }\n",
        "int count();\nvoid other(int *out, int n) { table[0].run<<<count(), 2>>>(out, n); }\n",
        "void other(int *out, int n) { (n ? add : sub)<<<1, 2>>>(out, n); }\n",
        "void other(Kernel k) { decltype(&add) held = k; }\n",
    ],
)
def test_nothing_changes_where_kernels_may_go_elsewhere(more: str, tmp_path: Path) -> None:
    source = read(tmp_path, TABLE + more)
    assert "add" in values(source)


def test_projects_of_a_collection_stand_alone(tmp_path: Path) -> None:
    for name, host in (("one", VARIABLE), ("two", TABLE + "void *any = (void *)add;\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.cu").write_text(KERNELS + host)
    source = parsers.read(tmp_path)
    kernels = [unit for unit in source.units if unit.kind is UnitKind.KERNEL and unit.name == "add"]
    assert {unit.path: used_as_value(source, unit) is None for unit in kernels} == {
        "one/main.cu": True,
        "two/main.cu": False,
    }
