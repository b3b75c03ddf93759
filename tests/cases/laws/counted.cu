// A size that counts what others divide: nothing happens unless it is much larger than they are.
#include <cuda_runtime.h>

__global__ void planes(float *out, const float *in, size_t total, int height, int width, int depth, int rows,
                       int columns, int left, int top)
{
    size_t image = (size_t) height * width;
    size_t count = total / image / 4 * image;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
        out[i] = in[i] * depth + rows * columns + left - top;
}

// No block at all is launched unless there are more elements than a tile has.
__global__ void add_sums(float *values, int n, const float *sums)
{
    int i = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (i < n) values[i] += sums[blockIdx.x];
}

void launches(float *values, const float *sums, int n)
{
    int blocks = (n + 255) / 256;
    add_sums<<<blocks - 1, 256>>>(values, n, sums);
}

// Without an element thread 0 would still write, but there is no launch without threads.
__global__ void update_and_count(float *values, const float *steps, float *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] -= steps[i];
    if (i == 0) *count += 1;
}

// The smallest images have one row of results: threads on y count all the same.
__global__ void pooled(const float *in, float *out, int height, int width, int pool, int stride)
{
    int rows = (height - pool) / stride + 1, columns = (width - pool) / stride + 1;
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns) {
        float most = in[row * stride * width + column * stride];
        for (int i = 0; i < pool; i++)
            for (int j = 0; j < pool; j++)
                most = fmaxf(most, in[(row * stride + i) * width + column * stride + j]);
        out[row * columns + column] = most;
    }
}
