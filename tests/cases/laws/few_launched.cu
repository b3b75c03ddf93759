// Blocks of few threads, with the launches of the program.
#include <cuda_runtime.h>

__global__ void normalised(float *q)
{
    int t = threadIdx.x;
    q[t] = q[t] / 4.0f;
}

__global__ void butterfly(float *x)
{
    __shared__ float s[8];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    x[blockIdx.x * 8 + t] = s[t ^ 1] + s[t];
}

__global__ void rotated(const double *m, double *r)
{
    int i = threadIdx.x, j = threadIdx.y;
    r[j * 3 + i] = m[i * 3 + j];
}

__global__ void products(const float *x, const float *y, float *out, int n)
{
    __shared__ float cache[64];
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) sum += x[i] * y[i];
    cache[tid] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s != 0; s /= 2) {
        if (tid < s) cache[tid] += cache[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = cache[0];
}

void run(float *a, float *b, float *c, double *m, double *r, int n)
{
    normalised<<<1, 4>>>(a);
    butterfly<<<n / 8, 8>>>(a);
    rotated<<<1, dim3(3, 3)>>>(m, r);
    products<<<32, 64>>>(a, b, c, n);
}
