#include <cstdio>

#define BLOCK 128

// The end of a reduction as it was written before Volta: no barrier between lanes of a warp.
template <unsigned int size>
__device__ void warp_sum(volatile float *shared, unsigned int thread)
{
    if (size >= 64) shared[thread] += shared[thread + 32];
    if (size >= 32) shared[thread] += shared[thread + 16];
    if (size >= 16) shared[thread] += shared[thread + 8];
    if (size >= 8) shared[thread] += shared[thread + 4];
    if (size >= 4) shared[thread] += shared[thread + 2];
    if (size >= 2) shared[thread] += shared[thread + 1];
}

__global__ void sums(const float *in, float *out)
{
    __shared__ float shared[BLOCK];
    const unsigned int thread = threadIdx.x;
    shared[thread] = in[blockIdx.x * BLOCK + thread];
    __syncthreads();
    if (thread < 64) shared[thread] += shared[thread + 64];
    __syncthreads();
    if (thread < 32) warp_sum<BLOCK>(shared, thread);
    if (thread == 0) out[blockIdx.x] = shared[0];
}

// A lane reads what lies behind it, so that all have to read before any writes.
__device__ int scan_of_warp(volatile int *shared, const unsigned int index)
{
    const unsigned int lane = index & 31;
    if (lane >= 1) shared[index] = shared[index - 1] + shared[index];
    if (lane >= 2) shared[index] = shared[index - 2] + shared[index];
    if (lane >= 4) shared[index] = shared[index - 4] + shared[index];
    if (lane >= 8) shared[index] = shared[index - 8] + shared[index];
    if (lane >= 16) shared[index] = shared[index - 16] + shared[index];
    return shared[index];
}

__global__ void scans(const int *in, int *out, int n)
{
    __shared__ int shared[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    shared[threadIdx.x] = i < n ? in[i] : 0;
    const int scanned = scan_of_warp(shared, threadIdx.x);
    if (i < n) out[i] = scanned;
}

// Half a warp works, and keeps what it has found in a variable on the way.
__global__ void lows(const float *in, float *out)
{
    __shared__ volatile float low[32];
    const int thread = threadIdx.x;
    float mine = in[blockIdx.x * 32 + thread];
    low[thread] = mine;
    __syncthreads();
    if (thread < 16) {
        low[thread] = mine = fminf(mine, low[thread + 16]);
        low[thread] = mine = fminf(mine, low[thread + 8]);
        low[thread] = mine = fminf(mine, low[thread + 4]);
        low[thread] = mine = fminf(mine, low[thread + 2]);
        low[thread] = mine = fminf(mine, low[thread + 1]);
    }
    if (thread == 0) out[blockIdx.x] = low[0];
}

int main()
{
    const int n = 512;
    float host[n], *in, *out;
    int counts[n], *first, *scanned;
    for (int i = 0; i < n; ++i) {
        host[i] = (float)((i * 7) % 23 + 1);
        counts[i] = i % 5;
    }
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&first, sizeof(counts));
    cudaMalloc(&scanned, sizeof(counts));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(first, counts, sizeof(counts), cudaMemcpyHostToDevice);
    sums<<<n / BLOCK, BLOCK>>>(in, out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%.1f %.1f\n", host[0], host[n / BLOCK - 1]);
    scans<<<n / BLOCK, BLOCK>>>(first, scanned, n);
    cudaMemcpy(counts, scanned, sizeof(counts), cudaMemcpyDeviceToHost);
    printf("%d %d\n", counts[31], counts[n - 1]);
    lows<<<n / 32, 32>>>(in, out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%.1f %.1f\n", host[0], host[n / 32 - 1]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(first);
    cudaFree(scanned);
    return 0;
}
