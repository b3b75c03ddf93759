// Operations on the four bytes or the two halves of a word.
#include <cuda_runtime.h>

__global__ void clamp_bytes(const unsigned *in, unsigned *out, unsigned low, unsigned high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __vminu4(__vmaxu4(in[i], low), high);
}

__global__ void relu_bytes(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __vmaxs4(in[i], 0);
}

__global__ void apart(const unsigned *a, const unsigned *b, unsigned *sums, int n)
{
    __shared__ unsigned held[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    held[threadIdx.x] = i < n ? __vsadu4(a[i], b[i]) + __vabsdiffs2(a[i], b[i]) % 7 : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) held[threadIdx.x] = __vaddus2(held[threadIdx.x], held[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = held[0];
}
