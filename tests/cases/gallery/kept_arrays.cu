// Arrays of a thread that live across barriers, used as pointers.
#include <cstring>

__device__ float last(const float *values) { return values[3]; }

__global__ void sums(const float *in, float *out, int n)
{
    __shared__ float stage[64];
    float mine[4];
    memset(mine, 0, sizeof(mine));
    for (int start = 0; start < n; start += 64) {
        stage[threadIdx.x] = in[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 4; k++) mine[k] += stage[(threadIdx.x + k) % 64];
        __syncthreads();
    }
    out[threadIdx.x] = last(mine) + *mine + ((float *)mine)[1] + mine[2];
}

__global__ void products(const float *a, const float *b, float *c, int n)
{
    __shared__ float rows[16], columns[16];
    float held[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    int counts[3] = {1, 2};
    for (int k = 0; k < n; k++) {
        rows[threadIdx.x] = a[k * 16 + threadIdx.x];
        columns[threadIdx.x] = b[k * 16 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) held[i][j] += rows[(threadIdx.x + i) % 16] * columns[(threadIdx.x + j) % 16];
        counts[2] += counts[0] + counts[1];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) c[4 * threadIdx.x + i] = held[i / 2][i % 2] + counts[2];
}
