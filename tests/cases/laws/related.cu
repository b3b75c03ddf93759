// Scalars that have to stand in a relation, or rows overlap; and scalars that the text does not use.
#include <cuda_runtime.h>

__global__ void strided_rows(float *out, const float *in, int width, int height, int stride)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * stride + x] = in[y * width + x] * 2.0f;
}

__global__ void per_block(float *m, int columns)
{
    for (int c = blockIdx.y; c < columns; c += gridDim.y)
        m[blockIdx.x * columns + c] = 1.0f * c;
}

__global__ void column_blocks(float *m, int columns)
{
    m[blockIdx.x * columns + blockIdx.y] = blockIdx.x + 2.0f * blockIdx.y;
}

__global__ void idle_names(float *x, int n, int device, int verbose)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1.0f;
}

__global__ void idle_in_rows(const float *in, float *out, int n, int m, int unused, int ld)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < m; j++) out[i * ld + j] = in[i * m + j];
}

__global__ void gathered(const float *in, float *out, int n, int lda, int ldb, int k, int spare)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < k) out[i * ldb + j] += in[i * lda + j];
}
