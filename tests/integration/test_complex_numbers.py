"""Functions on complex numbers of the standard library, whose operators no file of a source defines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.functions import WRONG, check, learn_first, verdict
from tests.sampling import sampled
from transpile import parsers
from transpile.core import Contract, Source
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

HEADER = "#pragma once\n#include <complex>\ntypedef std::complex<double> number;\n"
SOURCE = """#include "number.h"
void twisted(const number *in, number *out, number by, int n)
{
    for (int i = 0; i < n; i++) out[i] = -in[i] * by;
}
void mirrored(number *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = std::conj(x[i]);
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("numbers")
    (root / "number.h").write_text(HEADER)
    (root / "work.cpp").write_text(SOURCE)
    return parsers.read(root)


@pytest.fixture(scope="module")
def learnt(source: Source, builds: Path) -> dict[str, Contract | str]:
    return learn_first(Workshop(cache=builds), source)


@pytest.mark.parametrize("name", sampled(["twisted", "mirrored"], 2))
def test_results_of_operators_are_seen_to_be_written(
    name: str, source: Source, learnt: dict[str, Contract | str], workshop: Workshop
) -> None:
    contract = learnt[name]
    assert isinstance(contract, Contract), contract
    own = SOURCE[SOURCE.index(f"void {name}") :].partition("\n}\n")[0] + "\n}\n"
    parallel = own.replace("    for", "#pragma omp parallel for\n    for")
    assert check(verdict(workshop, source, contract, parallel)) == "kept"
    wrong = parallel.replace("-in[i]", "in[i]").replace("= std::conj", "= -std::conj")
    assert check(verdict(workshop, source, contract, wrong)) in WRONG
