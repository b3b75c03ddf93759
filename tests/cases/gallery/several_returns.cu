// Device functions that wait for other threads and return from several branches.
#include <cuda_runtime.h>

template <int levels>
__device__ unsigned scan_of_warp(unsigned value, unsigned *held)
{
    int place = 2 * threadIdx.x - (threadIdx.x & 31);
    held[place] = 0;
    place += 32;
    held[place] = value;
    __syncwarp();
    if (levels == 0) return 0;
    for (int step = 1; step < (1 << levels); step *= 2) {
        const unsigned before = held[place - step];
        __syncwarp();
        held[place] += before;
        __syncwarp();
    }
    if (levels < 5) {
        return held[place] - value;
    }
    return held[place];
}

__global__ void offsets(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned held[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned own = i < n ? in[i] : 0;
    const unsigned before = scan_of_warp<5>(own, held);
    __syncwarp();
    const unsigned few = scan_of_warp<2>(own, held);
    if (i < n) out[i] = before * 1000 + few;
}

__device__ int sum_of_block(int value, int *held, int mode)
{
    if (mode == 0) return value;
    held[threadIdx.x] = value;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
        __syncthreads();
    }
    if (mode == 1) return held[0];
    return held[0] - value;
}

__global__ void sums(const int *in, int *out, int mode, int n)
{
    __shared__ int held[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int result = sum_of_block(i < n ? in[i] : 0, held, mode);
    if (i < n) out[i] = result;
}
