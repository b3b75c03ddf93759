"""Translations whose parallel form no trial runs are not kept, whatever a sequential one beside it gives."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.functions import learn_first, unit
from transpile import parsers
from transpile.core import (
    CUDA,
    OPENMP,
    Binding,
    Candidate,
    Contract,
    Dialect,
    Inconclusive,
    Passed,
    Replacement,
    Source,
    Verdict,
)
from transpile.testers import Proposal, judge
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

SOURCE = "void twice(int n, const int *x, int *y)\n{\n    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}\n"
SEQUENTIAL = (
    "static void twice_sequential(int n, const int *x, int *y)"
    " { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n"
)
KERNEL = (
    "__global__ void k(int n, const int *x, int *y)"
    " { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = %s; }\n"
)
ONE = "__global__ void one(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n"


def on_device(launch: str) -> str:
    """Return the host's part of a port."""
    return f"""{{
    int *a, *b;
    const size_t size = n > 0 ? sizeof(int) * n : 0;
    cudaMalloc(&a, size);
    cudaMalloc(&b, size);
    cudaMemcpy(a, x, size, cudaMemcpyHostToDevice);
    cudaMemcpy(b, y, size, cudaMemcpyHostToDevice);
    {launch}
    cudaMemcpy(y, b, size, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
}}
"""


HEAD = 'extern "C" void twice(int n, const int *x, int *y)\n'
WIDE = "if (n > 0) k<<<(n + 63) / 64, 64>>>(n, a, b);"
WRONG = KERNEL % "7"
RIGHT = KERNEL % "2 * x[i]"
LEAVE = "if ({}) {{ twice_sequential(n, x, y); return; }}\n"
CASES: dict[str, tuple[Dialect, str, str]] = {
    "kernels": (CUDA, RIGHT + HEAD + on_device(WIDE), "passed"),
    "always left": (
        CUDA,
        WRONG + SEQUENTIAL + HEAD + "{ " + LEAVE.format("n >= 0") + on_device(WIDE) + "}\n",
        "TP431",
    ),
    "left but for one size": (
        CUDA,
        RIGHT + SEQUENTIAL + HEAD + "{ " + LEAVE.format("n != 33") + on_device(WIDE) + "}\n",
        "TP431",
    ),
    "a kernel that nothing launches": (
        CUDA,
        RIGHT
        + WRONG.replace("void k", "void other")
        + HEAD
        + on_device("if (n > 1000000000) other<<<n, 64>>>(n, a, b); else " + WIDE),
        "TP431",
    ),
    "one thread": (CUDA, ONE + HEAD + on_device("one<<<1, 1>>>(n, a, b);"), "TP432"),
    "one thread beside many": (
        CUDA,
        RIGHT + ONE + HEAD + on_device("one<<<1, 1>>>(n, a, b); " + WIDE),
        "passed",
    ),
    "a clause that never holds": (
        OPENMP,
        "void twice(int n, const int *x, int *y)\n{\n"
        "    const int apart = n < 0;\n"
        "#pragma omp parallel for if (apart)\n"
        "    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}\n",
        "TP431",
    ),
    "a clause that holds": (
        OPENMP,
        "void twice(int n, const int *x, int *y)\n{\n"
        "    const int apart = x + n <= y || y + n <= x;\n"
        "#pragma omp parallel for if (apart)\n"
        "    for (int i = 0; i < n; i++) y[i] = 2 * x[i];\n}\n",
        "passed",
    ),
}


@pytest.fixture(scope="module")
def workshop(builds: Path) -> Workshop:
    return Workshop(cache=builds)


@pytest.fixture(scope="module")
def learnt(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> tuple[Source, Contract]:
    root = tmp_path_factory.mktemp("twice")
    (root / "a.c").write_text(SOURCE)
    source = parsers.read(root)
    contract = learn_first(workshop, source)["twice"]
    assert isinstance(contract, Contract), contract
    return source, contract


def proposal(source: Source, contract: Contract, name: str) -> Proposal:
    dialect, text, _ = CASES[name]
    own = unit(source, "twice")
    candidate = Candidate(
        unit=own.id,
        dialect=dialect,
        replacements=(Replacement(unit=own.id, text=text.encode()),),
        binding=Binding(name="twice", arguments=contract.signature.names),
    )
    return Proposal(unit=own, contracts=(contract,), candidate=candidate)


def told(verdict: Verdict) -> str:
    return verdict.code if isinstance(verdict, Inconclusive) else verdict.kind


@pytest.mark.thorough
def test_what_no_trial_ran_is_not_kept(workshop: Workshop, learnt: tuple[Source, Contract]) -> None:
    source, contract = learnt
    judged = judge(workshop, source, [proposal(source, contract, name) for name in CASES])
    found = {name: told(item.verdict) for name, item in zip(CASES, judged, strict=True)}
    assert found == {name: wanted for name, (_, _, wanted) in CASES.items()}, judged
    shown = dict(zip(CASES, (item.verdict for item in judged), strict=True))
    whole, partly = shown["kernels"], shown["one thread beside many"]
    assert isinstance(whole, Passed) and isinstance(partly, Passed)
    assert whole.guarantee.parallel is not None
    assert 6 <= whole.guarantee.parallel <= whole.guarantee.trials
    assert (whole.guarantee.single, partly.guarantee.single) == ((), ("one",))


def test_one_thread_is_kept_where_that_is_enough(workshop: Workshop, learnt: tuple[Source, Contract]) -> None:
    source, contract = learnt
    asked = replace(proposal(source, contract, "one thread"), sequential=True)
    [judged] = judge(workshop, source, [asked])
    assert isinstance(judged.verdict, Passed), judged.verdict
    assert (judged.verdict.guarantee.parallel, judged.verdict.guarantee.single) == (0, ("one",))
