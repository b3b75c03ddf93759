"""Sources that are no base for a verdict: their translations are not kept, however right they look."""

from __future__ import annotations

import shutil

import pytest

from tests.adversarial import session
from tests.sampling import sampled
from transpile.core import Inconclusive
from transpile.testers import judge
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]

LINE = 1 + (session.HERE / "kernels.cu").read_text().split("1000003")[0].count("\n")
"""Of the branch that no trial takes."""
HEAD = "const float *x, float *y, int n"
CASES = {
    "racy": (
        "void racy(const float *x, float *sum, int n) { for (int i = 0; i < n; i++) *sum += x[i]; }",
        "read-write in sum: `if (i < n) sum[0] += x[i];`)",
    ),
    "beyond": (
        f"void beyond({HEAD}) {{ for (int i = 0; i < n; i++) y[i] = x[i + 1]; }}",
        "beyond the extents",
    ),
    "ordered": (
        "void ordered(const int *x, int *y, int *count, int n) {"
        " for (int i = 0; i < n; i++) if (x[i] > 0) y[(*count)++] = i; }",
        "order of its threads",
    ),
    "unwritten": (
        f"void unwritten({HEAD}) {{ for (int i = 0; i < n; i++) y[i] = x[i]; }}",
        "no thread wrote",
    ),
    "unset": (
        f"void unset({HEAD}) {{ for (int i = 0; i < n; i++) {{"
        " float s = 0; for (int k = 0; k <= i; k++) s += x[k]; y[i] = s; } }",
        "or on uninitialised memory",
    ),
    "idle": (f"void idle({HEAD}) {{}}", "writes nothing"),
    "hidden": (
        "void hidden(const int *x, int *y, int key, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }",
        f"kernels.cu:{LINE}",
    ),
}


@pytest.mark.parametrize("name", sampled(CASES, 2))
def test_nothing_is_kept_by_a_source_that_misbehaves(workshop: Workshop, name: str) -> None:
    text, reason = CASES[name]
    [judged] = judge(workshop, session.source(), [session.proposal(name, text)], seed=3)
    assert isinstance(judged.verdict, Inconclusive), judged.verdict
    assert reason in judged.verdict.reason
