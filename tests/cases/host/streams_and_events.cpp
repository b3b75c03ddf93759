#include <cuda_runtime.h>
#include <stdio.h>

__constant__ float weight;

__global__ void weigh(float *values, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] *= weight;
}

static void launch(float *d_values, int n)
{
    weigh<<<4, 64>>>(d_values, n);
}

int main()
{
    const int n = 512;
    float *values = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) values[i] = 1.0f;
    float w = 0.5f;
    memcpy(&weight, &w, sizeof(float));

    auto start = std::chrono::steady_clock::now();
    launch(values, n);
    auto stop = std::chrono::steady_clock::now();
    float ms = std::chrono::duration<float, std::milli>(stop - start).count();

    printf("%f\n", values[7]);
    printf("took %f ms\n", ms);
    free(values);
    return 0;
}
