// run: => exit 0
// run: SIMT_SEED=5 => exit 0
// run: early => abort a barrier that nobody has initialized
// run: lost => abort deadlock: cuda::barrier::wait waits for 1 arrivals that cannot come
// run: odd => abort __pipeline_memcpy_async of 3 bytes
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "expect.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// Two stages in flight: what is read before its stage is waited for is not there yet.
__global__ void primitives(const int *in, int *out, int *before) {
    __shared__ int staged[2][64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&staged[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&staged[1][t], &in[64 + t], sizeof(int), sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    before[t] = staged[1][t];
    out[t] = staged[0][t];
    __pipeline_wait_prior(0);
    out[64 + t] = staged[1][t];
}

__global__ void barriers(const int *in, int *out) {
    __shared__ int staged[64];
    __shared__ Barrier full;
    if (threadIdx.x == 0) init(&full, blockDim.x);
    __syncthreads();
    const int t = threadIdx.x;
    for (int round = 0; round < 3; ++round) {
        cuda::memcpy_async(&staged[t], &in[t + round], cuda::aligned_size_t<4>(sizeof(int)), full);
        full.arrive_and_wait();
        out[round * 64 + t] = staged[63 - t];
        full.wait(full.arrive());
    }
}

// Half of the threads bring what the others take.
__global__ void roles(const int *in, int *out) {
    __shared__ int staged[32];
    __shared__ Barrier filled, emptied;
    const int t = threadIdx.x;
    if (t == 0) init(&filled, blockDim.x), init(&emptied, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 4; ++round) {
        if (t < 32) {
            staged[t] = in[round * 32 + t];
            (void)filled.arrive();
            emptied.arrive_and_wait();
        } else {
            filled.arrive_and_wait();
            out[round * 32 + t - 32] = staged[63 - t];
            (void)emptied.arrive();
        }
    }
}

__global__ void stages(const int *in, int *out) {
    __shared__ int staged[3][64];
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int stage = 0; stage < 3; ++stage) {
        pipe.producer_acquire();
        cuda::memcpy_async(&staged[stage][t], &in[stage * 32 + t], sizeof(int), pipe);
        pipe.producer_commit();
    }
    for (int stage = 0; stage < 3; ++stage) {
        pipe.consumer_wait();
        out[stage * 64 + t] = staged[stage][t] + (stage < 2 ? staged[2][t] == in[64 + t] : 0);
        pipe.consumer_release();
    }
}

__global__ void groups(const int *in, int *out) {
    __shared__ int staged[2][64];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, staged[0], in, sizeof(int) * 64);
    cg::memcpy_async(block, staged[1], 64, in + 64, 32);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = staged[0][63 - threadIdx.x];
    cg::wait(block);
    if (threadIdx.x < 32) out[64 + threadIdx.x] = staged[1][31 - threadIdx.x];
}

__global__ void uninitialized() {
    __shared__ Barrier phase;
    phase.arrive_and_wait();
}
__global__ void incomplete() {
    __shared__ Barrier phase;
    if (threadIdx.x == 0) init(&phase, blockDim.x + 1);
    __syncthreads();
    phase.wait(phase.arrive());
}
__global__ void three_bytes() {
    __shared__ char staged[4];
    __pipeline_memcpy_async(staged, staged, 3);
}

int main(int count, char **arguments) {
    const char how = count > 1 ? arguments[1][0] : ' ';
    if (how == 'e') uninitialized<<<1, 1>>>();
    if (how == 'l') incomplete<<<1, 1>>>();
    if (how == 'o') three_bytes<<<1, 1>>>();

    Buffer<int> in(128), out(256), before(64);
    for (int i = 0; i < 128; ++i) in.set(i, 1000 + i);

    primitives<<<1, 64>>>(in.device, out.device, before.device);
    for (int t = 0; t < 64; ++t) {
        EXPECT_EQUAL(t, out[t], 1000 + t);
        EXPECT_EQUAL(t, out[64 + t], 0);
        EXPECT(before[t] != 0);
    }
    barriers<<<2, 64>>>(in.device, out.device);
    for (int round = 0; round < 3; ++round)
        for (int t = 0; t < 64; ++t) EXPECT_EQUAL(t, out[round * 64 + t], 1000 + 63 - t + round);
    roles<<<1, 64>>>(in.device, out.device);
    for (int i = 0; i < 128; ++i) EXPECT_EQUAL(i, out[i], 1000 + i / 32 * 32 + 31 - i % 32);
    stages<<<1, 64>>>(in.device, out.device);
    for (int stage = 0; stage < 3; ++stage)
        for (int t = 0; t < 64; ++t) EXPECT_EQUAL(stage, out[stage * 64 + t], 1000 + stage * 32 + t);
    groups<<<1, 64>>>(in.device, out.device);
    for (int t = 0; t < 64; ++t) EXPECT_EQUAL(t, out[t], 1000 + 63 - t);
    for (int t = 0; t < 32; ++t) EXPECT_EQUAL(t, out[64 + t], 1000 + 64 + 31 - t);
    return failed_expectations != 0;
}
