"""Parallel regions in the products of a port's own build."""

from __future__ import annotations

import pytest

from tests.unit.cli.ports import evidence
from transpile.core import Inconclusive
from transpile.delivery import complaint_about_units, regions_in
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


SAID = "no matching function for call to 'min(unsigned int&, int)'"


@pytest.mark.parametrize(
    ("path", "said", "code", "found"),
    [
        ("./src/a.cpp", SAID, "TP403", SAID),
        ("src/a.cpp", "expected ';'", "TP403", ""),
        ("other.cpp", SAID, "TP403", ""),
        ("src/a.cpp", SAID, "TP404", ""),
    ],
    ids=["the same", "another complaint", "another file", "another reason"],
)
def test_a_build_that_stops_where_the_source_does_is_not_the_ports_fault(
    path: str, said: str, code: str, found: str
) -> None:
    unbuilt = Inconclusive(reason=f"the source does not build: k.cu:3:9: error: {SAID}", code=code)
    output = f"make: entering\n{path}:5:9: error: {said}\n"
    assert complaint_about_units(output, [evidence("k", unbuilt)]) == found
