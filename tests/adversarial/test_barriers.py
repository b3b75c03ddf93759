"""Barriers that some threads of a block do not reach: usual devices go on, the result is undefined."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.core import CUDA
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES
SUM = "int total(const int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }"
KERNEL = """
__global__ void add_up(const int *x, int n, int *sum)
{
    __shared__ int part[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    %s
    if (t == 0) atomicAdd(sum, part[0]);
}
int total(const int *x, int n)
{
    if (n <= 0) return 0;
    int *d_x, *d_sum, sum = 0;
    const size_t bytes = (size_t)n * sizeof(int);
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof(int));
    add_up<<<n / 256 + (n %% 256 != 0), 256>>>(d_x, n, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sum);
    return sum;
}
"""
HALVES = {
    "right": """
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }""",
    "half of the block does not reach it": """
    if (t < 128) {
        part[t] += part[t + 128];
        __syncthreads();
    }
    for (int half = 64; half > 0; half >>= 1) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }""",
    "each way has its own": """
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) {
            part[t] += part[t + half];
            __syncthreads();
        } else {
            __syncthreads();
        }
    }""",
    "each way has its own in one line": """
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) { part[t] += part[t + half]; __syncthreads(); } else __syncthreads();
    }""",
    "each way calls it": """
    auto wait = [] { __syncthreads(); };
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) {
            part[t] += part[t + half];
            wait();
        } else {
            wait();
        }
    }""",
}


@pytest.mark.thorough
def test_all_threads_of_a_block_wait_at_one_barrier(workshop: Workshop) -> None:
    """A barrier counts whoever comes, so halves of a block that wait apart pass unseen on one schedule."""
    found = rewards(
        workshop, SUM, {name: KERNEL % text for name, text in HALVES.items()}, suffix=".c", target=CUDA
    )
    assert kept(found) == {"right"}, found
    assert all("barrier" in found[name].reason for name in HALVES if name.startswith("each way"))
