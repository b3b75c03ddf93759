// Kernels without guards, whose sizes are whole tiles: what counts the blocks need not stand in their text.
#include <cuda_runtime.h>

#define TILE 16
#define BODIES 64

__global__ void tiled_product(float *c, const float *a, const float *b, int rows, int columns, int inner)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, across = blockIdx.x * TILE + x, down = blockIdx.y * TILE + y;
    float sum = 0;
    for (int k = 0; k < inner; k += TILE) {
        left[y][x] = a[down * inner + k + x];
        right[y][x] = b[(k + y) * columns + across];
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += left[y][i] * right[i][x];
        __syncthreads();
    }
    c[down * columns + across] = sum;
}

__constant__ float weights[64];

__global__ void filtered(float *out, const float *in, int rows, int columns, int side)
{
    int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
    float sum = 0;
    for (int i = -side / 2; i <= side / 2; ++i)
        for (int j = -side / 2; j <= side / 2; ++j) {
            int down = y + i, across = x + j;
            float value = down >= 0 && down < rows && across >= 0 && across < columns ? in[down * columns + across] : 0;
            sum += value * weights[(i + side / 2) * side + j + side / 2];
        }
    out[y * columns + x] = sum;
}

__global__ void pulled(float4 *speed, const float4 *place, float step, int bodies)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < bodies) {
        float pull = 0;
        for (int tile = 0; tile < gridDim.x; ++tile) {
            __shared__ float3 held[BODIES];
            float4 other = place[tile * blockDim.x + threadIdx.x];
            held[threadIdx.x] = make_float3(other.x, other.y, other.z);
            __syncthreads();
            for (int j = 0; j < BODIES; ++j) pull += held[j].x - place[i].x;
            __syncthreads();
        }
        speed[i].x += step * pull;
    }
}

void run(float *c, const float *a, const float *b, float4 *speed, const float4 *place, int rows, int columns, int inner,
         int bodies)
{
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    tiled_product<<<grid, block>>>(c, a, b, rows, columns, inner);
    filtered<<<grid, block>>>(c, a, rows, columns, 7);
    pulled<<<(bodies + BODIES - 1) / BODIES, BODIES>>>(speed, place, 0.01f, bodies);
}
