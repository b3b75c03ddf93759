// Threads that return from inside loops.

#include <math_constants.h>

#define CORNERS 8

__global__ void cell_mean(const float *weight, const float *value, int cells, float *mean) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells) return;
    float sum = 0.0f, least = CUDART_INF_F;
#pragma unroll
    for (int corner = 0; corner < CORNERS; ++corner) {
        if (weight[cell * CORNERS + corner] == 0.0f) return;  // nobody saw it
        sum += value[cell * CORNERS + corner];
        least = fminf(least, value[cell * CORNERS + corner]);
    }
    mean[cell] = sum / CORNERS - least;
}

__global__ void first_above(const float *rows, int count, int width, float limit, int *found) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    for (int tile = 0; tile < width; tile += 4) {
        for (int k = tile; k < tile + 4 && k < width; ++k) {
            if (rows[row * width + k] > limit) { found[row] = k; return; }
        }
    }
    found[row] = -1;
}

__global__ void until_negative(const float *x, int n, float *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (x[i] < 0.0f) return;
        y[i] = x[i] * 2.0f;
    }
}
