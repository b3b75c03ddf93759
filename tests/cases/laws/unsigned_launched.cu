// Elimination as its program launches it.
#include <cuda_runtime.h>
#define BLOCK_1D 32
#define BLOCK_2D 4

__global__ void pivot_column(float *m, const float *a, int size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t) return;
    m[size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t] =
        a[size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t] / a[size * t + t];
}

__global__ void update(const float *m, float *a, float *b, int size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t) return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= size - t) return;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
    if (y == 0) b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];
}

void solve(float *m, float *a, float *b, int size)
{
    int block = BLOCK_1D, grid = size / block + (!(size % block) ? 0 : 1);
    int side = (size / BLOCK_2D) + (!(size % BLOCK_2D) ? 0 : 1);
    dim3 blocks(BLOCK_2D, BLOCK_2D), grids(side, side);
    for (int t = 0; t < size - 1; t++) {
        pivot_column<<<dim3(grid), dim3(block)>>>(m, a, size, t);
        update<<<grids, blocks>>>(m, a, b, size, t);
    }
}
