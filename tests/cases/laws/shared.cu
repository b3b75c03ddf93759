// Sizes that end where an array in shared memory does.
#include <cuda_runtime.h>

#define WIDTH 96

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float pairs[2][WIDTH];
    int t = threadIdx.x, now = 0;
    pairs[0][t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (int reach = 1; reach < n; reach *= 3) {
        pairs[1 - now][t] = t >= reach ? pairs[now][t] - pairs[now][t - reach] : pairs[now][t];
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = pairs[now][t];
}

__global__ void halved(float *out, const float *in, int n)
{
    extern __shared__ float kept[];
    int t = threadIdx.x;
    kept[2 * t] = in[2 * t];
    kept[2 * t + 1] = in[2 * t + 1];
    for (int half = n / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) kept[t] += kept[t + half];
    }
    if (t == 0) out[0] = kept[0] - kept[n - 1];
}

int main()
{
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 4 * WIDTH * sizeof(float));
    cudaMalloc(&out, 4 * WIDTH * sizeof(float));
    cudaMemset(in, 0, 4 * WIDTH * sizeof(float));
    differences<<<4, WIDTH>>>(out, in, WIDTH);
    halved<<<1, WIDTH, 2 * WIDTH * sizeof(float)>>>(out, in, 2 * WIDTH);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void passes(int *a, int n)
{
    extern __shared__ int part[];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    part[threadIdx.x] = i < n ? a[i] : 2147483647;
    __syncthreads();
    // threadIdx counts within the block here, which has up to "blockDim" of 16 elements
    for (int pass = 0; pass < blockDim.x; pass++) {
        if (threadIdx.x + 1 < blockDim.x && threadIdx.x % 2 == pass % 2) { /* gridDim plays no part */
            int low = part[threadIdx.x], high = part[threadIdx.x + 1];
            if (high < low) {
                part[threadIdx.x] = high;
                part[threadIdx.x + 1] = low;
            }
        }
        __syncthreads();
    }
    if (i < n) a[i] = part[threadIdx.x];
}
