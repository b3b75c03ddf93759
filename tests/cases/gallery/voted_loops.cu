// Loops that a warp goes on with by vote: while some lane has work left, or until all are done.
#include <cuda_runtime.h>

#define WHOLE 0xffffffffu

// Odd numbers of each slice of 32, packed to its front; every warp counts its own.
__global__ void pack_odd(const int *in, int *packed, int *counts, int n)
{
    const int lane = threadIdx.x % 32;
    int odd_numbers = 0;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; __any_sync(WHOLE, v < n); v += gridDim.x * blockDim.x) {
        bool odd = false;
        if (v < n) odd = in[v] & 1;
        const unsigned votes = __ballot_sync(WHOLE, odd);
        odd_numbers += __popc(votes);
        if (odd) packed[v - lane + __popc(votes & ((1u << lane) - 1))] = in[v];
    }
    counts[blockIdx.x * blockDim.x + threadIdx.x] = odd_numbers;
}

// How often a lane halves its number until all lanes of its warp are below a limit.
__global__ void halved(const int *in, int *rounds, int limit, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] & 0xffff : 0;
    int turns = 0;
    while (!__all_sync(WHOLE, value <= (limit & 0xff))) {
        if (value > (limit & 0xff)) turns++;
        value /= 2;
    }
    if (i < n) rounds[i] = turns;
}

// Lanes that take one element a turn, at most four, as long as the warp agrees.
__global__ void tasted(const int *in, int *sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0, turn = 0;
    bool again;
    do {
        const int next = i + turn * 32;
        again = next < n && in[next] > 0;
        if (again) sum += in[next];
        ++turn;
    } while (turn < 4 && __any_sync(WHOLE, again));
    if (i < n) sums[i] = sum;
}
