// Numbers that are negative go into a queue: one atomic operation for a warp, each lane's place by the bits below it.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void push(const int *in, int n, int *queue, int *count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    const bool wanted = i < n && in[i] < 0;
    const unsigned all = __ballot_sync(0xffffffff, wanted);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(all));
    first = __shfl_sync(0xffffffff, first, 0);
    if (wanted) queue[first + __popc(all & ((1u << lane) - 1))] = in[i];
}

int main() {
    const int n = 500;
    std::vector<int> in(n), wanted(n);
    int count = 0;
    for (int i = 0; i < n; ++i) in[i] = i * 13 % 29 < 9 ? -7 : i;
    for (int i = 0; i < n; ++i) count += in[i] < 0;
    for (int i = 0; i < count; ++i) wanted[i] = -7;
    int *source = on_device(in), *total = on_device(std::vector<int>(1)), *result = on_device(std::vector<int>(n));
    push<<<(n + 127) / 128, 128>>>(source, n, result, total);
    expect(total, {count});
    expect(result, wanted);
    return 0;
}
