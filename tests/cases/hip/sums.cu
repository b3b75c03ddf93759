// The sum of each warp of 32 by shuffles, with the offsets written out.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void sums(const int *in, int *out) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffff, value, offset);
    if ((threadIdx.x & 31) == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) >> 5] = value;
}

int main() {
    std::vector<int> in(512), wanted(16);
    for (int i = 0; i < 512; ++i) wanted[i / 32] += in[i] = i * 7 % 13;
    int *source = on_device(in), *result = on_device(std::vector<int>(16));
    sums<<<4, 128>>>(source, result);
    expect(result, wanted);
    return 0;
}
