"""The independent oracle refutes what is wrong, and what it takes for the truth is the truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import known, oracle

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not oracle.usable(), reason="needs gcc and g++"),
]

SOURCE = "double total(const double *x, const int *at, int n)"
BODY = "{ double sum = 0; for (int i = 0; i < n; i++) sum += x[at[i]]; return sum; }"
PORT = """
__global__ void total_kernel(const double *x, const int *at, int n, double *sum)
{
    __shared__ double parts[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[threadIdx.x] = i < n ? x[at[i]] : 0;
    __syncthreads();
    for (int half = 32; half > 16; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    double mine = threadIdx.x < 32 ? parts[threadIdx.x] : 0;
    for (int by = 16; by > 0; by /= 2) mine += __shfl_down_sync(0xffffffffu, mine, by);
    if (threadIdx.x == 0) atomicAdd(sum, mine);
}

double total(const double *x, const int *at, int n)
{
    int length = 0;
    for (int i = 0; i < n; i++) if (at[i] >= length) length = at[i] + 1;
    double sum = 0, *dx, *dsum;
    int *dat;
    cudaMalloc(&dx, length * sizeof(double));
    cudaMalloc(&dat, n * sizeof(int));
    cudaMalloc(&dsum, sizeof(double));
    cudaMemcpy(dx, x, length * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dat, at, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dsum, &sum, sizeof(double), cudaMemcpyHostToDevice);
    if (n > 0) total_kernel<<<(n + 63) / 64, 64>>>(dx, dat, n, dsum);
    cudaMemcpy(&sum, dsum, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dat);
    cudaFree(dsum);
    return sum;
}
"""
MISTAKES = {
    "long copy": ("dx, x, length *", "dx, x, (length + 1) *", "leaves"),
    "long array": (
        "if (at[i] >= length) length = at[i] + 1",
        "if (at[i] >= length) length = at[i] + 2",
        "the caller's array (argument 0)",
    ),
    "short array": (
        "if (at[i] >= length) length = at[i] + 1",
        "if (at[i] > length) length = at[i]",
        "memory of the device",
    ),
    "short copy": ("dat, at, n *", "dat, at, (n > 0 ? n - 1 : 0) *", ""),
    "host pointer": ("(dx, dat,", "(x, dat,", "argument 0"),
    "host copy too long": (
        "(&sum, dsum, sizeof(double)",
        "(&sum, dsum, 2 * sizeof(double)",
        "leaves",
    ),
    "no barrier": ("    __syncthreads();\n    for", "    for", "is 0"),
    "freed": ("    if (n > 0)", "    cudaFree(dat);\n    if (n > 0)", "memory of the device"),
    "nothing launched": ("if (n > 0)", "if (n > 1000)", "what is returned"),
}


def _pair(number: int, port: str) -> oracle.Pair:
    name = f"total_{number}"
    renamed = SOURCE.replace("total", name)
    return oracle.Pair(
        name=name, source=f"{renamed}\n{BODY}\n", declaration=f"{renamed};", port=port, entry="total"
    )


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[list[oracle.Outcome]]:
    """Return the outcomes of the same calls for the right port, then for each mistake."""
    ports = [PORT]
    for before, after, _ in MISTAKES.values():
        assert before in PORT
        ports.append(PORT.replace(before, after))
    pairs = [_pair(number, port) for number, port in enumerate(ports)]
    program = oracle.build(pairs, tmp_path_factory.mktemp("oracle"))
    assert not program.failed
    random = np.random.default_rng(1)
    calls = []
    for count in (0, 1, 5, 64, 200):
        at = random.integers(0, 90, size=count).astype("i4")
        x = random.integers(1, 9, size=int(at.max()) + 1 if count else 0).astype("f8")
        call = oracle.Call(function=0, arguments=(x, at, np.int32(count)), returned="d", seed=count)
        calls += [call, replace(call, seed=count + 1), oracle.longer(call, random)]
    asked = [replace(call, function=number) for number in range(len(pairs)) for call in calls]
    found = program.run(asked)
    return [found[at : at + len(calls)] for at in range(0, len(found), len(calls))]


def test_a_right_port_is_not_refuted(outcomes: list[list[oracle.Outcome]]) -> None:
    assert {item.kind for item in outcomes[0]} == {"ok"}
    assert [item.launches for item in outcomes[0]].count(1) == 12


@pytest.mark.parametrize(("number", "name"), list(enumerate(MISTAKES, 1)))
def test_mistakes_are_refuted(outcomes: list[list[oracle.Outcome]], number: int, name: str) -> None:
    wrong = [item.detail for item in outcomes[number] if item.wrong]
    assert wrong
    if name != "no barrier":  # Which threads have run by then is all that the results tell.
        assert any(MISTAKES[name][2] in detail for detail in wrong), wrong


def test_calls_that_the_source_does_not_bear_say_nothing(tmp_path: Path) -> None:
    program = oracle.build([_pair(0, PORT)], tmp_path)
    arguments = (np.zeros(3), np.array([3], dtype="i4"), np.int32(1))
    [found] = program.run([oracle.Call(function=0, arguments=arguments, returned="d")])
    assert not found.valid


@pytest.mark.thorough
def test_no_call_reaches_less_or_more_than_is_known(tmp_path: Path) -> None:
    functions = known.generate(len(known.KINDS), 11, tuple(known.KINDS))
    pairs = [
        oracle.Pair(name=item.name, source=known.source_of([item]), declaration=item.declaration)
        for item in functions
    ]
    program = oracle.build(pairs, tmp_path)
    assert not program.failed
    exact, short = [], []
    for number, function in enumerate(functions):
        for seed in range(3):
            arguments = function.draw(np.random.default_rng([seed, number]))
            call = oracle.Call(function=number, arguments=arguments, returned=function.returned)
            exact.append(call)
            for at, value in enumerate(arguments):
                if isinstance(value, np.ndarray) and value.size:
                    cut = (*arguments[:at], value[: -function.parameters[at].stride], *arguments[at + 1 :])
                    short.append(replace(call, arguments=cut))
    assert {item.kind for item in program.run(exact)} == {"ok"}
    assert {item.kind for item in program.run(short)} == {"source"}
