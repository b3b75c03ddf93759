"""Heads of functions without what is CUDA's alone."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.qualifiers import qualifiers


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("__global__ void f(int *a,\n                  int n) {\n}", "void f(int *a,\n       int n) {\n}"),
        (
            "template <int N>\n__global__ void __launch_bounds__(64) f(int *a,\n"
            "                                        int n) {\n}",
            "template <int N>\nvoid f(int *a,\n       int n) {\n}",
        ),
        (
            "__device__ __forceinline__ int f(int (*g)(int, int),\n"
            "                                 int n) {\n}",
            "inline int f(int (*g)(int, int),\n             int n) {\n}",
        ),
        ("__global__ void f(\n    int *a,\n    int n) {\n}", "void f(\n    int *a,\n    int n) {\n}"),
        ("__global__ void\nf(int *a,\n  int n) {\n}", "void\nf(int *a,\n  int n) {\n}"),
    ],
)
def test_parameters_stay_below_each_other(source: str, target: str) -> None:
    draft = qualifiers(Draft(text=source, law=None, surroundings=Surroundings()))
    assert draft.text == target
