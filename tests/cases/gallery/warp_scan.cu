#include <cstdio>

// Inclusive scan of a block: scans of its warps, then the warps' totals.
__global__ void block_scan(const int *in, int *out, int *totals)
{
    __shared__ int warp_sums[32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    int value = in[i];
    for (int d = 1; d < 32; d <<= 1) {
        const int up = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d) value += up;
    }
    if (lane == 31) warp_sums[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0;
        for (int d = 1; d < 32; d <<= 1) {
            const int up = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d) sum += up;
        }
        warp_sums[lane] = sum;
    }
    __syncthreads();

    if (warp > 0) value += warp_sums[warp - 1];
    out[i] = value;
    if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = value;
}

int main()
{
    const int blocks = 3, threads = 96, n = blocks * threads;
    int host[n], sums[blocks], *in, *out, *totals;
    for (int i = 0; i < n; ++i) host[i] = (i * 7) % 10;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&totals, sizeof(sums));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    block_scan<<<blocks, threads>>>(in, out, totals);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, totals, sizeof(sums), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", host[40], host[95], sums[0], sums[1], sums[2]);
    cudaFree(in); cudaFree(out); cudaFree(totals);
    return 0;
}
