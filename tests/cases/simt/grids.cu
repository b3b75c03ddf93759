// run: fine => exit 0
// run: SIMT_SEED=5 fine => exit 0
// run: SIMT_SEED=6 fine => exit 0
// run: ended => abort deadlock in kernel some_end: \d of 4 blocks have ended, and others wait at grid.sync\(\) for ever
// run: plain => abort grid.sync\(\) in kernel some_end, which is not launched by cudaLaunchCooperativeKernel
// run: apart => abort deadlock in kernel wait_apart, block \(0,0,0\): thread \(0,0,0\) waits at grid.sync\(\) for ever; thread \(16,0,0\) at __syncthreads
// run: crowd => abort the blocks of kernel waits poll by atomic.* for ever
#include "expect.h"

#include <cstring>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int blocks = 24, threads = 96;

// Every block waits for sums of all others, twice, and keeps what it shares meanwhile.
__global__ void sums(const int *in, int *partial, int *out) {
    __shared__ int own;
    extern __shared__ int mine[];
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    mine[threadIdx.x] = in[grid.thread_rank()];
    atomicAdd(&own, mine[threadIdx.x]);
    if (threadIdx.x > 64) return;
    grid.sync();
    if (threadIdx.x == 0) partial[blockIdx.x] = own;
    grid.sync();
    const int next = partial[(blockIdx.x + 1) % gridDim.x];
    grid.sync();
    if (threadIdx.x == 0) partial[blockIdx.x] = next;
    cg::sync(grid);
    out[grid.thread_rank()] = partial[blockIdx.x] + own + mine[threadIdx.x];
}

template <class T>
__global__ void doubled(T *data, int turns) {
    for (int turn = 0; turn < turns; ++turn) {
        const T other = data[(cg::this_grid().thread_rank() + 1) % cg::this_grid().size()];
        cg::this_grid().sync();
        data[cg::this_grid().thread_rank()] = 2 * other;
        cg::this_grid().sync();
    }
}

// A barrier of a program's own, as old programs have it.
__global__ void by_hand(unsigned *arrived, const int *in, int *out) {
    __shared__ int total;
    if (threadIdx.x == 0) total = in[blockIdx.x];
    __syncthreads();
    out[blockIdx.x] = total;
    __threadfence();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) total += out[(blockIdx.x + 1) % gridDim.x];
    __syncthreads();
    out[gridDim.x + blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// One function for groups of all kinds: what is shared is ordered by the group's own barrier.
__device__ int sum_of_group(cg::thread_group group, int *shared, int value) {
    const int rank = group.thread_rank();
    for (int step = group.size() / 2; step > 0; step /= 2) {
        shared[rank] = value;
        group.sync();
        if (rank < step) value += shared[rank + step];
        group.sync();
    }
    return value;
}
__global__ void sums_of_groups(int *out) {
    __shared__ int shared[64];
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition(block, 32);
    const auto part = cg::tiled_partition(warp, 8);
    const int thread = threadIdx.x;
    const int of_block = sum_of_group(block, shared, thread);
    const int of_part = sum_of_group(part, shared + thread / 8 * 8, thread);
    if (thread == 0) out[0] = of_block;
    if (part.thread_rank() == 0) out[1 + thread / 8] = of_part;
    // Tiles are numbered within what they are parts of.
    const cg::thread_block_tile<32> whole = cg::tiled_partition<32>(block);
    const cg::thread_block_tile<4> quarter = cg::tiled_partition<4>(whole);
    out[16 + thread] = 1000 * whole.meta_group_rank() + 100 * whole.meta_group_size() + quarter.meta_group_rank();
    if (thread == 0) out[80] = quarter.meta_group_size();
}

__global__ void some_end() {
    if (blockIdx.x > 1) cg::this_grid().sync();
}
__global__ void wait_apart() {
    if (threadIdx.x < 16) {
        cg::this_grid().sync();
    } else {
        __syncthreads();
    }
}
__global__ void waits(unsigned *arrived) {
    if (blockIdx.x + 1 == gridDim.x) atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) == 0) {
    }
}

void fine() {
    Buffer<int> in(blocks * threads), partial(blocks), out(blocks * threads);
    for (int i = 0; i < blocks * threads; ++i) in.set(i, i);
    out.clear();
    void *arguments[] = {&in.device, &partial.device, (void *)&out.device};
    EXPECT(cudaLaunchCooperativeKernel((void *)sums, blocks, threads, arguments, threads * sizeof(int)) == cudaSuccess);
    for (int block = 0; block < blocks; ++block) {
        const auto sum = [](int of) { return of * threads * threads + threads * (threads - 1) / 2; };
        const int first = block * threads;
        EXPECT_EQUAL(block, out[first], sum(block) + sum((block + 1) % blocks) + in[first]);
        EXPECT_EQUAL(block, out[first + 64], sum(block) + sum((block + 1) % blocks) + in[first + 64]);
        EXPECT_EQUAL(block, out[first + 65], 0);
    }

    Buffer<float> data(8);
    for (int i = 0; i < 8; ++i) data.set(i, i);
    int turns = 3;
    void *others[] = {&data.device, &turns};
    EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&doubled<float>), dim3(4), dim3(2), others) ==
           cudaSuccess);
    for (int i = 0; i < 8; ++i) EXPECT_EQUAL(i, data[i], 8.0f * ((i + 3) % 8));

    Buffer<unsigned> arrived(1);
    arrived.clear();
    by_hand<<<blocks, 33>>>(arrived.device, in.device, out.device);
    for (int block = 0; block < blocks; ++block)
        EXPECT_EQUAL(block, out[blocks + block * 33 + 32], block + (block + 1) % blocks);

    sums_of_groups<<<1, 64>>>(out.device);
    EXPECT_EQUAL(0, out[0], 63 * 64 / 2);
    for (int part = 0; part < 8; ++part) EXPECT_EQUAL(part, out[1 + part], 8 * 8 * part + 28);
    for (int thread = 0; thread < 64; ++thread)
        EXPECT_EQUAL(thread, out[16 + thread], 1000 * (thread / 32) + 200 + thread % 32 / 4);
    EXPECT_EQUAL(80, out[80], 8);

    int fit = 0;
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, sums, 1024, 0) == cudaSuccess && fit == 2);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    EXPECT(properties.cooperativeLaunch == 1);
    EXPECT(cudaLaunchCooperativeKernel((void *)sums, fit * properties.multiProcessorCount + 1, 1024, arguments) ==
           cudaErrorCooperativeLaunchTooLarge);
}

int main(int, char **arguments) {
    const auto asked = [&](const char *name) { return std::strcmp(arguments[1], name) == 0; };
    unsigned *arrived = nullptr;
    cudaMalloc(&arrived, 4);
    cudaMemset(arrived, 0, 4);
    if (asked("fine")) fine();
    if (asked("ended")) cudaLaunchCooperativeKernel((void *)some_end, 4, 32, nullptr);
    if (asked("plain")) some_end<<<4, 32>>>();
    if (asked("apart")) cudaLaunchCooperativeKernel((void *)wait_apart, 1, 32, nullptr);
    if (asked("crowd")) waits<<<200, 1>>>(arrived);
    return failed_expectations != 0;
}
