"""What candidates do to numbers where several are built together."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial import session
from transpile.testers.run.bench import CandidateBench
from transpile.testers.text.cut_numbers import Cut
from transpile.testers.verdict.session import translation_unit
from transpile.toolchains.workshop import Workshop

AXPY = "void axpy(const float *x, float *y, float a, int n) { for (int i = 0; i < n; i++) y[i] += a * %s; }"
DIVIDE = (
    "void divide(const int *x, int *y, int k, int n) { for (; n > 0; n--) y[n - 1] = x[n - 1] * (1.0f / k); }"
)


def test_each_answers_for_itself(tmp_path: Path) -> None:
    plain = session.proposal("axpy", AXPY % "x[i]")
    floated = session.proposal("axpy", AXPY % "(x[i] + i - i)")
    divided = session.proposal("divide", DIVIDE)
    source = session.source()
    unit = translation_unit(source, "kernels.cu")
    for together in ([plain, divided], [plain, floated], [plain, floated, divided]):
        bench = CandidateBench(Workshop(cache=tmp_path), source, unit, together)
        found = {id(item): bench.cuts(item) for item in together}
        assert found[id(plain)] == frozenset()
        assert found.get(id(floated), {Cut.FLOATED}) == {Cut.FLOATED}
        assert found.get(id(divided), {Cut.ROUNDED}) >= {Cut.ROUNDED}
