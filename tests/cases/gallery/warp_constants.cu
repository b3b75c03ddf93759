// Rows that a warp takes each; how many lanes that are, sources say in many ways.
#include <cuda_runtime.h>

#define LANES 32 // threads of a warp

namespace shape {
constexpr int WIDTH = 32;
}
static const unsigned SIZE = 32u;

__global__ void by_macro(const float *m, float *sums, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    if (row < rows) {
        float sum = m[row * LANES + lane];
        for (int half = LANES / 2; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffff, sum, half);
        if (lane == 0) sums[row] = sum;
    }
}

__global__ void by_constant(const float *m, float *sums, int rows)
{
    using namespace shape;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / WIDTH;
    int lane = threadIdx.x & (SIZE - 1);
    if (row < rows) {
        float sum = m[row * WIDTH + lane];
        for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffff, sum, half);
        if (lane == 0) sums[row] = sum;
    }
}

__global__ void by_variable(const float *m, float *sums, int rows)
{
    const int width = 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / width;
    int lane = threadIdx.x % width;
    if (row >= rows) return;
    float sum = m[row * width + lane];
    for (int half = width / 2; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffff, sum, half);
    if (lane == 0) sums[row] = sum;
}
