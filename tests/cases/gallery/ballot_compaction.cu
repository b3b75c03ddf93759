#include <cstdio>

// Keeps the positive elements of each warp's slice, in order; a slice has room for 32.
__global__ void compact_slices(const int *in, int *out, int *kept, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int warp = i >> 5;
    bool keep = i < n && in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
        int before = __popc(votes & ((1u << lane) - 1));
        out[warp * 32 + before] = in[i];
    }
    if (lane == 0) kept[warp] = __popc(votes);
}

int main()
{
    const int n = 250, warps = 8;
    int host[n], packed[warps * 32], counts[warps], *in, *out, *kept;
    for (int i = 0; i < n; ++i) host[i] = (i * 29) % 21 - 10;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(packed));
    cudaMalloc(&kept, sizeof(counts));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(packed));
    compact_slices<<<2, 128>>>(in, out, kept, n);
    cudaMemcpy(packed, out, sizeof(packed), cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, kept, sizeof(counts), cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int i = 0; i < warps * 32; ++i) sum += (long)packed[i] * (i + 1);
    for (int w = 0; w < warps; ++w) printf("%d ", counts[w]);
    printf("%ld\n", sum);
    cudaFree(in); cudaFree(out); cudaFree(kept);
    return 0;
}
