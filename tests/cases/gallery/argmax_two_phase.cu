#include <cstdio>

struct Best
{
    float value;
    int index;
};

__device__ Best better(Best a, Best b)
{
    if (b.value > a.value || (b.value == a.value && b.index < a.index)) return b;
    return a;
}

__global__ void argmax_blocks(const float *x, int n, Best *partial)
{
    __shared__ Best s[128];
    const int t = threadIdx.x;
    Best mine = {-1e30f, n};
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        Best here = {x[i], i};
        mine = better(mine, here);
    }
    s[t] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) s[t] = better(s[t], s[t + half]);
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

__global__ void argmax_final(const Best *partial, int blocks, Best *result)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        Best best = partial[0];
        for (int b = 1; b < blocks; ++b) best = better(best, partial[b]);
        *result = best;
    }
}

int main()
{
    const int n = 3000, blocks = 5;
    static float host[n];
    for (int i = 0; i < n; ++i) host[i] = (float)((i * 7919) % 4093);
    float *x;
    Best *partial, *result, best;
    cudaMalloc(&x, sizeof(host));
    cudaMalloc(&partial, blocks * sizeof(Best));
    cudaMalloc(&result, sizeof(Best));
    cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
    argmax_blocks<<<blocks, 128>>>(x, n, partial);
    argmax_final<<<1, 32>>>(partial, blocks, result);
    cudaMemcpy(&best, result, sizeof(Best), cudaMemcpyDeviceToHost);
    printf("%.0f at %d\n", best.value, best.index);
    cudaFree(x); cudaFree(partial); cudaFree(result);
    return 0;
}
