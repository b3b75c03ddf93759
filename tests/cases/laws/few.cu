// Blocks of few threads, and blocks whose size shared arrays or the text fix.
#include <cuda_runtime.h>
#define SIZE 64

__global__ void four(const float *a, const float *b, float *c)
{
    int i = threadIdx.x;
    c[i] = a[i] + b[i];
}

__global__ void quadrants(const float *in, float *sums, int n)
{
    int q = threadIdx.x;
    float sum = 0.0f;
    for (int i = q * n; i < (q + 1) * n; i++) sum += in[i];
    sums[q] = sum;
}

__global__ void reversed(float *d, int n)
{
    __shared__ float s[SIZE];
    int t = threadIdx.x;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - t - 1];
}

__global__ void block_sum(const float *in, float *out, int n)
{
    __shared__ float part[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void constant_stride(float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) x[i] = x[i] * 2.0f + 1.0f;
}

__global__ void staged(const int *in, int *out, int n)
{
    __shared__ int cache[32];
    if (threadIdx.x < 32) cache[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + cache[i % 32];
}
