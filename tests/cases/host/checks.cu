#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) \
    do { \
        cudaError_t error = (call); \
        if (error != cudaSuccess) { \
            fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
            exit(1); \
        } \
    } while (0)

// Ends the program on an error of the runtime.
static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void fill(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main()
{
    const int n = 64;
    int *values;
    cudaError_t err = cudaMallocManaged(&values, n * sizeof(int));
    if (err != cudaSuccess) {
        fprintf(stderr, "no memory: %s\n", cudaGetErrorString(err));
        return 1;
    }
    int *scratch;
    err = cudaMalloc(&scratch, 4);
    if (err != cudaSuccess) {
        puts("no memory");
        return 1;
    }
    if (cudaMemset(values, 0, n * sizeof(int)) != cudaSuccess) {
        return 1;
    }
    CHECK(cudaSetDevice(0));
    fill<<<2, 32>>>(values, n);
    err = cudaGetLastError();
    if (err != cudaSuccess) {
        return 1;
    }
    check(cudaDeviceSynchronize(), "fill");
    printf("%d\n", values[n - 1]);
    CHECK(cudaFree(values));
    check(cudaFree(scratch), "free");
    return 0;
}
