// A histogram in shared memory for each warp, added up at the end: as many as the device says a block has warps.
#include <cuda_runtime.h>

#include "expect.h"

const int BINS = 16, THREADS = 256;

__global__ void counts(const int *in, int n, int *bins) {
    __shared__ int own[THREADS / 32][BINS];
    const int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    if (lane < BINS) own[warp][lane] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) atomicAdd(&own[warp][in[i] & (BINS - 1)], 1);
    __syncthreads();
    if (threadIdx.x < BINS) {
        int sum = 0;
        for (int other = 0; other < THREADS / 32; ++other) sum += own[other][threadIdx.x];
        bins[threadIdx.x] = sum;
    }
}

int main() {
    const int n = 3000;
    std::vector<int> in(n), wanted(BINS);
    for (int i = 0; i < n; ++i) wanted[(in[i] = i * i % 23) & (BINS - 1)] += 1;
    int *source = on_device(in), *result = on_device(std::vector<int>(BINS));
    counts<<<1, THREADS>>>(source, n, result);
    expect(result, wanted);
    return 0;
}
