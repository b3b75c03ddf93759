#include "check.cuh"
#include "heatflow.cuh"

constexpr int TILE = 16;

// Weights of a cell and of its four neighbours.
struct Weights {
    float centre;
    float neighbour;
};

__constant__ Weights weights;

__global__ void fill_background(float *field, Grid grid, float background)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= grid.width || y >= grid.height) {
        return;
    }
    // A slow ramp from left to right, so that the tracers have somewhere to go.
    field[at(grid, x, y)] = background + 0.01f * x;
}

// One explicit step. The block's cells and a rim of one cell are staged in shared memory.
__global__ void diffuse(float *next, const float *field, int width, int height)
{
    __shared__ float tile[TILE + 2][TILE + 2];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int column = threadIdx.x + 1;
    int row = threadIdx.y + 1;

    int inner_x = clamped(x, width);
    int inner_y = clamped(y, height);
    tile[row][column] = field[inner_y * width + inner_x];
    if (threadIdx.x == 0) {
        tile[row][0] = field[inner_y * width + clamped(x - 1, width)];
    }
    if (threadIdx.x == TILE - 1) {
        tile[row][TILE + 1] = field[inner_y * width + clamped(x + 1, width)];
    }
    if (threadIdx.y == 0) {
        tile[0][column] = field[clamped(y - 1, height) * width + inner_x];
    }
    if (threadIdx.y == TILE - 1) {
        tile[TILE + 1][column] = field[clamped(y + 1, height) * width + inner_x];
    }
    __syncthreads();

    if (x < width && y < height) {
        float around = tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] + tile[row][column + 1];
        next[y * width + x] = weights.centre * tile[row][column] + weights.neighbour * around;
    }
}

// Grid-stride: any launch covers the plate.
__global__ void heat(float *field, const float *heaters, int n, float share)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        field[i] += share * heaters[i];
    }
}

void set_weights(float diffusivity, float decay)
{
    Weights host;
    host.centre = (1.0f - 4.0f * diffusivity) * decay;
    host.neighbour = diffusivity * decay;
    CHECK(cudaMemcpyToSymbol(weights, &host, sizeof(Weights)));
}

void heat_plate(float *d_field, Grid grid, float background)
{
    dim3 block(32, 8);
    dim3 blocks((grid.width + 31) / 32, (grid.height + 7) / 8);
    fill_background<<<blocks, block>>>(d_field, grid, background);
    CHECK(cudaGetLastError());
}

void diffuse_step(float *d_next, const float *d_field, Grid grid, cudaStream_t stream)
{
    dim3 block(TILE, TILE);
    dim3 blocks((grid.width + TILE - 1) / TILE, (grid.height + TILE - 1) / TILE);
    diffuse<<<blocks, block, 0, stream>>>(d_next, d_field, grid.width, grid.height);
    CHECK(cudaGetLastError());
}

void add_heat(float *d_field, const float *d_heaters, int n, float share, cudaStream_t stream)
{
    const int threads = 128;
    const int blocks = 32;
    heat<<<blocks, threads, 0, stream>>>(d_field, d_heaters, n, share);
    CHECK(cudaGetLastError());
}
