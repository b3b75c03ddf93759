// run: forward => exit 0
// run: SIMT_SEED=1 shuffled => exit 0
// run: SIMT_SEED=2 shuffled => exit 0
#include "expect.h"

#include <cstring>

__global__ void arrivals(int *order, int *next) { order[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x; }

// Every thread passes barriers, between which the order shows too.
__global__ void after_barrier(int *order, int *next) {
    __syncthreads();
    order[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
}

int main(int, char **arguments) {
    const bool forward = std::strcmp(arguments[1], "forward") == 0;
    const int n = 5 * 70;
    Buffer<int> order(n), next(1);
    for (int barrier = 0; barrier < 2; ++barrier) {
        next.clear();
        if (barrier == 0) {
            arrivals<<<5, 70>>>(order.device, next.device);
        } else {
            after_barrier<<<5, 70>>>(order.device, next.device);
        }
        bool seen[n] = {}, threads_in_order = true, blocks_in_order = true;
        int last = -1, last_of_block[5] = {-1, -1, -1, -1, -1};
        for (int i = 0; i < n; ++i) {
            const int thread = order[i];
            EXPECT(thread >= 0 && thread < n && !seen[thread]);
            seen[thread] = true;
            threads_in_order = threads_in_order && thread % 70 > last_of_block[thread / 70];
            last_of_block[thread / 70] = thread % 70;
            blocks_in_order = blocks_in_order && thread / 70 >= last / 70;
            last = thread;
        }
        EXPECT(threads_in_order == forward);
        EXPECT(blocks_in_order == forward);
    }
    return failed_expectations != 0;
}
