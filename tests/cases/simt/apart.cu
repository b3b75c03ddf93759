// run: => exit 0
// run: SIMT_SEED=3 => exit 0
#include "expect.h"

#include <cub/cub.cuh>

__global__ void fill(int *data) { data[threadIdx.x] = static_cast<int>(threadIdx.x); }

// An algorithm of a library reaches what a kernel of an earlier call still has to write.
void algorithm_after_a_kernel() {
    Buffer<int> data(32), sum(1);
    Buffer<char> storage(64);
    std::size_t bytes = 64;
    fill<<<1, 32>>>(data.device);
    EXPECT(cub::DeviceReduce::Sum(storage.device, bytes, data.device, sum.device, 32) == cudaSuccess);
    EXPECT_EQUAL(0, sum[0], 496);
}

int main() {
    simt::isolation.wanted = true;
    algorithm_after_a_kernel();
    return failed_expectations;
}
