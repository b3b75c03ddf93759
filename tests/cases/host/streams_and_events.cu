#include <cuda_runtime.h>
#include <stdio.h>

__constant__ float weight;

__global__ void weigh(float *values, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] *= weight;
}

static void launch(float *d_values, int n, cudaStream_t stream)
{
    weigh<<<4, 64, 0, stream>>>(d_values, n);
}

int main()
{
    const int n = 512;
    float *values;
    cudaMallocHost(&values, n * sizeof(float));
    for (int i = 0; i < n; i++) values[i] = 1.0f;
    float w = 0.5f;
    cudaMemcpyToSymbol(weight, &w, sizeof(float));

    cudaStream_t streams[2];
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]);
    cudaEvent_t start, stop, ready;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventCreate(&ready);

    float *d_values;
    cudaMalloc(&d_values, n * sizeof(float));
    cudaMemcpyAsync(d_values, values, n * sizeof(float), cudaMemcpyHostToDevice, streams[0]);
    cudaEventRecord(ready, streams[0]);
    cudaStreamWaitEvent(streams[1], ready, 0);
    cudaEventRecord(start);
    launch(d_values, n, streams[1]);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpyAsync(values, d_values, n * sizeof(float), cudaMemcpyDeviceToHost, streams[1]);
    cudaStreamSynchronize(streams[1]);

    printf("%f\n", values[7]);
    printf("took %f ms\n", ms);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(streams[i]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaEventDestroy(ready);
    cudaFree(d_values);
    cudaFreeHost(values);
    return 0;
}
