#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void fill(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main()
{
    const int n = 64;
    int *values = (int *)malloc(n * sizeof(int));
    int *scratch = (int *)malloc(4);
    if (scratch == nullptr) {
        puts("no memory");
        return 1;
    }
    memset(values, 0, n * sizeof(int));
    fill<<<2, 32>>>(values, n);
    printf("%d\n", values[n - 1]);
    free(values);
    free(scratch);
    return 0;
}
