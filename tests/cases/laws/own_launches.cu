// Kernels that bear no launches but those that the program makes.
#include <cuda_runtime.h>

#define THREADS 128
#define PADDED(i) ((i) + ((i) >> 5))

__global__ void sweep(int *out, const int *in, int *totals, int n, int room, int width)
{
    extern __shared__ int held[];
    int t = threadIdx.x, low = t, high = t + blockDim.x;
    held[t] = 0;
    held[t + blockDim.x] = 0;
    if (t + width < room) held[t + width] = 0;
    __syncthreads();
    int at = width * blockIdx.x + t;
    if (at < n) held[PADDED(low)] = in[at];
    if (at + (int)blockDim.x < n) held[PADDED(high)] = in[at + blockDim.x];
    int stride = 1;
    for (int active = width >> 1; active > 0; active >>= 1) {
        __syncthreads();
        if (t < active) {
            int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
            held[PADDED(right)] += held[PADDED(left)];
        }
        stride <<= 1;
    }
    if (t == 0) {
        totals[blockIdx.x] = held[PADDED(width - 1)];
        held[PADDED(width - 1)] = 0;
    }
    for (int active = 1; active < width; active <<= 1) {
        stride >>= 1;
        __syncthreads();
        if (t < active) {
            int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
            int moved = held[PADDED(left)];
            held[PADDED(left)] = held[PADDED(right)];
            held[PADDED(right)] += moved;
        }
    }
    __syncthreads();
    if (at < n) out[at] = held[PADDED(low)];
    if (at + (int)blockDim.x < n) out[at + blockDim.x] = held[PADDED(high)];
}

void swept(int *out, const int *in, int *totals, int n)
{
    int threads = THREADS / 2;
    int width = 2 * threads;
    int room = width + ((width - 1) >> 5);
    int blocks = n / width;
    if (n % width != 0) blocks += 1;
    sweep<<<blocks, threads, sizeof(int) * room>>>(out, in, totals, n, room, width);
}
