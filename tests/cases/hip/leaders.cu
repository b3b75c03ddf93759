// One atomic operation for all lanes of a warp that take a branch; the lowest of them makes it for all.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void collect(const int *in, int n, int *count, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || in[i] % 3 != 0) return;
    const unsigned active = __activemask();
    const int lane = threadIdx.x % 32, leader = __ffs(active) - 1;
    int place = 0;
    if (lane == leader) place = atomicAdd(count, __popc(active));
    place = __shfl_sync(active, place, leader) + __popc(active & ((1u << lane) - 1));
    atomicAdd(&out[place], 1);
}

int main() {
    const int n = 1000;
    std::vector<int> in(n), wanted(n);
    int count = 0;
    for (int i = 0; i < n; ++i) in[i] = i * 5 % 17;
    for (int i = 0; i < n; ++i) count += in[i] % 3 == 0;
    for (int i = 0; i < count; ++i) wanted[i] = 1;
    int *source = on_device(in), *total = on_device(std::vector<int>(1)), *result = on_device(std::vector<int>(n));
    collect<<<(n + 191) / 192, 192>>>(source, n, total, result);
    expect(total, {count});
    expect(result, wanted);
    return 0;
}
