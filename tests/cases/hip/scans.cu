// Sums up to each lane within parts of a warp, whose width is given, and a table in constant memory.
#include "expect.h"

__constant__ int factors[4];

__global__ void scans(const int *in, int *out) {
    const int i = threadIdx.x;
    int sum = in[i] * factors[i % 4];
    for (int step = 1; step < 16; step *= 2) {
        const int below = __shfl_up_sync(0xffffffff, sum, step, 16);
        if (i % 16 >= step) sum += below;
    }
    out[i] = sum + __shfl_xor_sync(0xffffffff, in[i], 31);
}

int main() {
    const int own[4] = {1, -2, 3, 5};
    std::vector<int> in(128), wanted(128);
    for (int i = 0; i < 128; ++i) in[i] = i % 7;
    for (int i = 0; i < 128; ++i) {
        for (int other = i & ~15; other <= i; ++other) wanted[i] += in[other] * own[other % 4];
        wanted[i] += in[i ^ 31];
    }
    cudaMemcpyToSymbol(factors, own, sizeof own);
    cudaFuncSetCacheConfig(scans, cudaFuncCachePreferL1);
    int *source = on_device(in), *result = on_device(std::vector<int>(128));
    scans<<<1, 128>>>(source, result);
    expect(result, wanted);
    return 0;
}
