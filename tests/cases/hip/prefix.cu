// Sums of all numbers before each of a block's: within warps, then over the sums of the warps, in one word each.
#include <cuda_runtime.h>

#include "expect.h"

#define WARPS (512 / 32)

__device__ int before_in_warp(int value) {
    int sum = value;
    for (int step = 1; step < 32; step <<= 1) {
        const int other = __shfl_up_sync(~0u, sum, step);
        if ((threadIdx.x & 31) >= step) sum += other;
    }
    return sum - value;
}

__global__ void prefix(const int *in, int *out) {
    __shared__ int sums[WARPS];
    const int warp = threadIdx.x >> 5, value = in[threadIdx.x];
    const int before = before_in_warp(value);
    if ((threadIdx.x & 31) == 31) sums[warp] = before + value;
    __syncthreads();
    if (warp == 0) {
        const int sum = before_in_warp(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
        if (threadIdx.x < blockDim.x / 32) sums[threadIdx.x] = sum;
    }
    __syncthreads();
    out[threadIdx.x] = before + sums[warp];
}

int main() {
    std::vector<int> in(512), wanted(512);
    int sum = 0;
    for (int i = 0; i < 512; ++i) {
        wanted[i] = sum;
        sum += in[i] = i % 5;
    }
    int *source = on_device(in), *result = on_device(std::vector<int>(512));
    prefix<<<1, 512>>>(source, result);
    expect(result, wanted);
    return 0;
}
