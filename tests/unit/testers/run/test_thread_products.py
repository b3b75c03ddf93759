"""Products of a size and a thread's number in 32 bits."""

from __future__ import annotations

import pytest

from transpile.core import OPENMP, Binding, Candidate, Replacement
from transpile.testers.run.thread_products import thread_products


def told(body: str, head: str = "int n, const float *x") -> bool:
    text = f"void f({head}) {{\n#pragma omp parallel\n{{ {body} }} }}"
    candidate = Candidate(
        unit="a.c::f",
        dialect=OPENMP,
        replacements=(Replacement(unit="a.c::f", text=text.encode()),),
        binding=Binding(name="f", arguments=("n", "x")),
    )
    found = thread_products(candidate)
    return found is not None and found.code == "TP415"


@pytest.mark.parametrize(
    "body",
    [
        "int t = omp_get_thread_num(); int lo = n * t / p;",
        "int t = omp_get_thread_num(), q = 3; int hi = (t + 1) * n / q;",
        "int lo = omp_get_thread_num() * n / omp_get_num_threads();",
        "const unsigned t = omp_get_thread_num(); long lo = n * t / p;",
    ],
)
def test_shares_of_all_in_32_bits_are_told(body: str) -> None:
    assert told(body)


@pytest.mark.parametrize(
    "body",
    [
        "int t = omp_get_thread_num(); int lo = (long)n * t / p;",
        "int t = omp_get_thread_num(); int lo = 1L * n * t / p;",
        "long t = omp_get_thread_num(); int lo = n * t / p;",
        "size_t t = omp_get_thread_num(); int lo = n * (t + 1) / p;",
        "int t = omp_get_thread_num(), chunk = (n + p - 1) / p; int lo = t * chunk;",
        "int t = omp_get_thread_num(); double *own = part + t * 16;",
        "int lo = n * 3;",
    ],
)
def test_others_are_not(body: str) -> None:
    assert not told(body)


def test_a_wide_size_makes_a_wide_product() -> None:
    body = "int t = omp_get_thread_num(); long lo = n * t / p;"
    assert not told(body, "long n, const float *x") and not told(body, "size_t n, const float *x")
