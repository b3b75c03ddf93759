// Every lane hands its number to the next of its warp and the last one to the first, until all have seen all.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void rotation(const int *in, int *out) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned hash = 0;
    for (int turn = 0; turn < warpSize; ++turn) {
        hash = hash * 3 + value;
        value = __shfl_sync(0xffffffff, value, (threadIdx.x + 1) % warpSize);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = int(hash);
}

int main() {
    std::vector<int> in(192), wanted(192);
    for (int i = 0; i < 192; ++i) in[i] = i % 3 == 0;
    for (int i = 0; i < 192; ++i) {
        unsigned hash = 0;
        for (int turn = 0; turn < 32; ++turn) hash = hash * 3 + in[(i & ~31) + (i + turn) % 32];
        wanted[i] = int(hash);
    }
    int *source = on_device(in), *result = on_device(std::vector<int>(192));
    rotation<<<2, 96>>>(source, result);
    expect(result, wanted);
    return 0;
}
