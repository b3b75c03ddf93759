#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

#define BLOCK 64

// The group that waits is an argument, as is the tile of a warp: of a type of its own, and of any.
template <class Group>
__device__ float sum_of_tile(const Group &tile, float value)
{
    for (int step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
    return value;
}

__device__ float sum_of_block(float *partial, float value, cg::thread_block block)
{
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const unsigned rank = block.thread_rank();
    value = sum_of_tile(tile, value);
    if (tile.thread_rank() == 0) partial[rank / 32] = value;
    cg::sync(block);
    return partial[0] + partial[1];
}

__global__ void block_sums(const float *in, float *out, int n)
{
    __shared__ float partial[BLOCK / 32];
    cg::thread_block block = cg::this_thread_block();
    const int i = block.group_index().x * BLOCK + block.thread_index().x;
    float total = sum_of_block(partial, i < n ? in[i] : 0.0f, block);
    if (block.thread_rank() == 0) out[blockIdx.x] = total;
}

int main()
{
    const int n = 200, blocks = (n + BLOCK - 1) / BLOCK;
    float host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = (float)(i % 17);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, blocks * sizeof(float));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    block_sums<<<blocks, BLOCK>>>(in, out, n);
    cudaMemcpy(host, out, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; ++i) printf("%.1f\n", host[i]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
