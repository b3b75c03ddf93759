// A row of a matrix for each warp of 32: rows are counted in 32s of threads, columns in steps of a warp.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void rows(const float *matrix, const float *x, float *y, int height, int width) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= height) return;
    float sum = 0;
    for (int column = threadIdx.x % warpSize; column < width; column += warpSize) {
        sum += matrix[row * width + column] * x[column];
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0) y[row] = sum;
}

int main() {
    const int height = 12, width = 75;
    std::vector<float> matrix(height * width), x(width), wanted(height);
    for (int i = 0; i < height * width; ++i) matrix[i] = float(i % 7);
    for (int i = 0; i < width; ++i) x[i] = float(i % 4);
    for (int i = 0; i < height * width; ++i) wanted[i / width] += matrix[i] * x[i % width];
    float *a = on_device(matrix), *b = on_device(x), *result = on_device(std::vector<float>(height));
    rows<<<3, 128>>>(a, b, result, height, width);
    expect(result, wanted);
    return 0;
}
