// Kernels for the trace: each has its twin with one synchronisation less.
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda_bf16.h>

#ifdef LEFT_OUT
#define SYNC_BLOCK
#define SYNC_WARP
#define BIN_ADD(bin) ++*(bin)
#define SMALL_ADD(bin, value) (*(bin) += (value))
#define WAIT(barrier) static_cast<void>((barrier).arrive())
#else
#define SYNC_BLOCK __syncthreads()
#define SYNC_WARP __syncwarp()
#define BIN_ADD(bin) atomicAdd(bin, 1)
#define SMALL_ADD(bin, value) atomicAdd(bin, value)
#define WAIT(barrier) (barrier).arrive_and_wait()
#endif

__global__ void reduction(const int *in, int *out) {
    __shared__ int partial[64];
    partial[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int width = 32; width > 0; width /= 2) {
        if (static_cast<int>(threadIdx.x) < width) partial[threadIdx.x] += partial[threadIdx.x + width];
        SYNC_BLOCK;
    }
    if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

__global__ void neighbours(const int *in, int *out) {
    extern __shared__ int staged[];
    const unsigned t = threadIdx.x;
    staged[t] = in[t];
    SYNC_WARP;
    out[t] = staged[t ^ 1];
}

__global__ void histogram(const int *in, int *out) { BIN_ADD(out + in[threadIdx.x] % 4); }

__global__ void sums(const int *in, int *out) {
    typedef cub::BlockReduce<int, 64> Reduction;
    __shared__ typename Reduction::TempStorage storage;
    const int sum = Reduction(storage).Sum(in[threadIdx.x]);
    SYNC_BLOCK;
    const int largest = Reduction(storage).Reduce(in[threadIdx.x], cub::Max());
    if (threadIdx.x == 0) out[0] = sum, out[1] = largest;
}

__global__ void tiles(const int *in, int *out) {
    const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    __shared__ int firsts[64];
    int value = in[threadIdx.x];
    for (int step = 4; step > 0; step /= 2) value += tile.shfl_down(value, step);
    if (tile.thread_rank() == 0) firsts[tile.meta_group_rank()] = value;
    SYNC_BLOCK;
    if (threadIdx.x < 8) out[threadIdx.x] = firsts[threadIdx.x];
}

__global__ void copied(const int *in, int *out) {
    __shared__ int staged[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (threadIdx.x == 0) init(&full, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&staged[threadIdx.x], &in[threadIdx.x], sizeof(int), full);
    WAIT(full);
    out[threadIdx.x] = staged[63 - threadIdx.x];
}

__global__ void small(const int *in, int *out) {
    auto *sums = reinterpret_cast<__nv_bfloat16 *>(out);
    SMALL_ADD(&sums[in[threadIdx.x] & 7], __float2bfloat16(1.0f));
}
