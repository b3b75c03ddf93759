"""Tiles of shared memory are judged: what loads too much, too little or too late is refused."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.functions import check, learn, unit
from tests.sampling import sampled_items
from transpile import parsers, translators
from transpile.core import CUDA, Candidate, Replacement, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

PRODUCT = """\
void product(int n, int m, int l, float alpha, const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i * l + k] * b[j * l + k];
            c[i * m + j] += alpha * sum;
        }
}
"""
STENCIL = """\
void stencil(int n, int m, const float *a, float *b)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1] + a[(i + 1) * m + j];
}
"""
BARRIER = "            __syncthreads();\n"
PRODUCTS = {
    "as the rules write it": ("", "", "kept"),
    "several parts for a block": ("__global__", "__global__", "kept"),
    "summed before all is loaded": (f"{BARRIER}            if", "            if", "race exact tolerance"),
    "loaded before all is summed": (f"{BARRIER}        }}\n", "        }\n", "race exact tolerance"),
    "loaded beyond the last row": ("i < n && k_x < l", "k_x < l", "bounds crash address"),
    "loaded beyond the end of a row": ("i < n && k_x < l", "i < n", "bounds crash address"),
    "stored beyond the last column": (
        "within = j < m && i < n",
        "within = i < n",
        "bounds crash address exact",
    ),
    "the last steps are left out": ("start < l;", "start + 15 < l;", "exact tolerance"),
}
STENCILS = {
    "as the rules write it": ("", "", "kept"),
    "several parts for a block": ("__global__", "__global__", "kept"),
    "a row of the halo is missing": ("y < rows + 2", "y < rows + 1", "exact tolerance"),
    "a column of the halo is missing": ("x < columns + 2", "x < columns + 1", "exact tolerance"),
    "read before all is loaded": ("        __syncthreads();\n        const", "        const", "race exact"),
    "loaded before all is read": ("        __syncthreads();\n    }", "    }", "race exact tolerance"),
    "loaded beyond the last row": ("y < rows + 2", "y < 8 + 2", "bounds crash address"),
    "loaded beyond the last column": ("x < columns + 2", "x < 32 + 2", "bounds crash address"),
    "corners are loaded that nothing reads": ("(x >= 1 &&", "(x >= 0 ||", "bounds crash address"),
}
PRODUCTS, STENCILS = sampled_items(PRODUCTS, 3), sampled_items(STENCILS, 3)


@pytest.fixture(scope="module")
def products(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    return judged(workshop, tmp_path_factory.mktemp("source"), "product", PRODUCT, PRODUCTS)


@pytest.fixture(scope="module")
def stencils(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    return judged(workshop, tmp_path_factory.mktemp("source"), "stencil", STENCIL, STENCILS)


def judged(
    workshop: Workshop, place: Path, name: str, text: str, changes: Mapping[str, tuple[str, str, str]]
) -> dict[str, Verdict]:
    (place / f"{name}.c").write_text(text)
    source = parsers.read(place)
    own, known = unit(source, name), learn(workshop, source)[name]
    assert isinstance(known, tuple), known
    [honest] = translators.variants(source, own, known, CUDA)
    few = in_one_row(honest)
    proposals = [
        Proposal(unit=own, contracts=known, candidate=changed(few, old, new) if old else honest)
        for old, new, _ in changes.values()
    ]
    found = judge(workshop, source, proposals)
    return {name: item.verdict for name, item in zip(changes, found, strict=True)}


def in_one_row(honest: Candidate) -> Candidate:
    """Return a candidate whose blocks stand in one row, so that each has several parts to load."""
    [own] = honest.replacements
    assert b"65535" in own.text
    return replace(honest, replacements=(Replacement(unit=own.unit, text=own.text.replace(b"65535", b"1")),))


def changed(honest: Candidate, old: str, new: str) -> Candidate:
    [own] = honest.replacements
    kernel, rest = own.text.split(b"\n}\n", 1)
    assert old.encode() in kernel
    text = kernel.replace(old.encode(), new.encode())
    return replace(honest, replacements=(Replacement(unit=own.unit, text=text + b"\n}\n" + rest),))


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_tile_of_a_product_is_whole_and_in_time(products: dict[str, Verdict], name: str) -> None:
    assert check(products[name]) in PRODUCTS[name][2].split(), products[name]


@pytest.mark.parametrize("name", STENCILS)
def test_a_tile_of_a_stencil_is_whole_and_in_time(stencils: dict[str, Verdict], name: str) -> None:
    assert check(stencils[name]) in STENCILS[name][2].split(), stencils[name]
