#include <cuda_runtime.h>
#include <stdio.h>

__global__ void add(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i];
}

static void add_on_device(int *d_out, const int *d_in, int n)
{
    add<<<(n + 31) / 32, 32>>>(d_out, d_in, n);
}

// The host changes its input after the copy, and reads its output before the copy back.
int main()
{
    const int n = 40;
    int in[n], out[n];
    for (int i = 0; i < n; i++) {
        in[i] = i;
        out[i] = 100;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, out, sizeof(out), cudaMemcpyHostToDevice);
    in[3] = -1;
    add_on_device(d_out, d_in, n);
    printf("before %d\n", out[3]);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    printf("after %d, input %d\n", out[3], in[3]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
