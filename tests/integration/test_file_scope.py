"""Functions that find arrays and sizes at file scope: contracts, and verdicts on what takes their place."""

from __future__ import annotations

import shutil

import pytest

from tests.integration.functions import WRONG, check, learn_first, verdict
from transpile import parsers
from transpile.core import Contract, Source
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

TEXT = """
#include <stdlib.h>
static int n;
static double (*u)[4], *v;
void fill(double f) { for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) u[i][j] = f * v[i]; }
void make(void) { v = malloc(sizeof(double) * n); for (int i = 0; i < n; i++) v[i] = i; }
"""
FILL = "void fill(double f) {{ {} }}"
LOOPS = "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) u[i][j] = f * v[i];"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("source")
    (root / "a.c").write_text(TEXT)
    return parsers.read(root)


def test_candidates_find_what_the_source_finds(source: Source, workshop: Workshop) -> None:
    known = learn_first(workshop, source)
    contract = known["fill"]
    assert isinstance(contract, Contract)
    assert {item.name: item.extent for item in contract.arrays} == {"u": "4 * n", "v": "n"}
    assert isinstance(known["make"], str)  # it makes a pointer lead elsewhere

    def judged(body: str) -> str:
        return check(verdict(workshop, source, contract, FILL.format(body)))

    assert judged(f"\n#pragma omp parallel for\n{LOOPS}") == "kept"
    assert judged(f"{LOOPS} u++;") in WRONG
    assert judged(f"{LOOPS} n++;") in WRONG
