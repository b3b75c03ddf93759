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
    int *d_out = (int *)malloc(n * sizeof(int));
    int *d_in = (int *)malloc(n * sizeof(int));
    memcpy(d_in, in, n * sizeof(int));
    shift<<<1, 32>>>(d_out, d_in, n);
    memcpy(out, d_out, n * sizeof(int));
    free(d_out);
    free(d_in);
}

int main()
{
    int values[32];
    for (int i = 0; i < 32; i++) values[i] = i;
    shifted(values, values, 32);
    printf("%d\n", values[0]);
    return 0;
}
