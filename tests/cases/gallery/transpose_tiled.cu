// Matrix transpose through a padded tile, so that both reads and writes are coalesced.
#include <cstdio>
#include <cuda_runtime.h>

#define TILE_DIM 16

__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];  // the padding avoids bank conflicts

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];

    __syncthreads();

    // swap the roles of the block indices
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main()
{
    const int width = 37, height = 50;
    float host[width * height], result[width * height];
    for (int i = 0; i < width * height; ++i) host[i] = (float)(i % 101);
    float *in, *out;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    dim3 threads(TILE_DIM, TILE_DIM);
    dim3 blocks((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
    transpose<<<blocks, threads>>>(in, out, width, height);
    cudaMemcpy(result, out, sizeof(host), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) wrong += result[x * height + y] != host[y * width + x];
    printf("wrong %d\n", wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
