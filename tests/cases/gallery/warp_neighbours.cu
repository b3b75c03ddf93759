#include <cstdio>

// What a lane takes from another goes straight to memory, at a place that the thread has computed.
__global__ void neighbours(const int *in, int *out, int *from)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[i];
    out[i] = __shfl_up_sync(0xffffffff, value, 1);
    from[2 * i] += __shfl_down_sync(0xffffffff, 3 * value + i, 2);
}

int main()
{
    const int blocks = 3, threads = 96, n = blocks * threads;
    int host[2 * n], *in, *out, *from;
    for (int i = 0; i < 2 * n; ++i) host[i] = (i * 7) % 10;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&from, sizeof(host));
    cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(from, host, sizeof(host), cudaMemcpyHostToDevice);
    neighbours<<<blocks, threads>>>(in, out, from);
    cudaMemcpy(host, from, sizeof(host), cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int i = 0; i < 2 * n; ++i) sum = (sum * 31 + host[i]) % 1000003;
    cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) sum = (sum * 31 + host[i]) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
