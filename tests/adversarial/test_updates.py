"""Hand-made atomic operations: translations that lose updates, or make others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.adversarial import needs
from tests.adversarial.candidates import reason
from tests.sampling import sampled_items
from transpile import parsers, translators
from transpile.core import (
    OPENMP,
    ArrayFact,
    Candidate,
    Contract,
    Covers,
    Passed,
    Range,
    Replacement,
    Role,
    ScalarFact,
    Source,
    Unit,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
GREATER = """\
__device__ float atomicMaxFloat(float *address, float value)
{
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        float now = __int_as_float(assumed);
        old = atomicCAS(bits, assumed, __float_as_int(value > now ? value : now));
    } while (assumed != old);
    return __int_as_float(old);
}
"""
LAST = """\
__device__ int increase(int *counter)
{
    int old, next;
    do {
        old = *counter;
        next = old + 1;
    } while (atomicCAS(counter, old, next) != old);
    return old;
}
"""
SOURCE = (
    GREATER
    + LAST
    + """\
__global__ void peaks(const float *x, const int *bin, float *high, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMaxFloat(&high[bin[i]], x[i]);
}
__global__ void count(const int *bin, int *counts, int *full, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && increase(&counts[bin[i]]) == 2) full[bin[i]] = 1;
}
"""
)
LOOP = """\
void peaks(const float *x, const int *bin, float *high, int m, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float *place = &high[bin[i]], value = x[i], old, wanted;
        %s
    }
}
"""
COUNT = """\
void count(const int *bin, int *counts, int *full, int m, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *place = &counts[bin[i]], old, next;
        %s
        if (%s) {
            #pragma omp atomic write
            full[bin[i]] = 1;
        }
    }
}
"""
_LOAD = "__atomic_load(place, &old, __ATOMIC_RELAXED);"
_SWAP = "__atomic_compare_exchange(place, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)"
_WANTED = "wanted = value > old ? value : old;"
_CAPTURED = "\n#pragma omp atomic capture\n{ old = *place; *place += 1; }\n"
PEAKS = {
    "plain": "if (*place < value) *place = value;",
    "read and written": (
        f"\n#pragma omp atomic read\nold = *place;\n{_WANTED}\n#pragma omp atomic write\n*place = wanted;\n"
    ),
    "stored whoever came first": f"{_LOAD} {_WANTED} __atomic_store(place, &wanted, __ATOMIC_RELAXED);",
    "tried once": f"{_LOAD} {_WANTED} {_SWAP};",
    "the other direction": f"{_LOAD} do wanted = value < old ? value : old; while (!{_SWAP});",
    "by bits": (
        "int bits, own = __builtin_bit_cast(int, value); __atomic_load((int *)place, &bits, 0);"
        " while (bits < own && !__atomic_compare_exchange_n((int *)place, &bits, own, false, 0, 0)) {}"
    ),
    "read plainly": f"old = *place; do {_WANTED} while (!{_SWAP});",
    "made once": f"{_LOAD} {_WANTED} while (!{_SWAP}) {{}}",
    "without a test for NaN": "\n#pragma omp atomic compare\nif (*place < value) { *place = value; }\n",
}
COUNTS = {
    "the new value": (_CAPTURED, "old + 1 == 2"),
    "read behind": (
        "\n#pragma omp atomic\n*place += 1;\n#pragma omp atomic read\nold = *place;\n",
        "old == 3",
    ),
    "read before": (
        "\n#pragma omp atomic read\nold = *place;\n#pragma omp atomic\n*place += 1;\n",
        "old == 2",
    ),
    "read and written": (
        "\n#pragma omp atomic read\nold = *place;\n#pragma omp atomic write\n*place = old + 1;\n",
        "old == 2",
    ),
    "plain": ("old = (*place)++;", "old == 2"),
}
PEAKS, COUNTS = sampled_items(PEAKS, 8), sampled_items(COUNTS, 8)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("updates")
    (root / "updates.cu").write_text(SOURCE)
    return parsers.read(root)


def known(source: Source, unit: Unit) -> Contract:
    [signature] = source.signatures[unit.id]
    updated = ("high",) if unit.name == "peaks" else ("counts", "full")
    zero = {"counts": Range(low="0", high="0")}
    facts = [ArrayFact(name="bin", role=Role.IN, extent="n", values=Range(low="0", high="m - 1"))]
    facts += [ArrayFact(name="x", role=Role.IN, extent="n")] if unit.name == "peaks" else []
    facts += [ArrayFact(name=name, role=Role.INOUT, extent="m", values=zero.get(name)) for name in updated]
    sizes = [
        ScalarFact(name=name, values=Range(low=low, high="9999"), size=True)
        for name, low in (("m", "1"), ("n", "0"))
    ]
    return Contract(signature=signature, arrays=tuple(facts), scalars=tuple(sizes), law=Covers(x="n"))


def judged(workshop: Workshop, source: Source, name: str, texts: dict[str, str]) -> dict[str, Verdict]:
    [unit] = [item for item in source.units if item.name == name]
    contract = known(source, unit)
    made = translators.propose(source, unit, (contract,), OPENMP)
    assert isinstance(made, Candidate), made
    wrong = [
        replace(made, replacements=(Replacement(unit=unit.id, text=text.encode()),))
        for text in texts.values()
    ]
    proposals = [Proposal(unit=unit, contracts=(contract,), candidate=item) for item in (made, *wrong)]
    found = judge(workshop, source, proposals, seed=3)
    return {name: item.verdict for name, item in zip(("honest", *texts), found, strict=True)}


@pytest.fixture(scope="module")
def peaks(workshop: Workshop, source: Source) -> dict[str, Verdict]:
    return judged(workshop, source, "peaks", {name: LOOP % text for name, text in PEAKS.items()})


@pytest.fixture(scope="module")
def counts(workshop: Workshop, source: Source) -> dict[str, Verdict]:
    return judged(workshop, source, "count", {name: COUNT % text for name, text in COUNTS.items()})


def test_the_rules_translations_are_kept(peaks: dict[str, Verdict], counts: dict[str, Verdict]) -> None:
    assert isinstance(peaks["honest"], Passed), peaks["honest"]
    assert isinstance(counts["honest"], Passed), counts["honest"]


@pytest.mark.parametrize("mistake", PEAKS)
def test_other_greatest_elements_are_refused(peaks: dict[str, Verdict], mistake: str) -> None:
    assert reason(peaks[mistake]) in ("race", "exact", "untouched", "timeout"), peaks[mistake]


@pytest.mark.parametrize("mistake", COUNTS)
def test_other_counts_are_refused(counts: dict[str, Verdict], mistake: str) -> None:
    assert reason(counts[mistake]) in ("race", "exact", "untouched"), counts[mistake]
