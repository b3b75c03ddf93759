#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main(int argc, char **argv)
{
    cudaError_t first;
    int devices, n = 64;
    first = cudaGetDeviceCount(&devices);
    if (first != cudaSuccess || devices == 0) {
        printf("no device\n");
        return 1;
    }
    int *one = (int *)malloc(n * sizeof(int));
    int *other = (int *)malloc(n * sizeof(int));
    if (one == nullptr || other == nullptr) {
        printf("no memory: %s, %s\n", (one == nullptr ? "out of memory" : "no error"), (other == nullptr ? "cudaErrorMemoryAllocation" : "cudaSuccess"));
        free(one);
        free(other);
        return 1;
    }
    memset(one, 0, n * sizeof(int));
    memset(other, 0, n * sizeof(int));
    memcpy(other, one, n * sizeof(int));
    if (argc > 2) return 1;
    fill<<<2, 32>>>(one, n);
    fill<<<2, 32>>>(other, n);
    printf("%d %d\n", one[3], other[3]);
    free(one);
    free(other);
    return 0;
}
