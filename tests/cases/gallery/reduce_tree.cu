#include <cstdio>
#include <cuda_runtime.h>

__global__ void reduceSum(const float *g_idata, float *g_odata, unsigned int n)
{
    extern __shared__ float sdata[];

    // perform first level of reduction, reading from global memory
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;

    float mySum = (i < n) ? g_idata[i] : 0;
    if (i + blockDim.x < n)
        mySum += g_idata[i + blockDim.x];

    sdata[tid] = mySum;
    __syncthreads();

    // do reduction in shared mem
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] = mySum = mySum + sdata[tid + s];
        }
        __syncthreads();
    }

    // write result for this block to global mem
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

int main(int argc, char **argv)
{
    const unsigned int n = 1000, threads = 128, blocks = (n + threads * 2 - 1) / (threads * 2);
    float *host = new float[n], *d_in, *d_out;
    for (unsigned int i = 0; i < n; ++i) host[i] = (float)(i % 10);
    cudaMalloc((void **)&d_in, n * sizeof(float));
    cudaMalloc((void **)&d_out, blocks * sizeof(float));
    cudaMemcpy(d_in, host, n * sizeof(float), cudaMemcpyHostToDevice);
    reduceSum<<<blocks, threads, threads * sizeof(float)>>>(d_in, d_out, n);
    cudaMemcpy(host, d_out, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    float total = 0;
    for (unsigned int b = 0; b < blocks; ++b) total += host[b];
    printf("sum = %.1f\n", total);
    cudaFree(d_in);
    cudaFree(d_out);
    delete[] host;
    return 0;
}
