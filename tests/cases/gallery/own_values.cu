// Variables that each stretch between barriers sets before it reads them belong to that stretch.

#include <cuda_runtime.h>

__global__ void smooth_and_sharpen(const float *input, float *output, int n)
{
    __shared__ float smooth[128];
    float left, right;
    int place;
    float kept;
    smooth[threadIdx.x] = 1.0f;
    float &slot = smooth[threadIdx.x];
    const int i = blockIdx.x * 128 + threadIdx.x;
    left = i > 0 && i < n ? input[i - 1] : 0.0f;
    right = i < n - 1 ? input[i + 1] : 0.0f;
    kept = i < n ? input[i] : 0.0f;
    const float before = slot;
    slot = 0.25f * (left + 2.0f * kept + right);
    __syncthreads();
    for (int step = 0; step < 2; ++step) {
        place = threadIdx.x > 0 ? threadIdx.x - 1 : 0;
        left = smooth[place];
        place = threadIdx.x < 127 ? threadIdx.x + 1 : 127;
        right = smooth[place];
        __syncthreads();
        place = threadIdx.x;
        slot = smooth[place] + 0.5f * kept;
        __syncthreads();
    }
    place = blockIdx.x * 128 + threadIdx.x;
    if (place < n) {
        left = smooth[threadIdx.x];
        output[place] = 2.0f * kept - left + before;
    }
}

// No barrier: what is the same for all threads stays behind the return.
__global__ void levels(const float *input, float *output, size_t n, int m)
{
    size_t block = blockIdx.x + (size_t)(blockIdx.y * gridDim.x) + (size_t)(gridDim.x * gridDim.y * blockIdx.z);
    size_t i = block * (size_t)(blockDim.x * blockDim.y) + (size_t)(threadIdx.y * blockDim.x) + threadIdx.x;
    if (i >= n)
        return;
    float level, sum;
    sum = 1.0f;
    level = 2.0f * m;
    output[i] = input[i] + level;
#define square level
    sum += level;

    square = sum * sum;
#undef square
    if (input[i] > level)
        output[n + i] = level;
}
