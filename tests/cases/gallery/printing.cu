// Threads that print, whether their text asks which thread they are or not.
#include <cstdio>

__device__ void say() { printf("device\n"); }

__global__ void told() { say(); printf("kernel\n"); }

__global__ void lanes() { printf("lane %d\n", threadIdx.x); }

__global__ void where()
{
    int block = blockIdx.x + blockIdx.y * gridDim.x;
    printf("%04d | block %d %d\n", block * blockDim.x + threadIdx.x, blockIdx.x, blockIdx.y);
}

__global__ void large(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
    if (x[i] > 2) printf("%d: %d\n", i, x[i]);
}
