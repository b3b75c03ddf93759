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

// Fewer blocks than rows, and a launch of the text alone tells: blocks have one row of threads.
__global__ void rows_of_few(float *a, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height) a[y * width + x] += 1.0f;
}

// Two shapes of blocks: what holds at one of the launches is no law.
__global__ void part_sums(const float *x, float *part, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) part[blockIdx.x] = s[0];
}

void further(float *a, const float *x, float *part, int width, int height, int n)
{
    rows_of_few<<<dim3((width + 127) / 128, 4), 128>>>(a, width, height);
    if (n > 1000) part_sums<<<(n + 255) / 256, 256>>>(x, part, n);
    else part_sums<<<(n + 63) / 64, 64>>>(x, part, n);
}
