#include <cuda_runtime.h>
#include <stdio.h>

__global__ void shift(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i + 1) % n];
}

// Both parameters may be one array: the copies keep them apart.
void shifted(int *out, const int *in, int n)
{
    int *d_out, *d_in;
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
    shift<<<1, 32>>>(d_out, d_in, n);
    cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    cudaFree(d_in);
}

int main()
{
    int values[32];
    for (int i = 0; i < 32; i++) values[i] = i;
    shifted(values, values, 32);
    printf("%d\n", values[0]);
    return 0;
}
