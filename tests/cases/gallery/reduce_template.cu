#include <cstdio>

template <typename T, unsigned int BLOCK>
__global__ void reduce(const T *in, T *out, unsigned int n)
{
    __shared__ T s[BLOCK];
    const unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * BLOCK * 2 + t;
    const unsigned int step = BLOCK * 2 * gridDim.x;
    T sum = 0;
    while (i < n) {
        sum += in[i];
        if (i + BLOCK < n) sum += in[i + BLOCK];
        i += step;
    }
    s[t] = sum;
    __syncthreads();
    if (BLOCK >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
    if (BLOCK >= 64) { if (t < 32) s[t] += s[t + 32]; __syncthreads(); }
    for (unsigned int w = 16; w > 0; w /= 2) {
        if (t < w) s[t] += s[t + w];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

int main()
{
    const unsigned int n = 900;
    int host[n], *in, *out;
    for (unsigned int i = 0; i < n; ++i) host[i] = (int)(i % 12);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    reduce<int, 128><<<2, 128>>>(in, out, n);
    cudaMemcpy(host, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0] + host[1]);
    reduce<int, 64><<<2, 64>>>(in, out, n);
    cudaMemcpy(host, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0] + host[1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
