// One variable counts the loop of each thread and the loop in which all of a block meet, as in C89.
#include <cuda_runtime.h>

#define BLOCK 64

__global__ void strided_total(const float *input, float *output, int len)
{
    __shared__ float part[BLOCK];
    int i, thread = threadIdx.x;
    part[thread] = 0;
    for (i = blockIdx.x * BLOCK + thread; i < len; i += gridDim.x * BLOCK) part[thread] += input[i];
    __syncthreads();
    for (i = BLOCK >> 1; i > 0; i >>= 1) {
        if (thread < i) part[thread] += part[thread + i];
        __syncthreads();
    }
    if (thread == 0) output[blockIdx.x] = part[0];
}

void totals(const float *input, float *output, int len, int blocks)
{
    strided_total<<<blocks, BLOCK>>>(input, output, len);
}
