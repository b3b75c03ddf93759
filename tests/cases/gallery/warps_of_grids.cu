// Blocks of several dimensions whose warps are no rows: lanes go by the place in the block.
#include <cuda_runtime.h>

// Sizes of blocks that are known: eight rows of sixteen threads are four warps.
__global__ void tile_sums(const float *m, float *sums, int columns)
{
    __shared__ float parts[4];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx, lane = tid & 31, warp = tid >> 5;
    float sum = m[(blockIdx.y * 8 + ty) * columns + blockIdx.x * 16 + tx];
    for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    if (tid == 0) sums[blockIdx.y * gridDim.x + blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

// Sizes that are not: the last warp may be cut short, and a row may lie in two warps.
__global__ void column_maxima(const int *m, int *largest, int rows, int columns)
{
    __shared__ int best[32];
    int tid = threadIdx.y * blockDim.x + threadIdx.x, most = 0;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = threadIdx.y; row < rows; row += blockDim.y)
        if (column < columns) most = max(most, m[row * columns + column]);
    const unsigned any = __ballot_sync(0xffffffffu, most > 0);
    for (int mask = 16; mask > 0; mask /= 2) {
        int other = __shfl_xor_sync(0xffffffffu, most, mask);
        most = max(most, other);
    }
    if (tid % 32 == 0) best[tid / 32] = any ? most : 0;
    __syncthreads();
    if (tid == 0) {
        for (int w = 1; w < blockDim.x * blockDim.y / 32; ++w) best[0] = max(best[0], best[w]);
        largest[blockIdx.x] = best[0];
    }
}

// Three coordinates, and rows of four threads that pass values around among themselves.
__global__ void turned(const int *in, int *out)
{
    int place = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int v = in[blockIdx.x * 128 + place];
    int other = __shfl_sync(0xffffffffu, v, threadIdx.x + 1, 4);
    out[blockIdx.x * 128 + place] = 10 * v + other + threadIdx.y - threadIdx.z;
}

void launches(const float *m, float *sums, const int *n, int *largest, int rows, int columns)
{
    tile_sums<<<dim3(columns / 16, rows / 8), dim3(16, 8)>>>(m, sums, columns);
    column_maxima<<<(columns + 7) / 8, dim3(8, 12)>>>(n, largest, rows, columns);
    turned<<<rows, dim3(4, 8, 4)>>>(n, largest);
}
