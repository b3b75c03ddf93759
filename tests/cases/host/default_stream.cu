#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = 3 * i;
}

int main()
{
    const int n = 100;
    int values[n], *device;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc(&device, sizeof values);
    cudaEventRecord(start, cudaStreamDefault);
    fill<<<2, 64, 0, cudaStreamDefault>>>(device, n);
    cudaEventRecord(stop, cudaStreamDefault);
    cudaEventSynchronize(stop);
    cudaMemcpyAsync(values, device, sizeof values, cudaMemcpyDeviceToHost, cudaStreamDefault);
    cudaStreamSynchronize(cudaStreamDefault);
    printf("%d\n", values[99]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(device);
    return 0;
}
