// Tiles as template parameters, which the launch names by constants of the caller; and a loop of whole tiles.
#include <cuda_runtime.h>

template <int ROWS, int COLUMNS, int DEPTH>
__global__ void product_of_tiles(int rows, int columns, int inner, const float *a, const float *b, float *c)
{
    __shared__ float left[ROWS][DEPTH], right[DEPTH][COLUMNS];
    const int across = threadIdx.x, down = threadIdx.y, place = down * COLUMNS + across;
    for (int top = blockIdx.y * ROWS; top < rows; top += gridDim.y * ROWS)
        for (int side = blockIdx.x * COLUMNS; side < columns; side += gridDim.x * COLUMNS) {
            float sum = 0;
            for (int first = 0; first < inner; first += DEPTH) {
                for (int e = place; e < ROWS * DEPTH; e += ROWS * COLUMNS)
                    left[e / DEPTH][e % DEPTH] = a[(top + e / DEPTH) * inner + first + e % DEPTH];
                for (int e = place; e < DEPTH * COLUMNS; e += ROWS * COLUMNS)
                    right[e / COLUMNS][e % COLUMNS] = b[(first + e / COLUMNS) * columns + side + e % COLUMNS];
                __syncthreads();
                for (int k = 0; k < DEPTH; ++k) sum += left[down][k] * right[k][across];
                __syncthreads();
            }
            c[(top + down) * columns + side + across] = sum;
        }
}

void run(int rows, int columns, int inner, const float *a, const float *b, float *c)
{
    const int wide = 16, high = 16, deep = 16;
    dim3 block(wide, high), grid((columns + wide - 1) / wide, (rows + high - 1) / high);
    auto launch = [&] { product_of_tiles<high, wide, deep><<<grid, block>>>(rows, columns, inner, a, b, c); };
    launch();
}
