// Blocks for rows, blocks that the text fixes, and arrays of few elements for each thread.
#include <cuda_runtime.h>

__constant__ float weights[4];

__global__ void neighbours(const int *cells, int *found, int n)
{
    const int dx[4] = {1, -1, 2, -2};
    int i = blockIdx.x, d = threadIdx.x;
    int at = i + dx[d];
    found[i * 4 + d] = at >= 0 && at < n ? cells[at] : -1;
}

__global__ void weighted(float *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 4 + t] = weights[t] * blockIdx.x;
}

__global__ void row_of_threads(float *m, int columns)
{
    m[blockIdx.x * columns + threadIdx.x] = blockIdx.x + threadIdx.x;
}

__global__ void row_with_guard(float *m, int rows, int columns)
{
    int row = blockIdx.x;
    if (row < rows)
        for (int c = threadIdx.x; c < columns; c += blockDim.x) m[row * columns + c] *= 2.0f;
}

__global__ void chunk(const float *in, float *out, int n)
{
    int end = min((int)(blockIdx.x + 1) * 64, n);
    for (int i = blockIdx.x * 64 + threadIdx.x; i < end; i += blockDim.x) out[i] = in[i] + 1.0f;
}

template <int THREADS> __global__ void templated(float *x, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) x[i] -= 2.0f;
}

__global__ void shifted_index(float *x, int n)
{
    int i = (blockIdx.x << 6) + threadIdx.x;
    if (i < n) x[i] -= 2.0f;
}

__global__ void slices(float *m, int columns, int depth)
{
    m[(blockIdx.z * gridDim.y + blockIdx.y) * columns + blockIdx.x] = blockIdx.x + 10.0f * blockIdx.y + depth;
}

void run(float *x, int n) { templated<96><<<(n + 95) / 96, 96>>>(x, n); }

__constant__ int steps[4];

__global__ void directions(const float *in, float *out, float scale)
{
    const int dx[4] = {0, 1, 2, 3};
    int d = threadIdx.x;
    out[d] = scale * in[dx[d]];
}

__global__ void four_steps(const float *in, float *out, int n)
{
    int d = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++) sum += steps[d] * i;
    out[d] = in[d] + sum;
}

__global__ void binned(const unsigned char *keys, long size, unsigned *bins)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < size; i += blockDim.x * gridDim.x)
        atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
