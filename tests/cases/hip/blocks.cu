// The sum of a block: a number for each warp in shared memory, as many as there are warps of 32.
#include <cuda_runtime.h>

#include "expect.h"

__inline__ __device__ float sum_of_warp(float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    return value;
}

__global__ void total(const float *in, float *out) {
    extern __shared__ float part[];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    float value = sum_of_warp(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (lane == 0) part[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = sum_of_warp(lane < blockDim.x / 32 ? part[lane] : 0.0f);
        if (lane == 0) out[blockIdx.x] = value;
    }
}

int main() {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    const int threads = 320, warps = threads / properties.warpSize;
    std::vector<float> in(3 * threads), wanted(3);
    for (int i = 0; i < 3 * threads; ++i) wanted[i / threads] += in[i] = float(i % 9);
    float *source = on_device(in), *result = on_device(std::vector<float>(3));
    total<<<3, threads, warps * sizeof(float)>>>(source, result);
    expect(result, wanted);
    return 0;
}
