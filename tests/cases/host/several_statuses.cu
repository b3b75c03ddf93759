#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main(int argc, char **argv)
{
    cudaError_t first, second, third = cudaSuccess;
    int devices, n = 64;
    first = cudaGetDeviceCount(&devices);
    if (first != cudaSuccess || devices == 0) {
        printf("no device\n");
        return 1;
    }
    first = cudaSetDevice(0);
    if (first != cudaSuccess) return 1;
    int *one = NULL, *other = NULL;
    first = cudaMalloc(&one, n * sizeof(int));
    second = cudaMalloc(&other, n * sizeof(int));
    if (first != cudaSuccess || second != cudaSuccess) {
        printf("no memory: %s, %s\n", cudaGetErrorString(first), cudaGetErrorName(second));
        cudaFree(one);
        cudaFree(other);
        return 1;
    }
    second = cudaMemset(one, 0, n * sizeof(int));
    third = cudaMemset(other, 0, n * sizeof(int));
    if (second != cudaSuccess || third != cudaSuccess)
        return 1;
    third = cudaMemcpy(other, one, n * sizeof(int), cudaMemcpyDeviceToDevice);
    if (argc > 2 || (third != cudaSuccess)) return 1;
    fill<<<2, 32>>>(one, n);
    fill<<<2, 32>>>(other, n);
    printf("%d %d\n", one[3], other[3]);
    cudaFree(one);
    cudaFree(other);
    return 0;
}
