"""Ports that copy as much as a fit to some runs says: data of other calls reach further, or not so far."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.conftest import Once
from tests.sampling import sampled
from transpile import parsers
from transpile.contracts import infer
from transpile.core import CUDA, Binding, ByRules, Candidate, Passed, Replacement, Source, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING
AS_RULES = ByRules(rules=("copies",))
"""Ports as rules write them, whose tests of lengths need no trial."""

KERNELS = {
    "gather": (
        "float *from, int *at, float *to, int groups, int planes, int points, int picked",
        "groups * planes * picked",
        "int k = t % picked, p = t / picked % planes, g = t / picked / planes;"
        " to[t] = from[(g * planes + p) * points + at[g * picked + k]];",
    ),
    "bins": ("int *price, int *sold, int n", "n", "atomicAdd(&sold[price[t] / 50], 1);"),
    "sized": ("float *body, float by, int length", "header[0]", "body[t] *= by;"),
    "resample": ("float *in, float *out, int n, float rate", "n", "out[t] = in[(int)(t * rate)];"),
    "scatter": (
        "float *grid, int *column, int *row, float *charge, int width, int n",
        "n",
        "atomicAdd(&grid[row[t] * width + column[t]], charge[t]);",
    ),
    "multiply": (
        "int rows, int *first, int *column, double *value, double *x, double *y",
        "rows",
        "double sum = 0; for (int k = first[t]; k < first[t + 1]; k++) sum += value[k] * x[column[k]];"
        " y[t] = sum;",
    ),
    "relax": (
        "int n, int m, double *weight, double *value, double *rest",
        "n",
        "double sum = value[t]; for (int k = 0; k < m; k++) sum -= weight[k] * value[t * m + k];"
        " rest[t] = sum;",
    ),
}
"""By function: parameters of a kernel, threads that have work, and what each does."""

GREATEST = "[&] { long long m = 0; %s return m; }()"
CSR = "for (int r = 0; r < rows; r++) for (int k = first[r]; k < first[r + 1]; k++)"
RIGHT: dict[str, dict[str, str]] = {
    "gather": {
        "from": GREATEST
        % (
            "for (int g = 0; g < groups; g++) for (int k = 0; k < picked; k++)"
            " m = std::max(m, (g * planes + planes - 1) * points + at[g * picked + k] + 1LL);"
        ),
        "at": "planes > 0 ? groups * picked : 0",
        "to": "groups * planes * picked",
    },
    "bins": {
        "price": "n",
        "sold": GREATEST % "for (int i = 0; i < n; i++) m = std::max(m, price[i] / 50 + 1LL);",
    },
    "sized": {"body": "header[0]"},
    "resample": {
        "in": GREATEST % "for (int i = 0; i < n; i++) m = std::max(m, (int)(i * rate) + 1LL);",
        "out": "n",
    },
    "scatter": {
        "grid": GREATEST % "for (int i = 0; i < n; i++) m = std::max(m, row[i] * width + column[i] + 1LL);",
        "column": "n",
        "row": "n",
        "charge": "n",
    },
    "multiply": {
        "first": "rows > 0 ? rows + 1 : 0",
        "column": GREATEST % f"{CSR} m = std::max(m, k + 1LL);",
        "value": GREATEST % f"{CSR} m = std::max(m, k + 1LL);",
        "x": GREATEST % f"{CSR} m = std::max(m, column[k] + 1LL);",
        "y": "rows",
    },
    "relax": {"weight": "m", "value": "m > 0 ? n * m : n", "rest": "n"},
}
"""By function and array: elements that are copied, whatever data are."""

GUESSED: dict[str, Mapping[str, str]] = {
    "gather by the layout of indices": {"from": "groups * planes * points + groups * picked - points"},
    "gather by the row": {"from": "groups * planes * points"},
    "bins of one element": {"sold": "1"},
    "bins of forty": {"sold": "40"},
    "bins by the number of prices": {"sold": "n"},
    "sized by a parameter without use": {"body": "flags > 1 ? flags - 1 : 0"},
    "sized by a number": {"body": "6"},
    "resample by the square": {"in": "n * n"},
    "resample as if nothing moved": {"in": "n"},
    "scatter by a polynomial": {"grid": "width * n + n - width"},
    "scatter by the rows alone": {
        "grid": GREATEST % "for (int i = 0; i < n; i++) m = std::max(m, (row[i] + 1LL) * width);"
    },
    "multiply with as many columns as rows": {"x": "rows"},
    "relax as if no row were empty": {"value": "n * m"},
    "multiply with three elements a row": {"column": "3 * rows", "value": "3 * rows"},
}
"""By what is wrong, whose first word names the function: the lengths that a guess gave."""


def port(source: Source, name: str, lengths: Mapping[str, str]) -> str:
    """Return a port of a function that copies arrays of these lengths, all of them in and out."""
    unit = next(item for item in source.units if item.name == name)
    parameters, threads, work = KERNELS[name]
    given = [item.strip().rpartition(" ")[2].lstrip("*") for item in parameters.split(",")]
    kinds = {item.strip().rpartition("*")[2]: item.split("*")[0].strip() for item in parameters.split(",")}
    head = unit.text.decode().split("\n{")[0]
    lines = []
    for array, length in lengths.items():
        size = f"{array}_size"
        lines += [
            f"    const long long {array}_count = {length};",
            f"    const size_t {size} = {array}_count > 0 ? {array}_count * sizeof({kinds[array]}) : 0;",
            f"    {kinds[array]} *{array}_device; cudaMalloc(&{array}_device, {size});",
            f"    cudaMemcpy({array}_device, {array}, {size}, cudaMemcpyHostToDevice);",
        ]
    passed = [
        f"{item}_device" if item in lengths else "header[0]" if item == "length" else item for item in given
    ]
    back = [
        f"    cudaMemcpy((void *){array}, {array}_device, {array}_size, cudaMemcpyDeviceToHost);"
        for array in lengths
        if f"const {kinds[array]} *{array}" not in head
    ]
    free = [f"    cudaFree({array}_device);" for array in lengths]
    return "\n".join(
        [
            f"__global__ void {name}_kernel({parameters}, int threads)",
            f"{{ int t = blockIdx.x * blockDim.x + threadIdx.x; if (t < threads) {{ {work} }} }}",
            head,
            "{",
            f"    const int threads = {threads};",
            "    if (threads <= 0) return;",
            *lines,
            f"    {name}_kernel<<<(threads + 63) / 64, 64>>>({', '.join(passed)}, threads);",
            *back,
            *free,
            "}",
            "",
        ]
    )


@pytest.fixture(scope="module")
def source() -> Source:
    return parsers.read(Path(__file__).parent / "guessed.c")


KEPT = sampled(RIGHT, 8)
REFUSED = sampled(GUESSED, 8)


@pytest.fixture(scope="module")
def verdicts(once: Once, workshop: Workshop, source: Source) -> dict[str, Verdict]:
    return once("guessed lengths", partial(judged, workshop, source))


def judged(workshop: Workshop, source: Source) -> dict[str, Verdict]:
    known = infer(workshop, source, source.units)
    texts = {name: port(source, name, lengths) for name, lengths in RIGHT.items() if name in KEPT}
    for title in REFUSED:
        name = title.split()[0]
        texts[title] = port(source, name, {**RIGHT[name], **GUESSED[title]})
    proposals = []
    for title, text in texts.items():
        unit = next(item for item in source.units if item.name == title.split()[0])
        contracts = known[unit.id]
        assert isinstance(contracts, tuple), contracts
        candidate = Candidate(
            unit=unit.id,
            dialect=CUDA,
            replacements=(Replacement(unit=unit.id, text=text.encode()),),
            binding=Binding(name=unit.name, arguments=contracts[0].signature.names),
            headers=("<algorithm>",),
            origin=AS_RULES,
        )
        proposals.append(Proposal(unit=unit, contracts=contracts, candidate=candidate))
    found = judge(workshop, source, proposals, seed=5)
    return {title: item.verdict for title, item in zip(texts, found, strict=True)}


@pytest.mark.parametrize("name", KEPT)
def test_lengths_that_are_read_from_the_data_are_right(verdicts: dict[str, Verdict], name: str) -> None:
    assert isinstance(verdicts[name], Passed), verdicts[name]


@pytest.mark.parametrize("title", REFUSED)
def test_lengths_that_were_guessed_are_refused(verdicts: dict[str, Verdict], title: str) -> None:
    assert not isinstance(verdicts[title], Passed), verdicts[title]
