"""Functions that tell a timer of another translation unit what they begin: the order of calls is judged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.integration.functions import check, learn_first, verdict
from transpile import parsers
from transpile.core import Contract
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

LOOP = "for (int i = 0; i < n; i++) a[i] = a[i] * 2;"


@pytest.mark.thorough
def test_a_candidate_tells_what_its_source_tells(tmp_path: Path, workshop: Workshop) -> None:
    (tmp_path / "a.c").write_text(
        "void begin(int); void end(int);\nstatic int timed;\n"
        f"void twice(int n, double *a) {{ if (timed) begin(3); {LOOP} if (timed) end(3); }}\n"
    )
    (tmp_path / "b.c").write_text(
        "static int last; void begin(int k) { last = k; } void end(int k) { last -= k; }"
    )
    source = parsers.read(tmp_path)
    contract = learn_first(workshop, source)["twice"]
    assert isinstance(contract, Contract)

    def judged(before: str, after: str) -> str:
        text = f"void twice(int n, double *a) {{ {before}\n#pragma omp parallel for\n{LOOP} {after} }}"
        return check(verdict(workshop, source, contract, text))

    assert judged("if (timed) begin(3);", "if (timed) end(3);") == "kept"
    assert judged("if (timed) begin(3);", "") == "exact"
    assert judged("if (timed) begin(3);", "if (timed) end(4);") == "exact"
    assert judged("if (timed) end(3);", "if (timed) begin(3);") == "exact"
