#include <cstdio>

#define THREADS 32

// Exclusive prefix sum of a long row by one block: chunk after chunk, with a carry in shared memory.
__global__ void prefix_with_carry(const int *in, int *out, int n)
{
    __shared__ int buf[THREADS];
    __shared__ int carry;
    const int t = threadIdx.x;
    if (t == 0) carry = 0;
    __syncthreads();

    for (int start = 0; start < n; start += THREADS) {
        const int i = start + t;
        const int mine = i < n ? in[i] : 0;
        buf[t] = mine;
        __syncthreads();
        for (int d = 1; d < THREADS; d <<= 1) {
            const int other = t >= d ? buf[t - d] : 0;
            __syncthreads();
            buf[t] += other;
            __syncthreads();
        }
        if (i < n) out[i] = carry + buf[t] - mine;
        __syncthreads();
        if (t == THREADS - 1) carry += buf[t];
        __syncthreads();
    }
}

int main()
{
    const int n = 203;
    int host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = (i * 5) % 9;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    prefix_with_carry<<<1, THREADS>>>(in, out, n);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[32], host[n - 1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
