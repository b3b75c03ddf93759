// Blocks of two dimensions whose rows are warps.
#include <cuda_runtime.h>

__global__ void row_sums(const float *m, float *sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += 32) sum += m[row * columns + c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) sums[row] = sum;
}

__global__ void row_maxima(const int *m, int *largest, int rows, int columns)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row < rows) {
        int most = lane < columns ? m[row * columns + lane] : 0;
        for (int mask = 16; mask > 0; mask >>= 1) most = max(most, __shfl_xor_sync(0xffffffffu, most, mask));
        if (lane == 0) largest[row] = most;
    }
}

// The place in the block, and the warps of it by that place.
__global__ void block_sums(const int *in, int *out)
{
    __shared__ int parts[8];
    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    int lane = tid % 32, warp = tid / 32;
    int v = in[blockIdx.x * 256 + tid];
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    if (lane == 0) parts[warp] = v;
    __syncthreads();
    if (tid == 0) {
        int s = 0;
        for (int i = 0; i < 8; ++i) s += parts[i];
        out[blockIdx.x] = s;
    }
}

void launches(const float *m, float *sums, const int *n, int *largest, int rows, int columns)
{
    row_sums<<<(rows + 3) / 4, dim3(32, 4)>>>(m, sums, rows, columns);
    row_maxima<<<(rows + 7) / 8, dim3(32, 8)>>>(n, largest, rows, columns);
    block_sums<<<rows, dim3(32, 8)>>>(n, largest);
}
