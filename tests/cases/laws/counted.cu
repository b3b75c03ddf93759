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
