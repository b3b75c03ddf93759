// Nothing says how many threads count, and results soon stay what they are: where elements are few numbers.
#include <cuda_runtime.h>

__global__ void least(int *result, const int *x)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMin(result, x[t]);
}

__global__ void greatest_scaled(int *result, const int *x, int scale)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(result, x[t] * scale);
}

__global__ void any_above(int *found, const int *x)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[t] > 3) *found = 1;
}

__global__ void least_below(int *result, const int *x, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int own = x[t];
    if (t < n) atomicMin(result, own);
}

// All threads read, and n of them write.
__global__ void read_ahead(float *out, const float *x, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float own = x[t];
    if (t < n) out[t] = own;
}
