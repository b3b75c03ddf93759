// Fences within a block, whose threads wait at a barrier before they read.
#include <cuda_runtime.h>

__device__ void announce(int *slot, int value, int *come)
{
    *slot = value;
    __threadfence_block();
    atomicAdd(come, 1);
}

__global__ void exchanged(const int *in, int *out, int n)
{
    __shared__ int held[128];
    __shared__ int come;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) come = 0;
    __syncthreads();
    announce(&held[threadIdx.x], i < n ? in[i] : 0, &come);
    __syncthreads();
    if (i < n) out[i] = held[threadIdx.x ^ 1] + come;
}

__global__ void published(const int *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[2 * i] = in[i];
    __threadfence_block();
    out[2 * i + 1] = in[i] + 1;
}
