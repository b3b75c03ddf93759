#include <cuda_runtime.h>

/* saxpy: x[n] y[n] <<<(n + 255) / 256, 256>>> */
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

/* halve: x[n] y[n] <<<(n + 127) / 128, 128>>> */
__global__ void halve(int n, const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] / 2;
}

/* blur: a[n] b[n] <<<(n + 255) / 256, 256>>> */
__global__ void blur(int n, const float *a, float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
}

/* sum_all: x[n] sum[1] <<<(n + 255) / 256, 256>>> */
__global__ void sum_all(int n, const double *x, double *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

/* count_bytes: x[n] bins[256] <<<(n + 255) / 256, 256>>> */
__global__ void count_bytes(int n, const unsigned char *x, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[x[i]], 1u);
}

/* largest: x[n] best[1] <<<(n + 255) / 256, 256>>> */
__global__ void largest(int n, const int *x, int *best)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(best, x[i]);
}

/* turn: in[rows*columns] out[rows*columns] <<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>> */
__global__ void turn(int rows, int columns, const float *in, float *out)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

/* row_sums: a[n*m] out[n] <<<(n + 63) / 64, 64>>> */
__global__ void row_sums(int n, int m, const double *a, double *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int j = 0; j < m; j++) sum += a[i * m + j];
    out[i] = sum;
}

/* quotient: a[n] b[n] c[n] <<<(n + 255) / 256, 256>>> */
__global__ void quotient(int n, const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = b[i] != 0.0f ? a[i] / b[i] : 0.0f;
}

/* mix: x[n] <<<(n + 255) / 256, 256>>> */
__global__ void mix(int n, unsigned *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i];
    v ^= v >> 13;
    v *= 0x5bd1e995u;
    x[i] = v ^ (v >> 15);
}
