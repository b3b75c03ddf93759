// Guards that compare unsigned numbers of threads with differences of sizes.
#include <cuda_runtime.h>

__global__ void tail(float *a, int n, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= n - t) return;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    a[x + t] -= 1;
}

__global__ void multipliers(float *m, const float *a, int n, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= n - 1 - t) return;
    int row = blockDim.x * blockIdx.x + threadIdx.x + t + 1;
    m[n * row + t] = a[n * row + t] / a[n * t + t];
}

__global__ void eliminate(const float *m, float *a, int n, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= n - 1 - t) return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= n - t) return;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    a[n * (x + 1 + t) + (y + t)] -= m[n * (x + 1 + t) + t] * a[n * t + (y + t)];
}

__global__ void two_guards(float *a, const float *b, int n, int m)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= n) return;
    if (threadIdx.y + blockIdx.y * blockDim.y >= m) return;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * n + x] -= b[x];
}

__global__ void window(const float *in, float *out, unsigned int n, unsigned int k)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - k + 1) {
        float sum = 0.0f;
        for (unsigned int j = 0; j < k; j++) sum += in[i + j];
        out[i] = sum;
    }
}

__global__ void behind(int *a, int first, int last)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < last - first) a[first + i] = i;
}

__global__ void skewed(const float *from, float *to, const size_t nx, const size_t ny, const size_t nz)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    int j = threadIdx.y + blockDim.y * blockIdx.y;
    int k = threadIdx.z + blockDim.z * blockIdx.z;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
        to[nx * (ny * k + j) + i] = from[nx * (ny * k + j) + i - 1] + from[nx * (ny * (k - 1) + j) + i];
}
