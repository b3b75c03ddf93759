"""Files of CUDA as HIP."""

from __future__ import annotations

import pytest

from transpile.errors import UsageError
from transpile.translators.targets.hip import tables
from transpile.translators.targets.hip.text import ported


def port(text: str, path: str = "a.cuh", *own: str) -> str:
    return ported(path, text.encode(), frozenset(name.encode() for name in own)).decode()


def test_names_change_in_text_macros_and_branches_that_no_build_sees() -> None:
    found = port(
        "#define CHECK(x) if ((x) != cudaSuccess) stop(cudaGetErrorString(x))\n"
        "#if defined(NEVER) && defined(__CUDACC__)\ncudaFree(a);\n#endif\n"
    )
    assert "if ((x) != hipSuccess) stop(hipGetErrorString(x))" in found
    assert "defined(__HIPCC__)" in found and "hipFree(a);" in found and "cuda" not in found


def test_comments_strings_and_other_names_stay() -> None:
    text = '// cudaMalloc\nconst char *s = "cudaMalloc";\nint mycudaFree, cub = 1;\nx.cub;\n'
    assert port(text) == text


def test_namespaces_are_told_from_variables() -> None:
    assert port("using namespace cub; namespace c = cub; int cub = 3; cub::Sum s;") == (
        "using namespace hipcub; namespace c = hipcub; int cub = 3; hipcub::Sum s;"
    )


def test_headers_of_the_source_are_its_own() -> None:
    text = '#include "cuda.h"\n#include <cub/block/block_scan.cuh>\n#include <vector>\n'
    assert (
        port(text, "a.h", "cuda.h") == '#include "cuda.h"\n#include <hipcub/hipcub.hpp>\n#include <vector>\n'
    )
    assert port(text).startswith("#include <hip/hip_runtime.h>\n")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("__shfl_down_sync(m, v, 16)", "__shfl_down(v, 16, 32)"),
        ("__shfl_xor_sync(~0u, f(a, b), 1, w)", "__shfl_xor(f(a, b), 1, w)"),
        ("__shfl(__shfl(v, 0), 1)", "__shfl(__shfl(v, 0, 32), 1, 32)"),
        ("warpSize / 2", "32 / 2"),
        ("int n = all[0].warpSize;", "int n = 32;"),
        ("1 + (*p).warpSize", "1 + 32"),
        ("at(i)->own[2].warpSize", "32"),
        ("properties.warpSize + p->q.warpSize", "32 + 32"),
        ("const int warpSize = 32; int a = warpSize;", "const int warpSize = 32; int a = warpSize;"),
        ("x.__shfl(a, b)", "x.__shfl(a, b)"),
        ("cub::WarpReduce<float> w;", "hipcub::WarpReduce<float, 32> w;"),
        ("cub::WarpScan<pair<int, int>, 16> w;", "hipcub::WarpScan<pair<int, int>, 16> w;"),
    ],
)
def test_warps_have_32_lanes(text: str, wanted: str) -> None:
    assert port(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("__ballot_sync(0xffffffffu, p)", "warp32::ballot(p)"),
        ("__any_sync(mask, p > 0)", "warp32::any(mask, p > 0)"),
        ("__activemask()", "warp32::active()"),
        ("__syncwarp(m)", "warp32::sync(m)"),
        ("__reduce_add_sync(m, v)", "warp32::reduce_add(m, v)"),
    ],
)
def test_votes_are_held_in_one_half(text: str, wanted: str) -> None:
    assert port(text) == f'#include "warp32.h"\n{wanted}'


def test_who_wrote_for_hip_meant_its_warps() -> None:
    text = "#include <hip/hip_runtime.h>\nint a = __shfl_down(v, 32) + warpSize + __ballot(p);\n"
    assert port(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
        (
            "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#endif\n",
            "#if !defined(__HIP_DEVICE_COMPILE__) || (__HIP_DEVICE_COMPILE__ * 700) >= 600\n#endif\n",
        ),
        ("__launch_bounds__(256, 4) void k();", "__launch_bounds__(256) void k();"),
        ("__launch_bounds__(N * 2) void k();", "__launch_bounds__(N * 2) void k();"),
    ],
)
def test_conditions_on_the_device(text: str, wanted: str) -> None:
    assert port(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = __ldcv(x + i) * 2;", "y = (*(x + i)) * 2;"),
        ("__stcs(x + i, a < b ? a : b);", "(*(x + i) = a < b ? a : b);"),
        ("v = __ldg(x) + __ldcs(x);", "v = __ldg(x) + __ldcs(x);"),
    ],
)
def test_hints_on_caches_are_dropped(text: str, wanted: str) -> None:
    assert port(text) == wanted


def test_operations_on_parts_of_words_come_along() -> None:
    assert port("unsigned m = __vmaxs4(a, b);") == '#include "packed.h"\nunsigned m = __vmaxs4(a, b);'


def test_helpers_are_included_from_where_they_stand() -> None:
    found = ported("a/b/c.cuh", b"#include <cooperative_groups/reduce.h>\nint x = __any(p);\n")
    assert (
        found == b'#include "../../warp32.h"\n#include "../../tile_algorithms.h"\nint x = warp32::any(p);\n'
    )


def test_variables_and_kernels_are_passed_as_hip_takes_them() -> None:
    assert port("cudaMemcpyToSymbol(table, a, n);") == "hipMemcpyToSymbol(HIP_SYMBOL(table), a, n);"
    assert port("cudaGetSymbolAddress(&p, table);") == "hipGetSymbolAddress(&p, HIP_SYMBOL(table));"
    found = port("cudaFuncSetCacheConfig(k<int, 4>, cudaFuncCachePreferL1);")
    assert found.startswith("hipFuncSetCacheConfig(reinterpret_cast<const void *>(k<int, 4>), hip")
    assert port("cudaFuncGetAttributes(&a, (void *)k);") == "hipFuncGetAttributes(&a, (void *)k);"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("// What it is.\n__global__ void k() {}\n", 1),
        ("// What it is.\n#include <vector>\n", 1),
        ("#ifndef A_H\n#define A_H\n#include <vector>\n#endif\n", 2),
        ("#ifdef DEBUG\n#include <vector>\n#endif\n", 0),
    ],
)
def test_what_nvcc_includes_of_itself_is_included(text: str, line: int) -> None:
    assert port(text, "a.cu").splitlines()[line] == "#include <hip/hip_runtime.h>"


def test_tables_know_first_versions_and_ours_go_first() -> None:
    assert tables.names()[b"cudaMalloc"].hip == "hipMalloc"
    assert tables.names()[b"cudaMallocAsync"].since == "5.2.0"
    assert tables.names()[b"__nv_bfloat16"].hip == "__hip_bfloat16"


@pytest.mark.parametrize("text", ["hip,cuda\n", "cuda,hip\na\n", "cuda,hip,since,deprecated,removed\n,b\n"])
def test_a_file_that_is_no_table_is_named(text: str) -> None:
    with pytest.raises(UsageError, match=r"own\.csv"):
        list(tables.rows(text.encode(), "own.csv"))
