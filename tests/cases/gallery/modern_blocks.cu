// Braces around initial values, indices of 64 bits, templates whose arguments pointers imply.
#include <cuda_runtime.h>
template <typename T>
__global__ void warp_sums(const T *input, T *output, const size_t n)
{
    extern __shared__ T part[];
    unsigned int lane{threadIdx.x % warpSize};
    unsigned int warp{threadIdx.x / warpSize};
    unsigned int i = blockDim.x * blockIdx.x + threadIdx.x;
    T var{i < n ? input[i] : 0};
    for (unsigned int j = warpSize / 2; j > 0; j /= 2) var += __shfl_down_sync(0xffffffff, var, j);
    if (lane == 0) part[warp] = var;
    __syncthreads();
    if (threadIdx.x < blockDim.x / warpSize) var = part[threadIdx.x];
    else if (threadIdx.x < warpSize) var = 0;
    if (warp == 0) {
        for (unsigned int j = warpSize / 2; j > 0; j /= 2) var += __shfl_down_sync(0xffffffff, var, j);
    }
    if (threadIdx.x == 0) atomicAdd(output, var);
}
__global__ void bins(const float *data, const size_t size, const size_t width, unsigned int *histogram)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    extern __shared__ unsigned int own[];
    for (size_t j = threadIdx.x; j < width; j += blockDim.x) own[j] = 0u;
    __syncthreads();
    if (i < size) {
        int value = rintf(data[i]);
        if (value >= 0 && value < (int)width) atomicAdd(&own[value], 1);
    }
    __syncthreads();
    for (size_t j = threadIdx.x; j < width; j += blockDim.x) {
        unsigned int count = own[j];
        if (count > 0) atomicAdd(&histogram[j], count);
    }
}
template <typename T>
__device__ T block_sum(T *part, T value)
{
    part[threadIdx.x] = value;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    return part[0];
}
template <typename T>
__global__ void sums(const T *x, T *y, int n)
{
    __shared__ T part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T all = block_sum(part, i < n ? x[i] : T(0));
    if (threadIdx.x == 0) y[blockIdx.x] = all;
}
int main() {
    float *a, *b; unsigned *h; cudaMalloc(&a, 4000); cudaMalloc(&b, 400); cudaMalloc(&h, 400);
    warp_sums<float><<<4, 256, 32 * sizeof(float)>>>(a, b, 1000);
    bins<<<4, 256, 64>>>(a, 1000, 16, h);
    sums<float><<<4, 256>>>(a, b, 1000);
    return 0;
}

// Types that a kernel names, also of its shared memory.
__global__ void mirrored(const float *m, float *sums, int n)
{
    typedef double wide;
    using index = unsigned int;
    __shared__ wide part[64];
    index i = blockIdx.x * blockDim.x + threadIdx.x;
    wide x = i < n ? m[i] : 0;
    part[threadIdx.x] = x;
    __syncthreads();
    static_assert(sizeof(wide) == 8, "wide");
    using other = wide;
    other y = part[63 - threadIdx.x];
    if (i < n) sums[i] = (float)(x + y);
}
