"""Parallel regions in the products of a port's own build."""

from __future__ import annotations

import pytest

from transpile.delivery import regions_in
from transpile.toolchains.own_build import BuildRun

SUM = {"a.c::sum()": frozenset(("sum",))}


@pytest.mark.parametrize(
    ("symbols", "found"),
    [
        (("def sum", "def sum._omp_fn.0", "use GOMP_parallel"), "parallel"),
        (("def sum._omp_fn.0.constprop.0",), "parallel"),
        (("def double sum<double>(double*, int) [clone ._omp_fn.0]",), "parallel"),
        (("def sum(double*, int) [clone .omp_outlined]",), "parallel"),
        (("def sum", "def .omp_outlined.", "use __kmpc_fork_call"), "parallel"),
        (("def sum", "def __omp_offloading_10301_2a4_sum_l12"), "parallel"),
        (("def __omp_offloading_10301_2a4__Z3sumPdi_l12",), "parallel"),
        (("def sum",), "serial"),
        (("def sum", "use GOMP_parallel", "def other._omp_fn.0"), "serial"),
        (("def sum", "def sum_of._omp_fn.0"), "serial"),
        (("def sum", "def checksum._omp_fn.0"), "serial"),
        (("def sum", "def __omp_offloading_10301_2a4_checksum_l12"), "serial"),
        (("def sum(double*, int) [clone .part.0]",), "serial"),
        (("use sum",), "absent"),
        ((), "absent"),
    ],
)
def test_regions_are_told_by_the_names_that_compilers_give_them(symbols: tuple[str, ...], found: str) -> None:
    told = regions_in(BuildRun(symbols=frozenset(symbols)), SUM)
    assert [name for name in ("parallel", "serial", "absent") if getattr(told, name)] == [found]
