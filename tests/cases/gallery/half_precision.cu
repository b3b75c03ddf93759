#include <cuda_fp16.h>

#include <cstdio>

#define BLOCK 64

__global__ void to_half(const float *in, __half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i] * 0.5f);
}

// Two numbers at once, as pairs.
__global__ void axpy(const __half2 *x, __half2 *y, float a, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

__global__ void positive(const half *in, half *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = __hgt(in[i], __float2half(0.0f)) ? in[i] : __float2half(0.0f);
}

// Sums are of single precision.
__global__ void dot(const __half *a, const __half *b, float *out, int n)
{
    __shared__ float part[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    part[threadIdx.x] = i < n ? __half2float(a[i]) * __half2float(b[i]) : 0.0f;
    __syncthreads();
    for (int half_of = BLOCK / 2; half_of > 0; half_of /= 2) {
        if (threadIdx.x < half_of) part[threadIdx.x] += part[threadIdx.x + half_of];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main()
{
    const int n = 128;
    float host[n], *in, *out;
    __half *a, *b;
    for (int i = 0; i < n; ++i) host[i] = i * 0.25f - 10.0f;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&a, n * sizeof(__half));
    cudaMalloc(&b, n * sizeof(__half));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    to_half<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, a, n);
    positive<<<1, BLOCK>>>(a, b, n);
    axpy<<<1, BLOCK>>>((const __half2 *)a, (__half2 *)b, 2.0f, n / 2);
    dot<<<n / BLOCK, BLOCK>>>(a, b, out, n);
    cudaMemcpy(host, out, n / BLOCK * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.3f %.3f\n", host[0], host[1]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
