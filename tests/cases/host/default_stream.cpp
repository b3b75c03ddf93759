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
    int values[n];
    fill<<<2, 64>>>(values, n);
    printf("%d\n", values[99]);
    return 0;
}
