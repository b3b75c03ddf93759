"""Tiles of shared memory are judged: what loads too much, too little or too late is refused."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from tests.integration.functions import check, learn, unit
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

TEXT = """\
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
BARRIER = "            __syncthreads();\n"
WRONG = {
    "as the rules write it": ("", "", "kept"),
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


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    place = tmp_path_factory.mktemp("source")
    (place / "product.c").write_text(TEXT)
    source = parsers.read(place)
    own, known = unit(source, "product"), learn(workshop, source)["product"]
    assert isinstance(known, tuple), known
    [honest] = translators.variants(source, own, known, CUDA)
    proposals = [
        Proposal(unit=own, contracts=known, candidate=changed(honest, old, new))
        for old, new, _ in WRONG.values()
    ]
    found = judge(workshop, source, proposals)
    return {name: item.verdict for name, item in zip(WRONG, found, strict=True)}


def changed(honest: Candidate, old: str, new: str) -> Candidate:
    [own] = honest.replacements
    kernel, rest = own.text.split(b"\n}\n", 1)
    assert old.encode() in kernel
    text = kernel.replace(old.encode(), new.encode()) if old else kernel
    return replace(honest, replacements=(Replacement(unit=own.unit, text=text + b"\n}\n" + rest),))


@pytest.mark.parametrize("name", WRONG)
def test_a_tile_is_whole_and_in_time(verdicts: dict[str, Verdict], name: str) -> None:
    assert check(verdicts[name]) in WRONG[name][2].split(), verdicts[name]
