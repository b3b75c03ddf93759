"""Kernels whose sizes are constants of their text: calls are as large as the program's, or there are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.conftest import Once
from tests.integration.functions import check
from transpile import parsers
from transpile.contracts import infer
from transpile.core import Binding, Candidate, Replacement, Verdict
from transpile.testers import judge
from transpile.testers.proposal import Proposal
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

SOURCE = """
#define N (256 * 1024)
#define M (32 * 1024)
__global__ void guarded(const int *a, int *c)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < N) c[i] = 3 * a[i] + a[(i + 1) % 256];
}
__global__ void strided(const int *a, const int *b, int *c)
{
    for (int i = blockIdx.x; i < M; i += gridDim.x) c[i] = a[i] + b[i];
}
void run(int *a, int *b, int *c)
{
    guarded<<<N / 256, 256>>>(a, c);
    strided<<<128, 1>>>(a, b, c);
}
"""
GUARDED = "void guarded(const int *a, int *c, int blocks, int threads) {\n"
LOOP = "#pragma omp parallel for\nfor (int i = 0; i < n; i++) c[i] = 3 * a[i] + a[(i + 1) % 256]; }"
LEAST = "int n = blocks * threads < N ? blocks * threads : N;\n"
STRIDED = "void strided(const int *a, const int *b, int *c) {\n#pragma omp parallel for\n"
RIGHT = {
    "as the guard says": GUARDED + LEAST + LOOP,
    "all of them": STRIDED + "for (int i = 0; i < M; i++) c[i] = a[i] + b[i]; }",
}
WRONG = {
    "beyond the guard": GUARDED + "int n = blocks * threads;\n" + LOOP,
    "as many as small calls have": GUARDED + LEAST + "n = n < 131072 ? n : 131072;\n" + LOOP,
    "the last one of the program": GUARDED + LEAST + "n -= n == N;\n" + LOOP,
    "all but one": STRIDED + "for (int i = 0; i < M; i++) if (i != 20011) c[i] = a[i] + b[i]; }",
}


@pytest.fixture(scope="module")
def verdicts(builds: Path, once: Once[dict[str, Verdict]]) -> dict[str, Verdict]:
    """Verdicts on all candidates, by contracts that are learnt."""

    def found() -> dict[str, Verdict]:
        place = builds / "fixed_sizes"
        place.mkdir(exist_ok=True)
        (place / "a.cu").write_text(SOURCE)
        source, workshop = parsers.read(place), Workshop(cache=builds)
        units = {item.name: item for item in source.units if item.name in ("guarded", "strided")}
        learnt = infer(workshop, source, list(units.values()))
        proposals = []
        for text in (*RIGHT.values(), *WRONG.values()):
            own = units[text.partition("(")[0].split()[-1]]
            contracts = learnt[own.id]
            assert isinstance(contracts, tuple), contracts
            given = [item.name for item in contracts[0].signature.parameters]
            given += ["gridDim.x", "blockDim.x"] if own.name == "guarded" else []
            proposals.append(
                Proposal(
                    unit=own,
                    contracts=contracts,
                    candidate=Candidate(
                        unit=own.id,
                        replacements=(Replacement(unit=own.id, text=text.encode()),),
                        binding=Binding(name=own.name, arguments=tuple(given)),
                    ),
                )
            )
        judged = judge(workshop, source, proposals)
        return {name: item.verdict for name, item in zip((*RIGHT, *WRONG), judged, strict=True)}

    return once("fixed sizes", found)


@pytest.mark.thorough
@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_are_kept(name: str, verdicts: dict[str, Verdict]) -> None:
    assert check(verdicts[name]) == "kept"


@pytest.mark.thorough
@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_refused(name: str, verdicts: dict[str, Verdict]) -> None:
    assert check(verdicts[name]) != "kept"
