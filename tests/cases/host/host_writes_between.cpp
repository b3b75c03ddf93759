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
    int *d_in = (int *)malloc(sizeof(in));
    int *d_out = (int *)malloc(sizeof(out));
    memcpy(d_in, in, sizeof(in));
    memcpy(d_out, out, sizeof(out));
    in[3] = -1;
    add_on_device(d_out, d_in, n);
    printf("before %d\n", out[3]);
    memcpy(out, d_out, sizeof(out));
    printf("after %d, input %d\n", out[3], in[3]);
    free(d_in);
    free(d_out);
    return 0;
}
