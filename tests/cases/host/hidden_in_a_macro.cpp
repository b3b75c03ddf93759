#include <cuda_runtime.h>
#include <stdio.h>

__global__ void add(int *sum, const int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, values[i]);
}

int main()
{
    const int n = 100;
    int values[n], expected = 0, sum;
    for (int i = 0; i < n; i++) {
        values[i] = i;
        expected += i;
    }
    int *d_values, *d_sum;
    cudaMalloc(&d_values, sizeof(values));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice);
#define RUN(kernel, blocks) \
    cudaMemset(d_sum, 0, sizeof(int)); \
    kernel<<<blocks, 64>>>(d_sum, d_values, n); \
    cudaDeviceSynchronize(); \
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost); \
    puts(sum == expected ? "PASS" : "FAIL")

    RUN(add, 2);
    RUN(add, 4);
    cudaFree(d_values);
    cudaFree(d_sum);
    return 0;
}
