// Launches that may have fewer threads than a guard lets through: a kernel does what its launch has threads for.
#include <cuda_runtime.h>

__global__ void other_guard(float *a, const float *in, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) a[i] = in[i] * n;
}

__global__ void image(float *a, const float *in, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) a[y * width + x] = in[y * width + x] + 1.0f;
}

__global__ void whole(float *a, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = in[i] * 2.0f;
}

void launches(float *a, const float *in, int n, int m)
{
    other_guard<<<(n + 31) / 32, 32>>>(a, in, n, m);
    image<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, in, m, n);
    whole<<<(n + 255) / 256, 256>>>(a, in, n);
}
