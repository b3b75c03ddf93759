"""HIP in CUDA's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.parsers.text.hip_words import hip_files, in_cuda

HIP = b"#include <hip/hip_runtime.h>\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hipLaunchKernelGGL(k, grid, block, 0, 0, a, n);", "k<<<grid, block, 0, 0>>>(a, n);"),
        ("hipLaunchKernelGGL(k, 1, 64, 0, stream);", "k<<<1, 64, 0, stream>>>();"),
        (
            "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 4>), dim3(2, 1), 8, 0, 0, f(a, b));",
            "k<float, 4><<<dim3(2, 1), 8, 0, 0>>>(f(a, b));",
        ),
        ("hipLaunchKernelGGL((k<int, 2>), 1, 2, 0, 0, a);", "k<int, 2><<<1, 2, 0, 0>>>(a);"),
        ("hipLaunchKernelGGL(k,\n  1, 2,\n  0, 0,\n  a);", "k<<<\n1, 2,\n  0, 0>>>(\na);"),
        (
            "#define RUN(k, ...) hipLaunchKernelGGL(k, 1, 2, 0, 0, __VA_ARGS__)",
            "#define RUN(k, ...) k<<<1, 2, 0, 0>>>(__VA_ARGS__)",
        ),
        ("hipLaunchKernelGGL(k, 1);", "hipLaunchKernelGGL(k, 1);"),
        ("#ifdef __HIPCC__ // hipcc\n#endif", "#if 1 // hipcc\n#endif"),
        ("#ifndef __HIP_PLATFORM_AMD__\n#endif", "#if 0\n#endif"),
        ("# ifdef USE_HIP\n#endif", "# ifdef USE_HIP\n#endif"),
        (
            "#if defined(__CUDACC__) || \\\n    defined __HIP_PLATFORM_AMD__ && N > 2\n#endif",
            "#if 0 || \\\n    1 && N > 2\n#endif",
        ),
        (
            "#if 0\n#elif HIP_VERSION >= 50000000\n#endif\nint v = HIP_VERSION;",
            "#if 0\n#elif 60200000 >= 50000000\n#endif\nint v = HIP_VERSION;",
        ),
        ("int i = hipThreadIdx_x;", "int i = threadIdx.x;"),
        ("#if hipSuccess\n#endif", "#if cudaSuccess\n#endif"),
        ("hipMemcpyToSymbol(HIP_SYMBOL(w), p, 8);", "cudaMemcpyToSymbol((w), p, 8);"),
        ("hipHostMalloc(&p, n); // hipMalloc", "cudaMallocHost(&p, n); // hipMalloc"),
        ('puts("hipFree"); chip(HIP_CHECK);', 'puts("hipFree"); chip(HIP_CHECK);'),
    ],
)
def test_launches_and_names_become_those_of_cuda(text: str, expected: str) -> None:
    assert in_cuda(text.encode()) == expected.encode()


def test_files_are_hip_where_nothing_of_them_is_cuda() -> None:
    cuda, neither = b"#include <cuda_runtime.h>\n", b"int x;"
    assert hip_files({"a.cpp": HIP, "b.h": neither}) == {"a.cpp", "b.h"}
    assert hip_files({"a.cpp": neither}) == set()
    assert hip_files({"a.cpp": HIP, "b.cu": cuda, "b.h": neither}) == {"a.cpp"}
    assert hip_files({"a.h": b"#ifndef A_H\n#define A_H\n" + HIP + b"#endif\n"}) == {"a.h"}


def test_what_has_branches_for_both_is_not_hip() -> None:
    choice = b"#ifdef USE_HIP\n" + HIP + b"#endif\n"
    assert hip_files({"a.h": choice}) == set()
    assert hip_files({"a.h": b"#ifndef PI\n#define PI 3\n#endif\n" + choice}) == set()
    assert hip_files({"a.h": HIP + b"cudaError_t f();\n"}) == set()


CALLER = """
__global__ void twice(float *a, int n) {
    int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
    if (i < n) a[i] *= 2;
}
void run(float *a, int n) { hipLaunchKernelGGL(twice, dim3((n + 63) / 64), dim3(64), 0, 0, a, n); }
"""


def test_launches_by_name_are_launch_sites(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes(HIP + CALLER.encode())
    found = parsers.read(tmp_path)
    (site,) = found.launches
    assert site.configuration == ("dim3((n+63)/64)", "dim3(64)", "0", "0")
    assert site.arguments == ("a", "n") and site.unit == "a.cpp::twice(float*,int)"
    assert b"hipBlockIdx_x" in parsers.read(tmp_path, hip=True).files["a.cpp"]
