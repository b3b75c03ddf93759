#include <cstdio>

#define N 128

// Inclusive scan of one block, double buffered.
__global__ void scan(int *g_odata, const int *g_idata, int n)
{
    __shared__ int temp[2][N];
    int thid = threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout][thid] = g_idata[blockIdx.x * n + thid];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;  // swap double buffer indices
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout][thid] = temp[pin][thid] + temp[pin][thid - offset];
        else
            temp[pout][thid] = temp[pin][thid];
        __syncthreads();
    }
    g_odata[blockIdx.x * n + thid] = temp[pout][thid];
}

int main()
{
    const int rows = 3;
    int host[rows * N], *in, *out;
    for (int i = 0; i < rows * N; ++i) host[i] = i % 6;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    scan<<<rows, N>>>(out, in, N);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) printf("%d %d\n", host[r * N + 5], host[r * N + N - 1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
