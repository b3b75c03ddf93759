// Warps of a block that do different work: the number of a warp is taken from its first lane, as for all its lanes.
#include <cuda_runtime.h>

#include "expect.h"

__device__ int warp_number() { return __shfl_sync(0xffffffff, threadIdx.x / 32, 0); }

__global__ void roles(const float *in, float *least, float *largest) {
    const int first = blockIdx.x * 64, lane = threadIdx.x % 32;
    float value = in[first + lane], other = in[first + 32 + lane];
    if (warp_number() == 0) {
        value = fminf(value, other);
        for (int offset = 16; offset > 0; offset >>= 1) value = fminf(value, __shfl_xor_sync(0xffffffff, value, offset));
        if (lane == 0) least[blockIdx.x] = value;
    } else {
        value = fmaxf(value, other);
        for (int offset = 16; offset > 0; offset >>= 1) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, offset));
        if (lane == 0) largest[blockIdx.x] = value;
    }
}

int main() {
    const int blocks = 5;
    std::vector<float> in(64 * blocks), least(blocks, 1000), largest(blocks, -1000);
    for (int i = 0; i < 64 * blocks; ++i) in[i] = float(i * 37 % 101 - 50);
    for (int i = 0; i < 64 * blocks; ++i) {
        least[i / 64] = in[i] < least[i / 64] ? in[i] : least[i / 64];
        largest[i / 64] = in[i] > largest[i / 64] ? in[i] : largest[i / 64];
    }
    float *source = on_device(in), *low = on_device(std::vector<float>(blocks));
    float *high = on_device(std::vector<float>(blocks));
    roles<<<blocks, 64>>>(source, low, high);
    expect(low, least);
    expect(high, largest);
    return 0;
}
