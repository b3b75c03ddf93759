"""One text that means the same to CUDA and to HIP."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import HIP_OR_CUDA
from transpile.errors import UsageError
from transpile.translators.targets.hip import compatibility
from transpile.translators.targets.hip.source import in_hip
from transpile.translators.targets.hip.text import ported


def port(text: str, path: str = "a.cuh") -> str:
    once = ported(path, text.encode(), single=True)
    assert ported(path, once, single=True) == once
    return once.decode()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("__shfl_down_sync(m, v, 16)", "warp32::shfl_down(m, v, 16)"),
        ("__shfl(v, 0, 8)", "warp32::shfl(warp32::active(), v, 0, 8)"),
        ("__any_sync(mask, p > 0)", "warp32::any(mask, p > 0)"),
        ("__ballot(p)", "warp32::ballot(warp32::active(), p)"),
        ("__syncwarp()", "warp32::sync()"),
        ("__reduce_add_sync(m, v)", "warp32::reduce_add(m, v)"),
    ],
)
def test_operations_of_a_warp_keep_their_masks(text: str, wanted: str) -> None:
    assert port(text) == f'#include "warp32.h"\n{wanted}'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("#ifdef __CUDA_ARCH__", "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)"),
        ("#ifndef __CUDACC__", "#if !(defined(__CUDACC__) || defined(__HIPCC__))"),
        ("#if A && defined __CUDACC__", "#if A && (defined(__CUDACC__) || defined(__HIPCC__))"),
        ("#if __CUDA_ARCH__ >= 600", "#if (__CUDA_ARCH__ + __HIP_DEVICE_COMPILE__ * 700) >= 600"),
        ("#if defined(__CUDACC__) || defined(__HIPCC__)", "#if defined(__CUDACC__) || defined(__HIPCC__)"),
    ],
)
def test_conditions_hold_for_both(text: str, wanted: str) -> None:
    assert port(f"{text}\n#endif\n") == f"{wanted}\n#endif\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("__launch_bounds__(256, 4) void k();", "__launch_bounds__(256, HIP_OR_CUDA(1, 4)) void k();"),
        ("__launch_bounds__(N, A, 2) void k();", "__launch_bounds__(N, HIP_OR_CUDA(1, A, 2)) void k();"),
        ("__launch_bounds__(256) void k();", "__launch_bounds__(256) void k();"),
        ("cudaMemcpyToSymbol(t, a, n);", "cudaMemcpyToSymbol(t, a, n);"),
        ("int lanes = warpSize;", "int lanes = 32;"),
        ("cub::WarpReduce<float> w;", "cub::WarpReduce<float, 32> w;"),
    ],
)
def test_names_of_cuda_stay(text: str, wanted: str) -> None:
    assert port(text) == wanted


def test_headers_of_cuda_come_from_ours() -> None:
    found = ported("a/b.cu", b"#include <cub/cub.cuh>\n#include <vector>\n", single=True).decode()
    assert found == (
        '#include "../cuda_or_hip/cuda_runtime.h"\n#include "../cuda_or_hip/cub/cub.cuh"\n#include <vector>\n'
    )


def test_headers_hold_the_names_that_are_used() -> None:
    text = b'#include "cuda_or_hip/cub/cub.cuh"\ncudaFree(a); cub::Sum s; __stcs(p, 1); // cudaMalloc\n'
    made = {path: data.decode() for path, data in compatibility.written({"a.cu": text}, b"").items()}
    assert made.keys() == {"cuda_or_hip/names.h", "cuda_or_hip/cub/cub.cuh"}
    names = made["cuda_or_hip/names.h"]
    assert [line for line in names.splitlines() if line.startswith("#define ")][1:] == [
        "#define cudaFree hipFree",
        "#define __stcs(pointer, value) (*(pointer) = (value))",
    ]
    wrapper = made["cuda_or_hip/cub/cub.cuh"]
    assert "#include <hipcub/hipcub.hpp>\nnamespace cub = hipcub;\n#else\n#include <cub/cub.cuh>" in wrapper
    assert '#include "../names.h"' in wrapper


def test_a_source_keeps_its_units_and_is_the_same_the_second_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / "a.cu").write_text(
        "__global__ void k(int *x) { *x = __ballot_sync(~0u, *x); }\nint *p, e = cudaFree(p);\n"
    )
    port = in_hip(parsers.read(first), single=True)
    assert port.dialect == HIP_OR_CUDA
    [unit] = [item for item in port.units if item.name == "k"]
    assert unit.span.of(port.files["a.cu"]) == unit.text
    assert unit.text.endswith(b"warp32::ballot(~0u, *x); }")
    for path, data in port.files.items():
        (second / path).parent.mkdir(parents=True, exist_ok=True)
        (second / path).write_bytes(data)
    assert in_hip(parsers.read(second), single=True).files == port.files


def test_a_folder_of_that_name_is_the_sources_own(tmp_path: Path) -> None:
    (tmp_path / "cuda_or_hip").mkdir()
    (tmp_path / "cuda_or_hip" / "names.h").write_text("int names;\n")
    (tmp_path / "a.cu").write_text("__global__ void k(int *x) { *x = 1; }\n")
    with pytest.raises(UsageError, match=r"cuda_or_hip/names\.h"):
        in_hip(parsers.read(tmp_path), single=True)
