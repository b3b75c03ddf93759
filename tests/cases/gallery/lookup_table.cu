#include <cstdio>

typedef unsigned char byte;

/* Applies a tone curve. The table is copied to shared memory once per block. */
__global__ void apply_lut(byte *pixels, const byte *lut, int n)
{
    __shared__ byte table[256];
    int tid = threadIdx.x;
    while (tid < 256) {
        table[tid] = lut[tid];
        tid += blockDim.x;
    }
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        pixels[i] = table[pixels[i]];
}

int main()
{
    const int n = 1500;
    byte host[n], curve[256], *pixels, *lut;
    for (int i = 0; i < 256; ++i) curve[i] = (byte)(255 - i / 2);
    for (int i = 0; i < n; ++i) host[i] = (byte)(i * 3);
    cudaMalloc(&pixels, n);
    cudaMalloc(&lut, 256);
    cudaMemcpy(pixels, host, n, cudaMemcpyHostToDevice);
    cudaMemcpy(lut, curve, 256, cudaMemcpyHostToDevice);
    apply_lut<<<4, 100>>>(pixels, lut, n);
    cudaMemcpy(host, pixels, n, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += host[i] * (i % 19);
    printf("%ld\n", sum);
    cudaFree(pixels);
    cudaFree(lut);
    return 0;
}
