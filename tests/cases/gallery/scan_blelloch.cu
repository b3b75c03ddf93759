#include <cstdio>
#include <cuda.h>

__global__ void prescan(float *g_odata, float *g_idata, int n)
{
    extern __shared__ float temp[];  // allocated on invocation
    int thid = threadIdx.x;
    int offset = 1;

    // load input into shared memory
    temp[2 * thid] = g_idata[2 * thid];
    temp[2 * thid + 1] = g_idata[2 * thid + 1];

    // build sum in place up the tree
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }

    // clear the last element
    if (thid == 0) { temp[n - 1] = 0; }

    // traverse down tree & build scan
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            float t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();

    // write results to device memory
    g_odata[2 * thid] = temp[2 * thid];
    g_odata[2 * thid + 1] = temp[2 * thid + 1];
}

int main()
{
    const int n = 256;
    float host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = (float)(i % 5);
    cudaMalloc((void **)&in, sizeof(host));
    cudaMalloc((void **)&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    prescan<<<1, n / 2, n * sizeof(float)>>>(out, in, n);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%.0f %.0f %.0f\n", host[0], host[100], host[n - 1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
