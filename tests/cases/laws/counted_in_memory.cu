// The number of elements lies in memory: no expression of the scalars says how many threads count.
#include <cuda_runtime.h>

__global__ void doubled(const float *x, float *y, const int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= *count) return;
    y[i] = 2 * x[i];
}

__global__ void renumbered(int *left, const int *map, const int *leaves)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int nodes = 2 * *leaves - 1;
    if (i < nodes) left[i] = map[left[i]];
}

// Here a scalar says it as well.
__global__ void capped(const float *x, float *y, const int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = i < *count ? x[i] : 0.0f;
}
