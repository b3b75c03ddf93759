"""Alignments and attributes of variables, as standard C++ spells them."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.alignment import alignment
from transpile.translators.kernels.draft import Draft, Surroundings


def written(body: str) -> str:
    text = f"__global__ void f(int *a)\n{{\n    {body}\n}}"
    draft = Draft(text=text, law=None, surroundings=Surroundings())
    return alignment(draft).text.split("{\n    ", 1)[1].rsplit("\n}", 1)[0]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("__shared__ __align__(16) float s[8];", "alignas(16) __shared__ float s[8];"),
        ("__align__(16) __shared__ float s[8];", "alignas(16) __shared__ float s[8];"),
        ("a[0] = 1; float s[8] __attribute__((aligned(16))), r;", "a[0] = 1; alignas(16) float s[8], r;"),
        (
            "int n = 8; __attribute__((aligned (4 * (2 + 2)))) float s;",
            "int n = 8; alignas(4 * (2 + 2)) float s;",
        ),
        ("extern __shared__ __align__(sizeof(int)) char s[];", "extern __shared__ char s[];"),
        ("extern __shared__ alignas(16) char s[];", "extern __shared__ char s[];"),
        ("struct __align__(8) Pair { int x, y; };", "struct alignas(8) Pair { int x, y; };"),
        ("#pragma unroll\n    __align__(8) int s[2];", "#pragma unroll\n    alignas(8) int s[2];"),
        ("int s __attribute__((unused)), t __attribute__ ((__unused__, cold));", "int s, t;"),
        ("// __align__(8) int s[2];", "// __align__(8) int s[2];"),
        ("alignas(16) float s[8];", "alignas(16) float s[8];"),
        ("int s __attribute__((cleanup(gone)));", "int s __attribute__((cleanup(gone)));"),
    ],
)
def test_written(source: str, target: str) -> None:
    assert written(source) == target
