// flags: -DSIMT_TRACE
// run: => exit 0
// run: SIMT_SEED=4 => exit 0
#include "expect.h"

#include <cstring>

// The hooks, as the program that loads a traced library defines them.
extern "C" {
simt_position simt_trace_position;
static int blocks = 0, launches = 0, atomics = 0, apart = 0;
static const void *low = nullptr, *high = nullptr;
void simt_trace_block(std::uint32_t, const void *shared_low, const void *shared_high) {
    ++blocks;
    low = shared_low, high = shared_high;
}
void simt_trace_launch(int begins) { launches += begins != 0 ? 1 : 100; }
void simt_trace_atomic(const volatile void *, std::uint32_t size, int writes) { atomics += static_cast<int>(size) * writes; }
void simt_trace_parted(int line, int other) { apart = line - other; }
}

// Where a thread stands before and after each kind of meeting.
__global__ void positions(simt_position *out, int *counter) {
    __shared__ int used[3];
    extern __shared__ char more[];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    simt_position *mine = out + (blockIdx.x * blockDim.x * blockDim.y + thread) * 4;
    mine[0] = simt_trace_position;
    __syncthreads();
    mine[1] = simt_trace_position;
    __shfl_sync(0xffffffff, 1, 0);
    __syncwarp();
    mine[2] = simt_trace_position;
    if (thread % 32 < 16) __syncwarp(0xffff);
    mine[3] = simt_trace_position;
    if (thread == 0) {
        used[0] = more[0];
        EXPECT(low <= static_cast<void *>(used) && static_cast<void *>(used + 3) <= high);
        EXPECT(low <= static_cast<void *>(more) && static_cast<void *>(more + 24) == high);
        atomicAdd(counter, 1);
        atomicCAS(reinterpret_cast<unsigned long long *>(counter + 2), 0ull, 1ull);
    }
}

// Half of the block waits at a barrier of its own, or returns.
__global__ void part(bool returns) {
    if (threadIdx.x < 16) {
        __syncthreads();
        return;
    }
    if (returns) return;
    __syncthreads();
}

int main() {
    Buffer<simt_position> out(3 * 64 * 4);
    Buffer<int> counter(4);
    counter.clear();
    positions<<<3, dim3(16, 4), 24>>>(out.device, counter.device);
    EXPECT_EQUAL(0, launches, 101);
    EXPECT_EQUAL(0, blocks, 3);
    EXPECT_EQUAL(0, atomics, 3 * 12);
    for (unsigned thread = 0; thread < 3 * 64; ++thread) {
        for (int place = 0; place < 4; ++place) {
            const simt_position p = out[static_cast<int>(thread) * 4 + place];
            EXPECT_EQUAL(thread, p.block, thread / 64);
            EXPECT_EQUAL(thread, p.thread, thread % 64);
            EXPECT_EQUAL(thread, p.epoch, place > 0 ? 1u : 0u);
            EXPECT_EQUAL(thread, p.warp_epoch, place > 1 ? 1u : 0u);  // neither a shuffle nor half a warp orders memory
        }
    }
    part<<<1, 32>>>(true);
    EXPECT_EQUAL(0, apart, 0);
    part<<<1, 32>>>(false);
    EXPECT_EQUAL(0, apart * apart, 16);
    return failed_expectations != 0;
}
