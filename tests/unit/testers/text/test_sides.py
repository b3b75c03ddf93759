"""Device code uses only device code, wherever the rest is defined."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import CUDA, OPENMP, Binding, Candidate, Dialect, Replacement
from transpile.testers.text.sides import misplaced

FUNCTION = '#include "more.h"\nvoid f(float *a, int n) { for (int i = 0; i < n; i++) a[i] = square(a[i]); }\n'
KERNEL = """__global__ void f_kernel(float *a, int n) {
    int i = threadIdx.x;
    if (i < n) a[i] = square(a[i]);
}
void f(float *a, int n) { f_kernel<<<1, n>>>(a, n); }
"""
HOST = "static inline float square(float x) { return x * x; }\n"


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("header", "target", "refused"),
    [
        (HOST, CUDA, True),
        (HOST, OPENMP, False),
        ("#define square(x) ((x) * (x))\n", CUDA, False),
        (HOST.replace("static", "__host__ __device__ static"), CUDA, False),
    ],
    ids=["host", "no-device", "macro", "both-sides"],
)
def test_functions_of_headers_are_of_the_host_too(
    tmp_path: Path, suffix: str, header: str, target: Dialect, refused: bool
) -> None:
    (tmp_path / "deep.h").write_text(header)
    (tmp_path / "more.h").write_text('#include "deep.h"\n')
    (tmp_path / f"f{suffix}").write_text(FUNCTION)
    source = parsers.read(tmp_path)
    unit = next(item for item in source.units if item.name == "f")
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=KERNEL.encode()),),
        binding=Binding(name="f", arguments=("a", "n")),
        dialect=target,
    )
    found = misplaced(source, unit, candidate)
    assert (found is not None) is refused
    if found is not None:
        assert "device code uses host code: `square`" in found.diagnostics[0].message


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("std::swap(a[0], a[1]);", "std::swap"),
        ("::std::sort(a, a + n);", "std::sort"),
        ("std::vector<float> v(4); a[0] = v[1];", "std::vector"),
        ("std::fill<float *>(a, a + n, 0.0f);", "std::fill"),
        ("a[0] = std::sqrt(std::max(a[0], a[1]));", ""),
        ("mine::swap(a[0], a[1]);", ""),
    ],
)
def test_what_the_library_has_for_hosts_is_not_there(tmp_path: Path, text: str, refused: str) -> None:
    (tmp_path / "f.cpp").write_text("void f(float *a, int n) { for (int i = 0; i < n; i++) a[i] = 1.0f; }\n")
    source = parsers.read(tmp_path)
    [unit] = source.units
    kernel = f"__global__ void k(float *a, int n) {{ {text} }}\n"
    host = "void f(float *a, int n) { std::vector<float> v(n); k<<<1, 1>>>(a, n); }\n"
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=(kernel + host).encode()),),
        binding=Binding(name="f", arguments=("a", "n")),
        dialect=CUDA,
    )
    found = misplaced(source, unit, candidate)
    assert (found is not None) is bool(refused)
    if found is not None:
        assert f"`{refused}` in `k`" in found.diagnostics[0].message
