#include <cuda_runtime.h>
#include <stdio.h>

// Each round starts from the host's values again, so the device needs a buffer of its own.
__global__ void twice(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}

int main()
{
    int values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int results[8];
    int *d_values;
    cudaMalloc(&d_values, sizeof(int) * 8);
    for (int round = 0; round < 3; round++) {
        cudaMemcpy(d_values, values, sizeof(int) * 8, cudaMemcpyHostToDevice);
        twice<<<1, 8>>>(d_values, 8);
    }
    int *d_other;
    cudaMalloc(&d_other, sizeof(values));
    cudaMemcpy(d_other, values, sizeof(values), cudaMemcpyHostToDevice);
    twice<<<1, 8>>>(d_other, 8);
    printf("%d\n", values[3]);
    cudaMemcpy(values, d_other, sizeof(values), cudaMemcpyDeviceToHost);
    cudaMemcpy(results, d_values, sizeof(int) * 8, cudaMemcpyDeviceToHost);
    printf("%d %d\n", values[3], results[3]);
    cudaFree(d_values);
    cudaFree(d_other);
    return 0;
}
